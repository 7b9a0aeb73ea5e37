"""A comparison under way: what its events make of its columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from PySide6.QtCore import QCoreApplication

from app.compare_values import ColumnResult, Comparison
from app.errors_text import sentence
from app.pacing import Pace
from engine.api import Loading, ModelInfo, Piece, Reading
from engine.compare_api import ColumnEvent, Failed, Measured, Step
from engine.errors import EngineError, Stopped
from engine.track import Track

_POINTS_PER_S = 2  # a chart need not be drawn anew more often
_FIGURES_PER_S = 4  # nor can figures be read that change more often
Told = Loading | Reading | Step | Piece


@dataclass(frozen=True, slots=True)
class Live:
    """What a column that is under way is shown to do, and the tokens that it had written then."""

    told: Told
    tokens: int = 0


class Running:
    """The columns of the run `id`, and what is known of those that have not ended."""

    def __init__(self, run: Comparison) -> None:
        self.id = run.id
        self.live: dict[int, Live] = {}
        self._tracks = [Track() for _ in run.columns]
        self._tokens = [0] * len(run.columns)
        self._figures = [Pace(_FIGURES_PER_S) for _ in run.columns]
        self._points = Pace(_POINTS_PER_S)

    def take(self, run: Comparison, events: Sequence[ColumnEvent]) -> tuple[Comparison, bool]:
        """The run after these events, and whether a column ended by them."""
        columns, ended = list(run.columns), False
        for each in events:
            at, event = each.column, each.event
            if isinstance(event, Measured):
                columns[at] = measured(columns[at], event)
            elif isinstance(event, Failed):
                columns[at] = failed(columns[at], event.error)
            else:
                columns[at] = self._told(at, columns[at], event, each.memory_bytes)
                continue
            self.live.pop(at, None)
            ended = True
        if self.live and self._points.is_due():
            for at in self.live:
                columns[at] = replace(columns[at], points=self._tracks[at].points())
        return replace(run, columns=tuple(columns)), ended

    def _told(self, at: int, column: ColumnResult, event: Told, memory: int) -> ColumnResult:
        writing = at in self.live and isinstance(self.live[at].told, Piece)
        if isinstance(event, Piece):
            self._tokens[at] += event.tokens
            column = replace(column, text=column.text + event.text)
            if event.ms is not None:
                self._tracks[at].add(event.position, event.ms, memory)
        if self._figures[at].is_due() or not (writing and isinstance(event, Piece)):
            self.live[at] = Live(event, self._tokens[at])
        return column


def empty(model: ModelInfo) -> ColumnResult:
    """The column of a model before it has begun."""
    return ColumnResult(
        name=model.name,
        precision=model.precision,
        family=model.family,
        parameters=model.parameters,
        disk_bytes=model.disk_bytes,
        dtype=model.dtype,
    )


def measured(column: ColumnResult, end: Measured) -> ColumnResult:
    """The column with what was measured."""
    return replace(
        column,
        text=end.text,
        dtype=end.dtype,
        stats=end.stats,
        median_ms=end.median_ms,
        early_ms=end.early_ms,
        late_ms=end.late_ms,
        points=end.points,
        weight_bytes=end.weight_bytes,
        transformer_bytes=end.transformer_bytes,
        spread_ms=end.spread_ms,
        quality=end.quality,
        doubt=end.doubt,
    )


def broken_off(run: Comparison, error: Exception) -> Comparison:
    """The run whose columns that have not ended failed with this."""
    columns = (
        column if column.stats or column.error else failed(column, error) for column in run.columns
    )
    return replace(run, columns=tuple(columns))


def failed(column: ColumnResult, error: Exception) -> ColumnResult:
    """The column with a sentence why there is no more of it."""
    if isinstance(error, Stopped):
        words = QCoreApplication.translate("Compare", "Stopped before anything was measured")
        return replace(column, error=words, unmade="stopped")
    too_big = isinstance(error, EngineError) and error.code == "too_big"
    return replace(column, error=sentence(error), unmade="skipped" if too_big else "")
