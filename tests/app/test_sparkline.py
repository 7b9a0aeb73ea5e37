"""The sparkline's geometry: flat looks flat, what was read takes little room."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QColor
from pytestqt.qtbot import QtBot

from app.live_reply import whole_trace
from app.theme import Theme
from app.values import Trace
from app.widgets.sparkline import AFTER, LEFT, PIXELS_PER_POINT, Axis, Sparkline, lines
from app.widgets.sparkline import WIDTH as WHOLE

RIGHT = WHOLE - AFTER
WIDTH = RIGHT - LEFT


def _trace(*parts: tuple[int, int, bool], ms: float = 29.6) -> Trace:
    """Stretches as (from, to, written)."""
    points = [(i, ms) for start, stop, wrote in parts if wrote for i in range(start + 1, stop + 1)]
    read = [(start, stop) for start, stop, wrote in parts if not wrote]
    return Trace(points=tuple(points), read=tuple(read), end=parts[-1][1])


def test_a_short_prompt_keeps_its_true_share_of_the_axis() -> None:
    axis = Axis(_trace((0, 40, False), (40, 400, True)))
    assert axis.x(0) == LEFT
    assert axis.x(400) == RIGHT
    assert axis.x(40) == pytest.approx(LEFT + WIDTH * 0.1)


def test_what_was_read_takes_a_quarter_of_the_axis_at_most() -> None:
    trace = _trace((0, 3000, False), (3000, 3100, True), (3100, 4100, False), (4100, 4200, True))
    axis = Axis(trace)
    read = sum(axis.x(stop) - axis.x(start) for start, stop in trace.read)
    assert read == pytest.approx(WIDTH * 0.25)
    assert axis.x(3000) - LEFT == pytest.approx(WIDTH * 0.25 * 0.75)
    assert axis.x(4200) == RIGHT
    places = [axis.x(position) for position in range(0, 4201, 10)]
    assert places == sorted(places)


def test_while_a_prompt_is_read_the_axis_shows_its_true_share() -> None:
    axis = Axis(Trace(read=((0, 1240),), end=4310))
    assert axis.x(1240) == pytest.approx(LEFT + WIDTH * 1240 / 4310)


def test_an_empty_trace_has_an_axis() -> None:
    assert Axis(Trace()).x(0) == LEFT


def test_there_is_at_most_one_point_per_two_pixels_and_each_is_a_mean() -> None:
    points = tuple((i, 10.0 if i % 2 else 30.0) for i in range(1, 100_001))
    trace = Trace(points=points, end=100_000)
    (stretch,) = lines(trace, Axis(trace))
    assert len(stretch) <= WIDTH / PIXELS_PER_POINT + 1
    assert all(value == pytest.approx(20, abs=0.1) for _, value in stretch)


def test_the_line_is_broken_where_something_was_read() -> None:
    trace = _trace((0, 41, False), (41, 318, True), (318, 337, False), (337, 412, True))
    assert len(lines(trace, Axis(trace))) == 2


def test_a_flat_line_is_drawn_flat_at_five_eighths_of_the_height(look: Theme, qtbot: QtBot) -> None:
    sparkline = Sparkline()
    qtbot.addWidget(sparkline)
    sparkline.set_trace(_trace((0, 400, True)))
    image = sparkline.grab().toImage()
    accent = look.color("accent")

    def is_line(color: QColor) -> bool:
        return abs(color.green() - accent.green()) < 30 and color.red() < 90

    column = [y for y in range(30) if is_line(image.pixelColor(100, y))]
    assert column
    assert 12 <= min(column) <= max(column) <= 16


def test_the_line_begins_anew_where_an_answer_read_again_what_was_read() -> None:
    first, goes_on = _trace((0, 40, False), (40, 100, True)), _trace((100, 110, False))
    again = _trace((0, 120, False), (120, 200, True))
    assert whole_trace([first, goes_on]).read == ((0, 40), (100, 110))
    assert whole_trace([first, goes_on, again]) == again
    assert whole_trace([]) == Trace()
