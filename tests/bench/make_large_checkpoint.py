"""Writes a Mamba of mamba-2.8b's shapes in bfloat16, random and in shards, as large models come.

python tests/bench/make_large_checkpoint.py FOLDER
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from engine.device import mx

LAYERS, D_MODEL, D_INNER, STATES, RANK, CONV, ROWS = 64, 2560, 5120, 16, 160, 4, 50280
LAYERS_OF_A_SHARD = 16
CONFIG = {
    "architectures": ["MambaForCausalLM"],
    "model_type": "mamba",
    "vocab_size": ROWS,
    "hidden_size": D_MODEL,
    "intermediate_size": D_INNER,
    "state_size": STATES,
    "num_hidden_layers": LAYERS,
    "conv_kernel": CONV,
    "time_step_rank": RANK,
    "use_bias": False,
    "use_conv_bias": True,
    "tie_word_embeddings": True,
    "eos_token_id": 0,
    "dtype": "bfloat16",
}
# Any tokenizer serves: nobody reads what this model writes.
TOKENIZER = Path(__file__).resolve().parents[1] / "golden" / "narrow" / "tokenizer.json"


def layer(prefix: str) -> dict[str, mx.array]:
    """One layer's random tensors."""
    shapes: dict[str, tuple[int, ...]] = {
        "norm.weight": (D_MODEL,),
        "mixer.in_proj.weight": (2 * D_INNER, D_MODEL),
        "mixer.conv1d.weight": (D_INNER, 1, CONV),
        "mixer.conv1d.bias": (D_INNER,),
        "mixer.x_proj.weight": (RANK + 2 * STATES, D_INNER),
        "mixer.dt_proj.weight": (D_INNER, RANK),
        "mixer.dt_proj.bias": (D_INNER,),
        "mixer.A_log": (D_INNER, STATES),
        "mixer.D": (D_INNER,),
        "mixer.out_proj.weight": (D_MODEL, D_INNER),
    }
    return {prefix + name: random(*shape) for name, shape in shapes.items()}


def random(*shape: int) -> mx.array:
    """Normal numbers that keep the size of what they multiply."""
    return (mx.random.normal(shape) * shape[-1] ** -0.5).astype(mx.bfloat16)


def make(folder: Path) -> Path:
    """Write the whole model into `folder` and return it; a finished one is kept."""
    if (folder / "config.json").exists():
        return folder
    folder.mkdir(parents=True, exist_ok=True)
    shards = LAYERS // LAYERS_OF_A_SHARD
    where: dict[str, str] = {}
    for shard in range(shards):
        tensors: dict[str, mx.array] = {}
        if shard == 0:
            tensors["backbone.embeddings.weight"] = random(ROWS, D_MODEL)
            tensors["backbone.norm_f.weight"] = random(D_MODEL)
        for i in range(shard * LAYERS_OF_A_SHARD, (shard + 1) * LAYERS_OF_A_SHARD):
            tensors |= layer(f"backbone.layers.{i}.")
        file = f"model-{shard + 1:05}-of-{shards:05}.safetensors"
        mx.save_safetensors(str(folder / file), tensors, {"format": "pt"})
        where |= dict.fromkeys(tensors, file)
    index = {"metadata": {}, "weight_map": where}
    (folder / "model.safetensors.index.json").write_text(json.dumps(index), encoding="utf-8")
    (folder / "tokenizer.json").write_bytes(TOKENIZER.read_bytes())
    (folder / "config.json").write_text(json.dumps(CONFIG, indent=2) + "\n", encoding="utf-8")
    return folder


if __name__ == "__main__":
    make(Path(sys.argv[1]))
