"""The fields of a config.json that say otherwise than the tensors, which are believed."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

# What the tensors tell, and every name under which a config may give it.
_SPELLINGS: dict[str, tuple[str, ...]] = {
    "n_layer": ("num_hidden_layers", "n_layer"),
    "d_model": ("hidden_size", "d_model"),
    "d_inner": ("intermediate_size", "d_inner"),
    "d_state": ("state_size", "d_state"),
    "dt_rank": ("time_step_rank", "dt_rank"),
    "d_conv": ("conv_kernel", "d_conv"),
    "expand": ("expand",),
    "vocab_size": ("vocab_size",),
    "tied": ("tie_word_embeddings", "tie_embeddings", "tie_embedding_weights"),
    "bias": ("use_bias", "bias"),
    "conv_bias": ("use_conv_bias", "conv_bias"),
    "attention_bias": ("attention_bias",),
}
_PADDED_TO = (8, 16)  # rows of an embedding are padded to a multiple of these


class Overruled(NamedTuple):
    """One such field, its value and that of the tensors."""

    field: str
    config: Any
    tensors: int | float | bool


def overruled(fields: Mapping[str, Any], sizes: Mapping[str, Any]) -> list[Overruled]:
    """The fields of `fields`, a config.json, that disagree with `sizes`, which are a family's
    `Config` as a dictionary. A field that is absent or null says nothing."""
    told = dict(sizes)
    if "d_inner" in told and "d_model" in told:
        ratio = told["d_inner"] / told["d_model"]
        told["expand"] = int(ratio) if ratio.is_integer() else ratio
    return [
        Overruled(name, fields[name], told[size])
        for size, names in _SPELLINGS.items()
        for name in names
        if size in told and fields.get(name) is not None and not _agrees(size, fields[name], told)
    ]


def _agrees(size: str, value: Any, told: Mapping[str, Any]) -> bool:
    """Whether a config's `value` says of `size` what the tensors tell."""
    if isinstance(told[size], bool):
        return value is told[size]
    if size == "dt_rank" and value == "auto" and "d_model" in told:
        value = -(-told["d_model"] // 16)
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return False
    if size == "vocab_size":
        return told[size] in [value, *(-(-value // pad) * pad for pad in _PADDED_TO)]
    if size == "expand":
        return bool(int(value * told["d_model"]) == told["d_inner"])
    return bool(value == told[size])
