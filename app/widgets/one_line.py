"""One line of text in the middle of an area, on the same baseline whatever its script."""

from __future__ import annotations

from math import ceil

from PySide6.QtCore import QPointF, QRect, QRectF
from PySide6.QtGui import QFontMetricsF, QPainter


def draw_line(painter: QPainter, area: QRectF | QRect, words: str, *, share: float = 0.0) -> None:
    """Draw `words` in the painter's font; `share` of the free width is left of them: 0 begins at
    the left, 0.5 is the middle, 1 ends at the right. Qt's own centring puts kanji lower than
    Latin, since it measures the font that it fell back to."""
    metrics = QFontMetricsF(painter.font())
    free = area.width() - metrics.horizontalAdvance(words) if share else 0.0
    middle = area.y() + area.height() / 2
    base = middle + (ceil(metrics.ascent()) - ceil(metrics.descent())) / 2
    painter.drawText(QPointF(area.x() + free * share, base), words)
