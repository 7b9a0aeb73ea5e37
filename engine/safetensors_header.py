"""The table of tensors at the head of a safetensors file, believed only after it is checked."""

from __future__ import annotations

import json
import stat
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Any

from engine.errors import EngineError

BITS = {
    "BOOL": 8, "U8": 8, "I8": 8, "F8_E4M3": 8, "F8_E5M2": 8, "F8_E8M0": 8, "F4": 4,
    "U16": 16, "I16": 16, "F16": 16, "BF16": 16,
    "U32": 32, "I32": 32, "F32": 32, "U64": 64, "I64": 64, "F64": 64, "C64": 64,
}  # fmt: skip
_LONGEST_HEADER = 100_000_000  # the format's own limit
_LENGTH_BYTES = 8
LFS = b"version https://git-lfs"


@dataclass(frozen=True, slots=True)
class TensorEntry:
    """Where a tensor lies: bytes `start` to `end` of `file`; `dtype` in safetensors' names."""

    file: Path
    dtype: str
    shape: tuple[int, ...]
    start: int
    end: int

    @property
    def size(self) -> int:
        """How many numbers it holds."""
        return prod(self.shape)


def read_header(path: Path) -> dict[str, TensorEntry]:
    """The tensors of the file by name, in the order of their bytes.

    Raises EngineError when the header is broken, when entries overlap, leave gaps or do not
    match their shapes, and when the file is shorter or longer than they say."""
    size, text = _header_text(path)
    try:
        table = json.loads(text.decode("utf-8"), object_pairs_hook=_no_doubles)
    except (ValueError, RecursionError) as error:
        raise _corrupt(path, f"its header is not JSON: {error}") from error
    if not isinstance(table, dict):
        raise _corrupt(path, "its header is not a JSON object")
    table.pop("__metadata__", None)
    data = _LENGTH_BYTES + len(text)
    entries = {name: _entry(path, name, value, data) for name, value in table.items()}
    ordered = dict(sorted(entries.items(), key=lambda item: (item[1].start, item[1].end)))
    _check_cover(path, ordered, data, size)
    return ordered


def _header_text(path: Path) -> tuple[int, bytes]:
    """The file's size and the bytes of its header."""
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):  # opening a pipe would wait for ever
            raise _corrupt(path, "it is not a file")
        with path.open("rb") as file:
            first = file.read(_LENGTH_BYTES)
            length = int.from_bytes(first, "little")
            if len(first) < _LENGTH_BYTES:
                raise _incomplete(path, status.st_size, _LENGTH_BYTES)
            if length > _LONGEST_HEADER:
                if (first + file.read(len(LFS))).startswith(LFS):
                    raise _corrupt(path, "it is a Git LFS pointer and not the weights")
                raise _corrupt(path, f"its header would take {length} bytes")
            text = file.read(length)
    except OSError as error:
        raise EngineError("unreadable", path=path, detail=error.strerror) from error
    if len(text) < length:
        raise _incomplete(path, status.st_size, _LENGTH_BYTES + length)
    return status.st_size, text


def _no_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    table = dict(pairs)
    if len(table) < len(pairs):
        raise ValueError("a name appears twice")
    return table


def _entry(path: Path, name: str, value: Any, data: int) -> TensorEntry:
    """One entry of the header, with offsets from the start of the file."""
    try:
        dtype, shape, (start, end) = value["dtype"], value["shape"], value["data_offsets"]
    except (KeyError, TypeError, ValueError) as error:
        raise _corrupt(path, f"the entry of {name} is not a tensor's") from error
    if not isinstance(dtype, str) or dtype not in BITS:
        raise _corrupt(path, f"{name} is of the unknown type {dtype}")
    if not isinstance(shape, list) or not all(_is_count(n) for n in [*shape, start, end]):
        raise _corrupt(path, f"the entry of {name} is not a tensor's")
    bits = prod(shape) * BITS[dtype]
    if bits % 8 or end - start != bits // 8:
        raise _corrupt(path, f"{name} should take {bits // 8} bytes and takes {end - start}")
    return TensorEntry(path, dtype, tuple(shape), data + start, data + end)


def _is_count(value: Any) -> bool:
    return type(value) is int and 0 <= value < 2**63


def _check_cover(path: Path, ordered: dict[str, TensorEntry], data: int, size: int) -> None:
    """The tensors must follow each other without a gap and end where the file ends."""
    end = data
    for name, entry in ordered.items():
        if entry.start != end:
            fault = "overlaps another tensor" if entry.start < end else "leaves a gap before it"
            raise _corrupt(path, f"{name} {fault}")
        end = entry.end
    if size < end:
        raise _incomplete(path, size, end)
    if size > end:
        raise _corrupt(path, f"{size - end} bytes follow its last tensor")


def _corrupt(path: Path, detail: str) -> EngineError:
    return EngineError("corrupt", file=path, format="safetensors", detail=detail)


def _incomplete(path: Path, found: int, expected: int) -> EngineError:
    return EngineError("incomplete", file=path, found=found, expected=expected)
