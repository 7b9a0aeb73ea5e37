"""A comparison as it is kept: what was asked, and what each model made of it. No Qt, no MLX."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, NamedTuple

from engine.api import Message, Sampling, Stats
from engine.compare_api import Doubt, Plan, Point, Quality


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnResult:
    """One model's answer and its figures; `error` is a sentence in place of an answer."""

    name: str
    precision: str = ""  # it was asked for in; empty for its own
    family: str = ""
    parameters: int = 0
    disk_bytes: int = 0
    dtype: str = ""
    text: str = ""
    error: str = ""
    unmade: Literal["", "skipped", "stopped"] = ""  # no fault: it does not fit, or was stopped
    stats: Stats | None = None
    median_ms: float | None = None
    early_ms: float | None = None
    late_ms: float | None = None
    points: tuple[Point, ...] = ()
    weight_bytes: int = 0
    transformer_bytes: int = 0
    spread_ms: tuple[float, float] | None = None
    quality: Quality | None = None
    doubt: Doubt = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """A run, as far as it came: answers to a prompt, or with a `plan` a benchmark. `vote` is the
    index of the answer that was chosen."""

    id: str
    title: str
    when: datetime
    number: int = 0  # counted over all that were ever made
    prompt: str
    before: tuple[Message, ...] = ()  # what every model reads before the prompt
    chat: str = ""  # the title of the chat that this was said in
    sampling: Sampling = field(default_factory=Sampling)
    interleaved: bool = False
    columns: tuple[ColumnResult, ...] = ()
    vote: int | None = None
    plan: Plan | None = None
    machine: str = ""  # that it was made on: "Apple M2 Pro, Metal"


def said(messages: Iterable[Message]) -> list[dict[str, str]]:
    """Messages as they are kept and exported: who said what, without tokens."""
    return [{"role": message.role, "text": message.text} for message in messages]


class KeptRun(NamedTuple):
    """What a list shows of a comparison."""

    id: str
    title: str
    when: datetime
    models: int
