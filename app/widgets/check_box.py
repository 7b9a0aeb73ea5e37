"""A check box: a rounded square with a tick when it is on."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter

from app.theme import theme
from app.widgets.marked_button import MarkedButton

TICK = 11


class CheckBox(MarkedButton):
    """On or off by itself."""

    radius = 4

    def paint_mark(self, painter: QPainter, area: QRectF) -> None:
        """The tick."""
        at = area.center() - QPointF(TICK / 2, TICK / 2)
        painter.drawPixmap(at, theme().pixmap("check", "onAccent", TICK))
