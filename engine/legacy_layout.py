"""The layout in which mamba_ssm itself saves Mamba-1, told and turned into Hugging Face's.

Of its config only `residual_in_fp32` is asked, by the family; sizes come from the tensors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.safetensors_header import TensorEntry

EMBEDDINGS = "backbone.embeddings.weight"
_LEGACY_EMBEDDINGS = "backbone.embedding.weight"
_HEAD = "lm_head.weight"


def legacy_layer(config: Mapping[str, Any]) -> str | None:
    """The kind of layer, "Mamba1" when none is named, if the config is mamba_ssm's; else None. A
    hybrid is told as such."""
    if config.get("model_type") is not None or not {"d_model", "n_layer"} <= config.keys():
        return None
    layer = named_layer(config) or "Mamba1"
    return f"{layer} with attention" if config.get("attn_layer_idx") else layer


def named_layer(config: Mapping[str, Any]) -> str | None:
    """The kind of layer that mamba_ssm's own field names; uploads for Hugging Face keep it."""
    fields = config.get("ssm_cfg")
    layer = fields.get("layer") if isinstance(fields, dict) else None
    return None if layer is None else str(layer)


def huggingface_names(tensors: Mapping[str, TensorEntry]) -> dict[str, TensorEntry]:
    """The tensors under the names that the family has.

    A head that is the embedding's own bytes is left out, which means tied; one stored a second
    time stays, and gives the same logits."""
    renamed = dict(tensors)
    if EMBEDDINGS not in renamed:
        renamed = {
            EMBEDDINGS if name == _LEGACY_EMBEDDINGS else name: entry
            for name, entry in renamed.items()
        }
    if EMBEDDINGS in renamed and renamed.get(_HEAD) == renamed[EMBEDDINGS]:
        del renamed[_HEAD]
    return renamed
