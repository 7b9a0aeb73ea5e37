"""On Linux every package of packaging/apt.txt is here: a failing test names the one that is not."""

from __future__ import annotations

import ctypes
import shutil
import sys
import sysconfig
from importlib.util import find_spec
from pathlib import Path

import pytest
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import QApplication

PROGRAMS = {"g++": "g++", "clang": "clang", "binutils": "objdump"}
FONTS = {
    "fonts-inter": "Inter",
    "fonts-jetbrains-mono": "JetBrains Mono",
    "fonts-noto-core": "Noto Sans",
    "fonts-noto-cjk": "Noto Sans CJK JP",
}
LIBRARIES = {
    "libopenblas0-pthread": "libopenblas.so.0",
    "libdbus-1-3": "libdbus-1.so.3",
    "libegl1": "libEGL.so.1",
    "libfontconfig1": "libfontconfig.so.1",
    "libfreetype6": "libfreetype.so.6",
    "libgl1": "libGL.so.1",
    "libglib2.0-0": "libglib-2.0.so.0",
    "libgssapi-krb5-2": "libgssapi_krb5.so.2",
    "libxkbcommon0": "libxkbcommon.so.0",
    "libx11-xcb1": "libX11-xcb.so.1",
    "libxcb-cursor0": "libxcb-cursor.so.0",
    "libxcb-icccm4": "libxcb-icccm.so.4",
    "libxcb-image0": "libxcb-image.so.0",
    "libxcb-keysyms1": "libxcb-keysyms.so.1",
    "libxcb-randr0": "libxcb-randr.so.0",
    "libxcb-render-util0": "libxcb-render-util.so.0",
    "libxcb-shape0": "libxcb-shape.so.0",
    "libxcb-util1": "libxcb-util.so.1",
    "libxcb-xkb1": "libxcb-xkb.so.1",
    "libxkbcommon-x11-0": "libxkbcommon-x11.so.0",
}
PYTHONS = {"python3-venv", "libpython3-dev"}

on_linux = pytest.mark.skipif(sys.platform != "linux", reason="these are Debian's packages")


def test_the_list_has_no_package_that_nothing_checks(root: Path) -> None:
    lines = (root / "packaging" / "apt.txt").read_text("utf-8").splitlines()
    listed = {line for line in lines if line and not line.startswith("#")}
    assert listed == {*PROGRAMS, *FONTS, *LIBRARIES, *PYTHONS}


@on_linux
@pytest.mark.parametrize("package", PROGRAMS)
def test_a_program_of_a_debian_package_is_here(package: str) -> None:
    assert shutil.which(PROGRAMS[package]), f"install the Debian package {package}"


@on_linux
@pytest.mark.parametrize("package", LIBRARIES)
def test_a_library_of_a_debian_package_is_here(package: str) -> None:
    try:
        ctypes.CDLL(LIBRARIES[package])
    except OSError:
        pytest.fail(f"install the Debian package {package}: there is no {LIBRARIES[package]}")


@on_linux
@pytest.mark.parametrize("package", FONTS)
def test_a_font_of_a_debian_package_is_here(package: str, qapp: QApplication) -> None:
    assert FONTS[package] in QFontDatabase.families(), f"install the Debian package {package}"


@on_linux
def test_python_can_make_environments_and_be_frozen() -> None:
    assert find_spec("venv"), "install the Debian package python3-venv"
    assert find_spec("ensurepip"), "install the Debian package python3-venv"
    assert sysconfig.get_config_var("Py_ENABLE_SHARED"), "this Python has no shared library"
