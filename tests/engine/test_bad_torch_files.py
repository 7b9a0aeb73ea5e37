"""A torch file that is broken, or wants more than to be read, is refused and nothing of it runs."""

from __future__ import annotations

import os
import pickle
import struct
import subprocess
import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

import pytest
from folder_damage import Case, Damage, check_refused, cut, make_folder, make_pipe
from torch_zip import (
    TORCH,
    archive_of,
    call,
    group,
    make_legacy,
    named,
    number,
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
FLOATS = storage("FloatStorage", "0", 6)
GOOD = tensor(FLOATS, [2, 3])
SIX = bytes(24)
FLAG = "ran.txt"  # a file that a pickle which runs would leave in the working folder


def holds(pickled: bytes, **data: bytes) -> Damage:
    """The torch file has this pickle and these storages."""
    members = archive_of(pickled, **(data or {"_0": SIX}))
    return lambda folder: write_archive(folder / TORCH, members)


def holds_tensor(value: bytes, **data: bytes) -> Damage:
    """The torch file has a table of one tensor, or what is said to be one."""
    return holds(table({"a": value}), **data)


def members(change: Callable[[dict[str, bytes]], object], **options: Any) -> Damage:
    """The torch file is a good one but for a change to its members."""

    def damage(folder: Path) -> None:
        parts = archive_of(table({"a": GOOD}), _0=SIX)
        change(parts)
        write_archive(folder / TORCH, parts, **options)

    return damage


def patched(find: bytes, at: int, new: bytes, *, last: bool = False) -> Damage:
    """Bytes of the file changed: those `at` after the first or last place of `find`."""

    def damage(folder: Path) -> None:
        write_archive(folder / TORCH, archive_of(table({"a": GOOD}), _0=SIX))
        raw = bytearray((folder / TORCH).read_bytes())
        place = (raw.rindex(find) if last else raw.index(find)) + at
        raw[place : place + len(new)] = new
        (folder / TORCH).write_bytes(raw)

    return damage


def twice(folder: Path) -> None:
    """One name for two members."""
    write_archive(folder / TORCH, archive_of(table({"a": GOOD}), _0=SIX))
    with pytest.warns(UserWarning, match="Duplicate"), ZipFile(folder / TORCH, "a") as archive:
        archive.writestr("archive/data/0", SIX)


def write(content: bytes) -> Damage:
    """The file's whole content."""
    return lambda folder: (folder / TORCH).write_bytes(content)


class _Runs:
    def __reduce__(self) -> tuple[Any, ...]:
        return (open, (FLAG, "w"))


CENTRAL, END = b"PK\x01\x02", b"PK\x05\x06"
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

BROKEN: dict[str, Case] = {
    "another protocol": (holds(b"\x80\x04}."), "unsupported_format", ("protocol 4",)),
    "no end": (holds(table({"a": GOOD})[:-1]), "corrupt", ("ends too early",)),
    "no pickle": (holds(b""), "corrupt", ("ends too early",)),
    "empty stack": (holds(b"\x80\x02."), "corrupt", ("damaged",)),
    "unknown memory": (holds(b"\x80\x02h\x07."), "corrupt", ("damaged",)),
    "a value across a mark": (holds(b"\x80\x02N(\x86."), "corrupt", ("damaged",)),
    "no table": (holds(b"\x80\x02K\x01."), "corrupt", ("no table of tensors",)),
    "not a tensor": (holds_tensor(number(3)), "corrupt", ("a is not a tensor",)),
    "not a name": (holds(b"\x80\x02}K\x01K\x02s."), "corrupt", ("not a text",)),
    "a name twice": (
        holds(b"\x80\x02}(" + 2 * (text("a") + GOOD) + b"u."), "corrupt", ("a appears twice",),
    ),
    "no tensors": (holds(table({})), "no_weights", ("holds no",)),
    "other arguments": (
        holds_tensor(call(named("torch._utils", "_rebuild_tensor_v2"), text("x"))),
        "corrupt",
        ("_rebuild_tensor_v2",),
    ),
    "a negative size": (holds_tensor(tensor(FLOATS, [-2, -3])), "corrupt", ("not a count",)),
    "a size of text": (
        holds_tensor(call(
            named("torch._utils", "_rebuild_tensor_v2"), FLOATS, number(0),
            group(text("6")), group(number(1)), b"\x89", b"N",
        )),
        "corrupt",
        ("not a count",),
    ),
    "sizes without end": (
        holds_tensor(tensor(FLOATS, [1] * 99)), "corrupt", ("not a list of counts",),
    ),
    "strides for other sizes": (
        holds_tensor(tensor(FLOATS, [2, 3], strides=[1])), "corrupt", ("strides",),
    ),
    "columns before rows": (
        holds_tensor(tensor(FLOATS, [2, 3], strides=[1, 2])),
        "unsupported_format",
        ("row by row",),
    ),
    "one number many times": (
        holds_tensor(tensor(FLOATS, [2, 3], strides=[0, 0])),
        "unsupported_format",
        ("row by row",),
    ),
    "beyond the storage": (
        holds_tensor(tensor(FLOATS, [2, 3], offset=1)), "corrupt", ("beyond its storage",),
    ),
    "an offset before it": (
        holds_tensor(tensor(FLOATS, [1], offset=-1)), "corrupt", ("not a count",),
    ),
    "a size that no file has": (
        holds_tensor(tensor(storage("FloatStorage", "0", 2**70), [2**62, 2**62])),
        "corrupt",
        ("not a count",),
    ),
    "a storage smaller than said": (
        holds_tensor(tensor(storage("FloatStorage", "0", 7), [7])), "corrupt", ("28 bytes",),
    ),
    "no storage": (
        holds_tensor(tensor(storage("FloatStorage", "../0", 6), [6])),
        "corrupt",
        ("numbers of a are missing",),
    ),
    "tensors that overlap": (
        holds(table({"a": tensor(FLOATS, [4]), "b": tensor(FLOATS, [4], offset=2)})),
        "corrupt",
        ("b overlaps",),
    ),
    "whole numbers": (
        holds_tensor(tensor(storage("LongStorage", "0", 3), [3])), "bad_dtype", ("I64", "float32"),
    ),
    "compressed": (members(lambda parts: None, kind=ZIP_DEFLATED), "corrupt", ("compressed",)),
    "a bomb": (
        members(lambda parts: parts.update({"data/0": bytes(1 << 26)}), kind=ZIP_DEFLATED),
        "corrupt",
        ("compressed",),
    ),
    "a pickle that large": (
        members(lambda parts: parts.update({"data.pkl": bytes(1 << 23)})),
        "corrupt",
        ("8388608 bytes",),
    ),
    "too many members": (
        members(lambda parts: parts.update({f"{at:0>200}": b"" for at in range(20_000)})),
        "corrupt",
        ("directory takes more",),
    ),
    "no table in the archive": (members(lambda p: p.pop("data.pkl")), "corrupt", ("0 tables",)),
    "two archives": (
        lambda folder: ZipFile(folder / TORCH, "a").writestr("other/data.pkl", b"}."),
        "corrupt",
        ("2 tables",),
    ),
    "a name for two members": (twice, "corrupt", ("archive/data/0 appears twice",)),
    "bytes in the other order": (
        members(lambda parts: parts.update(byteorder=b"big")), "unsupported_format", ("big",),
    ),
    "a changed pickle": (patched(b"_rebuild", 0, b"_REBUILD"), "corrupt", ("CRC",)),
    "two names for one member": (patched(b"data/0", 5, b"1"), "corrupt", ("headers",)),
    "a method in one place": (patched(b"PK\x03\x04", 8, b"\x08"), "corrupt", ("headers",)),
    "encrypted": (patched(CENTRAL, 8, b"\x01", last=True), "corrupt", ("encrypted",)),
    "a member of another size": (
        patched(CENTRAL, 20, struct.pack("<II", 2**31, 2**31), last=True), "corrupt", ("overlaps",),
    ),
    "members in one place": (
        patched(CENTRAL, 42, struct.pack("<I", 0), last=True), "corrupt", ("archive",),
    ),
    "a member nowhere": (
        patched(CENTRAL, 42, struct.pack("<I", 2**31), last=True), "corrupt", ("damaged",),
    ),
    "a directory before the start": (
        patched(END, 12, struct.pack("<II", 2**20, 0)), "corrupt", ("offset",),
    ),
    "a member before the start": (
        patched(END, 16, struct.pack("<I", 2**20)), "corrupt", ("before its start",),
    ),
    "half downloaded": (cut(TORCH, 20_000), "corrupt", ("not a zip file",)),
    "no byte": (write(b""), "corrupt", ("not a zip",)),
    "a pickle of old": (write(b"\x80\x02\x8a\nl\xfc\x9cF\xf9 j\xa8P\x19."),
                        "unsupported_format", ("before PyTorch 1.6",)),
    "another format": (write(b"\x1f\x8b" + bytes(99)), "corrupt", ("not a zip archive",)),
    "a pointer of Git LFS": (
        write(b"version https://git-lfs.github.com/spec/v1\n"), "corrupt", ("Git LFS",),
    ),
    "a folder": (make_folder(TORCH), "corrupt", ("not a file",)),
    "a pipe": (make_pipe(TORCH), "corrupt", ("not a file",)),
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


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_torch_file_is_refused_in_one_sentence(tiny_folder: TinyFolder, name: str) -> None:
    folder = make_legacy(tiny_folder())
    load_model(folder)  # it was good
    check_refused(folder, BROKEN[name])


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
