"""The colour and the width that a model has in charts, by its place from small to large."""

from __future__ import annotations

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QPainter, QPen

from app.theme import theme

LONG = 16  # of the line beside a name
_LARGEST = 4


def size_color(rank: int) -> str:
    """The token of a rank: 0 is the smallest model; -1 is not one of the sizes."""
    return f"size{min(rank, _LARGEST) + 1}" if rank >= 0 else "other"


def size_width(rank: int) -> float:
    """How wide its line is, in pixels."""
    return 2 + 0.5 * min(max(rank, 0), _LARGEST)


def paint_size(painter: QPainter, left: QPointF, rank: int) -> None:
    """The line beside a name, its left end in the middle of its height at `left`."""
    wide = size_width(rank)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    pen = QPen(theme().color(size_color(rank)), wide)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    painter.setPen(pen)
    end = LONG - wide / 2
    painter.drawLine(left + QPointF(wide / 2, 0), left + QPointF(end, 0))
    painter.restore()
