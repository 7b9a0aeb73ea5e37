"""A torch file that does not hold together is refused in one sentence."""

from __future__ import annotations

import struct
from collections.abc import Callable
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

import pytest
from folder_damage import Case, check_refused, cut, make_folder, make_pipe
from torch_zip import (
    FLOATS,
    GOOD,
    TORCH,
    call,
    group,
    holds,
    holds_tensor,
    make_legacy,
    members,
    named,
    number,
    patched,
    storage,
    table,
    tensor,
    text,
    twice,
    write,
)

from engine.language_model import load_model

TinyFolder = Callable[..., Path]
CENTRAL, END = b"PK\x01\x02", b"PK\x05\x06"  # of the archive's directory

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


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_torch_file_is_refused_in_one_sentence(tiny_folder: TinyFolder, name: str) -> None:
    folder = make_legacy(tiny_folder())
    load_model(folder)  # it was good
    check_refused(folder, BROKEN[name])
