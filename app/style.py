"""The application's palette and style sheet, made from the colours of the theme."""

from __future__ import annotations

import sys
from collections.abc import Callable
from string import Template

from PySide6.QtGui import QColor, QPalette

from engine import paths

SELECTION = 0.22  # share of accent over the ground of selected text


def palette(colors: dict[str, QColor]) -> QPalette:
    """The palette: what Qt's own drawing takes its colours from."""
    made = QPalette()
    role = QPalette.ColorRole
    chosen = QColor(colors["accent"])
    chosen.setAlphaF(SELECTION)
    for which, color in (
        (role.Window, colors["content"]),
        (role.WindowText, colors["text"]),
        (role.Base, colors["content"]),
        (role.AlternateBase, colors["fill"]),
        (role.Text, colors["text"]),
        (role.Button, colors["raised"]),
        (role.ButtonText, colors["text"]),
        (role.BrightText, colors["onAccent"]),
        (role.Light, colors["raisedHover"]),
        (role.Midlight, colors["line"]),
        (role.Mid, colors["edge"]),
        (role.Dark, colors["text3"]),
        (role.Shadow, colors["edge"]),
        (role.Highlight, chosen),
        (role.HighlightedText, colors["text"]),
        (role.PlaceholderText, colors["text3"]),
        (role.Accent, colors["accent"]),
        (role.Link, colors["accent"]),
        (role.LinkVisited, colors["accent"]),
        (role.ToolTipBase, colors["raised"]),
        (role.ToolTipText, colors["text"]),
    ):
        made.setColor(which, color)
    for which in (role.WindowText, role.Text, role.ButtonText, role.PlaceholderText):
        made.setColor(QPalette.ColorGroup.Disabled, which, colors["disabled"])
    return made


def sheet(colors: dict[str, QColor], px: Callable[[float], int]) -> str:
    """The style sheet; off macOS also scroll bars, menus and tips, which are native there."""
    names = {name: color.name() for name, color in colors.items()}
    # White on a light ground; on a dark one the raised ground would hardly be seen.
    dark = colors["content"].lightnessF() < 0.5
    names["knob"] = names["text2" if dark else "raised"]
    names["tipSize"] = str(px(12))
    files = ["controls.qss"] if sys.platform == "darwin" else ["controls.qss", "elsewhere.qss"]
    folder = paths.resources() / "style"
    texts = [(folder / file).read_text("utf-8") for file in files]
    return Template("\n".join(texts)).substitute(names)
