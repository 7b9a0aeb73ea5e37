"""Starting the app: once for each home, and with an exit status that says how it went."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QMessageBox
from pytestqt.qtbot import QtBot

from app import opening, window_app
from app.main_window import MainWindow
from app.one_at_a_time import Place

Open = Callable[..., MainWindow]
OPEN = """
import sys
from app import window_app

class Tells(window_app.MainWindow):
    def start(self):
        print("open", flush=True)

def front(window):
    print("called", flush=True)

window_app.MainWindow = Tells
window_app.to_the_front = front
sys.exit(window_app.main())
"""


def again(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Start the app as a user does, in a window that needs no screen."""
    return subprocess.run(
        [sys.executable, "-m", "app", *arguments],
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@contextmanager
def opened() -> Iterator[subprocess.Popen[str]]:
    """An app whose window is open. It is killed at the end."""
    process = subprocess.Popen(
        [sys.executable, "-c", OPEN],
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
        stdout=subprocess.PIPE,
        text=True,
    )
    with process:
        assert process.stdout is not None
        assert process.stdout.readline() == "open\n"
        yield process
        process.kill()


def test_a_second_start_leaves_with_status_3_and_calls_the_first() -> None:
    with opened() as first:
        done = again()
        assert (done.returncode, done.stdout) == (3, "")
        assert done.stderr == "Mamba Chat is already open.\n"
        assert first.stdout is not None
        assert first.stdout.readline() == "called\n"
        first.send_signal(signal.SIGTERM)
        assert first.wait(60) == 0


def test_it_opens_again_after_it_was_killed() -> None:
    for _ in range(2):
        with opened():
            pass


def test_another_home_can_be_opened_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with opened():
        monkeypatch.setenv("MAMBA_CHAT_HOME", str(tmp_path / "another"))
        with opened():
            pass


def test_a_place_is_free_once_it_was_left(home: Path, qapp: QApplication) -> None:
    first = Place(home)
    assert first.mine
    assert not Place(home).mine
    first.leave()
    second = Place(home)
    assert second.mine
    second.leave()


def test_the_window_that_is_called_comes_to_the_front(open_window: Open, qtbot: QtBot) -> None:
    window = open_window(load=False)
    window.showMinimized()
    window_app.to_the_front(window)
    assert window.isVisible()
    assert not window.windowState() & Qt.WindowState.WindowMinimized
    window.hide()
    window_app.to_the_front(window)
    assert window.isVisible()


def test_what_keeps_it_from_opening_is_said_in_a_dialog_where_there_is_a_screen(
    qapp: QApplication, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shown: list[str] = []
    monkeypatch.setattr(QGuiApplication, "platformName", staticmethod(lambda: "cocoa"))
    monkeypatch.setattr(QMessageBox, "exec", lambda box: shown.append(box.text()))
    assert opening.open_already() == opening.OPEN_ALREADY == 3
    assert shown == ["Mamba Chat is already open."]
    assert capsys.readouterr().err == ""


def test_a_home_that_cannot_be_made_ends_with_status_1_and_one_sentence(home: Path) -> None:
    home.write_text("a file where the folder should be")
    done = again()
    assert (done.returncode, done.stdout) == (1, "")
    assert "cannot be written" in done.stderr
    assert done.stderr.count("\n") == 1


def test_chats_that_cannot_be_written_end_with_status_1_and_one_sentence(home: Path) -> None:
    (home / "chats.sqlite").mkdir(parents=True)
    done = again()
    assert (done.returncode, done.stdout) == (1, "")
    assert "cannot be written" in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux may have no display")
def test_so_does_the_chat_in_the_terminal(home: Path) -> None:
    home.write_text("a file where the folder should be")
    bare = {key: value for key, value in os.environ.items() if "DISPLAY" not in key}
    del bare["QT_QPA_PLATFORM"]
    command = [sys.executable, "-m", "app"]
    done = subprocess.run(command, env=bare, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert "cannot be written" in done.stderr
    assert done.stderr.count("\n") == 1


def test_an_option_that_it_does_not_know_ends_with_status_2() -> None:
    done = again("--nonsense")
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


def test_the_statuses_are_told_where_the_options_are() -> None:
    from app import __main__

    told = __main__.__doc__ or ""
    places = [told.index(f" {status} ") for status in range(4)]
    assert places == sorted(places)
