"""A block of Markdown as a styled document: Qt's reader, then the look's type and measures."""

from __future__ import annotations

import re
from collections.abc import Iterator

from PySide6.QtCore import QUrl
from PySide6.QtGui import (
    QFont,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextDocumentFragment,
    QTextFormat,
    QTextFragment,
)

from app.theme import theme
from app.widgets.markdown import BREAK, JOIN, has_cjk, prepared
from app.widgets.rich_table import PARAGRAPH_GAP, style_tables

Feature = QTextDocument.MarkdownFeature
# No HTML: the reader would drop what stands in <>. No indented code: prose often is indented.
FEATURES = Feature.MarkdownDialectGitHub | Feature.MarkdownNoHTML | Feature(0x10)
SCHEMES = ("http", "https", "mailto")

CODE_PAD = 4  # either side of inline code
QUOTE_STEP = 14
HEADINGS = {1: (18.0, 26, 18), 2: (16.0, 24, 18), 3: (14.0, 21, 14)}  # px, line, gap above
ITEM_GAP = 4
RULE_LINE = 9

# Properties of ours on formats.
RULE = QTextFormat.Property.UserProperty + 1
APART = QTextFormat.Property.UserProperty + 2
PAD = QTextFormat.Property.UserProperty + 3

_PAD_LETTER = "\u202f"  # a space at which no line is broken

_SYMBOLS = re.compile(r"[!-/:-@\[-^`{-~]{2,}|www")


class Unfetched(QTextDocument):
    """A document that never reads an image or any other resource."""

    def loadResource(self, kind: int, name: QUrl | str) -> object:
        """Nothing, whatever is asked for."""
        return None


def is_safe(url: QUrl | str) -> bool:
    """Whether a link may be opened: http, https and mailto only."""
    return QUrl(url).scheme().lower() in SCHEMES


def line_of(text: str) -> int:
    """The height of a line of a message: Japanese stands on a taller one."""
    return theme().px(22) if has_cjk(text) else theme().line_height("body")


def body_format(line: int, gap: float = 0) -> QTextBlockFormat:
    """A paragraph of a message, `gap` below what stands above it."""
    made = QTextBlockFormat()
    made.setLineHeight(line, QTextBlockFormat.LineHeightTypes.FixedHeight.value)
    made.setTopMargin(gap)
    return made


def render(text: str, *, first: bool) -> QTextDocument:
    """`text`, one block of an answer, drawn; `first` stands at the top, without a gap."""
    document = Unfetched()
    document.setUndoRedoEnabled(False)
    document.setDefaultFont(theme().font("body"))
    document.setMarkdown(prepared(text), FEATURES)
    edit = QTextCursor(document)
    edit.beginEditBlock()  # one change, not hundreds
    _restore(document)
    line = line_of(text)
    letters = _Letters(upright=has_cjk(text))
    previous: QTextBlock | None = None
    for block in list(_blocks(document)):
        letters.style(block)
        _style_block(block, previous, line, first=first and previous is None)
        previous = block
    style_tables(document)
    edit.endEditBlock()
    return document


def _blocks(document: QTextDocument) -> Iterator[QTextBlock]:
    block = document.begin()
    while block.isValid():
        yield block
        block = block.next()


def _restore(document: QTextDocument) -> None:
    """Put the kept line ends back and take the helping characters out."""
    for mark, instead in ((f" {BREAK} ", "\u2028"), (f" {BREAK}", ""), (JOIN, "")):
        found = document.find(mark)
        while not found.isNull():
            found.insertText(instead)
            found = document.find(mark, found)
    head = document.begin()
    if (
        not head.text()
        and head.next().isValid()
        and QTextCursor(head.next()).currentTable() is None
    ):
        QTextCursor(head).deleteChar()  # Qt's, before a rule


def fragments(block: QTextBlock) -> list[QTextFragment]:
    """The runs of one format in `block`."""
    found = []
    at = block.begin()
    while not at.atEnd():
        found.append(at.fragment())
        at += 1
    return found


class _Letters:
    """Gives runs of letters their look: what they mean is kept, how they look is ours."""

    def __init__(self, *, upright: bool) -> None:
        self._upright = upright  # Japanese has no italics
        self._made: dict[tuple[object, ...], QTextCharFormat] = {}

    def style(self, block: QTextBlock) -> None:
        """Style the runs of `block`."""
        level = min(block.blockFormat().headingLevel(), 3)
        cursor = QTextCursor(block)
        coded = False
        for part in reversed(fragments(block)):
            was = part.charFormat()
            coded = coded or was.fontFixedPitch()
            if (made := self._format(was, level)) is not None:
                _select(cursor, part.position(), part.length())
                if was.isImageFormat():
                    alt = was.property(QTextFormat.Property.ImageAltText)
                    cursor.insertText(str(alt or was.toImageFormat().name()), made)
                else:
                    cursor.setCharFormat(made)
        if coded and not is_code(block):
            for part in reversed(fragments(block)):
                if part.charFormat().fontFixedPitch():
                    _pad_code(cursor, block, part)

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
            _select(cursor, start + at, 1)
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
    _select(cursor, at, 1)
    wide = cursor.charFormat()
    wide.setFontLetterSpacingType(QFont.SpacingType.AbsoluteSpacing)
    wide.setFontLetterSpacing(CODE_PAD)
    cursor.setCharFormat(wide)


def plain(text: QTextDocumentFragment) -> str:
    """`text` as it was written, without what only makes room."""
    document = Unfetched()
    cursor = QTextCursor(document)
    cursor.insertFragment(text)
    for block in _blocks(document):
        for part in reversed(fragments(block)):
            if part.charFormat().hasProperty(PAD):
                _select(cursor, part.position(), part.length())
                cursor.removeSelectedText()
    return document.toPlainText()


def _select(cursor: QTextCursor, start: int, length: int) -> None:
    cursor.setPosition(start)
    cursor.setPosition(start + length, QTextCursor.MoveMode.KeepAnchor)


def is_code(block: QTextBlock) -> bool:
    """Whether `block` is a line of a code block inside a quote or a list."""
    return block.blockFormat().hasProperty(QTextFormat.Property.BlockCodeFence)


def _style_block(block: QTextBlock, previous: QTextBlock | None, line: int, *, first: bool) -> None:
    was = block.blockFormat()
    look = theme()
    level = was.headingLevel()
    made = QTextBlockFormat(was)
    for name in _MARGINS:
        made.clearProperty(name)
    if block.textList() is None:
        made.clearProperty(QTextFormat.Property.BlockMarker)
    if was.hasProperty(QTextFormat.Property.BlockTrailingHorizontalRulerWidth):
        made.clearProperty(QTextFormat.Property.BlockTrailingHorizontalRulerWidth)
        made.setProperty(RULE, True)
        line = RULE_LINE
    quote = int(was.property(QTextFormat.Property.BlockQuoteLevel) or 0)
    made.setLeftMargin(QUOTE_STEP * quote)
    if is_code(block):
        line = look.line_height("code")
    elif level:
        line = look.px(HEADINGS[min(level, 3)][1])
    made.setLineHeight(line, QTextBlockFormat.LineHeightTypes.FixedHeight.value)
    gap = 0 if first else look.px(_gap(block, previous))
    made.setTopMargin(gap)
    cursor = QTextCursor(block)
    cursor.setBlockFormat(made)
    cursor.setBlockCharFormat(QTextCharFormat())  # of it a list's mark is drawn


_MARGINS = (
    QTextFormat.Property.BlockTopMargin,
    QTextFormat.Property.BlockBottomMargin,
    QTextFormat.Property.BlockLeftMargin,
    QTextFormat.Property.BlockRightMargin,
    QTextFormat.Property.BlockNonBreakableLines,
)


def _gap(block: QTextBlock, previous: QTextBlock | None) -> int:
    """What `block` keeps from the one above it."""
    level = block.blockFormat().headingLevel()
    if level:
        return HEADINGS[min(level, 3)][2]
    if previous is None:
        return PARAGRAPH_GAP
    if is_code(block) and is_code(previous):
        return 0
    return ITEM_GAP if _is_next_item(block, previous) else PARAGRAPH_GAP


def _is_next_item(block: QTextBlock, previous: QTextBlock) -> bool:
    """Whether both are items of one list or of lists one inside the other."""
    ours, theirs = block.textList(), previous.textList()
    if ours is None or theirs is None:
        return False
    return (
        ours is theirs
        or ours.format().indent() != theirs.format().indent()
        or ours.itemNumber(block) > 0
    )
