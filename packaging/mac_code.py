"""What must be true of the code in "Mamba Chat.app": for arm64 alone, signed, not for a newer
macOS than the app's, and loading nothing but the system's libraries and the app's own."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Iterator
from pathlib import Path

from mach_o import Slice, Version

PROCESSOR = "arm64"
SYSTEM = ("/usr/lib/", "/System/Library/")
Code = dict[Path, list[Slice]]  # by the real paths of the files


def faults(app: Path, code: Code, floor: Version) -> Iterator[str]:
    """A line for each fault of the code in the app, which is a real path."""
    executable = app / "Contents" / "MacOS"
    shared = [path for file in code if file.parent == executable for path in _rpaths(code[file])]
    for file, slices in code.items():
        place = file.relative_to(app)
        found = " and ".join(each.processor for each in slices) or "nothing"
        if found != PROCESSOR:
            yield f"{place}: expected code for {PROCESSOR} alone, found {found}"
        if not all(each.signed for each in slices):
            yield f"{place}: expected a signature, found none"
        for each in slices:
            yield from (f"{place}: {fault}" for fault in _of_version(each, floor))
            at = Image(app, file, tuple(shared))
            yield from (f"{place}: {fault}" for fault in at.faults(each))


def text(version: Version | None) -> str:
    """A macOS by its name."""
    return f"macOS {version[0]}.{version[1]}" if version else "no macOS"


def _of_version(each: Slice, floor: Version) -> Iterator[str]:
    if each.minimum is None or each.minimum > floor:
        yield f"expected to ask for {text(floor)} at most, found {text(each.minimum)}"


def _rpaths(slices: list[Slice]) -> list[str]:
    return [path for each in slices for path in each.rpaths]


class Image:
    """A file as macOS would load it: where the names of libraries lead from it."""

    def __init__(self, app: Path, file: Path, shared: tuple[str, ...]) -> None:
        self._app = app
        self._here = file.parent
        self._executable = app / "Contents" / "MacOS"
        self._shared = shared  # rpaths of the executable, which hold for all that it loads

    def faults(self, each: Slice) -> Iterator[str]:
        """What is wrong with the names and paths in a file."""
        for path in each.rpaths:
            if self._expanded(path, self._here) is None:
                yield f"expected each rpath inside the app, found {path}"
        if each.name and not each.name.startswith(("@", *SYSTEM)):
            yield f"expected a name that starts with @rpath, found {each.name}"
        for path in each.loads:
            if not self._is_systems(path) and not self._is_inside(path, each.rpaths):
                yield f"expected to load only the system's and the app's, found {path}"

    def _is_systems(self, path: str) -> bool:
        return posixpath.normpath(path).startswith(SYSTEM)

    def _is_inside(self, path: str, rpaths: tuple[str, ...]) -> bool:
        """Whether a library is a file of the app."""
        places = [self._expanded(path, self._here)]
        if path.startswith("@rpath/"):
            folders = [self._expanded(rpath, self._here) for rpath in rpaths]
            folders += [self._expanded(rpath, self._executable) for rpath in self._shared]
            places = [self._inside(folder / path[7:]) for folder in folders if folder]
        return any(place and place.is_file() for place in places)

    def _expanded(self, path: str, here: Path) -> Path | None:
        """Where a path of a file that is `here` leads; None where that is outside the app."""
        start, _, rest = path.partition("/")
        folder = {"@loader_path": here, "@executable_path": self._executable}.get(start)
        return self._inside(folder / rest) if folder else None

    def _inside(self, path: Path) -> Path | None:
        whole = Path(os.path.realpath(path))
        return whole if whole.is_relative_to(self._app) else None
