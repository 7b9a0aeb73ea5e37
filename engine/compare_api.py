"""The values of a comparison that cross between the engine and whoever drives it. Standard library
only."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from statistics import fmean
from typing import Literal

from engine.api import Loading, Machine, Message, ModelInfo, Piece, Reading, Sampling, Stats
from engine.errors import EngineError


@dataclass(frozen=True, slots=True, kw_only=True)
class Contestant:
    """A model in a comparison, in `precision` ("": its own)."""

    folder: Path
    name: str
    precision: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CompareRequest:
    """Have each contestant answer `messages`. `interleaved`: all are in memory and write in turns,
    token by token, which is nothing to time by; else each is loaded, answers alone, is freed."""

    id: str
    contestants: tuple[Contestant, ...]
    messages: tuple[Message, ...]
    sampling: Sampling = field(default_factory=Sampling)
    interleaved: bool = False
    write_on: bool = False  # past the end of an answer up to the limit, for measuring


Doubt = Literal["", "slept", "busy", "interleaved"]  # why times are nothing to go by


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """A contestant's answer with what was measured of it. Times of tokens in milliseconds."""

    text: str
    stats: Stats
    model: ModelInfo
    early_ms: float | None = None  # the median of the first 50 tokens after the first
    late_ms: float | None = None  # and of the last 50
    times: tuple[tuple[int, float], ...] = ()  # (position, ms) of the tokens, thinned out
    doubt: Doubt = ""


@dataclass(frozen=True, slots=True)
class Failed:
    """A contestant could not answer; the others go on."""

    error: Exception


@dataclass(frozen=True, slots=True)
class ColumnEvent:
    """What happens to the contestant with this index."""

    column: int
    event: Loading | Reading | Piece | Measured | Failed


def too_big_together(models: Iterable[ModelInfo], machine: Machine) -> EngineError | None:
    """Why these cannot all be in memory at once; None where they can."""
    needed, limit = sum(model.needed_bytes for model in models), machine.limit_bytes
    if needed <= limit:
        return None
    return EngineError("too_big_together", needed=needed, limit=limit)


def thinned(times: Sequence[tuple[int, float]], most: int) -> tuple[tuple[int, float], ...]:
    """At most `most` points: each the last position and the mean of as many tokens."""
    step = max(1, -(-len(times) // most))
    edges = [*range(0, len(times), step), len(times)]
    return tuple(
        (times[end - 1][0], fmean(ms for _, ms in times[start:end]))
        for start, end in pairwise(edges)
    )
