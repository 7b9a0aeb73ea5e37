"""A chart of lines from 0, named at their ends: over the position in tokens, or over places."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import ceil

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent, QPen, QPolygonF

from app import format as figures
from app.compare_rows import Line
from app.theme import theme
from app.widgets.chart_base import (
    BELOW,
    END_OVER,
    LABEL_GAP,
    TOP,
    ChartBase,
    Name,
    Tick,
    name_font,
    paint_names,
    paint_rules,
    paint_ticks,
    place_ticks,
)
from app.widgets.chart_scale import positions, rules, spread, thin
from app.widgets.size_mark import size_color, size_width

NAMES, MOST_NAMES = 110, 0.34  # the room of the names at least, and at most of the width
NAME_PITCH, LOWEST = 28, 13  # between two names; from the lowest one to the axis
PLACE_INSET = 16  # from the axis to the first and the last place
DOT_OVER = 2.0  # a dot's radius is so much more than half the width of its line
PIECE = 6  # points: Qt takes ten times as long for a wide line that wavers when it is drawn whole
DASHES = (5.0, 4.0)  # in pixels


@dataclass(slots=True)
class _Plot:
    """What has been worked out for a chart at a size."""

    area: QRectF = field(default_factory=QRectF)
    values: list[float] = field(default_factory=list)  # at the rules
    ticks: list[Tick] = field(default_factory=list)
    lines: list[QPolygonF] = field(default_factory=list)
    pieces: list[list[QPolygonF]] = field(default_factory=list)  # of the lines
    labels: list[float] = field(default_factory=list)  # heights


@dataclass(frozen=True, slots=True)
class _Axis:
    """From a place on the horizontal axis to its x."""

    first: float
    last: float
    left: float
    right: float

    def x(self, place: float) -> float:
        """The only place is in the middle."""
        if self.first == self.last:
            return (self.left + self.right) / 2
        share = (place - self.first) / (self.last - self.first)
        return self.left + share * (self.right - self.left)


class LineChart(ChartBase):
    """Paints a Chart of lines."""

    _plot = _Plot()

    def plot(self) -> _Plot:
        """Where everything stands at the size that it has now."""
        if self.stale():
            self._plot = self._work_out()
        return self._plot

    def paintEvent(self, _: QPaintEvent) -> None:
        """Rules, axis, lines and their names."""
        painter, plot = QPainter(self), self.plot()
        paint_rules(painter, plot.area, plot.values, self.chart.unit)
        paint_ticks(painter, plot.area, plot.ticks)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for line, points, pieces in zip(self.chart.lines, plot.lines, plot.pieces, strict=True):
            painter.setPen(_pen(line))
            for piece in pieces:
                painter.drawPolyline(piece)
            if self.chart.ticks:
                _paint_dots(painter, line, points)
        left = plot.area.right() + LABEL_GAP
        named = zip(self.chart.lines, plot.labels, strict=True)
        paint_names(painter, [Name(line, left, y, self.width() - left) for line, y in named])

    def _work_out(self) -> _Plot:
        look, lines = theme(), self.chart.lines
        most = max((y for line in lines for _, y in line.points), default=0.0)
        plot = _Plot(values=rules(most))
        left = self.axis_left(plot.values)
        top, bottom = look.px(TOP), self.height() - look.px(BELOW)
        right = self.width() - self._names_width() - LABEL_GAP
        plot.area = QRectF(left, top, max(1, right - left), max(1, bottom - top))
        axis = self._axis(plot.area)
        marks = [(axis.x(place), words) for place, words in self._marks()]
        plot.ticks = place_ticks(marks, right + END_OVER)
        rise = plot.area.height() / plot.values[-1]
        for line in lines:
            marked = bool(self.chart.ticks)
            points = line.points if marked else thin(line.points, axis.last, plot.area.width())
            corners = [QPointF(axis.x(x), bottom - y * rise) for x, y in points]
            plot.lines.append(QPolygonF(corners))
            plot.pieces.append(_pieces(corners, len(corners) if line.dashed else PIECE))
        ends = [bottom - (line.points[-1][1] if line.points else 0.0) * rise for line in lines]
        low = bottom - look.px(LOWEST)
        plot.labels = spread(ends, look.px(NAME_PITCH), top, low)
        return plot

    def _end(self) -> float:
        """The last position, in tokens."""
        last = max((x for line in self.chart.lines for x, _ in line.points), default=0.0)
        return max(self.chart.end, last)

    def _axis(self, area: QRectF) -> _Axis:
        if not self.chart.ticks:
            return _Axis(0.0, self._end() or 1.0, area.left(), area.right())
        places = [place for place, _ in self.chart.ticks]
        places += [x for line in self.chart.lines for x, _ in line.points]
        inset = theme().px(PLACE_INSET)
        return _Axis(min(places), max(places), area.left() + inset, area.right() - inset)

    def _marks(self) -> tuple[tuple[float, str], ...]:
        """The places on the axis and their words; of positions the last one names the tokens."""
        if self.chart.ticks:
            return self.chart.ticks
        at = positions(self._end())
        words = [figures.count(round(position)) for position in at]
        if at[-1]:
            words[-1] = self.tr("{n} tokens").format(n=words[-1])
        return tuple(zip(at, words, strict=True))

    def _names_width(self) -> int:
        metrics = QFontMetricsF(name_font())
        longest = max(
            (metrics.horizontalAdvance(line.name) for line in self.chart.lines), default=0
        )
        most = round(self.width() * MOST_NAMES)
        return min(max(theme().px(NAMES), ceil(longest)), most)


def _pieces(corners: list[QPointF], points: int) -> list[QPolygonF]:
    """The line in pieces, each from where the last one ends and so many points on."""
    starts = range(0, max(1, len(corners) - 1), max(1, points))
    return [QPolygonF(corners[at : at + points + 1]) for at in starts]


def _pen(line: Line) -> QPen:
    wide = size_width(line.rank)
    pen = QPen(theme().color(size_color(line.rank)), wide)
    pen.setJoinStyle(Qt.PenJoinStyle.BevelJoin)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    if line.dashed:
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        pen.setDashPattern([length / wide for length in DASHES])
    return pen


def _paint_dots(painter: QPainter, line: Line, points: QPolygonF) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme().color(size_color(line.rank)))
    radius = size_width(line.rank) / 2 + DOT_OVER
    for point in points.toList():
        painter.drawEllipse(point, radius, radius)
