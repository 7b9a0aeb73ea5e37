"""Shows folders in the system's file manager."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices


def show(folder: Path) -> None:
    """Show a folder, or the nearest one above it that is there, in the Finder or its like."""
    while not folder.is_dir() and folder != folder.parent:
        folder = folder.parent
    QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder)))
