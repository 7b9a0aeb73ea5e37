"""A folder's table of tensors and its weights, as they lie in the files."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine import paths
from engine.checkpoint import check_tensors, identity, load_tensors, open_checkpoint
from engine.device import mx
from engine.errors import EngineError, Stopped
from engine.safetensors_header import read_header

TinyFolder = Callable[..., Path]
STARTERS = ["starter-3m", "starter-12m"]


@pytest.mark.parametrize("name", STARTERS)
def test_the_starters_weights_are_what_mlx_itself_reads(name: str) -> None:
    folder = paths.resources() / "models" / name
    checkpoint = open_checkpoint(folder)
    expected: Any = mx.load(str(folder / "model.safetensors"))
    loaded = dict(load_tensors(checkpoint))
    assert loaded.keys() == expected.keys()
    for tensor, array in loaded.items():
        assert array.dtype == expected[tensor].dtype
        assert mx.array_equal(array, expected[tensor]), tensor
    assert checkpoint.parameters == sum(array.size for array in expected.values())
    assert (checkpoint.family, checkpoint.dtype) == ("mamba", "float16")
    assert checkpoint.generation["eos_token_id"] == [4, 0]


@pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16"])
def test_each_type_of_number_is_read_as_it_is(tiny_folder: TinyFolder, dtype: str) -> None:
    folder = tiny_folder(dtype=dtype)
    expected: Any = mx.load(str(folder / "model.safetensors"))
    checkpoint = open_checkpoint(folder)
    assert checkpoint.dtype == dtype
    for name, array in load_tensors(checkpoint):
        assert str(array.dtype) == f"mlx.core.{dtype}"
        assert mx.array_equal(array, expected[name]), name


def test_a_model_in_several_files_is_the_model_in_one(tiny_folder: TinyFolder) -> None:
    one = open_checkpoint(tiny_folder(name="one"))
    many = open_checkpoint(tiny_folder(name="many", shards=3))
    assert len({entry.file for entry in many.tensors.values()}) == 3
    whole = dict(load_tensors(one))
    for name, array in load_tensors(many):
        assert mx.array_equal(array, whole.pop(name)), name
    assert not whole
    assert identity(one, "float32") == identity(many, "float32")


def test_the_identity_tells_models_and_precisions_apart(tiny_folder: TinyFolder) -> None:
    plain = open_checkpoint(tiny_folder(name="plain"))
    same = open_checkpoint(tiny_folder(name="same"))
    tuned = open_checkpoint(tiny_folder(name="tuned", seed=1))  # other weights, same shapes
    wider = open_checkpoint(tiny_folder(name="wider", state_size=8))
    other = open_checkpoint(tiny_folder(name="other", layer_norm_epsilon=1e-6))
    assert identity(plain, "float32") == identity(same, "float32")
    known = {identity(checkpoint, "float32") for checkpoint in (plain, tuned, wider, other)}
    assert len(known | {identity(plain, "float16")}) == 5


def test_progress_rises_to_one(tiny_folder: TinyFolder) -> None:
    heard: list[float] = []
    checkpoint = open_checkpoint(tiny_folder())
    assert len(list(load_tensors(checkpoint, heard.append))) == len(checkpoint.tensors)
    assert heard == sorted(heard)
    assert heard[-1] == 1.0
    assert len(heard) >= len(checkpoint.tensors)


def test_loading_stops_between_tensors(tiny_folder: TinyFolder) -> None:
    stopped = threading.Event()
    tensors = load_tensors(open_checkpoint(tiny_folder()), None, stopped)
    next(tensors)
    stopped.set()
    with pytest.raises(Stopped):
        next(tensors)


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16"])
def test_a_value_that_is_not_a_number_is_found(
    tiny_folder: TinyFolder,
    save_tensors: Callable[..., None],
    dtype: str,
    value: float,
) -> None:
    folder = tiny_folder(dtype=dtype)
    tensors = {"a": np.full((3, 4), 65504.0), "b": np.ones(5)}  # 65504 is float16's largest
    tensors["b"][3] = value
    save_tensors(folder / "model.safetensors", tensors, dtype)
    arrays = load_tensors(open_checkpoint(folder))
    assert next(arrays)[0] == "a"
    with pytest.raises(EngineError, match=r"^b holds values that are not numbers"):
        next(arrays)


def test_a_tensor_without_values_is_no_trouble(
    tiny_folder: TinyFolder, save_tensors: Callable[..., None]
) -> None:
    folder = tiny_folder()
    save_tensors(folder / "model.safetensors", {"a": np.ones((0, 3)), "b": np.ones(())}, "float32")
    shapes = {name: array.shape for name, array in load_tensors(open_checkpoint(folder))}
    assert shapes == {"a": (0, 3), "b": ()}


def test_a_file_that_shrinks_while_it_is_read_is_told(tiny_folder: TinyFolder) -> None:
    folder = tiny_folder()
    checkpoint = open_checkpoint(folder)
    os.truncate(folder / "model.safetensors", 4096)
    with pytest.raises(EngineError, match="is incomplete: 4096 of"):
        list(load_tensors(checkpoint))


def test_tensors_are_compared_by_name_and_shape(tiny_folder: TinyFolder) -> None:
    checkpoint = open_checkpoint(tiny_folder())
    shapes = {name: entry.shape for name, entry in checkpoint.tensors.items()}
    check_tensors(checkpoint, shapes)
    name = "backbone.norm_f.weight"
    with pytest.raises(EngineError, match=r"lacks the tensor lm_head\.weight"):
        check_tensors(checkpoint, shapes | {"lm_head.weight": (320, 32)})
    with pytest.raises(EngineError, match=r"should have the shape \[33\] and has \[32\]"):
        check_tensors(checkpoint, shapes | {name: (33,)})
    del shapes[name]
    with pytest.raises(EngineError, match=f"holds the tensor {name}, which a mamba model"):
        check_tensors(checkpoint, shapes)


def test_paths_of_any_letters_work(tiny_folder: TinyFolder) -> None:
    folder = tiny_folder(name="山 と 'quote' “é” 🎌")
    assert len(list(load_tensors(open_checkpoint(folder)))) > 10


def test_links_into_another_folder_work_as_in_the_hubs_cache(
    tiny_folder: TinyFolder, tmp_path: Path
) -> None:
    blobs = tiny_folder(name="blobs", shards=2)
    snapshot = tmp_path / "snapshot"
    snapshot.mkdir()
    for file in blobs.iterdir():
        (snapshot / file.name).symlink_to(file)
    assert len(list(load_tensors(open_checkpoint(snapshot)))) > 10


def test_config_may_say_infinity_and_begin_with_a_mark(tiny_folder: TinyFolder) -> None:
    folder = tiny_folder(time_step_limit=[0.0, float("inf")])
    config = folder / "config.json"
    assert "Infinity" in config.read_text()
    config.write_text("\ufeff" + config.read_text(), encoding="utf-8")
    assert open_checkpoint(folder).config["time_step_limit"] == [0.0, float("inf")]


def test_opening_reads_headers_only(tiny_folder: TinyFolder) -> None:
    """A sparse file of 40 GB opens at once and its table is right."""
    folder = tiny_folder()
    rows = 10**10
    table = {"big": {"dtype": "F32", "shape": [rows], "data_offsets": [0, 4 * rows]}}
    header = json.dumps(table).encode()
    file = folder / "model.safetensors"
    file.write_bytes(len(header).to_bytes(8, "little") + header)
    os.truncate(file, 8 + len(header) + 4 * rows)
    assert open_checkpoint(folder).parameters == rows


def test_importing_checkpoints_imports_no_mlx(tiny_folder: TinyFolder) -> None:
    folder = tiny_folder()
    code = (
        "import sys, pathlib; from engine.checkpoint import open_checkpoint, identity;"
        "identity(open_checkpoint(pathlib.Path(sys.argv[1])), 'float32');"
        "sys.exit('mlx.core' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code, folder], check=False, timeout=60)
    assert done.returncode == 0


def test_the_header_is_ordered_as_the_file_is(tiny_folder: TinyFolder) -> None:
    entries = list(read_header(tiny_folder() / "model.safetensors").values())
    assert all(a.end == b.start for a, b in pairwise(entries))
    assert entries[-1].end == entries[-1].file.stat().st_size


def test_a_folder_is_read_and_never_written(tiny_folder: TinyFolder, tmp_path: Path) -> None:
    folder = tiny_folder()
    before = shutil.copytree(folder, tmp_path / "before")
    list(load_tensors(open_checkpoint(folder)))
    for file in before.iterdir():
        assert (folder / file.name).read_bytes() == file.read_bytes()
    assert len(list(folder.iterdir())) == len(list(before.iterdir()))
