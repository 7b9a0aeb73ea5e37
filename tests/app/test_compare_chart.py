"""The figures of a comparison: the scale of the chart, its labels, and the table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import cycle, islice, pairwise

import pytest
from compare_samples import sample, states
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPoint, Qt
from PySide6.QtGui import QColor, QGuiApplication, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.compare_rows import Chart, Line
from app.panels.compare_view import CompareView
from app.theme import Theme
from app.widgets.chart_scale import nice, positions, rules, spread, thin, tick_text
from app.widgets.line_chart import NAME_PITCH, LineChart

pytestmark = pytest.mark.usefixtures("look")
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def view(compare_view: CompareView) -> Iterator[CompareView]:
    """The view as large as in the pictures, with three models that are done."""
    yield compare_view
    QGuiApplication.clipboard().clear()


@pytest.mark.parametrize(
    ("most", "marks"),
    [(54, [0, 20, 40, 60]), (3.4, [0, 1.5, 3, 4.5]), (147, [0, 50, 100, 150]), (0.9, None)],
)
def test_the_rules_begin_at_0_are_round_and_hold_the_largest_value(
    most: float, marks: list[float] | None
) -> None:
    found = rules(most)
    assert len(found) == 4
    assert found[0] == 0
    assert most <= found[-1] <= 1.7 * most
    assert marks is None or found == marks
    assert rules(0)[-1] > 0


@pytest.mark.parametrize(
    ("end", "marks"),
    [
        (10_000, [0, 2500, 5000, 7500, 10_000]),
        (160, [0, 40, 80, 120, 160]),
        (96, [0, 25, 50, 75, 96]),
        (1, [0, 1]),
        (0, [0]),
    ],
)
def test_positions_are_round_and_end_with_the_last(end: float, marks: list[float]) -> None:
    assert positions(end) == marks


def test_ticks_never_stand_too_near_to_the_end() -> None:
    for end in range(1, 3000, 7):
        found = positions(end)
        assert found[0] == 0
        assert found[-1] == end
        assert len(found) <= 6
        assert all(b - a >= 0.15 * end for a, b in pairwise(found)), end


def test_figures_at_the_rules_have_as_few_decimals_as_all_need() -> None:
    assert [tick_text(v, [0, 20, 40, 60]) for v in (0, 60)] == ["0", "60"]
    assert [tick_text(v, [0, 1.5, 3, 4.5]) for v in (0, 4.5)] == ["0.0", "4.5"]
    assert tick_text(1500, [0, 500, 1000, 1500]) == "1,500"
    assert nice(0.021) == 0.025


def test_a_long_line_keeps_its_ends_and_its_mean() -> None:
    points = [(float(at), 10.0 if at % 2 else 30.0) for at in range(10_001)]
    found = thin(points, 10_000, 448)
    assert len(found) <= 226
    assert (found[0][0], found[-1][0]) == (0, 10_000)
    assert all(abs(value - 20) < 1 for _, value in found[1:-1])
    assert thin(points[:50], 10_000, 448) == points[:50]


def test_labels_keep_their_distance_their_order_and_their_places_where_they_can() -> None:
    assert spread([10, 100, 200], 28, 0, 300) == [10, 100, 200]
    crowded = spread([200, 201, 190, 20], 28, 0, 210)
    order = sorted(crowded)
    assert all(b - a >= 28 - 1e-9 for a, b in pairwise(order))
    assert order[-1] <= 210
    assert sorted(range(4), key=lambda at: crowded[at]) == [3, 2, 0, 1]
    assert crowded[3] == 20
    assert spread([], 28, 0, 100) == []


def test_lines_end_at_their_values_and_their_names_do_not_overlap(qtbot: QtBot) -> None:
    chart = LineChart()
    qtbot.addWidget(chart)
    chart.resize(592, 292)
    chart.set_chart(sample("en", 5).charts[0])
    plot = chart.plot()
    area = plot.area
    assert (area.left(), area.top(), area.bottom()) == (26, 11, 267)
    dashed = plot.lines[-1]
    assert dashed.at(dashed.size() - 1).x() == pytest.approx(area.right())
    assert dashed.at(dashed.size() - 1).y() == pytest.approx(267 - 256 * 54 / 60)
    assert all(b - a >= NAME_PITCH - 1e-6 for a, b in pairwise(sorted(plot.labels)))


def test_a_chart_that_grows_keeps_the_end_that_it_was_given(qtbot: QtBot) -> None:
    chart = LineChart()
    qtbot.addWidget(chart)
    line = Line(name="A", value="5 ms", rank=0, points=((0, 5), (40, 5)))
    chart.set_chart(Chart(title="T", unit="ms", lines=(line,), end=160))
    plot = chart.plot()
    assert plot.lines[0].at(1).x() == pytest.approx(plot.area.left() + plot.area.width() / 4)
    chart.set_chart(Chart(title="T", unit="ms"))
    assert chart.plot().lines == []
    chart.grab()  # an empty one can be painted too


def test_each_size_has_its_colour(qtbot: QtBot, look: Theme) -> None:
    chart = LineChart()
    qtbot.addWidget(chart)
    chart.resize(592, 292)
    lines = tuple(
        Line(name="", value="", rank=rank, points=((0.0, rank + 2.0), (100.0, rank + 2.0)))
        for rank in range(-1, 5)
    )
    chart.set_chart(Chart(title="T", unit="ms", lines=lines))
    image = chart.grab().toImage()
    scale = image.devicePixelRatio()
    x = round(chart.plot().area.center().x() * scale)
    found = {image.pixelColor(x, y).name() for y in range(image.height())}
    names = ["other", "size1", "size2", "size3", "size4", "size5"]
    assert {look.color(name).name() for name in names} <= found


def test_copy_puts_the_table_on_the_clipboard_with_tabs(qtbot: QtBot, view: CompareView) -> None:
    table = view.figures.table
    table.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keySequence(table, QKeySequence(QKeySequence.StandardKey.Copy))
    lines = [line.split("\t") for line in QGuiApplication.clipboard().text().split("\n")]
    assert lines[0] == ["", "130m", "790m", "2.8b"]
    assert lines[2] == ["Disk", "0.52 GB", "3.17 GB", "11.07 GB"]
    assert len(lines) == 13


def test_the_best_value_of_a_row_is_marked_in_the_accent(view: CompareView, look: Theme) -> None:
    table = view.figures.table
    image = table.grab().toImage()
    scale, accent = image.devicePixelRatio(), look.color("accent")

    def dot(row: int, column: int) -> QColor:
        area = table.visualRect(table.figures.index(row, column))
        at = table.viewport().mapTo(table, QPoint(area.right() + 1 - 14, area.center().y()))
        return image.pixelColor(round((at.x() + 9.5) * scale), round((at.y() + 1) * scale))

    assert dot(1, 1) == accent  # the smallest on disk
    assert dot(9, 3) == accent  # the most weights read
    assert dot(1, 2) != accent
    assert dot(0, 1) != accent  # of parameters there is no best
    best = table.figures.index(1, 1).data(Qt.ItemDataRole.AccessibleDescriptionRole)
    assert best == "best"


def test_only_a_row_that_changed_is_drawn_anew(view: CompareView) -> None:
    model: QAbstractTableModel = view.figures.table.figures
    changed: list[int] = []
    resets: list[int] = []

    def note(first: QModelIndex, last: QModelIndex) -> None:
        changed.extend(range(first.row(), last.row() + 1))

    model.dataChanged.connect(note)
    model.modelReset.connect(lambda: resets.append(1))
    rows = sample("en")
    new = replace(rows.table[7], cells=("3.5", "10.9", "37.6"))
    view.set_rows(replace(rows, table=(*rows.table[:7], new, *rows.table[8:])))
    assert (changed, resets) == ([7], [])
    view.set_rows(sample("en", 5))
    assert resets == [1]


def test_figures_that_may_be_wrong_say_so_over_the_table(view: CompareView) -> None:
    figures = view.figures
    before = figures.table.y()
    assert not figures.warning.isVisible()
    view.set_rows(states("en"))
    assert figures.warning.isVisible()
    assert figures.warning.accessibleName().startswith("The machine slept")
    assert before < figures.table.y() >= figures.warning.geometry().bottom()


@pytest.mark.parametrize(("width", "beside"), [(1280, True), (1000, True), (999, False)])
def test_below_1000_pixels_the_chart_stands_under_the_table(
    view: CompareView, width: int, beside: bool
) -> None:
    view.resize(width, 748)
    QApplication.processEvents()
    table, chart = view.figures.table.geometry(), view.figures.chart.geometry()
    assert (chart.left() > table.right()) == beside
    assert (chart.top() > table.bottom()) != beside
    assert (view.figures.area.verticalScrollBar().maximum() == 0) == beside
    if beside:
        assert (table.width(), view.figures.height()) == (584, 372)


@pytest.mark.parametrize(("rows", "high"), [(9, 372), (12, 372), (13, 398), (15, 450), (17, 450)])
def test_the_lower_half_grows_with_the_table_up_to_15_rows(
    view: CompareView, rows: int, high: int
) -> None:
    view.resize(1280, 900)
    view.set_rows(replace(sample("en"), table=tuple(islice(cycle(sample("en").table), rows))))
    figures = view.figures
    assert figures.height() == high
    assert (figures.area.verticalScrollBar().maximum() == 0) == (rows <= 15)
    assert figures.chart.geometry().bottom() == high - 2  # it fills the height beside the table
    view.resize(1280, 748)
    QApplication.processEvents()
    assert view.columns.height() >= 240
    assert figures.height() == min(high, view.height() - view.head.height() - 240)
    assert figures.chart.geometry().bottom() == figures.height() - 2  # seen without scrolling


def test_pictures_of_the_table_and_the_chart_do_not_depend_on_the_window(
    view: CompareView, look: Theme
) -> None:
    wide = (view.grab_table(), view.grab_chart())
    place = view.figures.chart.geometry()
    view.resize(720, 500)
    QApplication.processEvents()
    narrow = (view.grab_table(), view.grab_chart())
    assert wide == narrow
    assert [(p.width(), p.height()) for p in wide] == [(1168, 676), (1184, 722)]
    assert wide[0].pixelColor(2, 2) == look.color("strip")
    view.resize(1280, 748)
    QApplication.processEvents()
    assert view.figures.chart.geometry() == place
    assert view.figures.chart.switch.isVisible()
