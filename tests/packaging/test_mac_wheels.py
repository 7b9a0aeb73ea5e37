"""The wheels that the Mac app is made of run on the oldest macOS it is for, and are not too big."""

from __future__ import annotations

import importlib.util
import struct
import sys
import zipfile
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

import bundle_parts
import mac_wheels
import pytest
import qt_parts
from mac_wheels import FLOOR, Wheel

MOST_MEGABYTES = 300  # without models
MODULES = ("QtCore", "QtGui", "QtWidgets", "QtSvg")
# Where PyInstaller looks for the plugins of these modules, of the folders that the Mac's wheel has.
PLUGINS = ("generic", "iconengines", "imageformats", "platforminputcontexts", "platforms", "styles")
# Of the libraries that a frozen Python on Linux holds: what is also bundled on a Mac.
PYTHONS = ("libpython", "libssl", "libcrypto", "libsqlite3", "liblzma", "libbz2", "libz.", "libffi")
NEEDED = mac_wheels.needed()


@pytest.fixture(scope="module")
def files() -> dict[str, Path]:
    """The wheels, by their distributions."""
    return mac_wheels.fetched(NEEDED)


@pytest.fixture(scope="module")
def wheels(files: dict[str, Path]) -> dict[str, Wheel]:
    """What is in them."""
    return {name: mac_wheels.read(file) for name, file in files.items()}


def qt_files(wheel: Wheel) -> set[str]:
    """The code of Qt that the app takes: modules, plugins, and all that these are linked to."""
    by_name = {Path(file).name: file for file in wheel.code}
    plugins = "PySide6/Qt/plugins/"
    found = {
        file
        for file in wheel.code
        if file in {f"PySide6/{module}.abi3.so" for module in MODULES}
        or (file.startswith(tuple(plugins + each for each in PLUGINS)) and qt_parts.wanted(file))
    }
    todo = list(found)
    while todo:
        for each in wheel.code[todo.pop()]:
            names = {Path(path).name for path in each.loads if path.startswith("@")}
            new = {by_name[name] for name in names if "shiboken" not in name} - found
            found |= new
            todo += new
    return found


def test_all_that_the_app_needs_on_a_mac_is_pinned() -> None:
    assert sorted(set(NEEDED) - set(mac_wheels.pins())) == []
    assert {"mlx-metal", "pyside6-essentials", "tokenizers", "hf-xet"} <= set(NEEDED)
    assert not {"cryptography", "cffi", "secretstorage", "mlx-cpu"} & set(NEEDED)


@pytest.mark.parametrize("name", NEEDED)
def test_its_code_runs_on_the_oldest_macos(name: str, wheels: dict[str, Wheel]) -> None:
    wheel = wheels[name]
    assert bool(wheel.code) != wheel.pure
    for file, slices in wheel.code.items():
        (arm64,) = [each for each in slices if each.processor == "arm64"]
        assert arm64.minimum is not None, file
        assert arm64.minimum <= FLOOR, file
        assert arm64.signed, file


def test_metals_kernels_are_for_the_oldest_macos(wheels: dict[str, Wheel]) -> None:
    assert wheels["mlx-metal"].metallibs == {"mlx/lib/mlx.metallib": FLOOR}


def test_qt_is_linked_to_no_module_that_the_app_does_not_take(wheels: dict[str, Wheel]) -> None:
    files = qt_files(wheels["pyside6-essentials"])
    linked = {Path(file).name for file in files if ".framework/" in file}
    assert linked == bundle_parts.QT


def test_qt_has_what_a_mac_needs(wheels: dict[str, Wheel]) -> None:
    names = {Path(file).name for file in qt_files(wheels["pyside6-essentials"])}
    plugins = {"libqcocoa", "libqoffscreen", "libqmacstyle", "libqsvgicon", "libqsvg", "libqjpeg"}
    assert {f"{name}.dylib" for name in plugins} <= names


def hooked(monkeypatch: pytest.MonkeyPatch, root: Path) -> Any:
    """What the hook for MLX finds on a Mac."""
    monkeypatch.setattr(sys, "platform", "darwin")
    file = root / "packaging" / "hooks" / "hook-mlx.core.py"
    spec = importlib.util.spec_from_file_location("hook", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_hook_finds_mlx_and_its_kernels(
    files: dict[str, Path], root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with zipfile.ZipFile(files["mlx-metal"]) as wheel:
        for name in wheel.namelist():
            if ".dist-info/" in name:
                wheel.extract(name, tmp_path)
            elif name.startswith("mlx/lib/") and not name.endswith("/"):
                place = tmp_path / name  # its name is enough
                place.parent.mkdir(parents=True, exist_ok=True)
                place.touch()
    monkeypatch.syspath_prepend(str(tmp_path))
    assert distribution("mlx-metal").locate_file("") == tmp_path
    hook = hooked(monkeypatch, root)
    lib = tmp_path / "mlx" / "lib"
    names = ("libmlx.dylib", "libjaccl.dylib")
    assert hook.binaries == [(str(lib / name), "mlx/lib") for name in names]
    assert hook.datas == [(str(lib / "mlx.metallib"), "mlx/lib")]


def loaded(file: Path) -> int:
    """The size of a library of Linux without what is there for debuggers alone."""
    data = file.read_bytes()
    (at,) = struct.unpack_from("<Q", data, 32)
    size, count = struct.unpack_from("<2H", data, 54)
    parts = [struct.unpack_from("<I28xQ", data, at + size * number) for number in range(count)]
    return sum(length for kind, length in parts if kind == 1)


def estimate(wheels: dict[str, Wheel], frozen: Any) -> dict[str, float]:
    """The parts of the app in megabytes: the Mac's wheels, and the rest as it is on Linux."""
    pyside = wheels["pyside6-essentials"]
    metal = wheels["mlx-metal"]
    rest = [
        name for name in NEEDED if name not in ("pyside6-essentials", "mlx-metal", "pyinstaller")
    ]
    parts = {
        "MLX": sum(metal.bytes_of(file) for file in (*metal.code, *metal.metallibs)),
        "Qt": sum(pyside.bytes_of(file) for file in qt_files(pyside)),
        "other code": sum(
            wheels[name].bytes_of(file) for name in rest for file in wheels[name].code
        ),
        "Python": 0,
        "data": 0,
    }
    for target, source, kind in frozen.entries:
        if kind == "EXECUTABLE":
            parts["Python"] += Path(source).stat().st_size
        elif kind != "SYMLINK" and ("/lib-dynload/" in target or target.startswith(PYTHONS)):
            parts["Python"] += loaded(Path(source))
        elif kind == "DATA" and not target.startswith("app/resources/models/"):
            parts["data"] += Path(source).stat().st_size
    return {name: size / 1e6 for name, size in parts.items()}


@pytest.mark.skipif(sys.platform != "linux", reason="a Mac has the app itself to measure")
def test_the_app_is_not_too_big(wheels: dict[str, Wheel], frozen: Any) -> None:
    parts = estimate(wheels, frozen)
    print({name: round(size, 1) for name, size in parts.items()}, round(sum(parts.values()), 1))
    assert all(parts.values())
    assert sum(parts.values()) <= MOST_MEGABYTES, parts
