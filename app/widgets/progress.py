"""A progress bar, four pixels high: a part of the track in a colour that says how it goes."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from app.theme import theme
from app.widgets.button_base import rounded

HEIGHT = 4


def paint_progress(
    painter: QPainter, area: QRectF, fraction: float, color: str = "accent", track: str = "track"
) -> None:
    """`fraction` (0 to 1) of `area` in the token `color`, the rest in the track's."""
    rounded(painter, area, HEIGHT / 2, theme().color(track))
    width = area.width() * max(0.0, min(1.0, fraction))
    if width > 0:
        done = QRectF(area.x(), area.y(), max(width, HEIGHT), area.height())
        rounded(painter, done, HEIGHT / 2, theme().color(color))
