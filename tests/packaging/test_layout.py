"""Where each file lands in "Mamba Chat.app", by the function that lays it out on a Mac."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path, PurePosixPath
from typing import Any

import fake_bundle as fake
import plist
import pytest
import verify_bundle
from PyInstaller.building.osx import BUNDLE

import engine

Entry = tuple[str, str, str]
FRAMEWORK = "{}.framework/Versions/{}/{}"
QT = ("QtCore", "QtDBus", "QtGui", "QtSvg", "QtWidgets")

pytestmark = pytest.mark.skipif(sys.platform == "darwin", reason="a Mac lays out the app itself")


def framework(place: str, name: str, version: str) -> list[Entry]:
    """A framework as PyInstaller collects it, and the link at the top by which it is loaded."""
    code = place + FRAMEWORK.format(name, version, name)
    versions = f"{place}{name}.framework/Versions"
    return [
        (code, "code", "BINARY"),
        (f"{versions}/{version}/Resources/Info.plist", "data", "DATA"),
        (f"{versions}/Current", version, "SYMLINK"),
        (f"{place}{name}.framework/{name}", f"Versions/Current/{name}", "SYMLINK"),
        (f"{place}{name}.framework/Resources", "Versions/Current/Resources", "SYMLINK"),
        (name, code, "SYMLINK"),
    ]


@pytest.fixture(scope="module")
def collected(frozen: Any) -> list[Entry]:
    """What the spec would collect on a Mac: Linux's libraries aside, and the Mac's instead."""
    table = [
        entry
        for entry in frozen.entries
        if entry[2] in ("DATA", "EXTENSION", "EXECUTABLE") or entry[0].startswith("PySide6/Qt/plug")
    ]
    table += framework("", "Python", "3.12")
    for name in QT:
        table += framework("PySide6/Qt/lib/", name, "A")
    for name in ("libmlx.dylib", "libjaccl.dylib"):
        table += [(f"mlx/lib/{name}", "code", "BINARY"), (name, f"mlx/lib/{name}", "SYMLINK")]
    table.append(("mlx/lib/mlx.metallib", "metallib", "DATA"))
    table.append(("mlx.metallib", "mlx/lib/mlx.metallib", "SYMLINK"))
    return table


@pytest.fixture(scope="module")
def layout(collected: list[Entry]) -> dict[str, tuple[str, str]]:
    """Each place in the app: what is there, and of what kind."""
    bundle = BUNDLE.__new__(BUNDLE)
    laid_out = bundle._process_bundle_toc(sorted(collected))
    assert [place for place, n in Counter(e[0] for e in laid_out).items() if n > 1] == []
    return {place: (source, kind) for place, source, kind in laid_out}


def test_the_program_is_alone_in_its_folder(layout: dict[str, tuple[str, str]]) -> None:
    assert [p for p in layout if p.startswith("Contents/MacOS/")] == ["Contents/MacOS/mamba-chat"]


def test_metals_kernels_are_data_with_a_link_from_both_places(
    layout: dict[str, tuple[str, str]],
) -> None:
    real = "../../../Resources/mlx/lib/mlx.metallib"
    assert layout["Contents/Resources/mlx/lib/mlx.metallib"] == ("metallib", "DATA")
    assert layout["Contents/Frameworks/mlx/lib/mlx.metallib"] == (real, "SYMLINK")
    for folder in ("Frameworks", "Resources"):
        top = layout[f"Contents/{folder}/mlx.metallib"]
        assert top == ("mlx/lib/mlx.metallib", "SYMLINK")


def test_mlx_is_once_in_the_app(layout: dict[str, tuple[str, str]]) -> None:
    names = {place for place in layout if place.endswith("/libmlx.dylib")}
    assert {place for place in names if layout[place][1] != "SYMLINK"} == {
        "Contents/Frameworks/mlx/lib/libmlx.dylib"
    }


def test_data_is_among_the_code_in_frameworks_alone(layout: dict[str, tuple[str, str]]) -> None:
    wrong = [
        place
        for place, (_, kind) in layout.items()
        if kind == "DATA" and ".framework/" not in place and not place.startswith("Contents/Res")
    ]
    assert wrong == []


def test_no_code_is_among_the_data(layout: dict[str, tuple[str, str]]) -> None:
    kinds = {kind for place, (_, kind) in layout.items() if place.startswith("Contents/Resources/")}
    assert kinds == {"DATA", "SYMLINK"}


def test_no_two_names_are_one_on_a_disk_that_ignores_case(
    layout: dict[str, tuple[str, str]],
) -> None:
    names = {str(parent) for place in layout for parent in (PurePosixPath(place).parents)}
    counts = Counter(name.casefold() for name in names | set(layout))
    assert [name for name, count in counts.items() if count > 1] == []


def content(source: str, place: str) -> bytes:
    """What stands for a file of the layout: code that loads nothing, or the data itself."""
    if source == "metallib":
        return fake.metallib()
    if source == "code" or not place.startswith("Contents/Resources/"):
        return fake.mach_o(rpaths=(), name=f"@rpath/{PurePosixPath(place).name}")
    return Path(source).read_bytes() if source != "data" else b"data"


def test_an_app_of_this_layout_is_found_sound(
    layout: dict[str, tuple[str, str]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    app = tmp_path / f"{plist.APP_NAME}.app"
    for place, (source, kind) in layout.items():
        if kind == "SYMLINK":
            fake.link(app / place, source)
        else:
            fake.write(app / place, content(source, place))
    fake.describe(app, engine.__version__)
    assert verify_bundle.main([str(app)]) == 0, capsys.readouterr().out
