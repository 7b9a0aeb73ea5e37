"""The line under a compared model's name: a mark for how it stands, and the words."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter

from app.compare_rows import Column
from app.theme import theme
from app.widgets.fit_mark import paint_fit
from app.widgets.one_line import draw_line
from app.widgets.progress import HEIGHT as BAR_HIGH
from app.widgets.progress import paint_progress

ICON, ICON_MIDDLE = 13, 6.5
DISC_MIDDLE, DISC, SMALL_DISC = 7.5, 3.5, 2.5
WORDS_LEFT = 19
BAR, BAR_GAP = 56, 9
_ICONS = {"done": ("check", "text3"), "stopped": ("stop", "text3"), "failed": ("warn", "error")}


def paint_status(painter: QPainter, area: QRectF, column: Column, words: str) -> None:
    """The mark and the words in the middle of `area`, the words cut where they have no room."""
    look = theme()
    left = _paint_mark(painter, area, column)
    font = look.font("label")
    painter.setFont(font)
    painter.setPen(look.color("text3"))
    room = area.adjusted(left, 0, 0, 0)
    elide = Qt.TextElideMode.ElideRight
    draw_line(painter, room, QFontMetricsF(font).elidedText(words, elide, room.width()))


def _paint_mark(painter: QPainter, area: QRectF, column: Column) -> float:
    """The mark; how far from the left the words begin."""
    look, middle = theme(), area.center().y()
    busy = column.state in ("loading", "reading", "measuring")
    if busy and column.fraction is not None:
        bar = QRectF(area.x(), round(middle - BAR_HIGH / 2), BAR, BAR_HIGH)
        paint_progress(painter, bar, column.fraction)
        return BAR + BAR_GAP
    if column.state in _ICONS:
        name, ink = _ICONS[column.state]
        at = QPointF(area.x() + ICON_MIDDLE - ICON / 2, middle - ICON / 2)
        painter.drawPixmap(at, look.pixmap(name, ink, ICON))
        return WORDS_LEFT
    at = QPointF(area.x() + DISC_MIDDLE, middle)
    if column.state == "skipped":
        paint_fit(painter, at, "too_big")
        return WORDS_LEFT
    waiting = column.state == "waiting"
    size = SMALL_DISC if waiting else DISC
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(look.color("other" if waiting else "accent"))
    painter.drawEllipse(at, size, size)
    return WORDS_LEFT
