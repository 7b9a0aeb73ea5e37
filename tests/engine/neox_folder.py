"""Random GPT-NeoX models in folders of their own, from tiny ones to those as large as Pythia's."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from engine.device import mx
from engine.models.gpt_neox import Config

TINY: dict[str, Any] = {
    "vocab_size": 320,
    "hidden_size": 32,
    "intermediate_size": 128,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
}
PYTHIA: dict[str, Any] = {
    "architectures": ["GPTNeoXForCausalLM"],
    "model_type": "gpt_neox",
    "hidden_act": "gelu",
    "layer_norm_eps": 1e-5,
    "max_position_embeddings": 2048,
    "rotary_pct": 0.25,
    "rotary_emb_base": 10000,
    "tie_word_embeddings": False,
    "use_parallel_residual": True,
    "bos_token_id": 0,
    "eos_token_id": 0,
}


def shapes(fields: dict[str, Any]) -> dict[str, tuple[int, ...]]:
    """The tensors of a model with such a config."""
    return Config(
        vocab_size=fields["vocab_size"],
        d_model=fields["hidden_size"],
        n_layer=fields["num_hidden_layers"],
        n_head=fields["num_attention_heads"],
        d_inner=fields["intermediate_size"],
        context=fields["max_position_embeddings"],
        rotary=2,
        rotary_base=1e4,
        tied=fields["tie_word_embeddings"],
        attention_bias=fields.get("attention_bias", True),
        parallel_residual=True,
        exact_gelu=True,
        norm_eps=1e-5,
    ).shapes()


def weights(fields: dict[str, Any], seed: int = 0) -> dict[str, mx.array]:
    """Numbers by which activations keep their size."""
    rng = np.random.default_rng(seed)
    made: dict[str, mx.array] = {}
    for name, shape in shapes(fields).items():
        scale = 0.1 if len(shape) == 1 else 1.0 if "embed_in" in name else shape[1] ** -0.5
        values = rng.standard_normal(shape, np.float32) * np.float32(scale)
        made[name] = mx.array(values + ("norm.weight" in name))
    return made


def buffers(fields: dict[str, Any]) -> dict[str, mx.array]:
    """What Pythia's files hold beside the weights."""
    context = fields["max_position_embeddings"]
    mask = mx.tril(mx.ones((context, context), mx.bool_))[None, None]
    made: dict[str, mx.array] = {}
    for i in range(fields["num_hidden_layers"]):
        name = f"gpt_neox.layers.{i}.attention."
        made |= {f"{name}bias": mask, f"{name}masked_bias": mx.array(-1e9)}
        made[f"{name}rotary_emb.inv_freq"] = mx.ones((2,))
    return made


def write(
    folder: Path, *, seed: int = 0, dtype: str = "float32", buffered: bool = False, **changed: Any
) -> Path:
    """Make the model that `folder` holds a GPT-NeoX with the tokenizer that is there. `changed`
    are fields of its config, sizes among them; the tensors are of `dtype`."""
    fields = PYTHIA | TINY | changed
    kept = {name: array.astype(getattr(mx, dtype)) for name, array in weights(fields, seed).items()}
    if buffered:
        kept |= buffers(fields)
    folder.mkdir(parents=True, exist_ok=True)
    mx.save_safetensors(str(folder / "model.safetensors"), kept, {"format": "pt"})
    (folder / "config.json").write_text(json.dumps(fields, indent=2) + "\n", encoding="utf-8")
    return folder
