"""A popover: a popup with a rounded ground, below the button that opens it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QWidget

from app.theme import theme
from app.widgets.button_base import rounded

RADIUS = 10
BELOW = 5


class Popover(QFrame):
    """Esc or a press beside it closes it. `closed` is emitted when it did."""

    closed = Signal()

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Popup | Qt.WindowType.FramelessWindowHint)
        self.setAttribute(Qt.WidgetAttribute.WA_TranslucentBackground)
        self.setAccessibleName(name)

    def open_below(self, place: QRect) -> None:
        """Open below `place` (on the screen), or above it where there is no room below."""
        self.adjustSize()
        screen = self.screen().availableGeometry()
        y = place.bottom() + BELOW
        above = place.top() - BELOW - self.height()
        if y + self.height() > screen.bottom() and above >= screen.top():
            y = above
        x = min(place.left(), screen.right() - self.width())
        self.move(max(x, screen.left()), y)
        self.show()

    def hideEvent(self, event: QEvent) -> None:
        """Tell that it closed."""
        super().hideEvent(event)  # type: ignore[arg-type]
        self.closed.emit()

    def paintEvent(self, _: QPaintEvent) -> None:
        """A rounded ground with the border of a control."""
        look = theme()
        area = QRectF(self.rect())
        rounded(QPainter(self), area, RADIUS, look.color("content"), look.color("edge"))
