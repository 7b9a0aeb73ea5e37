"""Why the app does not open, in one sentence, and how it ended, in a number."""

from __future__ import annotations

import sqlite3
import sys

from PySide6.QtCore import QCoreApplication

from app.errors_text import sentence
from engine import paths
from engine.errors import EngineError

FINE, FAULT, WRONG_USE, OPEN_ALREADY = range(4)
_NO_SCREEN = ("offscreen", "minimal")


def open_already() -> int:
    """Say that another app has this home open; the exit status."""
    say(QCoreApplication.translate("Opening", "Mamba Chat is already open."))
    return OPEN_ALREADY


def refuse(error: EngineError) -> int:
    """Say what keeps the app from opening; the exit status."""
    say(sentence(error))
    return FAULT


def unwritable(error: OSError | sqlite3.Error) -> EngineError:
    """What the user can understand of `error`."""
    path, detail = paths.home(), str(error)
    if isinstance(error, OSError):
        path, detail = error.filename or path, error.strerror or detail
    return EngineError("unwritable", path=path, detail=detail)


def say(text: str) -> None:
    """Show `text` until it is read; on stderr where there is no display."""
    app = QCoreApplication.instance()
    if app is not None:  # else Qt's windows may not even be installed
        from PySide6.QtGui import QGuiApplication
        from PySide6.QtWidgets import QMessageBox

        if QGuiApplication.platformName() not in _NO_SCREEN:
            QMessageBox(QMessageBox.Icon.Information, paths.APP_NAME, text).exec()
            return
    print(text, file=sys.stderr, flush=True)
