"""The log: one file that does not grow without end, and the last stop for faults of ours."""

from __future__ import annotations

import faulthandler
import logging
import os
import sys
import threading
from collections.abc import Callable
from logging.handlers import RotatingFileHandler
from pathlib import Path
from types import TracebackType
from typing import TextIO

from engine import paths

_MEGABYTE = 1 << 20
CRASHES = "crashes.txt"
_crashes: list[TextIO] = []  # open for as long as the process runs: a crash opens no file


def repair_streams() -> None:
    """Give a start without a console, such as a double click, streams to write to."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w"))  # noqa: SIM115  (kept until the end)


def start() -> None:
    """Log to the logs' folder from here on."""
    folder = paths.logs()
    folder.mkdir(parents=True, exist_ok=True)
    handler = RotatingFileHandler(
        folder / "mamba-chat.log", maxBytes=_MEGABYTE, backupCount=2, encoding="utf-8", delay=True
    )
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    root = logging.getLogger()
    root.addHandler(handler)
    root.setLevel(logging.INFO)


def note_crashes() -> None:
    """Have a crash below Python, which no exception tells of, write every thread's place."""
    file = paths.logs() / CRASHES
    grown = file.exists() and file.stat().st_size > _MEGABYTE
    _crashes.append(file.open("w" if grown else "a", encoding="utf-8"))
    faulthandler.enable(_crashes[-1])


def catch_faults(tell: Callable[[Path | None], None], backend: Callable[[], str] = str) -> None:
    """Log every exception that nobody caught and keep a report of it, with what `backend` says;
    call `tell` with the report's file for those of the GUI thread."""

    def on_fault(
        kind: type[BaseException], error: BaseException, trace: TracebackType | None
    ) -> None:
        if issubclass(kind, KeyboardInterrupt):
            sys.__excepthook__(kind, error, trace)
            return
        logging.getLogger("app").error("not caught", exc_info=(kind, error, trace))
        report = _reported(error, trace, backend)
        if threading.current_thread() is threading.main_thread():
            tell(report)

    def on_thread_fault(fault: threading.ExceptHookArgs) -> None:
        if fault.exc_value is not None and fault.exc_type is not SystemExit:
            on_fault(fault.exc_type, fault.exc_value, fault.exc_traceback)

    sys.excepthook = on_fault
    threading.excepthook = on_thread_fault


def _reported(
    error: BaseException, trace: TracebackType | None, backend: Callable[[], str]
) -> Path | None:
    from app import fault_report

    try:
        return fault_report.write(error, trace, backend())
    except OSError:
        logging.getLogger("app").exception("no report could be written")
        return None
