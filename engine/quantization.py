"""Matrices in a few bits a number, as MLX packs them: each group of a row's numbers is a whole
number of steps (`scales`) above a least value (`biases`)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.errors import EngineError

if TYPE_CHECKING:
    import mlx.core as mx

BITS = (4, 8)  # that we make
GROUP_SIZE = 64
STORED_BITS = (2, 3, 4, 5, 6, 8)  # that MLX runs
_STORED_GROUPS = (32, 64, 128)
_WORD = 32
# The matrices that a model is made of: a Mamba, then a GPT-NeoX. The rows of dt_proj are short,
# and the step's kernel takes them as they are.
_MATRICES = re.compile(
    r"(embeddings|lm_head|in_proj|x_proj|out_proj"
    r"|embed_in|embed_out|query_key_value|dense|dense_h_to_4h|dense_4h_to_h)\.weight$"
)


def quantizable(name: str) -> bool:
    """Whether the tensor `name` may be kept in a few bits a number."""
    return _MATRICES.search(name) is not None


def is_quantized(tensors: Mapping[str, Any], name: str) -> bool:
    """Whether the matrix `name` ("….weight") is stored packed."""
    return f"{name.removesuffix('.weight')}.scales" in tensors


def check_method(folder: Path, config: Mapping[str, Any]) -> None:
    """Raise EngineError("unsupported_format") for numbers packed in another way than MLX's."""
    for field in ("quantization", "quantization_config"):
        table = config.get(field)
        if not table:
            continue
        if not isinstance(table, dict):
            found = f"{table}-quantized numbers"
        elif "quant_method" in table:
            found = f"{table['quant_method']}-quantized numbers"
        elif table.get("mode", "affine") != "affine":
            found = f"{table['mode']}-quantized numbers"
        else:
            continue
        raise EngineError("unsupported_format", name=folder.name, found=found)


def stored_shapes(
    expected: Mapping[str, tuple[int, ...]], tensors: Mapping[str, Any]
) -> dict[str, tuple[int, ...]]:
    """What of the tensors `expected` the file should hold, where some are packed: how many bits and
    numbers a group there are is read off the tensors themselves, which may differ in it.

    Raises EngineError("wrong_shape") for what cannot be."""
    stored: dict[str, tuple[int, ...]] = {}
    for name, shape in expected.items():
        if not is_quantized(tensors, name):
            stored[name] = shape
            continue
        base = name.removesuffix(".weight")
        scales = tuple(tensors[f"{base}.scales"].shape)
        packed = tuple(tensors[name].shape) if name in tensors else ()
        _check_packing(name, shape, packed, scales)
        stored |= {name: packed, f"{base}.scales": scales, f"{base}.biases": scales}
    return stored


def _check_packing(
    name: str, shape: tuple[int, ...], packed: tuple[int, ...], scales: tuple[int, ...]
) -> None:
    possible = {
        ((shape[0], shape[1] * bits // _WORD), (shape[0], shape[1] // group))
        for bits in STORED_BITS
        for group in _STORED_GROUPS
        if len(shape) == 2 and shape[1] % group == 0
    }
    if (packed, scales) not in possible:
        found = f"{list(packed)} with scales {list(scales)}"
        raise EngineError("wrong_shape", name=name, expected=f"{list(shape)} packed", found=found)


def packed(array: Any, bits: int, group_size: int = GROUP_SIZE) -> tuple[Any, Any, Any] | None:
    """A matrix (rows, columns) as packed words, scales and biases; None where its rows are no
    whole groups. The scales have the matrix's own type."""
    from engine.device import mx

    if array.ndim != 2 or array.shape[1] % group_size:
        return None
    words, scales, biases = mx.quantize(array, group_size=group_size, bits=bits)
    return words, scales, biases


def unpacked(words: mx.array, scales: mx.array, biases: Any, columns: int) -> mx.array:
    """The rows (..., columns) that `packed` made of a matrix's, in the scales' type."""
    from engine.device import mx

    group_size, bits = columns // scales.shape[-1], _WORD * words.shape[-1] // columns
    return mx.dequantize(words, scales, biases, group_size=group_size, bits=bits)
