"""`python -m engine pull` and `remove`: the library without a window."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from downloading import FILE, REPO, SIZE, SOURCE, check_not_installed, check_whole
from hub_faults import GATED, Stall
from hub_server import HubServer

from engine.__main__ import main


@pytest.fixture
def models(home: Path) -> Path:
    return home / "models"


@pytest.fixture(autouse=True)
def model(hub: HubServer, monkeypatch: pytest.MonkeyPatch) -> None:
    hub.add(REPO, SOURCE, licence="apache-2.0")
    monkeypatch.setenv("HF_ENDPOINT", hub.url)
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.null.Keyring")


def test_a_model_is_pulled_by_its_name_and_listed(
    models: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["pull", REPO]) == 0
    assert capsys.readouterr().out.strip() == str(models / REPO)
    check_whole(models / REPO)
    assert main(["models", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert [each["licence"] for each in listed if each["name"] == REPO] == ["apache-2.0"]


def test_the_address_of_its_page_does_as_well_and_events_are_json(
    hub: HubServer, models: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["pull", f"https://huggingface.co/{REPO}/tree/main", "--json"]) == 0
    events = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert events[-1] == {"event": "done", "name": REPO, "folder": str(models / REPO)}
    assert {event["event"] for event in events[:-1]} == {"progress"}


@pytest.mark.parametrize(
    ("name", "words"), [("no slash", "no name of a model"), ("no/body", "has no model no/body")]
)
def test_what_cannot_be_pulled_is_one_sentence(
    models: Path, capsys: pytest.CaptureFixture[str], name: str, words: str
) -> None:
    assert main(["pull", name]) == 2
    error = capsys.readouterr().err
    assert words in error
    assert error.count("\n") == 1


def test_a_revision_that_is_not_there_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["pull", REPO, "--revision", "v9"]) == 2
    assert "v9" in capsys.readouterr().err


def test_a_licence_that_must_be_accepted_is_told_with_its_page(
    hub: HubServer, capsys: pytest.CaptureFixture[str]
) -> None:
    hub.misbehave(REPO, FILE, GATED, times=None)
    assert main(["pull", REPO]) == 2
    assert f"{hub.url}/{REPO}" in capsys.readouterr().err


def test_interrupted_it_keeps_what_came_and_the_same_command_goes_on(
    hub: HubServer, models: Path
) -> None:
    stall = Stall(after=SIZE // 2)
    hub.misbehave(REPO, FILE, stall)
    with subprocess.Popen(
        [sys.executable, "-m", "engine", "pull", REPO, "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
    ) as process:
        assert process.stdout
        assert process.stderr
        for line in process.stdout:
            if json.loads(line)["done_bytes"] > SIZE // 2:
                break
        os.kill(process.pid, signal.SIGINT)
        process.stdout.read()
        said = process.stderr.read()
    assert process.returncode == 130
    assert "goes on from there" in said
    assert "Traceback" not in said
    check_not_installed(models)
    assert main(["pull", REPO]) == 0
    check_whole(models / REPO)
    assert hub.sent(FILE) == SIZE


@pytest.mark.usefixtures("trash")
def test_a_pulled_model_is_removed_and_pulled_again(
    models: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for _ in range(2):
        assert main(["pull", REPO]) == 0
        assert main(["remove", REPO]) == 0
        assert not (models / REPO).exists()
    assert main(["remove", REPO]) == 2
    assert REPO in capsys.readouterr().err
