"""What the charts share: a Chart worked out once for its size, its rules, its ticks, its names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter
from PySide6.QtWidgets import QWidget

from app.compare_rows import Chart, Line
from app.theme import theme
from app.widgets.chart_scale import apart, tick_text
from app.widgets.one_line import draw_line

TOP, BELOW = 11, 25  # from the top to the first rule, from the axis to the bottom
LEFT, LABEL_GAP = 26, 8
TICK = 4
TICK_GAP = 8  # between the words of two ticks
END_OVER = 18  # the last tick's words go so far beyond the axis at most
UNIT_LEFT, UNIT_MIDDLE = 6, 21  # from the axis, from the top
NAME_RISE, VALUE_DROP = 3, 10  # from the middle of both to that of a name and of its value
TICK_PX = 10.5


@dataclass(frozen=True, slots=True)
class Tick:
    """A mark on the horizontal axis, and where its words begin."""

    x: float
    words: str
    left: float


@dataclass(frozen=True, slots=True)
class Name:
    """Where a line's name and value stand; `share` of the free room is left of them."""

    line: Line
    left: float
    middle: float
    room: float
    share: float = 0.0


class ChartBase(QWidget):
    """Holds a Chart. Its subclass paints it; equal charts are drawn once."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.chart = Chart(title="", unit="")
        self._key: object = None
        theme().changed.connect(self.update)

    def set_chart(self, chart: Chart) -> None:
        """Show this one."""
        if chart != self.chart:
            self.chart = chart
            self.setAccessibleName(chart.title)
            told = (f"{line.name}: {line.value}" for line in chart.lines)
            self.setAccessibleDescription(", ".join(told))
            self.update()

    def sizeHint(self) -> QSize:
        """As in the picture."""
        return QSize(592, 292)

    def stale(self) -> bool:
        """Whether the chart or its size is another than at the last call."""
        key = (self.chart, self.size(), theme().zoom)
        stale, self._key = key != self._key, key
        return stale

    def axis_left(self, values: Sequence[float]) -> int:
        """Where the plot begins, right of the figures at the rules."""
        metrics = QFontMetricsF(tick_font())
        widest = max(metrics.horizontalAdvance(tick_text(v, values)) for v in values)
        return max(theme().px(LEFT), ceil(widest) + LABEL_GAP)


def place_ticks(places: Sequence[tuple[float, str]], end: float) -> list[Tick]:
    """Ticks at x with their words in the middle below, up to `end`. The last is always there; of
    the others those whose words have room."""
    metrics = QFontMetricsF(tick_font())
    ticks, spans = [], []
    for x, words in places:
        wide = metrics.horizontalAdvance(words)
        left = max(0.0, min(x - wide / 2, end - wide))
        ticks.append(Tick(x, words, left))
        spans.append((left, left + wide))
    return [ticks[at] for at in apart(spans, TICK_GAP)]


def paint_rules(painter: QPainter, area: QRectF, values: Sequence[float], unit: str) -> None:
    """The horizontal rules with their values, the lowest of which is the axis, and their unit."""
    look, span = theme(), values[-1] - values[0]
    painter.setFont(tick_font())
    painter.setPen(look.color("text3"))
    for value in values:
        y = round(area.bottom() - area.height() * (value - values[0]) / span)
        color = look.color("edge" if value == values[0] else "line")
        painter.fillRect(QRectF(area.x(), y, area.width(), 1), color)
        words = tick_text(value, values)
        draw_line(painter, QRectF(0, y - 10, area.x() - LABEL_GAP, 20), words, share=1)
    middle = look.px(UNIT_MIDDLE)
    draw_line(painter, QRectF(area.x() + UNIT_LEFT, middle - 10, area.width(), 20), unit)


def paint_ticks(painter: QPainter, area: QRectF, ticks: Sequence[Tick]) -> None:
    """The marks on the axis and their words, in the font and the colour of the rules."""
    edge, middle = theme().color("edge"), area.bottom() + theme().px(13)
    for tick in ticks:
        painter.fillRect(QRectF(round(tick.x), area.bottom(), 1, TICK), edge)
        draw_line(painter, QRectF(tick.left, middle - 10, 0, 20), tick.words)


def paint_names(painter: QPainter, names: Sequence[Name]) -> None:
    """The name of each line and, below it, its value."""
    look, elide = theme(), Qt.TextElideMode.ElideRight
    for font, offset in ((name_font(), -NAME_RISE), (tick_font(), VALUE_DROP)):
        painter.setFont(font)
        metrics = QFontMetricsF(font)
        for name in names:
            line = name.line
            words, ink = (line.value, "text3") if offset > 0 else (line.name, _ink(line))
            painter.setPen(look.color(ink))
            short = metrics.elidedText(words, elide, name.room)
            area = QRectF(name.left, name.middle + offset * look.zoom - 10, name.room, 20)
            draw_line(painter, area, short, share=name.share)


def _ink(line: Line) -> str:
    return "text2" if line.rank < 0 else "text"


def name_font() -> QFont:
    """Of the name of a line."""
    return theme().font("label", weight=500)


def tick_font() -> QFont:
    """Of the figures at the axes, and of the value of a line."""
    return theme().font("tick", px=TICK_PX)
