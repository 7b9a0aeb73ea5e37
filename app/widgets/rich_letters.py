"""The letters of an answer: bold, code, links, and the room that inline code takes."""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

from PySide6.QtCore import QUrl
from PySide6.QtGui import (
    QFont,
    QTextBlock,
    QTextCharFormat,
    QTextCursor,
    QTextFormat,
)

from app.theme import theme

SCHEMES = ("http", "https", "mailto")
CODE_PAD = 4  # either side of inline code
HEADINGS = {1: (18.0, 26, 18), 2: (16.0, 24, 18), 3: (14.0, 21, 14)}  # px, line, gap above

# Properties of ours on formats.
APART = QTextFormat.Property.UserProperty + 1
PAD = QTextFormat.Property.UserProperty + 2

_WIDE = "\u2e80"  # from here on letters between which a line may be broken
_OPENING = "「『（［｛〈《【〔"
_SYMBOLS = re.compile(r"[!-/:-@\[-^`{-~]{2,}|www")


class Run(NamedTuple):
    """Letters of one format: a copy, since Qt's own goes stale with the first edit."""

    start: int
    text: str
    format: QTextCharFormat


def runs_of(block: QTextBlock) -> list[Run]:
    """The runs of one format in `block`."""
    found = []
    at = block.begin()
    while not at.atEnd():
        part = at.fragment()
        found.append(Run(part.position(), part.text(), part.charFormat()))
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
        for run in reversed(runs_of(block)):
            was = run.format
            coded = coded or was.fontFixedPitch()
            if (made := self._format(was, level)) is not None:
                select(cursor, run.start, utf16(run.text))
                if was.isImageFormat():
                    alt = was.property(QTextFormat.Property.ImageAltText)
                    cursor.insertText(str(alt or was.toImageFormat().name()), made)
                else:
                    cursor.setCharFormat(made)
        if not coded or is_code(block):
            return False
        for run in reversed(runs_of(block)):
            if run.format.fontFixedPitch():
                _pad_code(cursor, block, run)
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


def _pad_code(cursor: QTextCursor, block: QTextBlock, run: Run) -> None:
    """Make room either side of inline code, and keep its symbols from joining into ligatures."""
    for symbols in _SYMBOLS.finditer(run.text):
        for at in range(symbols.start() + 1, symbols.end(), 2):
            apart = QTextCharFormat(run.format)
            apart.setProperty(APART, True)
            select(cursor, run.start + utf16(run.text[:at]), 1)
            cursor.setCharFormat(apart)
    last = len(run.text) - 1
    while last > 0 and unicodedata.category(run.text[last]) in ("Mn", "Me", "Cf"):
        last -= 1  # a letter and what is joined to it stay together
    _widen(cursor, run.start + utf16(run.text[:last]), utf16(run.text[last:]))
    before = _before(block, run.start)
    if before.strip() and before < _WIDE:
        _widen(cursor, run.start - 1, 1)
        return
    # A line may end here: the room must then begin the next one, so it is a letter of its own.
    may_break = before >= _WIDE and before not in _OPENING
    pad = QTextCharFormat()
    pad.setProperty(QTextFormat.Property.FontPixelSize, 1)
    pad.setProperty(PAD, True)
    cursor.setPosition(run.start)
    cursor.insertText("\u200b\u202f" if may_break else "\u202f", pad)
    _widen(cursor, cursor.position() - 1, 1)


def _widen(cursor: QTextCursor, at: int, length: int) -> None:
    select(cursor, at, length)
    wide = cursor.charFormat()
    wide.setFontLetterSpacingType(QFont.SpacingType.AbsoluteSpacing)
    wide.setFontLetterSpacing(CODE_PAD)
    cursor.setCharFormat(wide)


def _before(block: QTextBlock, position: int) -> str:
    """The letter before `position`, "" at the start of the block."""
    units = block.text().encode("utf-16-le", "surrogatepass")
    return units[: 2 * (position - block.position())].decode("utf-16-le", "surrogatepass")[-1:]


def utf16(text: str) -> int:
    """How many of Qt's characters `text` takes."""
    return len(text) + sum(letter > "\uffff" for letter in text)


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
