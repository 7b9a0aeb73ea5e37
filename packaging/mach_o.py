"""What a Mach-O file says of itself: its processors, the macOS it asks for, what it loads."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from macholib import mach_o
from macholib.MachO import MachO

Version = tuple[int, int]

LOADS = {
    mach_o.LC_LOAD_DYLIB,
    mach_o.LC_LOAD_WEAK_DYLIB,
    mach_o.LC_REEXPORT_DYLIB,
    mach_o.LC_LOAD_UPWARD_DYLIB,
    mach_o.LC_LAZY_LOAD_DYLIB,
}
PROCESSORS = {
    (0x0100000C, 0): "arm64",
    (0x0100000C, 1): "arm64",
    (0x0100000C, 2): "arm64e",
    (0x01000007, 3): "x86_64",
    (0x01000007, 8): "x86_64h",
}
MACOS = 1  # of the platforms in LC_BUILD_VERSION
METAL_FOR_MACOS = 0x81  # of the systems in the header of a Metal library
SIGNATURE = b"\xfa\xde\x0c\xc0"
STARTS = {bytes.fromhex(text) for text in ("cffaedfe", "cefaedfe", "cafebabe", "cafebabf")}


@dataclass(frozen=True)
class Slice:
    """The code for one processor in a file."""

    processor: str
    size: int
    minimum: Version | None  # the oldest macOS; None: it says none, or is for another system
    name: str | None  # of a library: what those that link to it are to load
    loads: tuple[str, ...]
    rpaths: tuple[str, ...]
    signed: bool


def version(text: str) -> Version:
    """A macOS by its name: "14.0"."""
    major, _, minor = text.partition(".")
    return int(major), int(minor or 0)


def is_mach_o(file: Path) -> bool:
    """Whether a regular file is code for macOS, by its first bytes."""
    with file.open("rb") as stream:
        return stream.read(4) in STARTS


def slices(file: Path) -> list[Slice]:
    """What is in a Mach-O file; ValueError where it is damaged."""
    try:
        headers = MachO(str(file), allow_unknown_load_commands=True).headers
        with file.open("rb") as stream:
            return [_slice(header, stream) for header in headers]
    except (ValueError, OSError, struct.error) as error:
        raise ValueError(f"no Mach-O that can be read: {error}") from error


def metallib_target(file: Path) -> Version | None:
    """The oldest macOS that can load a Metal library; None: it is none, or for another system."""
    with file.open("rb") as stream:
        start = stream.read(16)
    if len(start) < 16 or start[:4] != b"MTLB" or start[11] != METAL_FOR_MACOS:
        return None
    major, minor = struct.unpack("<HH", start[12:16])
    return major, minor


def _slice(header: Any, stream: Any) -> Slice:
    kind = header.header.cputype, header.header.cpusubtype & 0xFFFFFF
    names = list(_texts(header, {mach_o.LC_ID_DYLIB}))
    return Slice(
        processor=PROCESSORS.get(kind, f"processor {kind[0]:#x}"),
        size=header.size,
        minimum=_minimum(header),
        name=names[0] if names else None,
        loads=tuple(_texts(header, LOADS)),
        rpaths=tuple(_texts(header, {mach_o.LC_RPATH})),
        signed=_signed(header, stream),
    )


def _texts(header: Any, wanted: set[int]) -> Iterator[str]:
    """The paths in commands of these kinds."""
    for load, _, data in header.commands:
        if load.cmd in wanted:
            yield data.partition(b"\0")[0].decode("utf-8")


def _minimum(header: Any) -> Version | None:
    for load, command, _ in header.commands:
        if load.cmd == mach_o.LC_VERSION_MIN_MACOSX:
            return _unpacked(command.version)
        if load.cmd == mach_o.LC_BUILD_VERSION and command.platform == MACOS:
            return _unpacked(command.minos)
    return None


def _unpacked(number: int) -> Version:
    return number >> 16, number >> 8 & 0xFF


def _signed(header: Any, stream: Any) -> bool:
    """Whether a signature is there; whether it holds only macOS can say."""
    for load, command, _ in header.commands:
        if load.cmd == mach_o.LC_CODE_SIGNATURE and command.datasize:
            stream.seek(header.offset + command.dataoff)
            return bytes(stream.read(4)) == SIGNATURE
    return False
