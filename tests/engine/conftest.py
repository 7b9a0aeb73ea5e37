"""Builds tiny random Mamba folders, so that a test can have any size, layout or damage it wants."""

from __future__ import annotations

import json
import shutil
import struct
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine import paths

sys.path.insert(0, str(Path(__file__).parent))  # the helpers beside the tests

DTYPES = {"float32": "F32", "float16": "F16", "bfloat16": "BF16"}
SIZES: dict[str, Any] = {
    "vocab_size": 320,  # rows of the embedding
    "hidden_size": 32,
    "intermediate_size": 64,
    "state_size": 16,
    "time_step_rank": 2,
    "conv_kernel": 4,
    "num_hidden_layers": 2,
    "use_bias": False,
    "use_conv_bias": True,
    "tie_word_embeddings": True,
}
SPECIAL = 5
BYTES = 256

TinyFolder = Callable[..., Path]
SaveTensors = Callable[[Path, Mapping[str, np.ndarray], str], None]


def _layer(config: dict[str, Any], rng: np.random.Generator) -> dict[str, np.ndarray]:
    """The tensors of one layer, scaled so that activations keep their size."""
    d, inner, n = config["hidden_size"], config["intermediate_size"], config["state_size"]
    rank, k = config["time_step_rank"], config["conv_kernel"]

    def normal(*shape: int) -> np.ndarray:
        return np.asarray(rng.standard_normal(shape) / np.sqrt(shape[-1]))

    step = np.exp(rng.uniform(np.log(1e-3), np.log(1e-1), inner))
    layer = {
        "norm.weight": 1 + 0.1 * rng.standard_normal(d),
        "mixer.in_proj.weight": normal(2 * inner, d),
        "mixer.conv1d.weight": normal(inner, 1, k),
        "mixer.x_proj.weight": normal(rank + 2 * n, inner),
        "mixer.dt_proj.weight": normal(inner, rank),
        "mixer.dt_proj.bias": step + np.log(-np.expm1(-step)),  # softplus gives step back
        "mixer.A_log": np.log(np.tile(np.arange(1, n + 1), (inner, 1))) + 0.1 * normal(inner, n),
        "mixer.D": 1 + 0.1 * rng.standard_normal(inner),
        "mixer.out_proj.weight": normal(d, inner),
    }
    if config["use_conv_bias"]:
        layer["mixer.conv1d.bias"] = 0.1 * rng.standard_normal(inner)
    if config["use_bias"]:
        layer["mixer.in_proj.bias"] = 0.1 * rng.standard_normal(2 * inner)
        layer["mixer.out_proj.bias"] = 0.1 * rng.standard_normal(d)
    return layer


def _weights(config: dict[str, Any], seed: int) -> dict[str, np.ndarray]:
    """All tensors of a model under their Hugging Face names."""
    rng = np.random.default_rng(seed)
    d, rows = config["hidden_size"], config["vocab_size"]
    tensors = {"backbone.embeddings.weight": rng.standard_normal((rows, d))}
    for index in range(config["num_hidden_layers"]):
        for name, value in _layer(config, rng).items():
            tensors[f"backbone.layers.{index}.{name}"] = value
    tensors["backbone.norm_f.weight"] = 1 + 0.1 * rng.standard_normal(d)
    if not config["tie_word_embeddings"]:
        tensors["lm_head.weight"] = rng.standard_normal((rows, d)) / np.sqrt(d)
    return tensors


def _raw(value: np.ndarray, dtype: str) -> bytes:
    """The little-endian bytes of an array in a safetensors dtype."""
    if dtype == "BF16":  # numpy has none: the upper half of a float32, rounded
        bits = value.astype("<f4").view("<u4")
        half: np.ndarray = (bits + 0x7FFF + ((bits >> 16) & 1)) >> 16
        return half.astype("<u2").tobytes()
    plain: np.ndarray = value.astype({"F32": "<f4", "F16": "<f2"}[dtype])
    return plain.tobytes()


def _save(path: Path, tensors: Mapping[str, np.ndarray], dtype: str) -> None:
    """Write a safetensors file."""
    header: dict[str, Any] = {"__metadata__": {"format": "pt"}}
    parts: list[bytes] = []
    offset = 0
    for name, value in tensors.items():
        part = _raw(value, DTYPES[dtype])
        header[name] = {
            "dtype": DTYPES[dtype],
            "shape": list(value.shape),
            "data_offsets": [offset, offset + len(part)],
        }
        offset += len(part)
        parts.append(part)
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(struct.pack("<Q", len(text)) + text + b"".join(parts))


def _save_shards(folder: Path, tensors: dict[str, np.ndarray], dtype: str, shards: int) -> None:
    """Deal the tensors to several files with an index, as large models come."""
    names = list(tensors)
    where: dict[str, str] = {}
    for number in range(shards):
        file = f"model-{number + 1:05}-of-{shards:05}.safetensors"
        mine = {name: tensors[name] for name in names[number::shards]}
        _save(folder / file, mine, dtype)
        where |= dict.fromkeys(mine, file)
    index = {"metadata": {}, "weight_map": where}
    (folder / "model.safetensors.index.json").write_text(json.dumps(index), encoding="utf-8")


def _copy_tokenizer(folder: Path, size: int) -> None:
    """The starter's tokenizer cut down to its first `size` ids: special, bytes, first merges."""
    source = paths.resources() / "models" / "starter-3m"
    content = json.loads((source / "tokenizer.json").read_text(encoding="utf-8"))
    model = content["model"]
    model["vocab"] = {token: row for token, row in model["vocab"].items() if row < size}
    model["merges"] = model["merges"][: max(0, size - SPECIAL - BYTES)]
    (folder / "tokenizer.json").write_text(json.dumps(content), encoding="utf-8")
    for name in ("tokenizer_config.json", "generation_config.json"):
        shutil.copyfile(source / name, folder / name)


@pytest.fixture
def save_tensors() -> SaveTensors:
    """`save_tensors(path, tensors, dtype)` writes a safetensors file."""
    return _save


@pytest.fixture
def tiny_folder(tmp_path: Path) -> TinyFolder:
    """`tiny_folder(**sizes) -> Path` writes a random Mamba model and returns its folder.

    Sizes are the config's own names (see SIZES); besides them `name`, `seed`, `shards`,
    `dtype` ("float32", "float16", "bfloat16") and `tokenizer_size` (default: 6 rows of the
    embedding stay without a token). A key that is no size is written into the config as it is.
    """

    def build(
        *,
        name: str = "tiny",
        seed: int = 0,
        shards: int = 1,
        dtype: str = "float32",
        tokenizer_size: int | None = None,
        **overrides: Any,
    ) -> Path:
        config = {
            "architectures": ["MambaForCausalLM"],
            "model_type": "mamba",
            **SIZES,
            "expand": 2,
            "hidden_act": "silu",
            "layer_norm_epsilon": 1e-5,
            "residual_in_fp32": True,
            "bos_token_id": 0,
            "eos_token_id": 4,
            "pad_token_id": 0,
            "dtype": dtype,
            **overrides,
        }
        folder = tmp_path / name
        folder.mkdir(parents=True)
        (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
        _copy_tokenizer(folder, tokenizer_size or min(config["vocab_size"] - 6, 8192))
        tensors = _weights(config, seed)
        if shards == 1:
            _save(folder / "model.safetensors", tensors, dtype)
        else:
            _save_shards(folder, tensors, dtype, shards)
        return folder

    return build


@pytest.fixture
def models(home: Path) -> Path:
    """The app's folder of models, empty."""
    folder = paths.models()
    folder.mkdir(parents=True)
    return folder
