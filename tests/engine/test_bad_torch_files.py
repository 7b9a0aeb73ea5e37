"""A torch file that is broken, or wants more than to be read, is refused and nothing of it runs."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from folder_damage import Case, check_refused
from torch_zip import (
    FLOATS,
    GOOD,
    SIX,
    TORCH,
    archive_of,
    call,
    group,
    holds,
    holds_tensor,
    make_legacy,
    named,
    storage,
    table,
    tensor,
    text,
    write_archive,
)

from engine.checkpoint import open_checkpoint
from engine.errors import EngineError
from engine.language_model import load_model
from engine.torch_file import read_torch

TinyFolder = Callable[..., Path]
FLAG = "ran.txt"  # a file that a pickle which runs would leave in the working folder


class _Runs:
    def __reduce__(self) -> tuple[Any, ...]:
        return (open, (FLAG, "w"))


SYSTEM = text(f"touch {FLAG}")
EVAL = text(f"open({FLAG!r}, 'w')")

HOSTILE: dict[str, Case] = {
    "os.system": (
        holds_tensor(call(named("os", "system"), SYSTEM)), "unsafe", ("os.system",),
    ),
    "posix.system": (
        holds_tensor(call(named("posix", "system"), SYSTEM)), "unsafe", ("posix.system",),
    ),
    "eval": (holds_tensor(call(named("builtins", "eval"), EVAL)), "unsafe", ("builtins.eval",)),
    "getattr": (
        holds_tensor(call(named("builtins", "getattr"), named("os", "path"), text("os"))),
        "unsafe",
        ("builtins.getattr",),
    ),
    "a name within a name": (
        holds_tensor(named("collections", "OrderedDict.fromkeys")),
        "unsafe",
        ("OrderedDict.fromkeys",),
    ),
    "a function of torch": (
        holds_tensor(call(named("torch.hub", "load"), SYSTEM)), "unsafe", ("torch.hub.load",),
    ),
    "what Python itself pickles": (
        holds(pickle.dumps({"a": _Runs()}, protocol=2)), "unsafe", ("open",),
    ),
    "a name from the stack": (
        holds(b"\x80\x02" + text("os") + text("system") + b"\x93."), "unsafe", ("93",),
    ),
    "a class made new": (
        holds(b"\x80\x02" + named("collections", "OrderedDict") + b")\x81."), "unsafe", ("81",),
    ),
    "an instance": (holds(b"\x80\x02(S'touch x'\nios\nsystem\n."), "unsafe", ("53",)),
    "a change to a function": (
        holds_tensor(named("torch._utils", "_rebuild_tensor_v2") + b"}b"), "unsafe", ("change",),
    ),
    "a change to a tensor": (
        holds_tensor(GOOD + b"}" + text("dtype") + text("F64") + b"sb"), "unsafe", ("change",),
    ),
    "a call of a text": (holds_tensor(call(text("os.system"), SYSTEM)), "unsafe", ("call",)),
    "an identity that Python looks up": (holds(b"\x80\x02Pos.system\n."), "unsafe", ("50",)),
    "a storage within a storage": (
        holds_tensor(group(text("storage"), named("torch", "FloatStorage"), FLOATS) + b"Q"),
        "corrupt",
        ("storage",),
    ),
    "a storage of another type": (
        holds_tensor(storage("QInt8Storage", "0", 6)), "unsafe", ("torch.QInt8Storage",),
    ),
    "memory for an index": (holds(b"\x80\x02Nr\xff\xff\xff\x7f."), "corrupt", ("no table",)),
    "a text that long": (holds(b"\x80\x02X\xff\xff\xff\x7f."), "corrupt", ("ends too early",)),
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_a_file_that_asks_for_more_than_tensors_is_refused(
    tiny_folder: TinyFolder, name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    folder = make_legacy(tiny_folder())
    modules = set(sys.modules)
    check_refused(folder, HOSTILE[name])
    assert not (tmp_path / FLAG).exists()
    assert not {module for module in set(sys.modules) - modules if module.startswith("torch")}


def test_the_attacks_would_work_on_an_unpickler(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for attack in (
        call(named("os", "system"), SYSTEM),
        call(named("builtins", "eval"), EVAL),
        pickle.dumps(_Runs(), protocol=2)[2:-1],
    ):
        subprocess.run(
            [sys.executable, "-c", "import sys, pickle; pickle.load(sys.stdin.buffer)"],
            input=b"\x80\x02" + attack + b"0N.",
            check=True,
            timeout=60,
        )
        (tmp_path / FLAG).unlink()


@pytest.mark.parametrize("name", ["memory for an index", "a text that long"])
def test_refusing_takes_little_memory(tiny_folder: TinyFolder, name: str) -> None:
    folder = make_legacy(tiny_folder())
    HOSTILE[name][0](folder)
    tracemalloc.start()
    try:
        with pytest.raises(EngineError):
            open_checkpoint(folder)
        assert tracemalloc.get_traced_memory()[1] < 20_000_000
    finally:
        tracemalloc.stop()


def test_a_torch_file_of_40_gb_opens_at_once(tmp_path: Path) -> None:
    """Only the directory, the headers and the pickle are read: the numbers are a hole."""
    rows = 10**10
    big = tensor(storage("FloatStorage", "0", rows), [rows])
    with ZipFile(tmp_path / TORCH, "w") as archive:
        archive.writestr("archive/data.pkl", table({"big": big}))
        archive.writestr("archive/data/0", b"")
        info = archive.getinfo("archive/data/0")
        info.file_size = info.compress_size = 4 * rows
        archive.start_dir += 4 * rows
    entry = read_torch(tmp_path / TORCH)["big"]
    assert (entry.size, entry.end - entry.start) == (rows, 4 * rows)


def test_a_stride_over_a_single_row_is_of_no_account(tmp_path: Path) -> None:
    one = tensor(FLOATS, [2, 1, 3], strides=[3, 99, 1])
    none = tensor(storage("FloatStorage", "1", 0), [0, 3], strides=[7, 7])
    write_archive(tmp_path / TORCH, archive_of(table({"one": one, "none": none}), _0=SIX, _1=b""))
    entries = read_torch(tmp_path / TORCH)
    assert (entries["one"].shape, entries["none"].shape) == ((2, 1, 3), (0, 3))


def test_a_parameter_is_its_tensor(tmp_path: Path) -> None:
    hooks = call(named("collections", "OrderedDict"))
    value = call(named("torch._utils", "_rebuild_parameter"), GOOD, b"\x88", hooks)
    write_archive(tmp_path / TORCH, archive_of(table({"a": value}), _0=SIX))
    assert read_torch(tmp_path / TORCH)["a"].shape == (2, 3)


def test_a_torch_file_is_read_and_never_written(tiny_folder: TinyFolder) -> None:
    folder = make_legacy(tiny_folder())
    before = {file.name: file.read_bytes() for file in folder.iterdir()}
    os.chmod(folder / TORCH, 0o444)
    load_model(folder)
    assert {file.name: file.read_bytes() for file in folder.iterdir()} == before
