"""A message of yours: its text as it was typed, on a ground as wide as it needs."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil

from PySide6.QtCore import QEvent, QRectF, Qt, QTimer
from PySide6.QtGui import QEnterEvent, QGuiApplication, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from app.theme import theme
from app.values import MessageRow
from app.widgets.button_base import rounded
from app.widgets.icon_button import IconButton
from app.widgets.markdown import visible
from app.widgets.message_item import MessageItem
from app.widgets.text_view import TextView

ACROSS, ABOVE = 12, 8  # padding
RADIUS = 10
BUTTON = 24
BUTTON_GAP = 8
SLICE = 3_000  # characters laid out in one step
TICK_MS = 1_500


class UserMessage(MessageItem):
    """The text and, under the pointer, a Copy button at its right."""

    def __init__(self, row: MessageRow, parent: QWidget | None = None) -> None:
        super().__init__(row, parent)
        self.text = TextView(self.tr("Your message"), self)
        self.text.fitted.connect(self.place)
        self.copy_button = IconButton("copy", self.tr("Copy"), self, size=BUTTON)
        self.copy_button.hide()
        self.copy_button.clicked.connect(self.copy)
        self._tick = QTimer(self, singleShot=True, interval=TICK_MS)
        self._tick.timeout.connect(self._untick)

    def fill(self) -> Iterator[None]:
        """Add the text a few pages at a time."""
        text = visible(self.row.text)
        for start in range(0, len(text), SLICE):
            self.text.add_plain(text[start : start + SLICE])
            self.update()
            yield

    def reset(self) -> None:
        """Be empty again."""
        self.text.reset()

    def copy(self) -> None:
        """Put the text, as it was typed, on the clipboard."""
        QGuiApplication.clipboard().setText(self.row.text)
        self.copy_button.set_icon("check")
        self._tick.start()

    def _untick(self) -> None:
        self.copy_button.set_icon("copy")

    def arrange(self) -> int:
        """The text inside its padding, the button right of the ground."""
        self.text.move(ACROSS, ABOVE - self.text.lift())
        high = self.text.set_width(max(1, self.column - 2 * ACROSS)) + 2 * ABOVE
        right = min(self._ground() + BUTTON_GAP + BUTTON, self.column + self.room)
        self.copy_button.setGeometry(right - BUTTON, (high - BUTTON) // 2, BUTTON, BUTTON)
        return high

    def _ground(self) -> int:
        """The width of the ground: as wide as its text."""
        document = self.text.document()
        if document.firstBlock().textDirection() == Qt.LayoutDirection.RightToLeft:
            return self.column
        return min(self.column, ceil(document.idealWidth()) + 2 * ACROSS)

    def paintEvent(self, _: QPaintEvent) -> None:
        """The ground."""
        area = QRectF(0, 0, self._ground(), self.height())
        rounded(QPainter(self), area, RADIUS, theme().color("fill"))

    def enterEvent(self, event: QEnterEvent) -> None:
        """Show the button."""
        super().enterEvent(event)
        self.copy_button.show()
        self.copy_button.raise_()

    def leaveEvent(self, event: QEvent) -> None:
        """Hide the button."""
        super().leaveEvent(event)
        self.copy_button.hide()
