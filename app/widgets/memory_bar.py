"""The memory bar: how much of the machine's memory a model takes, and a tick at the limit."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from app.theme import theme
from app.widgets.button_base import rounded
from engine.api import Fit

HEIGHT, TICK_HEIGHT = 6, 12
LEAST = 3  # of what is used, so that it can be seen
RADIUS = 2  # less than half, so that a small share still has an end
COLORS: dict[Fit | None, str] = {
    "fits": "accent",
    "tight": "warnMark",
    "too_big": "errorMark",
    None: "other",
}


def paint_memory(
    painter: QPainter, area: QRectF, used: float, limit: float | None, fit: Fit | None
) -> None:
    """`used` and `limit` are shares of the memory, 0 to 1; the bar lies in the middle of `area`."""
    look = theme()
    middle = area.y() + area.height() / 2
    bar = QRectF(area.x(), middle - HEIGHT / 2, area.width(), HEIGHT)
    rounded(painter, bar, RADIUS, look.color("track"))
    if used > 0:
        bar.setWidth(max(LEAST, area.width() * min(1.0, used)))
        rounded(painter, bar, min(RADIUS, bar.width() / 2), look.color(COLORS[fit]))
    if limit is not None:
        x = round(area.x() + area.width() * limit)
        painter.fillRect(QRectF(x, middle - TICK_HEIGHT / 2, 1, TICK_HEIGHT), look.color("text2"))
