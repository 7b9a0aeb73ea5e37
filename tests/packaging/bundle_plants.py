"""What to do to a fake app so that it has a fault."""

from __future__ import annotations

import plistlib
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import fake_bundle as fake

MACOS, FRAMEWORKS, RESOURCES = (f"Contents/{name}" for name in ("MacOS", "Frameworks", "Resources"))
CORE = f"{FRAMEWORKS}/mlx/core.cpython-312-darwin.so"
LIBMLX = f"{FRAMEWORKS}/mlx/lib/libmlx.dylib"
QTGUI = f"{FRAMEWORKS}/PySide6/Qt/lib/QtGui.framework/Versions/A/QtGui"
METALLIB = f"{RESOURCES}/mlx/lib/mlx.metallib"
PLIST = "Contents/Info.plist"
Plant = Callable[[Path], object]


def code(place: str, *loads: str, **values: Any) -> Plant:
    """Other code in the place of a file."""
    return lambda app: fake.write(app / place, fake.mach_o(*loads, **values))


def file(place: str, content: bytes = b"something") -> Plant:
    """Other data in the place of a file."""
    return lambda app: fake.write(app / place, content)


def link(place: str, target: str) -> Plant:
    """A link in the place of a file."""
    return lambda app: fake.link(app / place, target)


def gone(place: str) -> Plant:
    """A file or a folder less."""

    def plant(app: Path) -> None:
        path = app / place
        shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()

    return plant


def told(**values: Any) -> Plant:
    """Other values in the Info.plist; None takes one out."""

    def plant(app: Path) -> None:
        found = plistlib.loads((app / PLIST).read_bytes()) | values
        kept = {key: value for key, value in found.items() if value is not None}
        fake.write(app / PLIST, plistlib.dumps(kept))

    return plant


def stray_copy(app: Path) -> None:
    fake.write(app / FRAMEWORKS / "libmlx.dylib", (app / LIBMLX).read_bytes())


def not_to_be_run(app: Path) -> None:
    fake.write(app / MACOS / "mamba-chat", fake.mach_o())
    (app / MACOS / "mamba-chat").chmod(0o644)


def two_processors(app: Path) -> None:
    both = fake.universal(fake.mach_o(), fake.mach_o(processor=fake.X86_64))
    fake.write(app / CORE, both)
