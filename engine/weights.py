"""A model's weights in memory: read one by one, converted, packed and freed as they come."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import Any

from engine.checkpoint import Checkpoint, load_tensors
from engine.device import mx
from engine.models.linear import laid_out
from engine.quantization import is_quantized, packed, quantizable, unpacked

_PARTS = (".weight", ".scales", ".biases")
_EMBEDDINGS = ("embeddings.weight", "embed_in.weight")
_EMBEDDING_NAMES = tuple(name.removesuffix("weight") for name in _EMBEDDINGS)
_HEADS = {"lm_head.weight", "embed_out.weight"}
_HEAD_NAMES = tuple(name.removesuffix("weight") for name in _HEADS)


class Weights:
    """Collects the tensors of a checkpoint as its family's model takes them.

    `dtype` is what matrices and activations are kept in; `bits` (4 or 8) packs those matrices that
    the family allows, None leaves them as they are stored."""

    def __init__(
        self,
        checkpoint: Checkpoint,
        family: Any,
        shapes: Mapping[str, tuple[int, ...]],
        dtype: mx.Dtype,
        bits: int | None,
    ) -> None:
        self.arrays: dict[str, mx.array] = {}
        self._tensors, self._family, self._shapes = checkpoint.tensors, family, shapes
        self._dtype, self._bits = dtype, bits
        self._parts: dict[str, dict[str, mx.array]] = {}  # of matrices not yet whole

    def add(self, name: str, array: mx.array) -> None:
        """Take a tensor as the file has it."""
        base = next((name.removesuffix(part) for part in _PARTS if name.endswith(part)), name)
        if not is_quantized(self._tensors, base):
            self._keep(name, array)
            return
        parts = self._parts.setdefault(base, {})
        parts[name.removeprefix(base)] = array
        if len(parts) < len(_PARTS):
            return
        words, scales, biases = (parts[part] for part in _PARTS)
        del self._parts[base]
        whole = f"{base}.weight"
        if quantizable(whole):
            self._keep_packed(base, words, scales.astype(self._dtype), biases.astype(self._dtype))
        else:
            self._keep(whole, unpacked(words, scales, biases, self._shapes[whole][1]))

    def _keep(self, name: str, array: mx.array) -> None:
        array = array.astype(self._family.precision(name, self._dtype))
        if self._bits and quantizable(name) and (made := packed(array, self._bits)):
            self._keep_packed(name.removesuffix(".weight"), *made)
            return
        # The head reads its matrix as all others do; an embedding of its own is read by rows.
        by_rows = name.endswith(_EMBEDDINGS) and not _HEADS.isdisjoint(self._shapes)
        self.arrays[name] = laid_out(array) if array.ndim == 2 and not by_rows else array
        mx.eval(self.arrays[name])  # convert now, so that the file's own copy is freed

    def _keep_packed(self, base: str, *parts: mx.array) -> None:
        for part, array in zip(_PARTS, parts, strict=True):
            self.arrays[base + part] = array
        mx.eval(parts)


def read_bytes(weights: Mapping[str, mx.array]) -> int:
    """What writing a token reads of them: all but an embedding beside a head of its own, of which
    it reads a row."""
    own_head = any(name.startswith(_HEAD_NAMES) for name in weights)
    return sum(
        array.nbytes
        for name, array in weights.items()
        if not (own_head and any(part in name for part in _EMBEDDING_NAMES))
    )


def load_weights(
    checkpoint: Checkpoint,
    family: Any,
    shapes: Mapping[str, tuple[int, ...]],
    dtype: mx.Dtype,
    bits: int | None = None,
    on_progress: Callable[[float], None] | None = None,
    stopped: threading.Event | None = None,
) -> dict[str, mx.array]:
    """All weights by name, in memory at most once and one tensor more.

    `shapes` are those of the family's tensors, not packed. Raises as load_tensors does."""
    weights = Weights(checkpoint, family, shapes, dtype, bits)
    for name, array in load_tensors(checkpoint, on_progress, stopped):
        weights.add(name, array)
    return weights.arrays
