"""What is painted under the letters of a message: inline code, quotes and rules."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF
from PySide6.QtGui import QPainter, QTextBlock, QTextCursor, QTextFormat, QTextLine
from PySide6.QtWidgets import QTextBrowser, QTextEdit

from app.theme import theme
from app.widgets.button_base import rounded
from app.widgets.rich_letters import CODE_PAD, runs_of, select, utf16
from app.widgets.rich_text import CODED, QUOTE_STEP, RULE

CHIP_ABOVE, CHIP_BELOW = 13, 5  # of inline code, from its baseline


def paint(view: QTextBrowser, painter: QPainter, area: QRect) -> None:
    """Paint the marks of the blocks that stand in `area` of `view`."""
    layout = view.document().documentLayout()
    for block in _from(view, area.top()):
        place = layout.blockBoundingRect(block)
        if place.top() > area.bottom() and QTextCursor(block).currentTable() is None:
            return
        origin = place.topLeft()
        form = block.blockFormat()
        if form.hasProperty(RULE):
            wide = view.width() - 2 * place.left()
            line = QRectF(place.left(), round(place.center().y()), wide, 1)
            painter.fillRect(line, theme().color("line"))
        if form.hasProperty(QTextFormat.Property.BlockQuoteLevel):
            _paint_quote(painter, place, int(form.leftMargin()))
        if form.hasProperty(CODED):
            _paint_code(painter, block, origin)


def _from(view: QTextBrowser, top: int) -> Iterator[QTextBlock]:
    """The blocks of `view` from the one at `top`; a table from its first cell."""
    cursor = view.cursorForPosition(QPoint(0, top))
    table = cursor.currentTable()
    block = table.firstCursorPosition().block() if table else cursor.block()
    while block.isValid():
        yield block
        block = block.next()


def _paint_quote(painter: QPainter, place: QRectF, margin: int) -> None:
    for step in range(0, margin, QUOTE_STEP):
        bar = QRectF(place.x() + step, place.y() + 3, 2, place.height())
        painter.fillRect(bar, theme().color("track"))


def _paint_code(painter: QPainter, block: QTextBlock, origin: QPointF) -> None:
    pieces: list[tuple[int, int]] = []
    for run in runs_of(block):
        if run.format.fontFixedPitch():
            start = run.start - block.position()
            end = start + utf16(run.text)
            if pieces and pieces[-1][1] == start:  # one piece of code in several formats
                start = pieces.pop()[0]
            pieces.append((start, end))
    layout = block.layout()
    for start, end in pieces:
        for number in range(layout.lineCount()):
            line = layout.lineAt(number)
            first = max(start, line.textStart())
            last = min(end, line.textStart() + line.textLength())
            if first < last:
                _paint_chip(painter, line, origin, first, last)


def _paint_chip(painter: QPainter, line: QTextLine, origin: QPointF, first: int, last: int) -> None:
    look = theme()
    left = _x(line, first) - CODE_PAD
    right = _x(line, last)
    base = origin.y() + line.y() + line.ascent()
    top, bottom = base - look.px(CHIP_ABOVE), base + look.px(CHIP_BELOW)
    chip = QRectF(origin.x() + left, round(top), right - left, round(bottom - top))
    rounded(painter, chip, 4, look.color("fill"))


def _x(line: QTextLine, at: int) -> float:
    x, _ = cast("tuple[float, int]", line.cursorToX(at))  # PySide gives the position back too
    return x


def link_at(view: QTextBrowser, point: QPoint) -> QTextEdit.ExtraSelection | None:
    """The link under `point`, underlined."""
    at = view.cursorForPosition(point)
    for run in runs_of(at.block()):
        end = run.start + utf16(run.text)
        if run.start <= at.position() <= end and run.format.isAnchor():
            found = QTextEdit.ExtraSelection()
            cursor = QTextCursor(view.document())
            select(cursor, run.start, end - run.start)
            found.cursor = cursor  # type: ignore[attr-defined]
            found.format.setFontUnderline(True)  # type: ignore[attr-defined]
            return found
    return None
