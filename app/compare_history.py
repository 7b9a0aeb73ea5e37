"""What benchmarks tell beside a run: of the same models in the same precision, on this machine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from PySide6.QtCore import QCoreApplication, QDate, QLocale

from app import format as text
from app.compare_chart import LONG, ranks
from app.compare_rows import Chart, Line
from app.compare_values import ColumnResult, Comparison


def measured_before(run: Comparison, benchmarks: Sequence[Comparison]) -> tuple[ColumnResult, ...]:
    """The run's columns, of answers with the quality, and the speed that goes with it, and the long
    run of the last benchmark that was not cut short; the long runs only where there is one of every
    column, so that all lines are of one kind."""
    if run.plan is not None:
        return run.columns
    found = [_matching(run, column, benchmarks) for column in run.columns]
    columns = tuple(
        _with_quality(column, [c for _, c in each if c.quality])
        for column, each in zip(run.columns, found, strict=True)
    )
    long = [[c for _, c in each if _has_long_run(c)] for each in found]
    if not all(long):
        return columns
    return tuple(
        replace(
            column,
            points=each[-1].points,
            weight_bytes=each[-1].weight_bytes,
            transformer_bytes=each[-1].transformer_bytes,
            late_ms=each[-1].late_ms,
        )
        for column, each in zip(columns, long, strict=True)
    )


def _with_quality(column: ColumnResult, measured: Sequence[ColumnResult]) -> ColumnResult:
    if not measured:
        return replace(column, quality=None)
    last = next((each for each in reversed(measured) if not each.doubt), measured[-1])
    return replace(column, quality=last.quality, stats=last.stats)


def _has_long_run(column: ColumnResult) -> bool:
    """Long enough to tell more than an answer does, and to its end."""
    whole = column.stats is not None and column.stats.stop_reason != "stopped"
    return whole and not column.doubt and bool(column.points) and column.points[-1].position >= LONG


def quality_chart(columns: Sequence[ColumnResult], names: Sequence[str]) -> Chart:
    """Bits per byte against ms per token."""
    lines = []
    for column, name, rank in zip(columns, names, ranks(columns), strict=True):
        if column.quality and column.stats and column.stats.ms_per_token:
            bits = column.quality.bits_per_byte
            points = ((column.stats.ms_per_token, bits),)
            lines.append(Line(name=name, value=f"{bits:.3f}", rank=rank, points=points))
    return Chart(
        tab=QCoreApplication.translate("Compare", "Quality"),
        title=QCoreApplication.translate("Compare", "Quality against speed"),
        unit=QCoreApplication.translate("Compare", "bits per byte"),
        x_unit=QCoreApplication.translate("Compare", "ms per token"),
        lines=tuple(lines),
        note=QCoreApplication.translate(
            "Compare",
            "Bits per byte: how well a model predicts passages of old books. Lower left is best.",
        ),
    )


def history_chart(run: Comparison, benchmarks: Sequence[Comparison], names: Sequence[str]) -> Chart:
    """ms per token of each column over its benchmarks; no lines before there are two."""
    found = [_history(run, column, benchmarks) for column in run.columns]
    dates = sorted({when for history in found for when, _ in history})
    lines = []
    for history, name, rank in zip(found, names, ranks(run.columns), strict=True):
        points = tuple((float(dates.index(when)), ms) for when, ms in history)
        if points:
            value = f"{text.ms(points[-1][1])} ms"
            lines.append(Line(name=name, value=value, rank=rank, points=points))
    return Chart(
        tab=QCoreApplication.translate("Compare", "History"),
        title=QCoreApplication.translate("Compare", "Time per token, over the benchmarks"),
        unit=QCoreApplication.translate("Compare", "ms per token"),
        ticks=tuple((float(at), words) for at, words in enumerate(_told(dates))),
        lines=tuple(lines) if len(dates) > 1 else (),
        note=QCoreApplication.translate("Compare", "The medians of the rounds, on this machine."),
    )


def _told(dates: Sequence[datetime]) -> list[str]:
    """Their days, with the time where a day has several."""
    days = [_day(when) for when in dates]
    return [
        f"{day}, {when:%H:%M}" if days.count(day) > 1 else day
        for day, when in zip(days, dates, strict=True)
    ]


def _day(when: datetime) -> str:
    date = QDate(when.year, when.month, when.day)
    return QLocale().toString(date, QCoreApplication.translate("Compare", "d MMM"))


def _matching(
    run: Comparison, column: ColumnResult, benchmarks: Sequence[Comparison]
) -> list[tuple[datetime, ColumnResult]]:
    """What was measured of this model in this precision on this machine, oldest first."""
    return [
        (each.when, other)
        for each in benchmarks
        if each.machine == run.machine
        for other in each.columns
        if (other.name, other.dtype) == (column.name, column.dtype) and other.stats
    ]


def _history(
    run: Comparison, column: ColumnResult, benchmarks: Sequence[Comparison]
) -> list[tuple[datetime, float]]:
    """Times that are in doubt are nothing to compare by."""
    return [
        (when, other.stats.ms_per_token)
        for when, other in _matching(run, column, benchmarks)
        if other.stats and other.stats.ms_per_token and not other.doubt
    ]
