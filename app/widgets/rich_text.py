"""A block of Markdown as a styled document: Qt's reader, then the look's type and measures."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QUrl
from PySide6.QtGui import (
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextDocumentFragment,
    QTextFormat,
)

from app.theme import theme
from app.widgets.markdown import BREAK, JOIN, has_cjk, prepared
from app.widgets.rich_letters import HEADINGS, PAD, Letters, is_code, runs_of, select
from app.widgets.rich_table import PARAGRAPH_GAP, style_tables

Feature = QTextDocument.MarkdownFeature
# No HTML: the reader would drop what stands in <>. No indented code: prose often is indented.
FEATURES = Feature.MarkdownDialectGitHub | Feature.MarkdownNoHTML | Feature(0x10)
QUOTE_STEP = 14
ITEM_GAP = 4
RULE_LINE = 9
DEEPEST = 8  # lists and quotes one inside the other; deeper ones get no narrower

# Properties of ours on formats.
RULE = QTextFormat.Property.UserProperty + 3
CODED = QTextFormat.Property.UserProperty + 4


class Unfetched(QTextDocument):
    """A document that never reads an image or any other resource."""

    def loadResource(self, kind: int, name: QUrl | str) -> object:
        """Nothing, whatever is asked for."""
        return None


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
    letters = Letters(upright=has_cjk(text))
    previous: QTextBlock | None = None
    for block in list(_blocks(document)):
        coded = letters.style(block)
        _style_block(block, previous, line, first=first and previous is None, coded=coded)
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


def plain(text: QTextDocumentFragment) -> str:
    """`text` as it was written, without what only makes room."""
    document = Unfetched()
    cursor = QTextCursor(document)
    cursor.insertFragment(text)
    runs = [run for block in _blocks(document) for run in runs_of(block)]
    for run in reversed(runs):
        if run.format.hasProperty(PAD):
            select(cursor, run.start, len(run.text))
            cursor.removeSelectedText()
    return document.toPlainText()


def _style_block(
    block: QTextBlock, previous: QTextBlock | None, line: int, *, first: bool, coded: bool
) -> None:
    was = block.blockFormat()
    look = theme()
    level = was.headingLevel()
    made = QTextBlockFormat(was)
    for name in _MARGINS:
        made.clearProperty(name)
    if (items := block.textList()) is None:
        made.clearProperty(QTextFormat.Property.BlockMarker)
        made.setIndent(min(DEEPEST, was.indent()))
    elif items.format().indent() > DEEPEST:
        form = items.format()
        form.setIndent(DEEPEST)
        items.setFormat(form)
    if was.hasProperty(QTextFormat.Property.BlockTrailingHorizontalRulerWidth):
        made.clearProperty(QTextFormat.Property.BlockTrailingHorizontalRulerWidth)
        made.setProperty(RULE, True)
        line = RULE_LINE
    quote = min(DEEPEST, int(was.property(QTextFormat.Property.BlockQuoteLevel) or 0))
    made.setLeftMargin(QUOTE_STEP * quote)
    if coded:
        made.setProperty(CODED, True)
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
