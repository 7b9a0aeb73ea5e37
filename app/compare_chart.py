"""The lines of the two charts: time and memory against the position in the text."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication

from app import format as text
from app.compare_rows import Chart, Line
from app.compare_values import ColumnResult
from engine.compare_api import thinned

_POINTS = 120  # so that a line can be read


def ranks(columns: Sequence[ColumnResult]) -> list[int]:
    """Each column's place from small to large; -1 for a Transformer, which is no Mamba's rung."""
    order = sorted(
        (at for at, column in enumerate(columns) if column.family != "gpt_neox"),
        key=lambda at: (columns[at].parameters, at),
    )
    return [order.index(at) if at in order else -1 for at in range(len(columns))]


def time_chart(columns: Sequence[ColumnResult], names: Sequence[str]) -> Chart:
    """ms per token by position."""
    lines = []
    for column, name, rank in zip(columns, names, ranks(columns), strict=True):
        if points := thinned(column.times, _POINTS):
            value = f"{text.ms(column.late_ms)} ms"
            lines.append(Line(name=name, value=value, rank=rank, points=points))
    return Chart(
        title=QCoreApplication.translate("Compare", "Time per token, by position"),
        unit=QCoreApplication.translate("Compare", "ms per token"),
        lines=tuple(lines),
        note=QCoreApplication.translate("Compare", "Solid: measured here, in this run."),
    )


def memory_chart(columns: Sequence[ColumnResult], names: Sequence[str]) -> Chart:
    """The bytes of the state by position: what a chat keeps of all it has read. A Mamba's is the
    same at every position; a Transformer's grows with each token."""
    lines = []
    for column, name, rank in zip(columns, names, ranks(columns), strict=True):
        if column.stats is None or not column.times:
            continue
        end, size = column.times[-1][0], column.stats.state_bytes / 1e6
        grows = column.family == "gpt_neox"
        points = ((0.0, 0.0 if grows else size), (float(end), size))
        value = " ".join(text.size(column.stats.state_bytes))
        lines.append(Line(name=name, value=value, rank=rank, points=points, dashed=grows))
    return Chart(
        title=QCoreApplication.translate("Compare", "State, by position"),
        unit=QCoreApplication.translate("Compare", "MB"),
        lines=tuple(lines),
        note=_memory_note(dashed=any(line.dashed for line in lines)),
    )


def _memory_note(*, dashed: bool) -> str:
    note = QCoreApplication.translate(
        "Compare", "The state is all that a chat keeps of what was read."
    )
    calculated = QCoreApplication.translate(
        "Compare", "Dashed: calculated from its size at the end."
    )
    return f"{note} {calculated}" if dashed else note
