"""A radio button: a disc with a dot when it is the one chosen of its group."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter

from app.theme import theme
from app.widgets.marked_button import MARK, MarkedButton

DOT = 5


class RadioButton(MarkedButton):
    """One of a `QButtonGroup`, in which the arrow keys choose."""

    radius = MARK / 2

    def paint_mark(self, painter: QPainter, area: QRectF) -> None:
        """The dot."""
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme().color("onAccent"))
        painter.drawEllipse(area.center(), DOT / 2, DOT / 2)
