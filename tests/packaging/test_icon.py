"""The Mac's icon holds every size that macOS asks for, as the drawing gives it today."""

from __future__ import annotations

import importlib.util
import struct
from pathlib import Path
from types import ModuleType

import pytest
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication


@pytest.fixture(scope="module")
def make_icon(root: Path) -> ModuleType:
    """packaging/make_icon.py, loaded by its path."""
    spec = importlib.util.spec_from_file_location("make_icon", root / "packaging" / "make_icon.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def entries(file: Path) -> dict[bytes, QImage]:
    """What an .icns file holds, by its types."""
    data, found, at = file.read_bytes(), {}, 8
    assert data[:4] == b"icns"
    assert struct.unpack(">I", data[4:8]) == (len(data),)
    while at < len(data):
        kind, length = data[at : at + 4], struct.unpack(">I", data[at + 4 : at + 8])[0]
        image = QImage()
        assert image.loadFromData(data[at + 8 : at + length], "PNG")
        found[kind] = image
        at += length
    return found


@pytest.mark.usefixtures("qapp")
def test_it_has_all_ten_sizes(root: Path, make_icon: ModuleType) -> None:
    found = entries(root / "packaging" / "icon.icns")
    assert {kind: image.width() for kind, image in found.items()} == make_icon.ENTRIES
    assert len(found) == 10
    assert all(image.hasAlphaChannel() for image in found.values())
    assert all(image.width() == image.height() for image in found.values())


@pytest.mark.usefixtures("qapp")
def test_it_is_what_the_drawing_gives(root: Path, make_icon: ModuleType, tmp_path: Path) -> None:
    assert QApplication.instance()
    (tmp_path / "new.icns").write_bytes(make_icon.icns())
    new, kept = entries(tmp_path / "new.icns"), entries(root / "packaging" / "icon.icns")
    for kind, image in kept.items():
        assert _apart(image, new[kind]) < 8, kind  # of 255: machines round in different ways


@pytest.mark.usefixtures("qapp")
def test_its_margin_is_clear_and_it_stands_in_the_middle(root: Path) -> None:
    image = entries(root / "packaging" / "icon.icns")[b"ic10"]
    wide = image.width()
    for at in (0, wide // 2, wide - 1):
        for corner in ((at, 0), (0, at), (wide - 1, at)):
            assert image.pixelColor(*corner).alpha() == 0
    assert image.pixelColor(wide // 2, wide // 5).alpha() == 255


def _apart(one: QImage, other: QImage) -> int:
    """The most that a channel of a pixel differs, on a grid of them."""
    assert one.size() == other.size()
    grid = range(0, one.width(), max(1, one.width() // 64))
    return max(
        abs(mine - theirs)
        for x in grid
        for y in grid
        for mine, theirs in zip(_channels(one, x, y), _channels(other, x, y), strict=True)
    )


def _channels(image: QImage, x: int, y: int) -> tuple[int, ...]:
    color = image.pixelColor(x, y)
    alpha = color.alpha()
    return (alpha, *(value * alpha // 255 for value in (color.red(), color.green(), color.blue())))
