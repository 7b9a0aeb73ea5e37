"""The lines of the charts by position: time and memory."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean, median

from PySide6.QtCore import QCoreApplication

from app import format as text
from app.compare_rows import Chart, Line
from app.compare_values import ColumnResult

_POINTS = 120  # so that a line can be read
LONG = 1_000  # tokens: before that a Transformer's cache tells little
TRANSFORMER = "gpt_neox"


def ranks(columns: Sequence[ColumnResult]) -> list[int]:
    """Each column's place from small to large; -1 for a Transformer, which is no Mamba's rung."""
    order = sorted(
        (at for at, column in enumerate(columns) if column.family != TRANSFORMER),
        key=lambda at: (columns[at].parameters, at),
    )
    return [order.index(at) if at in order else -1 for at in range(len(columns))]


def time_chart(columns: Sequence[ColumnResult], names: Sequence[str], end: int = 0) -> Chart:
    """ms per token by position, up to `end` where that is not 0."""
    lines = []
    for column, name, rank in zip(columns, names, ranks(columns), strict=True):
        if points := _thinned([(point.position, point.ms) for point in column.points]):
            value = f"{text.ms(column.late_ms or points[-1][1])} ms"
            lines.append(Line(name=name, value=value, rank=rank, points=points))
    if (largest := _largest(columns)) is not None and lines:
        lines.append(_calculated_time(columns[largest], names[largest]))
    return Chart(
        tab=QCoreApplication.translate("Compare", "Time"),
        title=QCoreApplication.translate("Compare", "Time per token, by position"),
        unit=QCoreApplication.translate("Compare", "ms per token"),
        lines=tuple(lines),
        note=_note(columns, lines),
        end=float(end),
    )


def memory_chart(columns: Sequence[ColumnResult], names: Sequence[str], end: int = 0) -> Chart:
    """The memory in use by position, up to `end` where that is not 0."""
    most = max((p.memory_bytes for column in columns for p in column.points), default=0)
    unit, scale = ("GB", 1e9) if most >= 999.5e6 else ("MB", 1e6)
    lines = []
    for column, name, rank in zip(columns, names, ranks(columns), strict=True):
        points = _thinned([(p.position, p.memory_bytes / scale) for p in column.points])
        if points:
            value = " ".join(text.size(column.points[-1].memory_bytes))
            lines.append(Line(name=name, value=value, rank=rank, points=points))
    if (largest := _largest(columns)) is not None and lines:
        lines.append(_calculated_memory(columns[largest], names[largest], scale))
    return Chart(
        tab=QCoreApplication.translate("Compare", "Memory"),
        title=QCoreApplication.translate("Compare", "Memory, by position"),
        unit=unit,
        lines=tuple(lines),
        note=_note(columns, lines),
        end=float(end),
    )


def _largest(columns: Sequence[ColumnResult]) -> int | None:
    """The Mamba beside which a Transformer of its size is drawn: the largest, unless one was
    measured or nothing was read for long."""
    if any(column.family == TRANSFORMER for column in columns):
        return None
    long = [
        at
        for at, column in enumerate(columns)
        if column.transformer_bytes and column.points and column.points[-1].position >= LONG
    ]
    return max(long, key=lambda at: columns[at].parameters, default=None)


def _calculated_time(column: ColumnResult, name: str) -> Line:
    """Where reading memory takes the time, a cache takes what weights of its size take."""
    ms, last = median(point.ms for point in column.points), column.points[-1].position
    grown = ms * (1 + column.transformer_bytes * last / column.weight_bytes)
    return _dashed(name, f"{text.ms(grown)} ms", ((0.0, ms), (float(last), grown)))


def _calculated_memory(column: ColumnResult, name: str, scale: float) -> Line:
    start, last = column.points[0].memory_bytes, column.points[-1].position
    grown = start + column.transformer_bytes * last
    value = " ".join(text.size(grown))
    return _dashed(name, value, ((0.0, start / scale), (float(last), grown / scale)))


def _dashed(name: str, value: str, points: tuple[tuple[float, float], ...]) -> Line:
    words = QCoreApplication.translate("Compare", "Transformer {size}").replace("{size}", name)
    return Line(name=words, value=value, rank=-1, points=points, dashed=True)


def _note(columns: Sequence[ColumnResult], lines: Sequence[Line]) -> str:
    """Where the lines come from."""
    translate = QCoreApplication.translate
    ends = {column.points[-1].position for column in columns if column.points}
    if max(ends, default=0) < LONG:
        note = translate("Compare", "Solid: measured here, in this run.")
    elif len(ends) == 1:
        words = translate("Compare", "Solid: measured here, one run of {n} tokens each.")
        note = words.replace("{n}", text.count(ends.pop()))
    else:
        note = translate("Compare", "Solid: measured here, one long run each.")
    calculated = translate(
        "Compare",
        "Dashed: calculated from the size of a Transformer’s cache at equal parameters.",
    )
    return f"{note} {calculated}" if any(line.dashed for line in lines) else note


def _thinned(points: Sequence[tuple[int, float]]) -> tuple[tuple[float, float], ...]:
    """At most 120: each the last position and the mean of as many."""
    step = max(1, -(-len(points) // _POINTS))
    parts = [points[at : at + step] for at in range(0, len(points), step)]
    return tuple((float(part[-1][0]), fmean(y for _, y in part)) for part in parts)
