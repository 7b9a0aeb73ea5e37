"""The figures of a comparison as rows: for the table under the columns and for export."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

from PySide6.QtCore import QCoreApplication

from app import format as text
from app.compare_chart import TRANSFORMER
from app.compare_rows import Row
from app.compare_values import ColumnResult
from engine.compare_api import read_rate

DASH = text.DASH
_MEGA, _GIGA = 1e6, 1e9
_TIMED = {
    "load_s", "ttft_ms", "prefill_tokens_per_s", "early_ms", "late_ms", "tokens_per_s",
    "weights_read_bytes_per_s", "spread",
}  # fmt: skip


class Measure(NamedTuple):
    """A line of the table: its label, a column's value, how that is written, and which is best:
    "low", "high", or "" where best has no meaning."""

    label: str
    key: str  # in exports
    value: Callable[[ColumnResult], float | str | None]
    shown: Callable[[float], str]
    best: str


def measures(columns: Sequence[ColumnResult]) -> tuple[Measure, ...]:
    """The lines for these, in their order."""
    translate = QCoreApplication.translate

    def ms(value: float) -> str:
        return text.ms(value)

    return (
        Measure(translate("Compare", "Parameters"), "parameters", _parameters, _count, ""),
        Measure(translate("Compare", "Disk"), "disk_bytes", lambda c: c.disk_bytes or None,
                _disk, "low"),
        Measure(translate("Compare", "Precision"), "precision", lambda c: c.dtype or None,
                str, ""),
        Measure(translate("Compare", "Load"), "load_s", _stat("load_s"), _seconds, "low"),
        Measure(translate("Compare", "First token"), "ttft_ms", _stat("ttft_ms"),
                lambda v: _seconds(v / 1e3), "low"),
        Measure(translate("Compare", "Prompt, tokens/s"), "prefill_tokens_per_s",
                _stat("prefill_tokens_per_s"), text.rate, "high"),
        Measure(translate("Compare", "ms/token, first 50"), "early_ms", lambda c: c.early_ms,
                ms, "low"),
        Measure(translate("Compare", "ms/token, last 50"), "late_ms", lambda c: c.late_ms,
                ms, "low"),
        Measure(translate("Compare", "Tokens/s"), "tokens_per_s", _stat("tokens_per_s"),
                text.rate, "high"),
        Measure(translate("Compare", "Weights read, GB/s"), "weights_read_bytes_per_s",
                _read_rate, lambda v: text.rate(v / _GIGA), "high"),
        Measure(_state_label(columns), "state_bytes", _stat("state_bytes"), _size, "low"),
        Measure(translate("Compare", "Peak memory"), "peak_memory_bytes",
                _stat("peak_memory_bytes"), _size, "low"),
        *_benchmark_measures(columns),
    )  # fmt: skip


def _benchmark_measures(columns: Sequence[ColumnResult]) -> tuple[Measure, ...]:
    """What only benchmarks tell, and is there."""
    translate = QCoreApplication.translate
    lines = []
    if any(column.spread_ms for column in columns):
        lines.append(
            Measure(
                translate("Compare", "Spread of rounds"),
                "spread",
                _spread,
                lambda v: f"±{100 * v:.1f} %",
                "low",
            )
        )
    if any(column.quality for column in columns):
        lines += [
            Measure(translate("Compare", "Bits per byte"), "bits_per_byte",
                    lambda c: c.quality.bits_per_byte if c.quality else None,
                    lambda v: f"{v:.3f}", "low"),
            Measure(translate("Compare", "Perplexity"), "perplexity",
                    lambda c: c.quality.perplexity if c.quality else None, text.rate, ""),
        ]  # fmt: skip
    return tuple(lines)


def _spread(column: ColumnResult) -> float | None:
    """How far the rounds' ms/token are apart: half of it, as a share of their middle."""
    if column.spread_ms is None:
        return None
    least, most = column.spread_ms
    return (most - least) / (most + least)


def _read_rate(column: ColumnResult) -> float | None:
    return read_rate(column.weight_bytes, column.stats) if column.stats else None


def _state_label(columns: Sequence[ColumnResult]) -> str:
    if any(column.family == TRANSFORMER for column in columns):
        return QCoreApplication.translate("Compare", "State")
    return QCoreApplication.translate("Compare", "State, constant")


def table(columns: Sequence[ColumnResult]) -> tuple[Row, ...]:
    """The rows; the best of each is marked unless all are alike, fewer than two are known, or the
    times are in doubt."""
    doubted = any(column.doubt for column in columns)
    rows = [(measure, _row(measure, columns)) for measure in measures(columns)]
    return tuple(
        replace(row, best=frozenset()) if doubted and measure.key in _TIMED else row
        for measure, row in rows
    )


def _row(measure: Measure, columns: Sequence[ColumnResult]) -> Row:
    values = [measure.value(column) for column in columns]
    cells = tuple(
        DASH if value is None else value if isinstance(value, str) else measure.shown(value)
        for value in values
    )
    return Row(label=measure.label, cells=cells, best=_best(measure.best, values, cells))


def _best(which: str, values: Sequence[float | str | None], cells: Sequence[str]) -> frozenset[int]:
    """The columns with the best value as it is written: those that read alike are equally good."""
    known = {at: value for at, value in enumerate(values) if isinstance(value, int | float)}
    if not which or len(known) < 2 or len({cells[at] for at in known}) == 1:
        return frozenset()
    choose = min if which == "low" else max
    best = choose(known, key=lambda at: known[at])
    return frozenset(at for at in known if cells[at] == cells[best])


def _stat(name: str) -> Callable[[ColumnResult], float | None]:
    def value(column: ColumnResult) -> float | None:
        found: float | None = getattr(column.stats, name) if column.stats else None
        return found

    return value


def _parameters(column: ColumnResult) -> float | None:
    return column.parameters or None


def _count(value: float) -> str:
    """A model's size as a table has room for: "129 M", "2.77 B"."""
    if value >= 999.5e6:
        return f"{value / 1e9:.2f} B"
    return f"{value / 1e6:.0f} M" if value >= 99.5e6 else f"{value / 1e6:.1f} M"


def _disk(value: float) -> str:
    return f"{value / _MEGA:.0f} MB" if value < 99.5e6 else f"{value / _GIGA:.2f} GB"


def _size(value: float) -> str:
    return " ".join(text.size(round(value)))


def _seconds(value: float) -> str:
    return f"{text.seconds(value)} s"
