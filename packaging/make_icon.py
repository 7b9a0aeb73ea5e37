"""Draws packaging/icon.icns: resources/icon.svg, and icon-small.svg for 32 pixels and fewer.

.venv/bin/python packaging/make_icon.py FILE.icns
"""

from __future__ import annotations

import os
import re
import struct
import sys
from pathlib import Path

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import (
    QApplication,
    QGraphicsDropShadowEffect,
    QGraphicsPixmapItem,
    QGraphicsScene,
)

RESOURCES = Path(__file__).resolve().parent.parent / "resources"
# What macOS asks for: the type of an entry and its pixels; "@2x" ones are of half as many points.
ENTRIES = {
    b"icp4": 16, b"ic11": 32, b"icp5": 32, b"ic12": 64, b"ic07": 128, b"ic13": 256,
    b"ic08": 256, b"ic14": 512, b"ic09": 512, b"ic10": 1024,
}  # fmt: skip
SMALL = 32
CLIPPED = re.compile("<g clip-path.*?</g>")
DRAWN = 512  # the measure of the drawing, in which its shadow is told
SHADOW_DOWN, SHADOW_BLUR, SHADOW_ALPHA = 5.0, 20.0, 0.28


def icns() -> bytes:
    """The file: entries of a type, a length and a PNG. Needs a QApplication."""
    body = b""
    for kind, pixels in ENTRIES.items():
        picture = png(pixels)
        body += kind + struct.pack(">I", len(picture) + 8) + picture
    return b"icns" + struct.pack(">I", len(body) + 8) + body


def png(pixels: int) -> bytes:
    """The icon, `pixels` wide and high."""
    name = "icon-small" if pixels <= SMALL else "icon"
    drawing = (RESOURCES / f"{name}.svg").read_text("utf-8")
    image = _drawn(drawing, pixels)
    if pixels > SMALL:  # Qt knows neither the clip nor the shadow of the drawing
        _clip(image, _drawn(CLIPPED.sub("", drawing), pixels))
        image = _shadowed(image, pixels / DRAWN)
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")
    return bytes(data.data())


def _drawn(drawing: str, pixels: int) -> QImage:
    image = QImage(pixels, pixels, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    QSvgRenderer(QByteArray(drawing.encode())).render(painter)
    painter.end()
    return image


def _clip(image: QImage, shape: QImage) -> None:
    painter = QPainter(image)
    painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_DestinationIn)
    painter.drawImage(0, 0, shape)
    painter.end()


def _shadowed(image: QImage, scale: float) -> QImage:
    scene, item = QGraphicsScene(), QGraphicsPixmapItem(QPixmap.fromImage(image))
    shadow = QGraphicsDropShadowEffect()
    shadow.setOffset(0, SHADOW_DOWN * scale)
    shadow.setBlurRadius(SHADOW_BLUR * scale)
    shadow.setColor(QColor.fromRgbF(0, 0, 0, SHADOW_ALPHA))
    item.setGraphicsEffect(shadow)
    scene.addItem(item)
    under = QImage(image.size(), image.format())
    under.fill(Qt.GlobalColor.transparent)
    painter = QPainter(under)
    area = image.rect().toRectF()
    scene.render(painter, area, area)
    painter.end()
    return under


if __name__ == "__main__":
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    application = QApplication([])
    Path(sys.argv[1]).write_bytes(icns())
