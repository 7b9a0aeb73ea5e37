"""A field that shows where something is, with ~ for the user's own folder."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QFocusEvent, QFontMetricsF, QResizeEvent
from PySide6.QtWidgets import QWidget

from app.widgets.text_field import TextField

INSET = 22  # both sides: border, padding, and what Qt keeps for the caret


class PathField(TextField):
    """Read-only; where there is no room for the whole path, its middle is left out, but not from
    a field that has the focus, so that what is copied is a path."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(name, parent)
        self._words = ""
        self.setReadOnly(True)

    def set_path(self, path: Path) -> None:
        """Show this path."""
        home = Path.home()
        inside = path.is_relative_to(home)
        self._words = str(Path("~") / path.relative_to(home) if inside else path)
        self.setToolTip(str(path))
        self.setAccessibleDescription(str(path))
        self._elide()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show the whole path."""
        self.setText(self._words)
        super().focusInEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Show what there is room for."""
        super().focusOutEvent(event)
        self._elide()

    def restyle(self) -> None:
        """Take the theme's font and height anew."""
        super().restyle()
        self._elide()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width holds more of it, or less."""
        super().resizeEvent(event)
        self._elide()

    def _elide(self) -> None:
        words = getattr(self, "_words", "")  # the first restyle comes before there is any
        middle = Qt.TextElideMode.ElideMiddle
        self.setText(QFontMetricsF(self.font()).elidedText(words, middle, self.width() - INSET))
