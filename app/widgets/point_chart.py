"""A chart with a dot for each model: two figures against each other, lower left is best."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import ceil

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent, QPen

from app.compare_rows import Line
from app.theme import theme
from app.widgets.chart_base import (
    BELOW,
    END_OVER,
    ChartBase,
    Name,
    Tick,
    name_font,
    paint_names,
    paint_rules,
    paint_ticks,
    place_ticks,
    tick_font,
)
from app.widgets.chart_labels import Box, Label, beside
from app.widgets.chart_scale import around, rules, tick_text
from app.widgets.size_mark import size_color

TOP = 32  # from the top to the first rule: the unit stands over it
COLUMNS = 5  # ticks, 0 among them
DOT, RING = 5, 2  # a dot's radius; the width of one that was calculated
NAME_GAP, NAME_HIGH = 12, 28  # from the middle of a dot to its name; of the name and its value


@dataclass(slots=True)
class _Plot:
    """What has been worked out for a chart at a size."""

    area: QRectF = field(default_factory=QRectF)
    values: list[float] = field(default_factory=list)  # at the rules
    ticks: list[Tick] = field(default_factory=list)
    labels: list[Label] = field(default_factory=list)  # with their dots


class PointChart(ChartBase):
    """Paints a Chart of points."""

    _plot = _Plot()

    def plot(self) -> _Plot:
        """Where everything stands at the size that it has now."""
        if self.stale():
            self._plot = self._work_out()
        return self._plot

    def paintEvent(self, _: QPaintEvent) -> None:
        """Rules, axis, dots and their names."""
        painter, plot = QPainter(self), self.plot()
        paint_rules(painter, plot.area, plot.values, self.chart.unit)
        paint_ticks(painter, plot.area, plot.ticks)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        named = list(zip(self.chart.lines, plot.labels, strict=True))
        for _line, label in named:  # the rules leave a gap there
            box = label.box
            ground = QRectF(box.left, box.top, box.right - box.left, box.bottom - box.top)
            painter.fillRect(ground, theme().color("strip"))
        painter.setPen(QPen(theme().color("other"), 1))
        for _line, label in named:
            if label.near:
                painter.drawLine(QPointF(*label.dot), QPointF(*label.near))
        for line, label in named:
            _paint_dot(painter, line, QPointF(*label.dot))
        names = []
        for line, label in named:
            box, share = label.box, float(label.box.right < label.dot[0])
            names.append(Name(line, box.left, label.middle, box.right - box.left, share))
        paint_names(painter, names)

    def _work_out(self) -> _Plot:
        look, points = theme(), [line.points[0] for line in self.chart.lines]
        plot = _Plot(values=around([y for _, y in points]))
        left, top = self.axis_left(plot.values), look.px(TOP)
        right, bottom = self.width() - END_OVER, self.height() - look.px(BELOW)
        plot.area = QRectF(left, top, max(1, right - left), max(1, bottom - top))
        columns = rules(max((x for x, _ in points), default=0.0), COLUMNS)
        scale = plot.area.width() / columns[-1]
        words = [tick_text(x, columns) for x in columns]
        words[-1] = self.tr("{n} {unit}").format(n=words[-1], unit=self.chart.x_unit)
        marks = [(left + x * scale, word) for x, word in zip(columns, words, strict=True)]
        plot.ticks = place_ticks(marks, self.width())
        base, rise = plot.values[0], plot.area.height() / (plot.values[-1] - plot.values[0])
        dots = [(left + x * scale, bottom - (y - base) * rise) for x, y in points]
        plot.labels = self._place_names(dots, plot.area)
        return plot

    def _place_names(self, dots: list[tuple[float, float]], area: QRectF) -> list[Label]:
        look, names, values = theme(), QFontMetricsF(name_font()), QFontMetricsF(tick_font())
        gap, high = look.px(NAME_GAP), look.px(NAME_HIGH)
        room = Box(area.left(), area.top(), self.width(), area.bottom())
        most = (room.right - room.left) / 2 - gap
        widths = [
            min(
                most,
                ceil(max(names.horizontalAdvance(line.name), values.horizontalAdvance(line.value))),
            )
            for line in self.chart.lines
        ]
        return beside(dots, widths, high, room, gap)


def _paint_dot(painter: QPainter, line: Line, middle: QPointF) -> None:
    """A disc; a ring where it was calculated."""
    color = theme().color(size_color(line.rank))
    radius = DOT - RING / 2 if line.dashed else DOT
    painter.setPen(QPen(color, RING) if line.dashed else Qt.PenStyle.NoPen)
    painter.setBrush(Qt.BrushStyle.NoBrush if line.dashed else color)
    painter.drawEllipse(middle, radius, radius)
