"""GPT-NeoX's layout: its tensors under the names that transformers gives them, without buffers."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from engine.errors import EngineError
from engine.safetensors_header import TensorEntry

EMBEDDINGS = "gpt_neox.embed_in.weight"
# What transformers once saved beside the weights: the causal mask, and what positions turn by.
_BUFFER = re.compile(r"attention\.(bias|masked_bias|rotary_emb\.inv_freq)$")
# MLX's tools have names of their own.
_MLX = ("model.embed_out.", "embed_out."), ("model.h.", "gpt_neox.layers."), ("model.", "gpt_neox.")
_CONTEXT = "max_position_embeddings"


def transformers_names(tensors: Mapping[str, TensorEntry]) -> dict[str, TensorEntry]:
    """The tensors that are weights, under the names that the family has."""
    return {_named(name): entry for name, entry in tensors.items() if not _BUFFER.search(name)}


def _named(name: str) -> str:
    for theirs, ours in _MLX:
        if name.startswith(theirs):
            return ours + name.removeprefix(theirs)
    return name


def context_of(config: Mapping[str, Any]) -> int:
    """The tokens that the model can read at most: its config alone tells.

    Raises EngineError("bad_config") where that is no count."""
    value = config.get(_CONTEXT, 2048)
    if type(value) is int and value > 0:
        return value
    raise EngineError(
        "bad_config", file="config.json", field=_CONTEXT, expected="a count above 0",
        found=str(value),
    )  # fmt: skip
