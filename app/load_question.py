"""What is asked before a model is loaded that is tight, or said of one that does not fit."""

from __future__ import annotations

from pathlib import Path

from app.errors_text import sentence
from app.values import Question
from engine.api import Machine, ModelInfo
from engine.errors import EngineError


def reason(model: ModelInfo, machine: Machine) -> EngineError:
    """Why the model is not simply loaded."""
    needed = {"name": model.name, "needed": model.needed_bytes, "limit": machine.limit_bytes}
    if model.fit == "tight" or model.smaller is None:
        return EngineError(model.fit, **needed)
    own = "float32" if machine.backend == "CPU" else model.dtype
    smaller, smaller_needed = model.smaller
    return EngineError(
        "smaller_fits", **needed, dtype=own, smaller=smaller, smaller_needed=smaller_needed
    )


def question(folder: Path, error: EngineError, precision: str, *, at_start: bool) -> Question:
    """The question that `error`, of loading in `precision`, comes to."""
    return Question(
        folder=folder,
        sentence=sentence(error),
        may_load=error.code != "too_big",
        precision=precision,
        at_start=at_start,
    )
