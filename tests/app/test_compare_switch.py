"""The switch between the charts of a comparison, while they come, grow and go."""

from __future__ import annotations

from dataclasses import replace

import pytest
from compare_samples import sample
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.compare_rows import Chart, Line
from app.panels.compare_view import CompareView
from app.theme import Theme

pytestmark = pytest.mark.usefixtures("look")
LEFT = Qt.MouseButton.LeftButton
CHARTS = sample("en").charts


@pytest.fixture
def view(compare_view: CompareView) -> CompareView:
    """It has four charts."""
    return compare_view


def grown(count: int) -> Chart:
    """The chart of times after so many tokens."""
    points = tuple((float(at), 5.0 + at % 3) for at in range(count))
    return replace(CHARTS[0], lines=(Line(name="A", value=f"{count}", rank=0, points=points),))


def show(view: CompareView, *charts: Chart) -> None:
    """These in the place of those that there were."""
    view.set_rows(replace(sample("en"), charts=charts))
    QApplication.processEvents()


def test_the_switch_has_a_segment_for_each_chart_that_has_lines(view: CompareView) -> None:
    switch = view.figures.chart.switch
    assert switch.words() == ["Time", "Memory", "Quality", "History"]
    show(view, CHARTS[0], replace(CHARTS[1], lines=()), CHARTS[2])
    assert [segment.text() for segment in switch.segments()] == ["Time", "Quality"]
    view.set_rows(sample("en"))  # at once, before the next event
    assert all(segment.isVisible() for segment in switch.segments())
    assert switch.width() == switch.sizeHint().width() > 200
    assert switch.geometry().right() == view.figures.chart.width() - 1


def test_the_arrow_keys_go_from_chart_to_chart(qtbot: QtBot, view: CompareView) -> None:
    panel = view.figures.chart
    panel.switch.segments()[0].setFocus(Qt.FocusReason.TabFocusReason)
    shown = [panel.chart.chart]
    for _ in range(4):
        focus = QApplication.focusWidget()
        assert focus is not None
        qtbot.keyClick(focus, Qt.Key.Key_Right)
        shown.append(panel.chart.chart)
        assert [chart.isVisible() for chart in (panel.lines, panel.points)].count(True) == 1
        assert panel.chart.isVisible()
    assert shown == [*CHARTS, CHARTS[-1]]
    assert "Mamba 2.8b" in panel.chart.accessibleDescription()


def test_where_only_one_was_measured_there_is_no_switch(view: CompareView) -> None:
    show(view, replace(CHARTS[0], lines=()), CHARTS[1])
    assert not view.figures.chart.switch.isVisible()
    assert view.figures.chart.chart.chart == CHARTS[1]


def test_the_chart_that_was_chosen_stays_while_others_come_and_go(
    qtbot: QtBot, view: CompareView
) -> None:
    panel = view.figures.chart
    qtbot.mouseClick(panel.switch.segments()[2], LEFT)
    assert panel.chart.chart == CHARTS[2]
    show(view, CHARTS[1], CHARTS[2])
    assert (panel.chart.chart, panel.switch.current()) == (CHARTS[2], 1)
    show(view, CHARTS[0], CHARTS[1])
    assert (panel.chart.chart, panel.switch.current()) == (CHARTS[0], 0)
    show(view)
    show(view, *CHARTS)
    assert (panel.chart.chart, panel.switch.current()) == (CHARTS[2], 2)
    stops = [s.focusPolicy() == Qt.FocusPolicy.TabFocus for s in panel.switch.segments()]
    assert stops == [False, False, True, False]
    assert [s.isChecked() for s in panel.switch.segments()] == stops


def test_a_measurement_that_grows_leaves_the_switch_and_the_focus_alone(
    qtbot: QtBot, view: CompareView
) -> None:
    panel = view.figures.chart
    show(view, grown(2), CHARTS[1])
    panel.switch.segments()[0].setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.keyClick(panel.switch.segments()[0], Qt.Key.Key_Right)
    segments = panel.switch.segments()
    for count in range(3, 40):
        show(view, grown(count), CHARTS[1])
    assert panel.switch.segments() == segments
    assert panel.chart.chart == CHARTS[1]
    show(view, grown(40), *CHARTS[1:])
    assert QApplication.focusWidget() is segments[1]
    qtbot.keyClick(segments[1], Qt.Key.Key_Right)
    assert panel.chart.chart == CHARTS[2]
    show(view, grown(41), CHARTS[1])  # the segment that has the focus goes
    assert QApplication.focusWidget() is panel.switch.segments()[0]
    qtbot.keyClick(panel.switch.segments()[0], Qt.Key.Key_Right)
    assert panel.chart.chart == CHARTS[1]


def test_who_types_a_prompt_keeps_the_focus_while_charts_come(view: CompareView) -> None:
    view.setFocus()
    editor = view.head.prompt.editor
    for charts in ((), CHARTS[:1], CHARTS[:2], CHARTS, CHARTS[2:]):
        show(view, *charts)
        assert QApplication.focusWidget() is editor


def test_a_click_that_began_before_a_chart_came_counts(qtbot: QtBot, view: CompareView) -> None:
    panel = view.figures.chart
    show(view, *CHARTS[:2])
    memory = panel.switch.segments()[1]
    qtbot.mousePress(memory, LEFT)
    show(view, *CHARTS)
    qtbot.mouseRelease(memory, LEFT)
    assert panel.chart.chart == CHARTS[1]


@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_title_ends_before_the_switch(view: CompareView, look: Theme, language: str) -> None:
    view.resize(1000, 748)
    charts = tuple(replace(c, title=c.title * 3) for c in sample(language).charts)
    show(view, *charts)
    panel = view.figures.chart
    corner = panel.mapTo(view, QPoint(0, 0))
    title = QRect(0, 0, panel.switch.x(), panel.chart.y())
    words, gap = title.adjusted(0, 0, -8, 0), title.adjusted(title.width() - 6, 0, 0, 0)
    image, ground = view.grab().toImage(), look.color("strip")
    colors = [
        {
            image.pixelColor(corner + QPoint(x, y)).name()
            for x in range(area.left(), area.right() + 1)
            for y in range(area.top(), area.bottom() + 1)
        }
        for area in (words, gap)
    ]
    assert len(colors[0]) > 1
    assert colors[1] == {ground.name()}


@pytest.mark.parametrize("at", range(4))
def test_each_chart_has_its_picture_without_the_switch(
    qtbot: QtBot, view: CompareView, look: Theme, at: int
) -> None:
    panel = view.figures.chart
    segment = panel.switch.segments()[at]
    qtbot.mouseClick(segment, LEFT)
    segment.setFocus(Qt.FocusReason.TabFocusReason)
    place = panel.switch.geometry()
    picture = view.grab_chart()
    assert (picture.width(), picture.height()) == (1184, 722)
    found = {picture.pixelColor(x, y).name() for x in range(1184) for y in range(0, 722, 2)}
    assert {look.color(name).name() for name in ("size1", "size2", "size3")} <= found
    corner = {picture.pixelColor(x, y).name() for x in range(860, 1184) for y in range(4, 48)}
    assert corner == {look.color("strip").name()}
    assert QApplication.focusWidget() is segment
    assert panel.switch.geometry() == place
    assert panel.switch.isVisible()
    QTest.keyClick(segment, Qt.Key.Key_Left)
    assert view.grab_chart() != picture or at == 0
