"""A model's state: all it remembers of the tokens it has read, in a constant number of bytes."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.device import mx
from engine.errors import EngineError

if TYPE_CHECKING:
    from engine.language_model import LanguageModel


@dataclass(frozen=True, slots=True)
class LayerState:
    """One layer's part: `conv` (batch, d_conv - 1, d_inner) holds the last inputs of the
    convolution, `ssm` (batch, d_inner, d_state) float32 the hidden state of the scan."""

    conv: mx.array
    ssm: mx.array


@dataclass(frozen=True, slots=True)
class State:
    """A value: `forward` returns a new one, and an old one can be continued again.

    `tokens` counts what each row of the batch has read; `identity` names the model."""

    layers: tuple[LayerState, ...]
    tokens: tuple[int, ...]
    identity: str

    @property
    def arrays(self) -> list[mx.array]:
        """Every array, for `mx.eval`."""
        return [array for layer in self.layers for array in (layer.conv, layer.ssm)]

    @property
    def nbytes(self) -> int:
        """The memory it takes, in bytes; the same at every length."""
        return sum(array.nbytes for array in self.arrays)

    def save(self, path: str | Path) -> None:
        """Write it as safetensors, whole or not at all."""
        path = Path(path)
        tensors = {
            f"layers.{i}.{part}": getattr(layer, part)
            for i, layer in enumerate(self.layers)
            for part in ("conv", "ssm")
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
            tokens = tuple(int(count) for count in json.loads(metadata["tokens"]))
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


def _assemble(
    tensors: dict[str, mx.array], tokens: tuple[int, ...], model: LanguageModel, path: Path
) -> State:
    """Lay the tensors into the shapes that the model's own empty state has."""
    layers = []
    for i, blank in enumerate(model.initial_state(len(tokens)).layers):
        parts = []
        for part, want in (("conv", blank.conv), ("ssm", blank.ssm)):
            array = tensors.get(f"layers.{i}.{part}")
            if array is None or array.shape != want.shape or array.dtype != want.dtype:
                detail = f"layers.{i}.{part} is missing or has another shape"
                raise EngineError("corrupt_state", file=path, detail=detail)
            parts.append(array)
        layers.append(LayerState(*parts))
    return State(tuple(layers), tokens, model.identity)
