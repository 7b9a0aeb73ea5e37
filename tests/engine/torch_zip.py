"""Writes files as `torch.save` does, without torch: whole ones, and each part spoilt at will."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any
from zipfile import ZIP_STORED, ZipFile

import pytest
from folder_damage import Damage, read_weights

TORCH = "pytorch_model.bin"
TORCH_INDEX = "pytorch_model.bin.index.json"
KINDS = {"F32": "FloatStorage", "F16": "HalfStorage", "BF16": "BFloat16Storage"}
WIDTHS = {"F32": 4, "F16": 2, "BF16": 2}
EMBEDDINGS = "backbone.embeddings.weight"
LEGACY = {
    "d_model": 32, "n_layer": 2, "vocab_size": 314, "ssm_cfg": {}, "rms_norm": True,
    "residual_in_fp32": True, "fused_add_norm": True, "pad_vocab_size_multiple": 8,
}  # fmt: skip


def named(module: str, name: str) -> bytes:
    """GLOBAL: a name in a module."""
    return f"c{module}\n{name}\n".encode()


def text(value: str) -> bytes:
    """BINUNICODE."""
    raw = value.encode()
    return b"X" + struct.pack("<I", len(raw)) + raw


def number(value: int) -> bytes:
    """BININT, or LONG1 beyond its reach."""
    if -(2**31) <= value < 2**31:
        return b"J" + struct.pack("<i", value)
    raw = value.to_bytes(value.bit_length() // 8 + 1, "little", signed=True)
    return b"\x8a" + bytes([len(raw)]) + raw


def group(*parts: bytes) -> bytes:
    """A tuple of any length."""
    return b"(" + b"".join(parts) + b"t"


def call(function: bytes, *arguments: bytes) -> bytes:
    """REDUCE: a function and what it is called with."""
    return function + group(*arguments) + b"R"


def storage(kind: str, key: str, count: int) -> bytes:
    """BINPERSID: a storage of `count` numbers."""
    return (
        group(text("storage"), named("torch", kind), text(key), text("cpu"), number(count)) + b"Q"
    )


def row_strides(shape: Sequence[int]) -> list[int]:
    """The strides of an array stored row by row."""
    strides = [1] * len(shape)
    for at in range(len(shape) - 2, -1, -1):
        strides[at] = strides[at + 1] * shape[at + 1]
    return strides


def tensor(
    part: bytes, shape: Sequence[int], *, offset: int = 0, strides: Sequence[int] | None = None
) -> bytes:
    """A tensor that is a part of a storage."""
    steps = row_strides(shape) if strides is None else strides
    return call(
        named("torch._utils", "_rebuild_tensor_v2"),
        part,
        number(offset),
        group(*map(number, shape)),
        group(*map(number, steps)),
        b"\x89",
        call(named("collections", "OrderedDict")),
    )


def table(items: Mapping[str, bytes]) -> bytes:
    """A whole pickle: an OrderedDict of `items`, and the versions that a module notes beside it."""
    pairs = b"".join(text(name) + value for name, value in items.items())
    versions = b"}" + text("_metadata") + b"}" + text("") + b"}" + text("version") + b"K\x01sss"
    return (
        b"\x80\x02"
        + call(named("collections", "OrderedDict"))
        + b"("
        + pairs
        + b"u"
        + versions
        + b"b."
    )


def write_archive(path: Path, members: Mapping[str, bytes], *, kind: int = ZIP_STORED) -> None:
    """A zip archive of `members` below one folder."""
    with ZipFile(path, "w", kind) as archive:
        for name, content in members.items():
            archive.writestr(f"archive/{name}", content)


def archive_of(content: bytes, **data: bytes) -> dict[str, bytes]:
    """The members of a torch file by its pickle and its storages: `_0=b""` is data/0."""
    parts = {f"data/{name.removeprefix('_')}": value for name, value in data.items()}
    return {"data.pkl": content, "byteorder": b"little", **parts, "version": b"3\n"}


def save_torch(path: Path, tensors: Mapping[str, tuple[str, Sequence[int], bytes]]) -> None:
    """A torch file of tensors by name: type as in safetensors, shape, bytes. Values that are the
    same object share a storage."""
    keys: dict[int, str] = {}
    items, data = {}, {}
    for name, value in tensors.items():
        dtype, shape, raw = value
        key = keys.setdefault(id(value), str(len(keys)))
        data[f"_{key}"] = raw
        items[name] = tensor(storage(KINDS[dtype], key, len(raw) // WIDTHS[dtype]), shape)
    write_archive(path, archive_of(table(items), **data))


def read_tensors(path: Path) -> dict[str, tuple[str, Sequence[int], bytes]]:
    """What a safetensors file holds, as `save_torch` takes it."""
    header, data = read_weights(path)
    header.pop("__metadata__", None)
    return {
        name: (entry["dtype"], entry["shape"], data[slice(*entry["data_offsets"])])
        for name, entry in header.items()
    }


def legacy_names(tensors: Mapping[str, Any]) -> dict[str, Any]:
    """The same tensors as mamba_ssm names them, the head being the embedding itself."""
    renamed = {
        name.replace("backbone.embeddings.", "backbone.embedding."): value
        for name, value in tensors.items()
    }
    return {**renamed, "lm_head.weight": tensors.get("lm_head.weight", tensors[EMBEDDINGS])}


def make_legacy(folder: Path, **fields: Any) -> Path:
    """Turn a folder of safetensors into one as mamba_ssm saves it; it keeps its tokenizer."""
    weights = folder / "model.safetensors"
    save_torch(folder / TORCH, legacy_names(read_tensors(weights)))
    weights.unlink()
    (folder / "config.json").write_text(json.dumps(LEGACY | fields), encoding="utf-8")
    return folder


def save_torch_shards(folder: Path, shards: int) -> None:
    """Turn a folder of safetensors into one of several torch files with an index."""
    tensors = read_tensors(folder / "model.safetensors")
    where: dict[str, str] = {}
    for at in range(shards):
        file = f"pytorch_model-{at + 1:05}-of-{shards:05}.bin"
        mine = {name: tensors[name] for name in list(tensors)[at::shards]}
        save_torch(folder / file, mine)
        where |= dict.fromkeys(mine, file)
    (folder / TORCH_INDEX).write_text(json.dumps({"weight_map": where}), encoding="utf-8")
    (folder / "model.safetensors").unlink()


FLOATS = storage("FloatStorage", "0", 6)
GOOD = tensor(FLOATS, [2, 3])
SIX = bytes(24)


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
