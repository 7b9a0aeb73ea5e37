"""Looks over "Mamba Chat.app" before people get it, on a Mac or anywhere else:
    python packaging/verify_bundle.py "Mamba Chat.app" [--floor 14.0]
Prints a line for each fault and ends with status 1, or one line of what it looked at."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import bundle_parts
import mac_code
import mach_o
import plist

METALLIB = "Contents/Resources/mlx/lib/mlx.metallib"
LIBRARY = "Contents/Frameworks/mlx/lib/libmlx.dylib"
# MLX looks beside its library, which macOS may take for being at either of two places.
LINKS = {
    "Contents/Frameworks/mlx/lib/mlx.metallib": METALLIB,
    "Contents/Frameworks/mlx.metallib": METALLIB,
    "Contents/Frameworks/libmlx.dylib": LIBRARY,
}


@dataclass
class Bundle:
    """What is in the app, by its real paths; no link is followed."""

    app: Path
    links: list[Path] = field(default_factory=list)
    folders: list[Path] = field(default_factory=list)
    data: list[Path] = field(default_factory=list)
    code: mac_code.Code = field(default_factory=dict)
    damaged: list[str] = field(default_factory=list)

    def of(self, path: Path) -> str:
        """A path as it is told."""
        return path.relative_to(self.app).as_posix()


def read(app: Path) -> Bundle:
    """Look at every file of an app once."""
    bundle = Bundle(app)
    for top, folders, files in os.walk(app):
        for path in sorted(Path(top, name) for name in (*folders, *files)):
            if path.is_symlink():
                bundle.links.append(path)
            elif path.is_dir():
                bundle.folders.append(path)
            elif not path.is_file() or not mach_o.is_mach_o(path):
                bundle.data.append(path)
            else:
                _read_code(bundle, path)
    return bundle


def _read_code(bundle: Bundle, path: Path) -> None:
    try:
        bundle.code[path] = mach_o.slices(path)
    except ValueError as error:
        bundle.damaged.append(f"{bundle.of(path)}: expected code, found {error}")


def faults(bundle: Bundle, floor: mach_o.Version) -> Iterator[str]:
    """A line for each thing that is not as it must be."""
    yield from bundle.damaged
    yield from mac_code.faults(bundle.app, bundle.code, floor)
    yield from links(bundle)
    yield from places(bundle)
    yield from metallib(bundle, floor)
    yield from bundle_parts.description(bundle.app)
    yield from bundle_parts.data(bundle.app)
    yield from bundle_parts.licences(bundle.app)
    every = (*bundle.links, *bundle.folders, *bundle.data, *bundle.code)
    yield from bundle_parts.strangers(sorted(bundle.of(path) for path in every))


def links(bundle: Bundle) -> Iterator[str]:
    """Links that lead out of the app, also on their way, or nowhere."""
    for link in bundle.links:
        target = os.readlink(link)
        depth = len(link.parent.relative_to(bundle.app).parts)
        for part in Path(target).parts:
            depth += -1 if part == ".." else 1
            if depth < 0 or part == "/":
                yield f"{bundle.of(link)}: expected a link within the app, found {target}"
                break
        else:
            real = Path(os.path.realpath(link))
            if not real.exists() or not real.is_relative_to(bundle.app):
                yield f"{bundle.of(link)}: expected a link to a file of the app, found {target}"


def places(bundle: Bundle) -> Iterator[str]:
    """Files that are where they cannot be signed, or where their signature would be lost."""
    program = bundle.app / "Contents" / "MacOS" / plist.EXE_NAME
    if program not in bundle.code or not os.access(program, os.X_OK):
        yield f"{bundle.of(program)}: expected a program that can be run, found none"
    for path in (*bundle.links, *bundle.folders, *bundle.data, *bundle.code):
        place = bundle.of(path)
        if path.parent == program.parent and path != program:
            yield f"{place}: expected nothing beside the program, found this"
    for path in bundle.data:
        if _in_frameworks(place := bundle.of(path)):
            yield f"{place}: expected data in Contents/Resources, found it here"
    for path in bundle.code:
        if (place := bundle.of(path)).startswith("Contents/Resources/"):
            yield f"{place}: expected code in Contents/Frameworks, found it here"
    for path in bundle.folders:
        if _in_frameworks(place := bundle.of(path)) and "." in path.name:
            yield f"{place}: expected no dot in the name of a folder, which cannot be signed"


def _in_frameworks(place: str) -> bool:
    """Whether it is under Contents/Frameworks, and in none of the frameworks there."""
    return place.startswith("Contents/Frameworks/") and ".framework" not in place


def metallib(bundle: Bundle, floor: mach_o.Version) -> Iterator[str]:
    """Whether MLX can find Metal's kernels, and the oldest macOS can load them."""
    file = bundle.app / METALLIB
    if file not in bundle.data:
        found = "a link" if file.is_symlink() else "none"
        yield f"{METALLIB}: expected Metal's kernels as a file, found {found}"
        return
    target = mach_o.metallib_target(file)
    if target is None or target > floor:
        most, found = mac_code.text(floor), mac_code.text(target)
        yield f"{METALLIB}: expected kernels for {most} at most, found them for {found}"
    if bundle.app / LIBRARY not in bundle.code:
        yield f"{LIBRARY}: expected MLX's library as a file, found none"
    for link, wanted in LINKS.items():
        path = bundle.app / link
        if not path.is_symlink() or os.path.realpath(path) != str(bundle.app / wanted):
            yield f"{link}: expected a link to {wanted}, found {_kind(path)}"


def _kind(path: Path) -> str:
    if path.is_symlink():
        return f"one to {os.readlink(path)}"
    return "a copy" if path.exists() else "nothing"


def summary(bundle: Bundle) -> str:
    """What was looked at."""
    minima = [each.minimum for slices in bundle.code.values() for each in slices if each.minimum]
    size = sum(path.stat().st_size for path in (*bundle.data, *bundle.code))
    return (
        f"{bundle.app.name}: {len(bundle.code)} files of code for {mac_code.PROCESSOR}, the newest "
        f"for {mac_code.text(max(minima))}; {len(bundle.data)} of data, {len(bundle.links)} links, "
        f"{size / 1e6:.0f} MB; no fault."
    )


def main(arguments: list[str]) -> int:
    """The status to end with."""
    parser = argparse.ArgumentParser(description="Look over the Mac app.")
    parser.add_argument("app", type=Path)
    parser.add_argument("--floor", type=mach_o.version, default=plist.MINIMUM_MACOS)
    given = parser.parse_args(arguments)
    app = Path(os.path.realpath(given.app))
    if not (app / "Contents").is_dir():
        print(f"{given.app}: expected an app, found none")
        return 1
    bundle = read(app)
    found = list(faults(bundle, given.floor))
    print("\n".join(found or [summary(bundle)]))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
