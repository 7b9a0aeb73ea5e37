"""What a selection puts on the clipboard: plain text, which outlives the interpreter."""

from __future__ import annotations

from PySide6.QtCore import QMimeData
from PySide6.QtGui import QGuiApplication

_last: list[QMimeData] = []


def plain_data(text: str) -> QMimeData:
    """The text for the clipboard or a drag, and nothing else."""
    data = QMimeData()
    data.setText(text)
    _last[:] = [data]
    return data


def let_go() -> None:
    """Have Qt itself hold what was copied. It lets go of it at the very end of the process, where
    an object that was made in Python has no interpreter to live in any more: a crash."""
    clipboard = QGuiApplication.clipboard()
    if _last and clipboard.mimeData() is _last[0]:
        clipboard.setText(_last[0].text())
    _last.clear()
