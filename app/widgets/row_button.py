"""A row that is pressed: a ground under the pointer, and the focus ring inside the row."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFocusEvent, QPainter, QPen
from PySide6.QtWidgets import QAbstractButton, QWidget

from app.theme import theme
from app.widgets.button_base import ButtonBase, rounded
from app.widgets.focus_ring import KEYBOARD

KEPT = (Qt.FocusReason.PopupFocusReason, Qt.FocusReason.ActiveWindowFocusReason)


class RowButton(ButtonBase):
    """Its subclass paints the rest. `keyboard` says that the focus came by keys."""

    radius = 7

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(name, parent)
        self.keyboard = False

    def focusInEvent(self, event: QFocusEvent) -> None:
        """The ring is for a focus that came by keys; one that comes back is as it was."""
        QAbstractButton.focusInEvent(self, event)
        if event.reason() not in KEPT:
            self.keyboard = event.reason() in KEYBOARD
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Without the ring."""
        QAbstractButton.focusOutEvent(self, event)
        self.update()

    def paint_ground(
        self, painter: QPainter, area: QRectF, *, hover: str, chosen: str = ""
    ) -> None:
        """The token `chosen`, or `hover` as warm as it is; and the ring."""
        look = theme()
        if chosen:
            rounded(painter, area, self.radius, look.color(chosen))
        else:
            clear = QColor(0, 0, 0, 0)
            ground = self.ground(clear, look.color(hover), look.color("pressed"))
            rounded(painter, area, self.radius, ground)
        if self.hasFocus() and self.keyboard:
            painter.setPen(QPen(look.color("ring"), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(area.adjusted(1, 1, -1, -1), self.radius - 1, self.radius - 1)
