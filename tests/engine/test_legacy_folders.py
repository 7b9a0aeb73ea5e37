"""Folders as mamba_ssm saves them give the model that the same weights give as safetensors."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from folder_damage import check_refused, remove, set_fields
from torch_zip import (
    EMBEDDINGS,
    TORCH,
    TORCH_INDEX,
    legacy_names,
    make_legacy,
    read_tensors,
    save_torch,
    save_torch_shards,
)

from engine import library
from engine.checkpoint import identity, load_tensors, open_checkpoint
from engine.device import mx
from engine.language_model import load_model
from engine.safetensors_header import read_header
from engine.torch_file import read_torch

TinyFolder = Callable[..., Path]
SaveTensors = Callable[..., None]
GOLDEN = Path(__file__).resolve().parents[1] / "golden"


def _logits(folder: Path, **options: Any) -> np.ndarray:
    model = load_model(folder, **options)
    tokens = mx.array([[7, 250, 3, 3, 99, 41, 0, 12]], dtype=mx.int32)
    logits, state = model.forward(tokens, model.initial_state())
    more, _ = model.forward(tokens[:, :1], state)
    return np.concatenate([np.array(logits), np.array(more)], axis=1)


@pytest.fixture(params=["float32", "mixed"])
def golden(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A folder whose pytorch_model.bin torch itself wrote, with a tokenizer."""
    folder = shutil.copytree(GOLDEN / "legacy" / request.param, tmp_path / request.param)
    shutil.copyfile(GOLDEN / "narrow" / "tokenizer.json", folder / "tokenizer.json")
    return folder


def test_what_torch_wrote_is_read_as_the_safetensors_beside_it(golden: Path) -> None:
    expected = read_header(golden / "expected.safetensors")
    checkpoint = open_checkpoint(golden)
    assert checkpoint.family == "mamba"
    assert checkpoint.tensors.keys() == expected.keys()  # the tied head is not among them
    raw = (golden / TORCH).read_bytes()
    twin = (golden / "expected.safetensors").read_bytes()
    for name, entry in checkpoint.tensors.items():
        other = expected[name]
        assert (entry.dtype, entry.shape) == (other.dtype, other.shape)
        assert raw[entry.start : entry.end] == twin[other.start : other.end], name
    assert len(dict(load_tensors(checkpoint))) == len(expected)


def test_what_torch_wrote_gives_bit_equal_logits(golden: Path) -> None:
    found = _logits(golden)
    (golden / TORCH).unlink()
    (golden / "expected.safetensors").rename(golden / "model.safetensors")
    assert np.array_equal(found, _logits(golden))


def test_the_types_of_numbers_in_one_file_may_differ(golden: Path) -> None:
    dtypes = {entry.dtype for entry in read_torch(golden / TORCH).values()}
    assert dtypes == ({"BF16", "F32"} if golden.name == "mixed" else {"F32"})


@pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16"])
@pytest.mark.parametrize("tied", [True, False])
def test_the_same_weights_give_bit_equal_logits(
    tiny_folder: TinyFolder, dtype: str, tied: bool
) -> None:
    folder = tiny_folder(dtype=dtype, tie_word_embeddings=tied)
    expected = _logits(folder, dtype=dtype)
    make_legacy(folder)
    checkpoint = open_checkpoint(folder)
    assert checkpoint.dtype == dtype
    assert ("lm_head.weight" not in checkpoint.tensors) == tied
    assert np.array_equal(_logits(folder, dtype=dtype), expected)


def test_a_hugging_face_folder_may_hold_a_torch_file(tiny_folder: TinyFolder) -> None:
    folder = tiny_folder()
    before = open_checkpoint(folder)
    expected, known = _logits(folder), identity(before, "float32")
    save_torch(folder / TORCH, read_tensors(folder / "model.safetensors"))
    (folder / "model.safetensors").unlink()
    assert np.array_equal(_logits(folder), expected)
    after = open_checkpoint(folder)
    assert identity(after, "float32") == known
    assert after.parameters == before.parameters


def test_several_torch_files_are_the_model_in_one(tiny_folder: TinyFolder) -> None:
    folder = tiny_folder()
    expected = _logits(folder)
    save_torch_shards(folder, 3)
    assert len({entry.file for entry in open_checkpoint(folder).tensors.values()}) == 3
    assert np.array_equal(_logits(folder), expected)


def test_several_torch_files_without_their_index_or_one_of_them_are_told(
    tiny_folder: TinyFolder,
) -> None:
    folder = tiny_folder()
    save_torch_shards(folder, 3)
    whole = shutil.copytree(folder, folder.parent / "whole")
    shard = "pytorch_model-00002-of-00003.bin"
    check_refused(folder, (remove(shard), "missing_file", (shard,)))
    check_refused(whole, (remove(TORCH_INDEX), "missing_file", (TORCH_INDEX,)))


def test_safetensors_are_read_before_a_torch_file(tiny_folder: TinyFolder) -> None:
    folder = tiny_folder()
    (folder / TORCH).write_bytes(b"not looked at")
    assert {entry.file.name for entry in open_checkpoint(folder).tensors.values()} == {
        "model.safetensors"
    }


@pytest.mark.parametrize("head", ["absent", "twice"])
def test_safetensors_under_legacy_names_are_read(
    tiny_folder: TinyFolder, save_tensors: SaveTensors, head: str
) -> None:
    folder = tiny_folder()
    expected = _logits(folder)
    weights = folder / "model.safetensors"
    tensors = {
        name: np.frombuffer(raw, "<f4").reshape(shape)
        for name, (_, shape, raw) in read_tensors(weights).items()
    }
    tensors = legacy_names(tensors)
    if head == "absent":
        del tensors["lm_head.weight"]
    save_tensors(weights, tensors, "float32")
    set_fields("config.json", model_type=..., d_model=32, n_layer=2, ssm_cfg={})(folder)
    assert EMBEDDINGS in open_checkpoint(folder).tensors
    assert np.array_equal(_logits(folder), expected)


def test_the_residual_is_kept_as_the_config_says(tiny_folder: TinyFolder) -> None:
    wide = load_model(make_legacy(tiny_folder(name="wide")))
    narrow = load_model(make_legacy(tiny_folder(name="narrow"), residual_in_fp32=False))
    assert (wide.config.residual_in_fp32, narrow.config.residual_in_fp32) == (True, False)
    assert wide.config.norm_eps == 1e-5
    assert wide.identity != narrow.identity


def test_the_library_describes_a_legacy_folder(tiny_folder: TinyFolder) -> None:
    plain = library.describe(tiny_folder(name="plain"))
    legacy = library.describe(make_legacy(tiny_folder(name="legacy")))
    assert (legacy.family, legacy.dtype) == ("mamba", "float32")
    for field in ("parameters", "needed_bytes", "state_bytes"):
        assert getattr(legacy, field) == getattr(plain, field)


@pytest.mark.parametrize("layer", ["Mamba2", "Mamba3"])
def test_later_mambas_of_the_same_layout_are_refused_by_name(
    tiny_folder: TinyFolder, layer: str
) -> None:
    folder = make_legacy(tiny_folder())
    damage = set_fields("config.json", ssm_cfg={"layer": layer})
    check_refused(folder, (damage, "unsupported_format", ("mamba_ssm", layer)))


def test_a_legacy_folder_that_names_its_layer_is_read(tiny_folder: TinyFolder) -> None:
    folder = make_legacy(tiny_folder(), ssm_cfg={"layer": "Mamba1"})
    assert open_checkpoint(folder).family == "mamba"


def test_two_embeddings_are_one_too_many(tiny_folder: TinyFolder) -> None:
    folder = tiny_folder()
    tensors = read_tensors(folder / "model.safetensors")
    tensors["backbone.embedding.weight"] = tensors[EMBEDDINGS]
    save_torch(folder / TORCH, tensors)
    case = (remove("model.safetensors"), "unexpected_tensor", ("backbone.embedding.weight",))
    check_refused(folder, case)
