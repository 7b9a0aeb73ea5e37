"""The plain values that the Compare view shows. No Qt, no MLX."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from engine.api import Fit, Sampling

ColumnState = Literal[
    "waiting", "loading", "reading", "measuring", "writing", "done", "stopped", "failed", "skipped"
]


BUSY = ("waiting", "loading", "reading", "measuring", "writing")
ANSWERED = ("done", "stopped")


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A model that may be compared, in one precision. One that is not installed offers its
    download."""

    id: str  # its name, and a precision that is not its own: "mamba-370m-hf@8-bit"
    name: str
    note: str = ""  # "129 million, 0.52 GB"
    installed: bool = True
    transformer: bool = False  # there for comparison
    precision: str = ""
    precisions: tuple[str, ...] = ()  # that it may be in
    also: tuple[str, ...] = ()  # in which the model may be chosen besides
    fit: Fit | None = None
    problem: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One model's answer. `rank` is its place from small to large among the columns: 0 is the
    smallest; -1 a Transformer, drawn in the colour "other"."""

    id: str  # of the model, and its precision
    name: str
    short: str = ""  # over the table: "130m"
    rank: int = 0
    state: ColumnState
    status: str  # "Writing, 96 of 160 tokens", or why it failed
    text: str = ""
    figure: str = ""  # ms/token: "3.4"; empty: an en dash
    fraction: float | None = None  # of loading or reading
    vote: bool = False  # this answer was chosen as the better


def may_vote(columns: Sequence[Column]) -> bool:
    """Whether all have ended, and two of them with an answer."""
    return not _any_busy(columns) and _answered(columns) > 1


def kept_secret(columns: Sequence[Column]) -> bool:
    """Whether a blind run still hides names and figures: there is no vote, and one can come. With
    one answer alone there is nothing to vote on, and nothing would ever be shown."""
    voted = any(column.vote for column in columns)
    return not voted and (_any_busy(columns) or _answered(columns) > 1)


def _any_busy(columns: Sequence[Column]) -> bool:
    return any(column.state in BUSY for column in columns)


def _answered(columns: Sequence[Column]) -> int:
    return sum(column.state in ANSWERED for column in columns)


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A line of the table; `best` are the columns with the best value, marked."""

    label: str
    cells: tuple[str, ...]
    best: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A line of a chart: (position in tokens, value), in the colour of its rank. Dashed ones are
    calculated, not measured."""

    name: str
    value: str  # at its end: "37.6 ms"
    rank: int
    points: tuple[tuple[float, float], ...]
    dashed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """Lines over the position in tokens, from 0 on both axes. With `ticks`, (place, words), over
    those places in its stead, every point marked. With `x_unit` one point of each line: what is
    best stands at the lower left."""

    tab: str = ""  # its word in the switch between charts
    title: str
    unit: str  # "ms per token"
    x_unit: str = ""
    ticks: tuple[tuple[float, str], ...] = ()
    lines: tuple[Line, ...] = ()
    note: str = ""
    end: float = 0.0  # the axis ends here, in tokens; 0: at the last point


@dataclass(frozen=True, slots=True, kw_only=True)
class PastRun:
    """A comparison that was kept."""

    id: str
    title: str
    note: str  # "3 models, 160 tokens"
    when: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class CompareRows:
    """Everything in the Compare view."""

    choices: tuple[Choice, ...] = ()
    chosen: tuple[str, ...] = ()  # the ids of the choices, in their order
    prompt: str = ""
    before: str = ""  # what is read before it: "4 messages"
    chat: str = ""  # the title of the chat that they are of
    sampling: Sampling = field(default_factory=Sampling)
    interleaved: bool = False
    no_turns: str = ""  # why they cannot be: "Together they need 12.30 GB, and …"
    benchmark: bool = False  # no answers: there is nothing to vote on or to go on with
    can_benchmark: bool = False
    blind: bool = False  # names and figures are hidden until a vote
    running: bool = False
    can_run: bool = False
    columns: tuple[Column, ...] = ()
    table: tuple[Row, ...] = ()
    charts: tuple[Chart, ...] = ()  # those without lines are not shown
    note: str = ""  # "Base models: they continue the text."
    warning: str = ""  # why the figures may not be trusted: "The machine slept during this run."
    title_note: str = ""  # "Sun 29 Nov, run 14"
    past: tuple[PastRun, ...] = ()
    current: str = ""  # the past run that is shown

    @property
    def secret(self) -> bool:
        """Names and figures are hidden: of answers, blind, before the vote."""
        return self.blind and not self.benchmark and kept_secret(self.columns)
