"""Quality against speed, and the history of a model: charts of dots."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, pairwise
from random import Random
from time import perf_counter

import pytest
from compare_samples import sample
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QImage, QPainter, QPen
from pytestqt.qtbot import QtBot

from app.compare_rows import Chart, Line
from app.theme import Theme
from app.widgets.chart_base import tick_font
from app.widgets.chart_labels import Box, Label, beside
from app.widgets.chart_scale import apart, around
from app.widgets.line_chart import LineChart
from app.widgets.point_chart import DOT, PointChart
from app.widgets.size_mark import size_width

pytestmark = pytest.mark.usefixtures("look")
AREA, HIGH, GAP = Box(30, 32, 592, 267), 28, 12
NAMES = ("Mamba 130m", "starter-12m 8-bit", "Mamba 790m 4-bit", "Mamba 1.4b bfloat16", "A")


def points_chart(points: list[tuple[float, float]]) -> Chart:
    """A chart of these in bits per byte against ms per token."""
    lines = tuple(
        Line(name=name, value=f"{point[1]:.3f}", rank=rank, points=(point,))
        for rank, (name, point) in enumerate(zip(NAMES, points, strict=False))
    )
    return Chart(title="T", unit="bits per byte", x_unit="ms per token", lines=lines)


def shown(qtbot: QtBot, chart: Chart, kind: type[LineChart] | type[PointChart]) -> QImage:
    """The chart as it is painted, one pixel for one."""
    it = kind()
    qtbot.addWidget(it)
    it.resize(592, 292)
    it.set_chart(chart)
    image = QImage(QSize(592, 292), QImage.Format.Format_RGB32)
    it.render(image)
    return image


def plot_of(qtbot: QtBot, chart: Chart, wide: int = 592, high: int = 292) -> PointChart:
    """A chart of points at a size."""
    it = PointChart()
    qtbot.addWidget(it)
    it.resize(wide, high)
    it.set_chart(chart)
    return it


def covers(label: Label, x: float, y: float) -> bool:
    """Whether a name stands over the dot there."""
    return label.box.meets(Box(x - DOT, y - DOT, x + DOT, y + DOT))


@pytest.mark.parametrize(
    ("values", "marks"),
    [
        ([1.12, 0.86], [0.8, 0.9, 1.0, 1.1, 1.2]),
        ([0.9, 0.9], [0.8, 0.85, 0.9, 0.95, 1.0]),
        ([0.9, 0.901, 0.902], None),
        ([1.12], None),
        ([0.01, 5.0], None),
        ([730.0, 735.0], None),
    ],
)
def test_the_axis_of_quality_lies_around_its_values_and_does_not_blow_up_noise(
    values: list[float], marks: list[float] | None
) -> None:
    found = around(values)
    assert 3 <= len(found) <= 7
    assert found[0] >= 0
    span = found[-1] - found[0]
    assert all(found[0] < value < found[-1] - 0.05 * span for value in values)
    assert span >= 0.1 * max(values)
    assert marks is None or found == pytest.approx(marks)
    steps = {round(b - a, 9) for a, b in pairwise(found)}
    assert len(steps) == 1


def test_of_words_that_would_overlap_the_last_are_shown() -> None:
    spans = [(at * 10.0, at * 10.0 + 25) for at in range(20)]
    assert apart(spans, 8) == [3, 7, 11, 15, 19]
    assert apart([(0, 25), (40, 65)], 8) == [0, 1]
    assert apart([(0, 90), (40, 65)], 8) == [1]
    assert apart([], 8) == []


def test_names_never_stand_over_each_other_or_over_a_dot() -> None:
    random = Random(7)
    for round_ in range(60):
        near = random.choice((0, 3, 30, 300))
        x, y = random.uniform(30, 570), random.uniform(50, 250)
        dots = [
            (min(573.0, max(32, x + random.uniform(-near, near))),
             min(260.0, max(40, y + random.uniform(-near, near) / 3)))
            for _ in range(1 + round_ % 5)
        ]  # fmt: skip
        widths = [random.uniform(40, 130) for _ in dots]
        labels = beside(dots, widths, HIGH, AREA, GAP)
        assert [label.dot for label in labels] == dots
        for a, b in combinations(labels, 2):
            assert not a.box.meets(b.box), dots
            assert not covers(a, *b.dot), dots
            assert not covers(b, *a.dot), dots
        for label in labels:
            box = label.box
            assert AREA.left <= box.left < box.right <= AREA.right
            assert AREA.top <= box.top < box.bottom <= AREA.bottom


def test_a_name_stands_at_the_right_of_its_dot_and_at_the_left_where_there_is_no_room() -> None:
    first, last = beside([(100, 150), (560, 150)], [80, 80], HIGH, AREA, GAP)
    assert (first.box, first.near) == (Box(112, 136, 192, 164), None)
    assert (last.box, last.near) == (Box(468, 136, 548, 164), None)
    assert beside([], [], HIGH, AREA, GAP) == []


@pytest.mark.parametrize(
    "points",
    [
        [(3.4, 1.12)],
        [(3.4, 0.9)] * 5,
        [(3.4 + at / 20, 0.9 + at / 1000) for at in range(5)],
        [(0.5, 1.3), (0.9, 1.29), (30.0, 0.9), (31.0, 0.905)],
    ],
)
@pytest.mark.parametrize("wide", [592, 312])
def test_one_to_five_points_are_named_side_by_side(
    qtbot: QtBot, points: list[tuple[float, float]], wide: int
) -> None:
    plot = plot_of(qtbot, points_chart(points), wide, 292).plot()
    area, labels = plot.area, plot.labels
    assert len(labels) == len(points)
    for label in labels:
        assert area.contains(QPointF(*label.dot))
        assert label.box.right <= wide
    assert not any(a.box.meets(b.box) for a, b in combinations(labels, 2))


def test_time_begins_at_0_and_both_axes_have_their_unit(qtbot: QtBot) -> None:
    chart = sample("en", 5).charts[2]
    plot = plot_of(qtbot, chart).plot()
    assert [tick.words for tick in plot.ticks] == ["0", "10", "20", "30", "40 ms per token"]
    assert plot.ticks[0].x == plot.area.left()
    assert plot.values == pytest.approx([0.8, 0.9, 1.0, 1.1, 1.2])
    image = shown(qtbot, chart, PointChart)
    without = shown(qtbot, replace(chart, unit=""), PointChart)
    over = QRectF(plot.area.left(), 12, 100, 20).toRect()
    assert image.copy(over) != without.copy(over)


@pytest.mark.usefixtures("japanese")
def test_in_japanese_no_space_stands_before_the_unit(qtbot: QtBot) -> None:
    plot = plot_of(qtbot, sample("ja", 5).charts[2]).plot()
    assert plot.ticks[-1].words == "40ミリ秒/トークン"


def test_each_model_has_a_dot_in_its_colour_and_a_ring_where_it_was_calculated(
    qtbot: QtBot, look: Theme
) -> None:
    chart = sample("en", 5).charts[2]
    chart = replace(chart, lines=(*chart.lines[:4], replace(chart.lines[4], dashed=True)))
    image = shown(qtbot, chart, PointChart)
    dots = [label.dot for label in plot_of(qtbot, chart).plot().labels]
    found = [image.pixelColor(int(x), int(y)) for x, y in dots]
    assert found[:4] == [look.color(f"size{at}") for at in range(1, 5)]
    assert found[4] != look.color("size5")
    x, y = dots[4]
    assert image.pixelColor(int(x + DOT - 1), int(y)) == look.color("size5")


def test_every_benchmark_is_a_dot_on_its_line(qtbot: QtBot, look: Theme) -> None:
    chart = sample("en", 3).charts[3]
    image = shown(qtbot, chart, LineChart)
    it = LineChart()
    qtbot.addWidget(it)
    it.resize(592, 292)
    it.set_chart(chart)
    plot, color = it.plot(), look.color("size3")
    large = plot.lines[2].toList()
    over = size_width(2) / 2 + 1  # above the line, in the dot
    assert len(large) == 4
    for point in large:
        assert image.pixelColor(int(point.x()), int(point.y() - over)) == color
    for a, b in pairwise(large):
        middle = (a + b) / 2
        assert image.pixelColor(int(middle.x()), int(middle.y())) == color
        assert image.pixelColor(int(middle.x()), int(middle.y() - over - 1)) != color
    assert plot.values[0] == 0
    assert [tick.words for tick in plot.ticks] == ["3 Nov", "12 Nov", "21 Nov", "28 Nov"]
    assert [tick.x for tick in plot.ticks] == [point.x() for point in large]
    assert large[0].x() > plot.area.left() + 10
    assert large[-1].x() < plot.area.right() - 10


def test_a_model_of_one_benchmark_is_a_dot(qtbot: QtBot, look: Theme) -> None:
    line = Line(name="A", value="5 ms", rank=0, points=((3.0, 5.0),))
    chart = Chart(title="T", unit="ms", ticks=((3.0, "12 Nov"),), lines=(line,))
    image = shown(qtbot, chart, LineChart)
    color = look.color("size1").name()
    found = [
        (x, y)
        for x in range(image.width())
        for y in range(image.height())
        if image.pixelColor(x, y).name() == color
    ]
    wide = max(x for x, _ in found) - min(x for x, _ in found) + 1
    high = max(y for _, y in found) - min(y for _, y in found) + 1
    assert 3 <= wide <= 7
    assert 3 <= high <= 7


def test_of_many_benchmarks_the_last_is_named_and_no_words_overlap(qtbot: QtBot) -> None:
    line = Line(name="A", value="5 ms", rank=0, points=tuple((float(n), 5.0) for n in range(40)))
    ticks = tuple((float(at), f"{at + 1} November") for at in range(40))
    it = LineChart()
    qtbot.addWidget(it)
    for wide in (592, 312):
        it.resize(wide, 292)
        it.set_chart(Chart(title="T", unit="ms", ticks=ticks, lines=(line,)))
        plot = it.plot()
        assert len(plot.lines[0].toList()) == 40
        assert 1 < len(plot.ticks) < 10
        assert plot.ticks[-1].words == "40 November"
        metrics = QFontMetricsF(tick_font())
        for a, b in pairwise(plot.ticks):
            assert a.left + metrics.horizontalAdvance(a.words) < b.left


def test_long_lines_are_painted_faster_than_as_polylines(qtbot: QtBot) -> None:
    random = Random(1)
    lines = tuple(
        Line(name="A", value="5 ms", rank=rank,
             points=tuple((float(at), 5.0 * rank + 5 + random.random()) for at in range(400)))
        for rank in range(5)
    )  # fmt: skip
    it = LineChart()
    qtbot.addWidget(it)
    it.resize(592, 292)
    it.set_chart(Chart(title="T", unit="ms", lines=lines))
    image = QImage(QSize(592, 292), QImage.Format.Format_RGB32)
    ours, theirs = [], []
    for _ in range(8):
        start = perf_counter()
        it.render(image)
        ours.append(perf_counter() - start)
        start = perf_counter()
        painter = QPainter(image)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for rank, points in enumerate(it.plot().lines):
            pen = QPen(Qt.GlobalColor.black, size_width(rank))
            pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
            painter.setPen(pen)
            painter.drawPolyline(points)
        painter.end()
        theirs.append(perf_counter() - start)
    assert min(ours) < 0.5 * min(theirs)
