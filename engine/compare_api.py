"""The values of a comparison that cross between the engine and whoever drives it. Standard library
only."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, NamedTuple

from engine.api import Loading, Machine, Message, ModelInfo, Piece, Reading, Sampling, Stats
from engine.errors import EngineError


@dataclass(frozen=True, slots=True, kw_only=True)
class Contestant:
    """A model in a comparison, in `precision` ("": its own)."""

    folder: Path
    name: str
    precision: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What a benchmark measures of each model, after a warm-up: in each of `rounds` it reads the
    first `prompt_tokens` of a text that comes with the app and writes `new_tokens`; then how well
    it foretells that text; at last it writes on up to `position`, where that is not 0."""

    prompt_tokens: int = 512
    new_tokens: int = 128
    rounds: int = 5
    quality: bool = True
    position: int = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class CompareRequest:
    """Have each contestant answer `messages`, or with a `plan` measure each by that.

    `interleaved`: all are in memory and write in turns, token by token, which is nothing to time
    by; else each is loaded, answers alone, is freed."""

    id: str
    contestants: tuple[Contestant, ...]
    messages: tuple[Message, ...]
    sampling: Sampling = field(default_factory=Sampling)
    interleaved: bool = False
    write_on: bool = False  # past the end of an answer up to the limit, for measuring
    plan: Plan | None = None


Doubt = Literal["", "slept", "busy", "interleaved"]  # why times are nothing to go by


class Point(NamedTuple):
    """What a token took, or the mean of some tokens up to this position."""

    position: int
    ms: float
    memory_bytes: int  # in use then


class Quality(NamedTuple):
    """How well a text is foretold: lower is better. Only bits per byte can be compared between
    tokenizers: a token of one may be half a word of another's."""

    nats_per_token: float
    bits_per_byte: float
    tokens: int

    @property
    def perplexity(self) -> float:
        """As if so many tokens were equally likely at each step."""
        return math.exp(self.nats_per_token)


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """A contestant's answer with what was measured of it. Of a benchmark `stats` and `median_ms`
    are those of its rounds, and the text, the points, the early and the late times those of its
    long run, where there is one. Times of tokens in milliseconds."""

    text: str
    stats: Stats
    model: ModelInfo
    dtype: str = ""  # of the weights in memory
    median_ms: float | None = None
    early_ms: float | None = None  # the median of the first 50 tokens after the first
    late_ms: float | None = None  # and of the last 50
    points: tuple[Point, ...] = ()
    weight_bytes: int = 0  # that writing a token reads
    transformer_bytes: int = 0  # by which each token adds to the cache of a Transformer of its size
    spread_ms: tuple[float, float] | None = None  # of the rounds' ms/token, the least and the most
    quality: Quality | None = None
    doubt: Doubt = ""


@dataclass(frozen=True, slots=True)
class Failed:
    """A contestant could not answer; the others go on."""

    error: Exception


@dataclass(frozen=True, slots=True)
class Step:
    """How far a benchmark is: `done` of `total` of this part of it are done."""

    part: Literal["warm_up", "rounds", "quality"]
    done: int
    total: int


@dataclass(frozen=True, slots=True)
class ColumnEvent:
    """What happens to the contestant with this index; beside a Piece the memory in use then."""

    column: int
    event: Loading | Reading | Step | Piece | Measured | Failed
    memory_bytes: int = 0


def read_rate(weight_bytes: int, stats: Stats) -> float | None:
    """The bytes of weights that were read each second while it wrote."""
    return 1e3 * weight_bytes / stats.ms_per_token if weight_bytes and stats.ms_per_token else None


def too_big_together(models: Iterable[ModelInfo], machine: Machine) -> EngineError | None:
    """Why these cannot all be in memory at once; None where they can."""
    needed, limit = sum(model.needed_bytes for model in models), machine.limit_bytes
    if needed <= limit:
        return None
    return EngineError("too_big_together", needed=needed, limit=limit)
