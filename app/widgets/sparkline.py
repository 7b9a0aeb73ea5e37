"""The sparkline of ms per token: a flat line looks flat, and what was read lies on the axis."""

from __future__ import annotations

from bisect import bisect_right
from statistics import median

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QWidget

from app import format as text
from app.theme import theme
from app.values import Trace

WIDTH, NARROW_WIDTH, HEIGHT = 210, 190, 44
LEFT, AFTER = 1.0, 7.0  # what is free before and after the axis
TOP, AXIS = 4.0, 30.5  # y of 1.6 x median and of 0
HEADROOM = 1.6
READ_SHARE = 0.25  # of the axis, at most, once something was written
PIXELS_PER_POINT = 2


class Axis:
    """Token positions to x: what was read is squeezed into a quarter of the width at most."""

    def __init__(self, trace: Trace, width: float = WIDTH) -> None:
        self.right = width - AFTER
        end = max(trace.end, 1)
        edges = [0]
        for start, stop in trace.read:
            edges += [start, stop]
        self._edges = [*edges, end]
        read = sum(stop - start for start, stop in trace.read)
        squeezed = bool(trace.points) and read > READ_SHARE * end and read < end
        share = READ_SHARE if squeezed else read / end
        slow = share / read if read else 0.0
        fast = (1 - share) / (end - read) if end > read else 0.0
        self._at = [0.0]
        self._slopes = []
        for index, (start, stop) in enumerate(zip(self._edges[:-1], self._edges[1:], strict=True)):
            slope = slow if index % 2 else fast
            self._slopes.append(slope)
            self._at.append(self._at[-1] + slope * (stop - start))

    def x(self, position: float) -> float:
        """The x of a token position."""
        index = min(bisect_right(self._edges, position), len(self._edges) - 1) - 1
        index = max(index, 0)
        part = self._at[index] + self._slopes[index] * (position - self._edges[index])
        return LEFT + max(0.0, min(1.0, part)) * (self.right - LEFT)


def lines(trace: Trace, axis: Axis) -> list[list[tuple[float, float]]]:
    """The unbroken stretches as (x, mean ms): a point per two pixels at most, broken by reading."""
    stretches: list[list[tuple[float, float]]] = []
    starts = [start for start, _ in trace.read]
    stretch = bucket = -1
    total, count = 0.0, 0
    for position, value in trace.points:
        x = axis.x(position)
        here, cell = bisect_right(starts, position - 1), int(x / PIXELS_PER_POINT)
        if here != stretch:
            stretches.append([])
        if here != stretch or cell != bucket:
            stretch, bucket, total, count = here, cell, 0.0, 0
            stretches[-1].append((x, value))
        total, count = total + value, count + 1
        stretches[-1][-1] = (x, total / count)
    return stretches


class Sparkline(QWidget):
    """Paints a Trace, 210 by 44 pixels, or less wide where there is less room."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._trace = Trace()
        self.setAccessibleName(self.tr("Milliseconds per token, over the chat"))
        theme().changed.connect(self.update)

    def set_trace(self, trace: Trace) -> None:
        """Show this trace."""
        self._trace = trace
        self.update()

    def sizeHint(self) -> QSize:
        """Its usual size."""
        return QSize(WIDTH, HEIGHT)

    def paintEvent(self, _: QPaintEvent) -> None:
        """Axis, median, line, what was read, and the two ends of the axis."""
        painter = QPainter(self)
        look, trace = theme(), self._trace
        axis = Axis(trace, self.width())
        long = axis.right - LEFT
        painter.fillRect(QRectF(LEFT, AXIS - 0.5, long, 1), look.color("edge"))
        for start, stop in trace.read:
            left, right = axis.x(start), axis.x(stop)
            painter.fillRect(QRectF(left, AXIS - 1.5, right - left, 3), look.color("other"))
        if trace.end:
            middle = AXIS - (AXIS - TOP) / HEADROOM
            painter.fillRect(QRectF(LEFT, middle - 0.5, long, 1), look.color("line"))
        if trace.points:
            self._paint_line(painter, lines(trace, axis))
        painter.setFont(look.font("tick"))
        painter.setPen(look.color("text3"))
        band = QRectF(LEFT - 1, AXIS + 1, long + 2, HEIGHT - AXIS)
        painter.drawText(band, Qt.AlignmentFlag.AlignLeft, "0")
        if trace.end:
            painter.drawText(band, Qt.AlignmentFlag.AlignRight, text.count(trace.end))

    def _paint_line(self, painter: QPainter, stretches: list[list[tuple[float, float]]]) -> None:
        values = [value for stretch in stretches for _, value in stretch]
        top = HEADROOM * median(values) or 1.0
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        accent = theme().color("accent")
        pen = QPen(accent, 1.5)
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        painter.setPen(pen)
        head = QPointF()
        for stretch in stretches:
            points = [QPointF(x, _height(value / top)) for x, value in stretch]
            painter.drawPolyline(QPolygonF(points))
            head = points[-1]
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(accent)
        painter.drawEllipse(head, 2.5, 2.5)


def _height(share: float) -> float:
    return AXIS - (AXIS - TOP) * min(share, 1.0)
