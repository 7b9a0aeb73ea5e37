"""A fault of ours is told in one sentence, is in the log, and leaves a report without secrets."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtWidgets import QMessageBox

from app import fault_report, folders, window_app
from app.main_window import MainWindow
from engine import __version__, paths

Open = Callable[..., MainWindow]
FAULTS = """
import sys, threading
from app import log

log.start()
log.catch_faults(lambda report: print(report.name, flush=True), lambda: "CPU, 2 cores")

def fault(text):
    try:
        raise KeyError(text)
    except KeyError as error:
        raise ValueError("the chat said " + text) from error

if sys.argv[1] == "thread":
    thread = threading.Thread(target=fault, args=["a secret"])
    thread.start()
    thread.join()
else:
    fault("a secret")
"""
CRASH = """
import faulthandler
from app import log

log.start()
log.note_crashes()

def deep_inside():
    faulthandler._sigsegv()

deep_inside()
"""


def _run(code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=False
    )


def _fail(depth: int = 0) -> ValueError:
    try:
        raise ValueError(f"secret {depth}")
    except ValueError as error:
        return error


@pytest.mark.parametrize("where", ["gui", "thread"])
def test_a_fault_that_nobody_caught_is_in_the_log_and_in_a_report(home: Path, where: str) -> None:
    ran = _run(FAULTS, where)
    (report,) = paths.logs().glob("report-*.txt")
    assert ran.stdout.split() == ([report.name] if where == "gui" else [])
    text = report.read_text("utf-8")
    for fact in (f"Mamba Chat: {__version__}", "System: ", "Python: 3.", "Qt: 6.", "MLX: 0."):
        assert fact in text
    assert "Backend: CPU, 2 cores" in text
    assert "in fault" in text
    assert text.index("builtins.KeyError") < text.index("led to") < text.index("builtins.ValueErr")
    assert "a secret" in (paths.logs() / "mamba-chat.log").read_text("utf-8")


def test_a_report_quotes_no_chat(home: Path) -> None:
    _run(FAULTS, "gui")
    (report,) = paths.logs().glob("report-*.txt")
    assert "secret" not in report.read_text("utf-8")


def test_a_report_names_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/somewhere/jane")
    text = 'File "/somewhere/jane/x.py", "/{}/jane/x.py" and "/{}/Jane Doe"'
    shown = fault_report.nameless(text.format("Users", "home"))
    assert "jane" not in shown
    assert shown.startswith('File "~/x.py", "~/x.py" and')


def test_the_last_five_reports_are_kept(home: Path) -> None:
    made = [fault_report.write(error, error.__traceback__, str(n)) for n in range(7)
            if (error := _fail(n))]  # fmt: skip
    assert sorted(paths.logs().glob("report-*.txt")) == sorted(made[-5:])


def test_a_fault_at_every_painting_is_one_report(home: Path) -> None:
    error = _fail()
    made = {fault_report.write(error, error.__traceback__) for _ in range(3)}
    assert [*paths.logs().glob("report-*.txt")] == [*made]


def test_the_sentence_about_a_fault_leads_to_its_report(
    open_window: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[Path] = []
    monkeypatch.setattr(folders, "show", shown.append)
    window = open_window(load=False)
    for _ in range(2):
        window_app.tell_of_fault(window, paths.logs() / "report-1.txt")
    (box,) = window.findChildren(QMessageBox)
    (button,) = [button for button in box.buttons() if button.text() == "Show Report"]
    button.click()
    assert shown == [paths.logs()]
    box.close()


def test_without_a_report_there_is_only_the_sentence(open_window: Open) -> None:
    window = open_window(load=False)
    window_app.tell_of_fault(window, None)
    (box,) = window.findChildren(QMessageBox)
    assert len(box.buttons()) == 1
    assert "Something went wrong" in box.text()
    box.close()


def test_a_crash_below_python_leaves_its_place(home: Path) -> None:
    ran = _run(CRASH)
    assert ran.returncode < 0
    text = (paths.logs() / "crashes.txt").read_text("utf-8")
    assert "Segmentation fault" in text
    assert "in deep_inside" in text


def test_the_crashes_do_not_grow_without_end(home: Path) -> None:
    paths.logs().mkdir(parents=True)
    file = paths.logs() / "crashes.txt"
    file.write_text("x" * (2 << 20))
    _run(CRASH)
    assert file.stat().st_size < os.stat(__file__).st_size
