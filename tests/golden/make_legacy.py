"""Writes the tiny checkpoints of legacy/: random weights as mamba_ssm's `torch.save` leaves them,
and the same weights as safetensors under Hugging Face's names.

Run it from the checkout in the environment that make_goldens.py describes:

    golden-venv/bin/python tests/golden/make_legacy.py
"""

from __future__ import annotations

from collections import OrderedDict
from pathlib import Path

import numpy as np
import torch
from make_goldens import BASE, tiny_weights, write_json
from safetensors.torch import save_file

HERE = Path(__file__).resolve().parent / "legacy"
CONFIG = {
    "d_model": 24, "n_layer": 2, "vocab_size": 277, "ssm_cfg": {}, "rms_norm": True,
    "residual_in_fp32": True, "fused_add_norm": True, "pad_vocab_size_multiple": 8,
}  # fmt: skip
SIZES = {
    "vocab_size": 280, "hidden_size": 24, "intermediate_size": 48, "state_size": 16,
    "num_hidden_layers": 2, "conv_kernel": 4, "time_step_rank": 2,
}  # fmt: skip


class Node(torch.nn.Module):
    """A module with no use but its name, so that the state dict notes versions as mamba_ssm's."""


def state_dict_of(weights: dict[str, torch.Tensor]) -> OrderedDict[str, torch.Tensor]:
    """What a module with these parameters has for a state dict; equal tensors are one parameter."""
    root = Node()
    parameters = {id(value): torch.nn.Parameter(value) for value in weights.values()}
    for name, value in weights.items():
        *path, leaf = name.split(".")
        node = root
        for step in path:
            if step not in dict(node.named_children()):
                node.add_module(step, Node())
            node = node.get_submodule(step)
        node.register_parameter(leaf, parameters[id(value)])
    return root.state_dict()


def write_legacy(name: str, seed: int, halves: bool) -> None:
    """One folder: all float32, or bfloat16 but for A_log, D and the norms, as tunes come."""
    folder = HERE / name
    folder.mkdir(parents=True, exist_ok=True)
    weights = {
        key: torch.from_numpy(value)
        for key, value in tiny_weights(BASE | SIZES, np.random.default_rng(seed)).items()
    }
    if halves:
        kept = ("A_log", ".D", "norm.weight", "norm_f.weight")
        weights = {
            key: value if key.endswith(kept) else value.bfloat16() for key, value in weights.items()
        }
    save_file(weights, folder / "expected.safetensors", metadata={"torch": torch.__version__})
    embedding = weights.pop("backbone.embeddings.weight")
    legacy = {"backbone.embedding.weight": embedding, **weights, "lm_head.weight": embedding}
    torch.save(state_dict_of(legacy), folder / "pytorch_model.bin")
    write_json(folder / "config.json", CONFIG)


def main() -> None:
    """Writes everything again."""
    write_legacy("float32", 20, halves=False)
    write_legacy("mixed", 21, halves=True)


if __name__ == "__main__":
    main()
