"""A model's state: all it remembers of the tokens it has read. A Mamba's is of constant size."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from engine.device import mx
from engine.errors import EngineError

_MOST = (1 << 31) - 1  # tokens

if TYPE_CHECKING:
    from engine.language_model import LanguageModel


class Layer(Protocol):
    """One layer's part of a state: a value."""

    @property
    def arrays(self) -> dict[str, mx.array]:
        """What it consists of, by name."""

    def after(self, tokens: tuple[int, ...]) -> Layer:
        """One as large as it is when its rows have read `tokens`, to compare with."""

    def holding(self, arrays: Mapping[str, mx.array]) -> Layer:
        """The same of other numbers: of arrays by the same names, of the same shapes."""


@dataclass(frozen=True, slots=True)
class LayerState:
    """A Mamba layer's part: `conv` (batch, d_conv - 1, d_inner) holds the last inputs of the
    convolution, `ssm` (batch, d_inner, d_state) float32 the hidden state of the scan."""

    conv: mx.array
    ssm: mx.array

    @property
    def arrays(self) -> dict[str, mx.array]:
        """Both, by name."""
        return {"conv": self.conv, "ssm": self.ssm}

    def after(self, tokens: tuple[int, ...]) -> LayerState:
        """It has the same size at every length."""
        return self

    def holding(self, arrays: Mapping[str, mx.array]) -> LayerState:
        """The same of other numbers."""
        return LayerState(**arrays)


@dataclass(frozen=True, slots=True)
class State:
    """A value: `forward` returns a new one, and an old one can be continued again.

    `tokens` counts what each row of the batch has read; `identity` names the model."""

    layers: tuple[Layer, ...]
    tokens: tuple[int, ...]
    identity: str

    @property
    def arrays(self) -> list[mx.array]:
        """Every array, for `mx.eval`."""
        return [array for layer in self.layers for array in layer.arrays.values()]

    @property
    def nbytes(self) -> int:
        """The memory it takes, in bytes; of a Mamba the same at every length."""
        return sum(array.nbytes for array in self.arrays)

    def save(self, path: str | Path) -> None:
        """Write it as safetensors, whole or not at all."""
        path = Path(path)
        tensors = {
            f"layers.{i}.{part}": array
            for i, layer in enumerate(self.layers)
            for part, array in layer.arrays.items()
        }
        metadata = {"identity": self.identity, "tokens": json.dumps(self.tokens)}
        temporary = path.with_name(f".{path.stem}.{os.getpid()}.safetensors")
        try:
            mx.save_safetensors(str(temporary), tensors, metadata)
            with temporary.open("rb+") as file:
                os.fsync(file.fileno())
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)

    @staticmethod
    def load(path: str | Path, model: LanguageModel) -> State:
        """Read a state that `save` wrote with this very model.

        Raises EngineError: `no_state`, `corrupt_state`, or `other_model` for another model's."""
        path = Path(path)
        if not path.is_file():
            raise EngineError("no_state", file=path)
        try:
            tensors, metadata = _read(path)
            tokens = _counts(metadata["tokens"], model.context or _MOST)
            found = metadata["identity"]
        except (RuntimeError, ValueError, KeyError, TypeError) as error:
            detail = str(error).splitlines()[0] if str(error) else type(error).__name__
            raise EngineError("corrupt_state", file=path, detail=detail) from error
        if found != model.identity:
            raise EngineError(
                "other_model", file=path, found=found[:12], expected=model.identity[:12]
            )
        state = _assemble(tensors, tokens, model, path)
        mx.eval(state.arrays)
        return state


def _read(path: Path) -> tuple[dict[str, mx.array], dict[str, Any]]:
    with path.open("rb") as file:  # a path that MLX cannot misread, closed when it is done
        loaded: Any = mx.load(file, format="safetensors", return_metadata=True)
        tensors, metadata = loaded
        mx.eval(tensors)
    return tensors, metadata


def _counts(text: str, most: int) -> tuple[int, ...]:
    """The tokens that each row has read. Raises ValueError or TypeError for what are no counts."""
    tokens = tuple(int(count) for count in json.loads(text))
    if not tokens or not all(0 <= count <= most for count in tokens):
        raise ValueError("it has read no count of tokens")
    return tokens


def _assemble(
    tensors: dict[str, mx.array], tokens: tuple[int, ...], model: LanguageModel, path: Path
) -> State:
    """Lay the tensors into the shapes that the model's own state has after so many tokens."""
    layers = []
    for i, layer in enumerate(model.initial_state(len(tokens)).layers):
        blank = layer.after(tokens)
        parts = {}
        for part, want in blank.arrays.items():
            array = tensors.get(f"layers.{i}.{part}")
            if array is None or array.shape != want.shape or array.dtype != want.dtype:
                detail = f"layers.{i}.{part} is missing or has another shape"
                raise EngineError("corrupt_state", file=path, detail=detail)
            parts[part] = array
        layers.append(blank.holding(parts))
    return State(tuple(layers), tokens, model.identity)
