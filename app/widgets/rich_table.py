"""Tables of an answer: no boxes, a hairline under each row, the head stronger."""

from __future__ import annotations

from PySide6.QtGui import (
    QFont,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFrameFormat,
    QTextTable,
    QTextTableCellFormat,
)

from app.theme import theme

PARAGRAPH_GAP = 10


def style_tables(document: QTextDocument) -> None:
    """Style the tables of `document`."""
    thin = QTextBlockFormat()
    thin.setLineHeight(1, QTextBlockFormat.LineHeightTypes.FixedHeight.value)
    for frame in document.rootFrame().childFrames():
        if isinstance(frame, QTextTable):
            _style_table(frame)
            # Qt keeps an empty line after a table, and before one that begins the text.
            for at in (frame.firstPosition() - 2, frame.lastPosition() + 1):
                block = document.findBlock(max(0, at))
                if not block.text() and QTextCursor(block).currentTable() is None:
                    QTextCursor(block).setBlockFormat(thin)


def _style_table(table: QTextTable) -> None:
    form = table.format()
    form.setBorder(0)
    form.setBorderCollapse(True)
    form.setCellSpacing(0)
    form.setCellPadding(0)
    form.setTopMargin(theme().px(PARAGRAPH_GAP))
    form.setBottomMargin(0)
    table.setFormat(form)
    columns = table.columns()
    for row in range(table.rows()):
        inner, last = _cell(row, last=False), _cell(row, last=True)
        for column in range(columns):
            cell = table.cellAt(row, column)
            cell.setFormat(last if column == columns - 1 else inner)
            _style_text(cell.firstCursorPosition().block(), head=row == 0)


def _cell(row: int, *, last: bool) -> QTextTableCellFormat:
    look = theme()
    made = QTextTableCellFormat()
    made.setTopPadding(look.px(5))
    made.setBottomPadding(look.px(5))
    made.setRightPadding(0 if last else look.px(20))
    made.setBottomBorder(1)
    made.setBottomBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
    made.setBottomBorderBrush(look.color("edge" if row == 0 else "line"))
    return made


def _style_text(block: QTextBlock, *, head: bool) -> None:
    form = block.blockFormat()
    form.setTopMargin(0)
    cursor = QTextCursor(block)
    cursor.setBlockFormat(form)
    if head:
        bold = QTextCharFormat()
        bold.setFontWeight(QFont.Weight.DemiBold)
        cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor)
        cursor.mergeCharFormat(bold)
