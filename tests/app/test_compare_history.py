"""The charts of a comparison: what they are drawn from, and what is said of that."""

from __future__ import annotations

from dataclasses import replace

import pytest
from compared import LARGE, RUN, SMALL, benchmark

from app.compare_rows import Chart
from app.compare_values import ColumnResult, Comparison
from app.compare_words import charts
from engine.api import StopReason
from engine.compare_api import Point

ANSWERS = replace(RUN, columns=(SMALL, LARGE), vote=None)
LONG = benchmark(12)


def chart(tab: str, run: Comparison, *benchmarks: Comparison) -> Chart:
    (found,) = [each for each in charts(run, benchmarks) if each.tab == tab]
    return found


def cut(
    column: ColumnResult, *, points: int | None = None, stop_reason: StopReason = "length"
) -> ColumnResult:
    """A column whose long run has fewer points, or ended so."""
    assert column.stats
    stats = replace(column.stats, stop_reason=stop_reason)
    return replace(column, points=column.points[:points], stats=stats)


def test_answers_are_drawn_from_the_last_long_run_of_the_same_models_on_this_machine() -> None:
    time = chart("Time", ANSWERS, benchmark(3, ms=9.9), LONG)
    assert time.lines[0].points[-1] == (10_000.0, pytest.approx(3.4))
    assert "one run of 10,000 tokens each" in time.note


@pytest.mark.parametrize(
    "other",
    [
        replace(LONG, machine="Apple M4, Metal"),
        replace(LONG, columns=LONG.columns[:1]),
        replace(LONG, columns=(LONG.columns[0], replace(LONG.columns[1], dtype="8-bit"))),
        replace(LONG, columns=(LONG.columns[0], replace(LONG.columns[1], doubt="slept"))),
        replace(LONG, columns=(LONG.columns[0], cut(LONG.columns[1], points=9))),
        replace(LONG, columns=(LONG.columns[0], cut(LONG.columns[1], stop_reason="stopped"))),
    ],
    ids=["another machine", "one model only", "another precision", "in doubt", "short", "stopped"],
)
def test_otherwise_they_are_drawn_from_the_run_itself(other: Comparison) -> None:
    time = chart("Time", ANSWERS, other)
    assert [line.points[-1][0] for line in time.lines] == [14.0, 14.0]
    assert "in this run" in time.note


def test_a_long_run_that_was_cut_short_does_not_stand_before_a_whole_one() -> None:
    later = benchmark(20)
    later = replace(later, columns=tuple(cut(each, points=1) for each in later.columns))
    time = chart("Time", ANSWERS, LONG, later)
    assert [line.points[-1][0] for line in time.lines[:2]] == [10_000.0, 10_000.0]


def test_a_transformer_of_the_largest_ones_size_is_calculated_and_said_to_be() -> None:
    time, memory = chart("Time", LONG), chart("Memory", LONG)
    for drawn in (time, memory):
        (dashed,) = [line for line in drawn.lines if line.dashed]
        assert dashed.name == "Transformer 2.8b"
        assert "Dashed: calculated" in drawn.note
    (start, end) = next(line.points for line in time.lines if line.dashed)
    grown = 327_680 * 10_000 / 5_540_000_000
    assert (start[1], end[1]) == (37.6, pytest.approx(37.6 * (1 + grown)))
    (start, end) = next(line.points for line in memory.lines if line.dashed)
    assert end[1] - start[1] == pytest.approx(3.2768)  # GB


def test_none_is_calculated_where_one_was_measured_or_little_was_read() -> None:
    measured = replace(LONG, columns=(LONG.columns[0], replace(LONG.columns[1], family="gpt_neox")))
    for run in (measured, ANSWERS):
        assert not any(line.dashed for each in charts(run, ()) for line in each.lines)


def test_memory_is_what_was_in_use_at_each_position() -> None:
    grown = tuple(Point(at, 3.0, 10**8 + 10_000 * at) for at in range(0, 2000, 100))
    run = replace(LONG, columns=(LONG.columns[0], replace(LONG.columns[0], points=grown)))
    memory = chart("Memory", run)
    assert memory.unit == "MB"
    assert memory.lines[0].points[0][1] == memory.lines[0].points[-1][1] == 270.0
    assert memory.lines[1].points[-1] == (1900.0, 119.0)
    assert memory.lines[1].value == "119 MB"


def test_quality_stands_against_speed_also_where_it_was_measured_before() -> None:
    assert not chart("Quality", ANSWERS).lines
    quality = chart("Quality", ANSWERS, LONG)
    assert [line.points for line in quality.lines] == [((3.4, 1.12),), ((37.6, 0.86),)]
    assert quality.x_unit


def test_beside_a_quality_stands_the_speed_that_was_measured_with_it() -> None:
    assert SMALL.stats
    slow = replace(SMALL, stats=replace(SMALL.stats, ms_per_token=99.0), doubt="interleaved")
    doubted = replace(benchmark(20, ms=50.0), columns=tuple(
        replace(column, doubt="busy") for column in benchmark(20, ms=50.0).columns))  # fmt: skip
    quality = chart("Quality", replace(ANSWERS, columns=(slow, LARGE)), LONG, doubted)
    assert [line.points[0][0] for line in quality.lines] == [3.4, 37.6]


def test_history_goes_over_the_benchmarks_in_their_order_once_there_are_two() -> None:
    now = benchmark(28, ms=3.2)
    assert not chart("History", now, now).lines
    elsewhere = benchmark(20, machine="Apple M4, Metal")
    asleep = replace(benchmark(21), columns=tuple(
        replace(column, doubt="slept") for column in benchmark(21).columns))  # fmt: skip
    history = chart("History", now, benchmark(3, ms=3.6), LONG, elsewhere, asleep, now)
    assert [words for _, words in history.ticks] == ["3 Nov", "12 Nov", "28 Nov"]
    assert history.lines[0].points == ((0.0, 3.6), (1.0, 3.4), (2.0, 3.2))
    assert history.lines[0].value == "3.2 ms"


def test_benchmarks_of_one_day_are_told_apart_by_their_time() -> None:
    now = benchmark(28)
    later = replace(now, id="later", when=now.when.replace(hour=17, minute=5))
    history = chart("History", now, benchmark(3), now, later)
    assert [words for _, words in history.ticks] == ["3 Nov", "28 Nov, 10:00", "28 Nov, 17:05"]


def test_while_a_benchmark_runs_its_axis_has_its_end_already() -> None:
    early = replace(LONG, columns=(replace(SMALL, stats=None), replace(LARGE, points=())))
    time = chart("Time", early)
    assert time.end == 10_000
    assert [line.name for line in time.lines] == ["130m"]
