"""A chart of lines over the position in tokens: from 0, named at their ends."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import ceil

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QWidget

from app import format as figures
from app.compare_rows import Chart, Line
from app.theme import theme
from app.widgets.chart_scale import positions, rules, spread, thin, tick_text
from app.widgets.one_line import draw_line
from app.widgets.size_mark import size_color, size_width

TOP, BELOW = 11, 25  # from the top to the first rule, from the axis to the bottom
LEFT, LABEL_GAP = 26, 8
NAMES, MOST_NAMES = 110, 0.34  # the room of the names at least, and at most of the width
TICK = 4
NAME_RISE, VALUE_DROP = 3, 10  # from a line's end to the middle of its name and of its value
NAME_PITCH, LOWEST = 28, 13  # between two names; from the lowest one to the axis
END_OVER = 18  # the last position's words go so far beyond the axis
UNIT_LEFT, UNIT_DROP = 6, 10
DASHES = (5.0, 4.0)  # in pixels
TICK_PX = 10.5


@dataclass(slots=True)
class _Plot:
    """What has been worked out for a chart at a size."""

    area: QRectF = field(default_factory=QRectF)
    values: list[float] = field(default_factory=list)  # at the rules
    ticks: list[float] = field(default_factory=list)  # positions
    lines: list[QPolygonF] = field(default_factory=list)
    labels: list[float] = field(default_factory=list)  # heights


class LineChart(QWidget):
    """Paints a Chart. Equal charts are drawn once."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.chart = Chart(title="", unit="")
        self._plot: tuple[object, _Plot] | None = None
        theme().changed.connect(self.update)

    def set_chart(self, chart: Chart) -> None:
        """Show this one."""
        if chart != self.chart:
            self.chart = chart
            self.setAccessibleName(chart.title)
            told = (f"{line.name}: {line.value}" for line in chart.lines)
            self.setAccessibleDescription(", ".join(told))
            self.update()

    def plot(self) -> _Plot:
        """Where everything stands at the size that it has now."""
        key = (self.chart, self.size(), theme().zoom)
        if self._plot is None or self._plot[0] != key:
            self._plot = key, self._work_out()
        return self._plot[1]

    def sizeHint(self) -> QSize:
        """As in the picture."""
        return QSize(592, 292)

    def paintEvent(self, _: QPaintEvent) -> None:
        """Rules, axis, lines and their names."""
        painter, plot = QPainter(self), self.plot()
        self._paint_rules(painter, plot)
        self._paint_positions(painter, plot)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for line, points in zip(self.chart.lines, plot.lines, strict=True):
            painter.setPen(_pen(line))
            painter.drawPolyline(points)
        for line, y in zip(self.chart.lines, plot.labels, strict=True):
            self._paint_name(painter, line, plot.area.right() + LABEL_GAP, y)

    # Working out

    def _work_out(self) -> _Plot:
        look, lines = theme(), self.chart.lines
        most = max((y for line in lines for _, y in line.points), default=0.0)
        last = max((x for line in lines for x, _ in line.points), default=0.0)
        end = max(self.chart.end, last)
        plot = _Plot(values=rules(most), ticks=positions(end))
        ticks = QFontMetricsF(_tick_font())
        widest = max(ticks.horizontalAdvance(tick_text(v, plot.values)) for v in plot.values)
        left = max(look.px(LEFT), ceil(widest) + LABEL_GAP)
        top, bottom = look.px(TOP), self.height() - look.px(BELOW)
        right = self.width() - self._names_width() - LABEL_GAP
        plot.area = QRectF(left, top, max(1, right - left), max(1, bottom - top))
        scale = plot.area.width() / end if end else 0.0
        rise = plot.area.height() / plot.values[-1]
        for line in lines:
            points = thin(line.points, end, plot.area.width())
            corners = [QPointF(left + x * scale, bottom - y * rise) for x, y in points]
            plot.lines.append(QPolygonF(corners))
        ends = [bottom - (line.points[-1][1] if line.points else 0.0) * rise for line in lines]
        low = bottom - look.px(LOWEST)
        plot.labels = spread(ends, look.px(NAME_PITCH), top, low)
        return plot

    def _names_width(self) -> int:
        metrics = QFontMetricsF(_name_font())
        longest = max(
            (metrics.horizontalAdvance(line.name) for line in self.chart.lines), default=0
        )
        most = round(self.width() * MOST_NAMES)
        return min(max(theme().px(NAMES), ceil(longest)), most)

    # Painting

    def _paint_rules(self, painter: QPainter, plot: _Plot) -> None:
        look, area = theme(), plot.area
        painter.setFont(_tick_font())
        painter.setPen(look.color("text3"))
        for value in plot.values:
            y = round(area.bottom() - area.height() * value / plot.values[-1])
            color = look.color("line" if value else "edge")
            painter.fillRect(QRectF(area.x(), y, area.width(), 1), color)
            words = tick_text(value, plot.values)
            draw_line(painter, QRectF(0, y - 10, area.x() - LABEL_GAP, 20), words, share=1)
        drop = look.px(UNIT_DROP)
        room = QRectF(area.x() + UNIT_LEFT, area.y() + drop - 10, area.width(), 20)
        draw_line(painter, room, self.chart.unit)

    def _paint_positions(self, painter: QPainter, plot: _Plot) -> None:
        look, area = theme(), plot.area
        end = plot.ticks[-1]
        middle = area.bottom() + look.px(13)
        metrics = QFontMetricsF(painter.font())
        words = self.tr("{n} tokens").format(n=figures.count(round(end)))
        room = area.right() + END_OVER - metrics.horizontalAdvance(words)
        for at, position in enumerate(plot.ticks):
            x = round(area.x() + (area.width() * position / end if end else 0))
            painter.fillRect(QRectF(x, area.bottom(), 1, TICK), look.color("edge"))
            text = figures.count(round(position))
            half = metrics.horizontalAdvance(text) / 2
            if at == len(plot.ticks) - 1 and end:
                draw_line(painter, QRectF(room, middle - 10, 0, 20), words)
            elif x + half + LABEL_GAP < room or not end:
                draw_line(painter, QRectF(x - half, middle - 10, 0, 20), text)

    def _paint_name(self, painter: QPainter, line: Line, x: float, y: float) -> None:
        look, font = theme(), _name_font()
        room = self.width() - x
        elide = Qt.TextElideMode.ElideRight
        for words, face, ink, offset in (
            (line.name, font, "text2" if line.rank < 0 else "text", -NAME_RISE),
            (line.value, _tick_font(), "text3", VALUE_DROP),
        ):
            painter.setFont(face)
            painter.setPen(look.color(ink))
            short = QFontMetricsF(face).elidedText(words, elide, room)
            draw_line(painter, QRectF(x, y + offset * look.zoom - 10, room, 20), short)


def _pen(line: Line) -> QPen:
    wide = size_width(line.rank)
    pen = QPen(theme().color(size_color(line.rank)), wide)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    if line.dashed:
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        pen.setDashPattern([length / wide for length in DASHES])
    return pen


def _name_font() -> QFont:
    return theme().font("label", weight=500)


def _tick_font() -> QFont:
    return theme().font("tick", px=TICK_PX)
