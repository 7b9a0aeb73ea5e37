"""Whatever happens on the way, a download ends in a verified model or a clear sentence with the
bytes kept; never in a broken model that counts as installed."""

from __future__ import annotations

from pathlib import Path

import hub_faults as faults
import pytest
from downloading import FILE, REPO, SIZE, SOURCE, Run, check_not_installed, check_whole, refused
from hub_faults import Cut, Fault, Flip, IgnoreIfRange, IgnoreRange, Length, Stall, Status
from hub_server import LISTING, HubServer

from engine.errors import Stopped
from engine.hub.download import ATTEMPTS


@pytest.fixture
def models(home: Path) -> Path:
    return home / "models"


@pytest.fixture(autouse=True)
def model(hub: HubServer) -> None:
    hub.add(REPO, SOURCE, licence="apache-2.0")


def test_a_model_comes_whole_and_is_installed_under_its_name(hub: HubServer, models: Path) -> None:
    folder = Run(hub, models)()
    assert folder == models / REPO
    check_whole(folder)
    assert not list((models / ".downloads").iterdir())
    assert hub.sent(FILE) == SIZE


@pytest.mark.parametrize("tenth", range(1, 10))
def test_a_cut_is_mended_with_only_what_is_missing(
    hub: HubServer, models: Path, tenth: int
) -> None:
    hub.misbehave(REPO, FILE, Cut(after=SIZE * tenth // 10))
    check_whole(Run(hub, models)())
    assert hub.sent(FILE) == SIZE
    first, second = hub.asked(FILE, "cdn")
    assert "range" not in first.headers
    assert second.headers["range"] == f"bytes={SIZE * tenth // 10}-"
    assert second.headers["if-range"]


@pytest.mark.parametrize("tenth", range(1, 10))
def test_stopped_at_any_point_and_begun_again_it_asks_only_for_the_rest(
    hub: HubServer, models: Path, tenth: int
) -> None:
    at = SIZE * tenth // 10
    stall = Stall(after=at)
    hub.misbehave(REPO, FILE, stall)
    run = Run(hub, models)
    run.stop_at(at)
    with pytest.raises(Stopped):
        run()
    check_not_installed(models)
    again = Run(hub, models)
    assert again.progress.done_bytes == run.progress.done_bytes >= at
    check_whole(again())
    assert hub.sent(FILE) == SIZE


TROUBLES: dict[str, list[Fault]] = {
    "connection reset": [Cut(after=1000, reset=True)],
    "no byte at all": [Cut(after=0)],
    "stalled": [Stall(after=100_000)],
    "Content-Length too long": [Length(by=1000)],
    "Content-Length too short": [Length(by=-1000)],
    "500 of the Hub": [Status(500)],
    "503 of the CDN": [Status(503, where="body")],
    "an old link": [Status(403, where="body")],
    "one flipped byte": [Flip(at=4_000_000)],
    "a flipped byte in what is resumed": [Cut(after=3_000_000), Flip(at=4_000_000)],
}


@pytest.mark.parametrize("name", TROUBLES)
def test_what_passes_is_waited_for(hub: HubServer, models: Path, name: str) -> None:
    for fault in TROUBLES[name]:
        hub.misbehave(REPO, FILE, fault)
    check_whole(Run(hub, models)())


@pytest.mark.parametrize("fault", [IgnoreRange(), IgnoreIfRange()], ids=lambda f: type(f).__name__)
def test_a_server_that_knows_no_ranges_or_has_another_file_makes_it_start_over(
    hub: HubServer, models: Path, fault: Fault
) -> None:
    other = bytes(SIZE)
    hub.misbehave(REPO, FILE, faults.Change(other))
    hub.misbehave(REPO, FILE, Cut(after=SIZE // 2))
    hub.misbehave(REPO, FILE, faults.Change(SOURCE / FILE), skip=1)
    hub.misbehave(REPO, FILE, fault, skip=1)
    check_whole(Run(hub, models)())
    hub.behave()


def test_the_whole_file_in_answer_to_a_range_does_not_corrupt_what_is_here(
    hub: HubServer, models: Path
) -> None:
    hub.misbehave(REPO, FILE, Cut(after=SIZE // 2))
    hub.misbehave(REPO, FILE, IgnoreRange(), skip=1)
    check_whole(Run(hub, models)())
    assert hub.sent(FILE) == SIZE // 2 + SIZE


def test_a_byte_that_is_always_wrong_is_said_and_set_aside_and_fetched_anew(
    hub: HubServer, models: Path
) -> None:
    hub.misbehave(REPO, FILE, Flip(at=SIZE - 1), times=None)
    run = Run(hub, models)
    with refused("check_failed"):
        run()
    check_not_installed(models)
    assert [file.name for file in run.staging.files.glob("model*")] == [f"{FILE}.bad"]
    assert hub.sent(FILE) == 2 * SIZE
    hub.behave()
    check_whole(Run(hub, models)())


LASTING: dict[str, tuple[Fault, str]] = {
    "cut": (Cut(after=0), "cut"),
    "stalled": (Stall(), "stalled"),
    "500": (Status(500), "hub_trouble"),
    "404": (faults.NO_FILE, "hub_trouble"),
    "gated": (faults.GATED, "gated"),
    "a token that is not accepted": (faults.BAD_TOKEN, "bad_token"),
    "the revision is gone": (faults.NO_REVISION, "no_revision"),
    "a redirect that never ends": (faults.Redirect(), "bad_redirect"),
    "a redirect to a file": (faults.Redirect("file:///etc/passwd"), "bad_redirect"),
    "a redirect to nowhere": (faults.Redirect("http://"), "bad_redirect"),
    "a redirect to data": (faults.Redirect("data:text/plain,hello"), "bad_redirect"),
}


@pytest.mark.parametrize("name", LASTING)
def test_what_lasts_ends_in_a_sentence_and_the_bytes_are_kept(
    hub: HubServer, models: Path, name: str
) -> None:
    fault, code = LASTING[name]
    hub.misbehave(REPO, FILE, Cut(after=SIZE // 2))
    hub.misbehave(REPO, FILE, fault, times=None, skip=1)
    run = Run(hub, models)
    with refused(code) as errors:
        run()
    assert str(errors[0]).count(". ") == 0
    check_not_installed(models)
    assert run.staging.done_bytes() >= SIZE // 2
    hub.behave()
    check_whole(Run(hub, models)())
    assert hub.sent(FILE) == SIZE


def test_a_file_of_another_size_than_the_listing_says_is_not_fetched(
    hub: HubServer, models: Path
) -> None:
    hub.misbehave(REPO, FILE, Length(by=1000), times=None)
    with refused("wrong_size"):
        Run(hub, models)()
    check_not_installed(models)


def test_it_gives_up_after_ten_attempts_without_a_byte(hub: HubServer, models: Path) -> None:
    hub.misbehave(REPO, FILE, Status(500), times=None)
    with refused("hub_trouble"):
        Run(hub, models)()
    assert len(hub.asked(FILE, "hub")) == ATTEMPTS + 1


def test_a_server_that_cuts_and_always_starts_over_is_given_up(
    hub: HubServer, models: Path
) -> None:
    hub.misbehave(REPO, FILE, Cut(after=SIZE // 2), times=None)
    hub.misbehave(REPO, FILE, IgnoreRange(), times=None)
    with refused("cut"):
        Run(hub, models)()
    check_not_installed(models)


def test_a_server_that_asks_to_wait_is_waited_for(hub: HubServer, models: Path) -> None:
    hub.misbehave(REPO, FILE, Status(429, retry_after="1"))
    run = Run(hub, models)
    waits: list[float] = []

    def look() -> None:
        if run.progress.phase == "retrying":
            waits.append(run.progress.retry_at)
            run.progress.retry_at = 0.0  # the clock goes on

    run.on_tick = look
    check_whole(run())
    assert waits


@pytest.mark.parametrize(
    ("fault", "code"), [(faults.NO_REPO, "not_on_hub"), (faults.GATED, "gated")]
)
def test_a_listing_that_is_refused_is_said_and_leaves_no_model(
    hub: HubServer, models: Path, fault: Fault, code: str
) -> None:
    hub.misbehave(REPO, LISTING, fault, times=None)
    with refused(code):
        Run(hub, models)()
    check_not_installed(models)


def test_a_kind_of_model_that_cannot_run_is_said_before_its_weights_come(
    hub: HubServer, models: Path
) -> None:
    files = {"config.json": '{"model_type": "llama"}', FILE: bytes(5_000)}
    hub.add("owner/llama", files, config=None)
    for _ in range(2):
        with refused("unsupported"):
            Run(hub, models, repo="owner/llama")()
    assert not hub.sent(FILE)


def test_a_model_that_is_here_is_replaced_whole(hub: HubServer, models: Path) -> None:
    folder = Run(hub, models)()
    (folder / FILE).write_bytes(b"broken")
    (folder / "notes.txt").write_text("of the earlier one")
    check_whole(Run(hub, models)())
    assert not (folder / "notes.txt").exists()


@pytest.mark.parametrize("broken", [FILE, "tokenizer.json"])
def test_of_a_broken_model_only_what_is_broken_comes_again(
    hub: HubServer, models: Path, broken: str
) -> None:
    folder = Run(hub, models)()
    with (folder / broken).open("r+b") as file:
        file.seek(1000)
        file.write(b"\0\0")
    before = {name: hub.sent(name) for name in (FILE, "tokenizer.json")}
    check_whole(Run(hub, models)())
    again = {name for name, sent in before.items() if hub.sent(name) > sent}
    assert again == {broken}


def test_a_newer_revision_fetches_what_changed_and_leaves_the_old_whole_until_it_is_there(
    hub: HubServer, models: Path
) -> None:
    folder = Run(hub, models)()
    old = (folder / "tokenizer_config.json").read_bytes()
    changed = {file.name: file for file in SOURCE.iterdir() if file.is_file()}
    new = old.replace(b"}", b" }")
    hub.add(REPO, {**changed, "tokenizer_config.json": new}, commit="1" * 40)
    hub.misbehave(REPO, "tokenizer_config.json", faults.NO_FILE)
    before = hub.sent(FILE)
    with refused("hub_trouble"):
        Run(hub, models)()
    check_whole(folder)
    Run(hub, models)()
    assert (folder / "tokenizer_config.json").read_bytes() == new
    assert hub.sent(FILE) == before
