"""How many kernels a layer's decode step dispatches on a GPU, counted in a trace of it."""

from __future__ import annotations

import copy
from typing import Any

from engine.device import mx
from engine.language_model import LanguageModel
from engine.ops.kernels import backend, pretending

# What MLX does without a kernel on a GPU: other views of the same memory.
_VIEWS = {
    "Broadcast", "Contiguous", "ExpandDims", "Flatten", "Reshape", "Slice", "Split", "Squeeze",
    "Transpose", "Unflatten", "View",
}  # fmt: skip
_FILLS = {"Full"}  # of a scalar


def of_a_layer(model: LanguageModel) -> int:
    """The dispatches that one more layer adds to the step of one token, by Metal's path."""
    with pretending("Metal" if backend() == "CPU" else backend()):
        return len(_step(model, 2)) - len(_step(model, 1))


def _step(model: LanguageModel, layers: int) -> list[str]:
    """What a step through the first layer, `layers` times over, dispatches, by name."""
    inner: Any = copy.copy(model._model)
    inner.layers = inner.layers[:1] * layers
    states = inner.initial_layers(1)[:1] * layers
    traced: list[dict[str, Any]] = []

    def step(token: mx.array) -> list[mx.array]:
        hidden, after = inner(token, states, None)
        return [hidden, *(array for state in after for array in state.arrays.values())]

    mx.export_function(traced.append, step, mx.zeros((1, 1), dtype=mx.int32))
    names = [part["name"] for part in traced if part["type"] == "primitive"]
    return [name for name in names if name not in _VIEWS | _FILLS]
