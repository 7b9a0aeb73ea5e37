"""The plain values that the window's parts hand to each other. No Qt, no MLX."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Literal

from engine.api import Role, Stats

Status = Literal["writing", "done", "stopped", "length", "failed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatRow:
    """A conversation as the sidebar lists it."""

    id: str
    title: str
    updated: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageRow:
    """A message as the transcript shows it and the store keeps it."""

    id: str
    role: Role
    text: str
    status: Status = "done"
    model: str = ""
    stats: Stats | None = None
    error: str = ""  # a sentence, when status is "failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveFigures:
    """What the strip shows at one moment. None is a value not measured: an en dash."""

    ms_per_token: float | None = None
    tokens_per_s: float | None = None
    ttft_ms: float | None = None
    position: int = 0  # tokens in the state
    state_bytes: int | None = None
    state_grows: bool = False  # with every token, as a Transformer's
    reading: bool = False  # the figures are those of reading the prompt
    backend: str = ""
    device: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """The sparkline: (position, ms per token) of what was written, and the stretches
    (from, to) that were read."""

    points: tuple[tuple[int, float], ...] = ()
    read: tuple[tuple[int, int], ...] = field(default_factory=tuple)
    end: int = 0  # the axis ends here: the position, or the prompt's length while reading


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What is asked before a model is loaded that is tight; of one that does not fit it says
    why it is not loaded."""

    folder: Path
    sentence: str
    may_load: bool
    precision: str  # in which it would be loaded; "" is its own
    at_start: bool  # of the model last used, not of one that the user chose now


@dataclass(frozen=True, slots=True, kw_only=True)
class BiggerModel:
    """The download that the first page suggests."""

    repo: str
    facts: str  # "Falcon3-Mamba-7B-Instruct, 4-bit, 4.1 GB"
    memory: str  # the machine's, which it fits: "16 GB"
