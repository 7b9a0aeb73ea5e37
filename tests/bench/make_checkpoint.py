"""Writes a random Mamba as large as mamba-130m, in float32: what the engines are timed on; or a
GPT-NeoX to compare it with, as large as pythia-160m or as starter-12m.

python tests/bench/make_checkpoint.py FOLDER [--family gpt_neox [--size 12m]]
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import save_file

CONFIG = {
    "architectures": ["MambaForCausalLM"],
    "model_type": "mamba",
    "vocab_size": 50280,
    "hidden_size": 768,
    "intermediate_size": 1536,
    "expand": 2,
    "state_size": 16,
    "num_hidden_layers": 24,
    "conv_kernel": 4,
    "time_step_rank": 48,
    "use_bias": False,
    "use_conv_bias": True,
    "hidden_act": "silu",
    "layer_norm_epsilon": 1e-5,
    "residual_in_fp32": True,
    "tie_word_embeddings": True,
    "bos_token_id": 0,
    "eos_token_id": 0,
    "pad_token_id": 0,
    "dtype": "float32",
}
NEOX: dict[str, dict[str, Any]] = {
    "160m": {
        "vocab_size": 50304, "hidden_size": 768, "intermediate_size": 3072,
        "num_hidden_layers": 12, "num_attention_heads": 12,
    },
    "12m": {
        "vocab_size": 8192, "hidden_size": 320, "intermediate_size": 1280,
        "num_hidden_layers": 6, "num_attention_heads": 5,
    },
}  # fmt: skip
# Any tokenizer serves: the engines are given token ids.
TOKENIZER = Path(__file__).resolve().parents[1] / "golden" / "narrow"


def weights(seed: int = 0) -> dict[str, NDArray[np.float32]]:
    """Weights drawn as Mamba's are before training: 129 million float32."""
    rng = np.random.default_rng(seed)
    h, d, n, rank, conv = 768, 1536, 16, 48, 4

    def normal(*shape: int, scale: float) -> NDArray[np.float32]:
        return rng.standard_normal(shape, np.float32) * np.float32(scale)

    tensors = {
        "backbone.embeddings.weight": normal(50280, h, scale=0.1),
        "backbone.norm_f.weight": np.ones(h, np.float32),
    }
    for layer in range(24):
        name = f"backbone.layers.{layer}"
        dt = np.exp(rng.uniform(np.log(1e-3), np.log(1e-1), d))
        tensors[f"{name}.norm.weight"] = np.ones(h, np.float32)
        tensors |= {
            f"{name}.mixer.{part}": value
            for part, value in {
                "in_proj.weight": normal(2 * d, h, scale=h**-0.5),
                "conv1d.weight": normal(d, 1, conv, scale=0.5),
                "conv1d.bias": normal(d, scale=0.1),
                "x_proj.weight": normal(rank + 2 * n, d, scale=d**-0.5),
                "dt_proj.weight": normal(d, rank, scale=rank**-0.5),
                "dt_proj.bias": np.log(np.expm1(dt)).astype(np.float32),
                "A_log": np.log(np.tile(np.arange(1, n + 1, dtype=np.float32), (d, 1))),
                "D": np.ones(d, np.float32),
                "out_proj.weight": normal(h, d, scale=d**-0.5),
            }.items()
        }
    return tensors


def make(folder: Path, family: str = "mamba", size: str = "160m") -> Path:
    """Write the whole model into `folder` and return it; a finished one is kept."""
    if (folder / "config.json").exists():
        return folder
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("tokenizer.json", "tokenizer_config.json"):
        (folder / name).write_bytes((TOKENIZER / name).read_bytes())
    if family == "gpt_neox":
        sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "engine"))
        import neox_folder

        return neox_folder.write(folder, **NEOX[size])
    save_file(weights(), folder / "model.safetensors", metadata={"format": "pt"})
    (folder / "config.json").write_text(json.dumps(CONFIG, indent=2) + "\n", encoding="utf-8")
    return folder


def main() -> None:
    """Make what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--family", choices=("mamba", "gpt_neox"), default="mamba")
    parser.add_argument("--size", choices=tuple(NEOX), default="160m", help="of a gpt_neox")
    asked = parser.parse_args()
    make(asked.folder, asked.family, asked.size)


if __name__ == "__main__":
    main()
