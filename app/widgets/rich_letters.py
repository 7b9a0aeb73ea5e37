"""The letters of an answer: bold, code, links, and the room that inline code takes."""

from __future__ import annotations

import re

from PySide6.QtCore import QUrl
from PySide6.QtGui import (
    QFont,
    QTextBlock,
    QTextCharFormat,
    QTextCursor,
    QTextFormat,
    QTextFragment,
)

from app.theme import theme

SCHEMES = ("http", "https", "mailto")
CODE_PAD = 4  # either side of inline code
HEADINGS = {1: (18.0, 26, 18), 2: (16.0, 24, 18), 3: (14.0, 21, 14)}  # px, line, gap above

# Properties of ours on formats.
APART = QTextFormat.Property.UserProperty + 1
PAD = QTextFormat.Property.UserProperty + 2

_PAD_LETTER = "\u202f"  # a space at which no line is broken
_SYMBOLS = re.compile(r"[!-/:-@\[-^`{-~]{2,}|www")


def fragments(block: QTextBlock) -> list[QTextFragment]:
    """The runs of one format in `block`."""
    found = []
    at = block.begin()
    while not at.atEnd():
        found.append(at.fragment())
        at += 1
    return found


class Letters:
    """Gives runs of letters their look: what they mean is kept, how they look is ours."""

    def __init__(self, *, upright: bool) -> None:
        self._upright = upright  # Japanese has no italics
        self._made: dict[tuple[object, ...], QTextCharFormat] = {}

    def style(self, block: QTextBlock) -> bool:
        """Style the runs of `block`; whether it holds inline code."""
        level = min(block.blockFormat().headingLevel(), 3)
        cursor = QTextCursor(block)
        coded = False
        for part in reversed(fragments(block)):
            was = part.charFormat()
            coded = coded or was.fontFixedPitch()
            if (made := self._format(was, level)) is not None:
                select(cursor, part.position(), part.length())
                if was.isImageFormat():
                    alt = was.property(QTextFormat.Property.ImageAltText)
                    cursor.insertText(str(alt or was.toImageFormat().name()), made)
                else:
                    cursor.setCharFormat(made)
        if not coded or is_code(block):
            return False
        for part in reversed(fragments(block)):
            if part.charFormat().fontFixedPitch():
                _pad_code(cursor, block, part)
        return True

    def _format(self, was: QTextCharFormat, level: int) -> QTextCharFormat | None:
        """The format of a run that was read as `was`; None for plain text."""
        image = was.isImageFormat()
        link = was.toImageFormat().name() if image else was.anchorHref()
        strong = bool(level) or was.fontWeight() > QFont.Weight.Medium
        italic = was.fontItalic() and not self._upright
        key = (level, strong, italic, was.fontFixedPitch(), was.fontStrikeOut(), link)
        if not any(key) and not image:
            return None
        if key not in self._made:
            self._made[key] = _letters(*key)
        return self._made[key]


def _letters(
    level: int, strong: bool, italic: bool, fixed: bool, struck: bool, link: str
) -> QTextCharFormat:
    look = theme()
    made = QTextCharFormat()
    size = HEADINGS[level][0] if level else 14.0
    if fixed:
        made.setFont(look.font("code", bold=strong, px=0.875 * size))
    elif strong:
        made.setFont(look.font("body", bold=True, px=size))
    made.setFontFixedPitch(fixed)
    made.setFontItalic(italic)
    made.setFontStrikeOut(struck)
    if link and is_safe(link):
        made.setAnchor(True)
        made.setAnchorHref(link)
        made.setForeground(look.color("accent"))
    return made


def _pad_code(cursor: QTextCursor, block: QTextBlock, part: QTextFragment) -> None:
    """Make room either side of inline code, and keep its symbols from joining into ligatures."""
    start, text, made = part.position(), part.text(), part.charFormat()
    for run in _SYMBOLS.finditer(text):
        for at in range(run.start() + 1, run.end(), 2):
            apart = QTextCharFormat(made)
            apart.setProperty(APART, True)
            select(cursor, start + at, 1)
            cursor.setCharFormat(apart)
    _widen(cursor, start + len(text) - 1)
    before = block.text()[: start - block.position()][-1:]
    if before.strip():
        _widen(cursor, start - 1)
    else:  # the space may end a line: the room must then begin the next
        cursor.setPosition(start)
        pad = QTextCharFormat()
        pad.setProperty(QTextFormat.Property.FontPixelSize, 1)
        pad.setProperty(PAD, True)
        cursor.insertText(_PAD_LETTER, pad)
        _widen(cursor, start)


def _widen(cursor: QTextCursor, at: int) -> None:
    select(cursor, at, 1)
    wide = cursor.charFormat()
    wide.setFontLetterSpacingType(QFont.SpacingType.AbsoluteSpacing)
    wide.setFontLetterSpacing(CODE_PAD)
    cursor.setCharFormat(wide)


def select(cursor: QTextCursor, start: int, length: int) -> None:
    """Select `length` letters from `start` on."""
    cursor.setPosition(start)
    cursor.setPosition(start + length, QTextCursor.MoveMode.KeepAnchor)


def is_code(block: QTextBlock) -> bool:
    """Whether `block` is a line of a code block inside a quote or a list."""
    return block.blockFormat().hasProperty(QTextFormat.Property.BlockCodeFence)


def is_safe(url: QUrl | str) -> bool:
    """Whether a link may be opened: http, https and mailto only."""
    return QUrl(url).scheme().lower() in SCHEMES
