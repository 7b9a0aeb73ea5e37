"""The bridge to the library, against a Hub on this machine: what it says, and how it ends."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hub_faults import Silence, Stall
from hub_server import LISTING, SEARCH, HubServer
from library_bridge import (
    FILE,
    MACHINE,
    OTHER,
    REPO,
    SIZE,
    SOURCE,
    Heard,
    is_asking,
    lasting_threads,
)
from PySide6.QtCore import QCoreApplication

from engine import library_changes, paths


def test_all_that_comes_of_it_is_told_on_the_windows_thread(started: Heard, tmp_path: Path) -> None:
    client = started.client
    client.get(REPO)
    assert started.wait_for("installed") == (REPO,)
    client.search("other")
    text, (offer,) = started.wait_for("found")
    assert (text, offer.repo) == ("other", OTHER)
    client.import_folder(SOURCE)
    started.wait_for("imported")
    client.import_folder(tmp_path / "nothing")
    what, name, error = started.wait_for("refused")
    assert (what, name, error.code) == ("import", str(tmp_path / "nothing"), "not_found")
    client.move_models(tmp_path / "new")
    assert started.wait_for("moved") == (tmp_path / "new",)
    assert started.of("moving")[-1] == (1.0,)
    started.wait(lambda: REPO in {info.name for info in started.of("models_found")[-1][0]})
    used, free, gone = started.of("disk_known")[-1]
    assert used > SIZE
    assert free > 0
    assert gone is None


@pytest.mark.usefixtures("trash")
def test_what_is_removed_frees_its_bytes_and_is_listed_no_more(started: Heard) -> None:
    started.client.get(REPO)
    started.wait_for("installed")
    started.client.remove(REPO)
    name, freed = started.wait_for("removed")
    assert name == REPO
    assert freed > SIZE
    started.wait(lambda: REPO not in {info.name for info in started.of("models_found")[-1][0]})


def test_only_the_answer_to_the_last_question_counts(hub: HubServer, started: Heard) -> None:
    slow = Silence()
    hub.misbehave(SEARCH, LISTING, slow)
    started.client.search("tiny")
    started.wait(slow.began.is_set)
    started.client.search("other")
    started.wait_for("found")
    slow.released.set()
    started.wait(lambda: not is_asking())
    started.client.search("tiny")
    started.client.search("")
    started.wait(lambda: not is_asking())
    QCoreApplication.processEvents()
    assert [text for text, _ in started.of("found")] == ["other"]
    assert not started.of("search_failed")


def test_a_hub_that_cannot_be_asked_is_told(started: Heard) -> None:
    started.client.search("no/such-model")
    text, error = started.wait_for("search_failed")
    assert (text, error.code) == ("no/such-model", "not_on_hub")


def test_a_models_folder_that_cannot_be_read_is_told(heard: Heard) -> None:
    paths.models().write_text("a file in its place")
    heard.client.set_machine(MACHINE)
    what, _, error = heard.wait_for("refused")
    assert (what, error.code) == ("list", "unreadable")


def test_a_fault_is_in_the_log_and_told(
    started: Heard, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object) -> None:
        raise KeyError("a fault of ours")

    monkeypatch.setattr(library_changes, "remove", broken)
    started.client.remove(REPO)
    what, name, error = started.wait_for("refused")
    assert (what, name, type(error)) == ("remove", REPO, KeyError)
    assert "a fault of ours" in caplog.text


def test_downloads_that_cannot_be_brought_up_are_told_of_and_hold_nothing_up(
    heard: Heard, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise KeyError("a fault of ours")

    monkeypatch.setattr("engine.hub.downloads.Downloads", broken)
    heard.client.get(REPO)
    heard.client.start()
    what, name, error = heard.wait_for("refused")
    assert (what, name, type(error)) == ("download", REPO, KeyError)
    assert "a fault of ours" in caplog.text
    assert heard.close() < 2


def test_what_is_wanted_before_the_downloads_are_up_comes(heard: Heard) -> None:
    heard.client.get(REPO)
    assert not heard.of("downloads_changed")
    heard.client.start()
    assert heard.wait_for("installed") == (REPO,)


def search(heard: Heard, hub: HubServer) -> None:
    silence = Silence()
    hub.misbehave(SEARCH, LISTING, silence)
    heard.client.search("tiny")
    heard.wait(silence.began.is_set)


def look_up(heard: Heard, hub: HubServer) -> None:
    silence = Silence()
    hub.misbehave(REPO, LISTING, silence)
    heard.client.get(REPO)
    heard.wait(silence.began.is_set)


def ask(heard: Heard, hub: HubServer) -> None:
    silence = Silence()
    hub.misbehave(REPO, FILE, silence)
    heard.client.get(REPO)
    heard.wait(silence.began.is_set)


def stall(heard: Heard, hub: HubServer) -> None:
    hub.misbehave(REPO, FILE, Stall(after=SIZE // 2))
    heard.client.get(REPO)
    heard.wait_for_bytes(SIZE // 2)


def download(heard: Heard, hub: HubServer) -> None:
    hub.total_pace.bytes_per_s = 2e6
    heard.client.get(REPO)
    heard.wait_for_bytes(SIZE // 10)


def move(heard: Heard, hub: HubServer) -> None:
    large = paths.models() / "large"
    large.mkdir(parents=True)
    (large / "config.json").write_text("{}")
    with (large / "model.safetensors").open("wb") as file:
        file.truncate(2_000_000_000)
    heard.client.move_models(paths.home() / "new")
    heard.wait_for("moving")
    heard.wait_for("moving")


def everything(heard: Heard, hub: HubServer) -> None:
    heard.client.search("tiny")
    heard.client.get(REPO)
    heard.client.import_folder(SOURCE)
    heard.client.find_models()
    heard.client.keep_token("hf_word")


MOMENTS: dict[str, Callable[[Heard, HubServer], None]] = {
    "searching": search,
    "looking a model up": look_up,
    "asking for a file": ask,
    "stalled": stall,
    "downloading": download,
    "moving the models": move,
    "everything at once": everything,
    "doing nothing": lambda *_: None,
}


@pytest.mark.parametrize("moment", MOMENTS)
def test_it_ends_at_once_at_any_moment_and_says_nothing_more(
    hub: HubServer, heard: Heard, moment: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_link(*_: object) -> None:
        raise OSError("no hard links here, so that moving takes a while")

    monkeypatch.setattr(os, "link", no_link)
    before = lasting_threads()
    heard.client.start()
    heard.client.set_machine(MACHINE)
    heard.wait_for("disk_known")
    MOMENTS[moment](heard, hub)
    assert heard.close() < 2
    said = len(heard.events)
    # The Hub's own threads are daemons.
    assert lasting_threads() <= before
    heard.client.find_models()
    heard.client.search("other")
    heard.client.get(OTHER)
    hub.total_pace.bytes_per_s = 0
    heard.qtbot.wait(50)
    assert heard.events[said:] == []
    assert paths.models() == paths.home() / "models"
    assert not (paths.home() / "new").exists()


def test_a_client_that_was_never_started_can_be_closed(heard: Heard) -> None:
    heard.client.get(REPO)
    assert heard.close() < 2
    QCoreApplication.processEvents()
    assert heard.events == []
