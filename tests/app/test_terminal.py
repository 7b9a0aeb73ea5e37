"""The chat in the terminal, which is what a machine without a display gets."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="only Linux may lack a display"
)


def _start(tmp_path: Path) -> subprocess.Popen[str]:
    hidden = {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"}
    return subprocess.Popen(
        [sys.executable, "-m", "app"],
        cwd=tmp_path,
        env={name: value for name, value in os.environ.items() if name not in hidden},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_without_a_display_the_chat_runs_in_the_terminal(tmp_path: Path) -> None:
    talk = _start(tmp_path)
    answers, figures = talk.communicate("What sound does a cow make?\n\n   \nHello!\n", timeout=60)
    assert talk.returncode == 0
    first, *rest = figures.splitlines()
    assert first == "There is no display here, so the chat runs in the terminal."
    assert "starter-12m" in rest[0]
    assert len([line for line in rest if "ms/token" in line]) == 2  # blank lines ask nothing
    assert answers.strip()


def test_ctrl_c_stops_the_answer_and_the_chat_goes_on(tmp_path: Path) -> None:
    talk = _start(tmp_path)
    assert talk.stdin is not None
    assert talk.stdout is not None
    talk.stdin.write("Tell me a long story about a lighthouse and a goat.\n")
    talk.stdin.flush()
    assert talk.stdout.read(1)
    talk.send_signal(signal.SIGINT)
    _, figures = talk.communicate("Hello!\n", timeout=60)
    assert talk.returncode == 0
    assert "stopped at" in figures
    assert len([line for line in figures.splitlines() if line.endswith(", CPU")]) == 2


def test_a_model_that_is_not_there_is_one_sentence_and_status_2(
    capsys: pytest.CaptureFixture[str],
) -> None:
    from app import terminal

    assert terminal.main("no such model") == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert "no such model" in said.err
