"""The log: one file that does not grow without end, and the last stop for faults of ours."""

from __future__ import annotations

import logging
import os
import sys
import threading
from collections.abc import Callable
from logging.handlers import RotatingFileHandler
from types import TracebackType

from engine import paths

_MEGABYTE = 1 << 20


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


def catch_faults(tell: Callable[[], None]) -> None:
    """Log every exception that nobody caught, and call `tell` for those of the GUI thread."""

    def on_fault(
        kind: type[BaseException], error: BaseException, trace: TracebackType | None
    ) -> None:
        if issubclass(kind, KeyboardInterrupt):
            sys.__excepthook__(kind, error, trace)
            return
        logging.getLogger("app").error("not caught", exc_info=(kind, error, trace))
        if threading.current_thread() is threading.main_thread():
            tell()

    sys.excepthook = on_fault
