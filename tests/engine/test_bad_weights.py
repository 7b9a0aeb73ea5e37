"""Weights that are not what they should be are told in one sentence, and nothing crashes."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from folder_damage import (
    A_LOG,
    INDEX,
    WEIGHTS,
    Case,
    change_entry,
    change_header,
    change_map,
    check_refused,
    cut,
    make_folder,
    make_link,
    make_pipe,
    remove,
    set_value,
    write,
)

from engine.errors import EngineError
from engine.language_model import load_model

TinyFolder = Callable[..., Path]

CASES: dict[str, Case] = {
    "no weights": (remove(WEIGHTS), "no_weights", (WEIGHTS,)),
    "half downloaded": (cut(WEIGHTS, 20_000), "incomplete", ("20000 of",)),
    "header cut": (cut(WEIGHTS, 100), "incomplete", ("100 of",)),
    "no byte of weights": (write(WEIGHTS, b""), "incomplete", ("0 of 8",)),
    "not safetensors": (write(WEIGHTS, b"PK\x03\x04" * 99), "corrupt", ("safetensors",)),
    "pointer of Git LFS": (
        write(WEIGHTS, "version https://git-lfs.github.com/spec/v1\n"),
        "corrupt",
        ("Git LFS",),
    ),
    "header not JSON": (write(WEIGHTS, b"\x04" + bytes(7) + b"{{{{"), "corrupt", ("JSON",)),
    "header of ten gigabytes": (
        write(WEIGHTS, (10**10).to_bytes(8, "little") + b"{}"),
        "corrupt",
        ("10000000000 bytes",),
    ),
    "header a list": (write(WEIGHTS, b"\x02" + bytes(7) + b"[]"), "corrupt", ("object",)),
    "header deep": (
        write(WEIGHTS, (100_000).to_bytes(8, "little") + b"[" * 100_000),
        "corrupt",
        ("JSON",),
    ),
    "name twice": (
        write(WEIGHTS, b"\x0f" + bytes(7) + b'{"a":{},"a":{}}'),
        "corrupt",
        ("twice",),
    ),
    "no tensors": (write(WEIGHTS, b"\x02" + bytes(7) + b"{}"), "no_weights", (WEIGHTS,)),
    "weights a folder": (make_folder(WEIGHTS), "corrupt", ("not a file",)),
    "weights a pipe": (make_pipe(WEIGHTS), "corrupt", ("not a file",)),
    "weights a link to nothing": (make_link(WEIGHTS, "nowhere"), "unreadable", ("No such file",)),
    "bytes too many": (change_header(lambda h: None, grow=3), "corrupt", ("3 bytes follow",)),
    "unknown type": (change_entry(dtype="F77"), "corrupt", ("F77",)),
    "type no name": (change_entry(dtype=["F32"]), "corrupt", ("unknown type",)),
    "integers": (change_entry(dtype="I32"), "bad_dtype", (A_LOG, "I32", "float32")),
    "shape no list": (change_entry(shape=7), "corrupt", (A_LOG,)),
    "shape negative": (change_entry(shape=[-64, -16]), "corrupt", (A_LOG,)),
    "shape of fractions": (change_entry(shape=[64.0, 16]), "corrupt", (A_LOG,)),
    "shape beyond the file": (change_entry(shape=[2**62, 2**62]), "corrupt", (A_LOG,)),
    "offsets backwards": (change_entry(data_offsets=[4096, 0]), "corrupt", (A_LOG,)),
    "offsets of text": (change_entry(data_offsets=["0", "4096"]), "corrupt", (A_LOG,)),
    "one offset": (change_entry(data_offsets=[0]), "corrupt", (A_LOG,)),
    "overlap": (change_entry(data_offsets=[4, 4100]), "corrupt", ("overlaps",)),
    "gap": (change_header(lambda h: h.pop("backbone.layers.0.mixer.D")), "corrupt", ("gap",)),
    "no entry": (change_header(lambda h: h.update({A_LOG: None})), "corrupt", (A_LOG,)),
    "name of many lines": (
        change_header(lambda h: h.update({"x\ny" * 999: h.pop(A_LOG)})),
        "missing_tensor",
        (A_LOG,),
    ),
    "missing tensor": (
        change_header(lambda h: h.update(other=h.pop("backbone.layers.1.mixer.D"))),
        "missing_tensor",
        ("backbone.layers.1.mixer.D",),
    ),
    "unexpected tensor": (
        change_header(
            lambda h: h.update(
                extra={"dtype": "F32", "shape": [0], "data_offsets": [0, 0]},
            )
        ),
        "unexpected_tensor",
        ("extra",),
    ),
    "a layer that far": (
        change_header(
            lambda h: h.update(
                {"backbone.layers.99999999.mixer.D": h.pop("backbone.layers.1.mixer.D")}
            )
        ),
        "missing_tensor",
        ("backbone.layers.2.",),
    ),
    "wrong shape": (
        change_header(lambda h: h["backbone.layers.1.mixer.A_log"].update(shape=[16, 64])),
        "wrong_shape",
        ("[64, 16]", "[16, 64]"),
    ),
    "not a number": (set_value(A_LOG, np.nan), "not_finite", (A_LOG,)),
    "infinite": (set_value("backbone.norm_f.weight", -np.inf), "not_finite", ("norm_f",)),
}


SHARD = "model-00002-of-00003.safetensors"

SHARDED: dict[str, Case] = {
    "a file is missing": (remove(SHARD), "missing_file", (SHARD,)),
    "a file is cut": (cut(SHARD, 3000), "incomplete", (SHARD, "3000 of")),
    "the index is cut": (cut(INDEX, 99), "corrupt", (INDEX,)),
    "the index has no map": (write(INDEX, "{}"), "bad_config", ("weight_map",)),
    "the map is a list": (write(INDEX, '{"weight_map": [1]}'), "bad_config", ("weight_map",)),
    "it leads up": (write(INDEX, '{"weight_map": {"a": "../x.safetensors"}}'), "outside", ("x",)),
    "it leads far": (
        write(INDEX, '{"weight_map": {"a": "/etc/x.safetensors"}}'),
        "outside",
        ("/etc/x",),
    ),
    "it leads down": (
        write(INDEX, '{"weight_map": {"a": "x/y.safetensors"}}'),
        "outside",
        ("x/y",),
    ),
    "a file is no name": (write(INDEX, '{"weight_map": {"a": 3}}'), "outside", ("3",)),
    "a file has no name": (write(INDEX, '{"weight_map": {"a": ""}}'), "outside", ()),
    "a file is a pickle": (
        write(INDEX, '{"weight_map": {"a": "x.bin"}}'),
        "unsupported_format",
        ("x.bin",),
    ),
    "a tensor is elsewhere": (
        change_map(**{"backbone.norm_f.weight": SHARD}),
        "missing_tensor",
        (SHARD,),
    ),
    "a tensor is nowhere": (change_map(ghost=SHARD), "missing_tensor", ("ghost", SHARD)),
    "a tensor is there twice": (
        lambda folder: shutil.copyfile(folder / "model-00001-of-00003.safetensors", folder / SHARD),
        "corrupt",
        ("is also in",),
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_bad_weights_are_refused_in_one_sentence(tiny_folder: TinyFolder, name: str) -> None:
    folder = tiny_folder()
    load_model(folder)  # it was good
    check_refused(folder, CASES[name])


@pytest.mark.parametrize("name", SHARDED)
def test_a_bad_folder_of_several_files_is_refused_in_one_sentence(
    tiny_folder: TinyFolder, name: str
) -> None:
    check_refused(tiny_folder(shards=3), SHARDED[name])


def test_a_size_of_zero_is_refused(tiny_folder: TinyFolder) -> None:
    with pytest.raises(EngineError, match="A_log should have the shape 2 sizes above 0"):
        load_model(tiny_folder(state_size=0))
