"""The composer's text: long lines kept in pieces, an accent caret, a guard for input methods."""

from __future__ import annotations

import re

from PySide6.QtCore import QMimeData, QPointF, QRect, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QFontMetricsF,
    QGuiApplication,
    QInputMethodEvent,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QTextBlock,
    QTextBlockFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextOption,
)
from PySide6.QtWidgets import QFrame, QPlainTextDocumentLayout, QPlainTextEdit, QWidget

from app.theme import theme
from app.widgets.copied import plain_data
from app.widgets.long_lines import fitting
from app.widgets.markdown import visible

MOST_LINES = 8
LINE = 22  # one more than a message's, so that kana and kanji have room
SIDE = 2  # around the text, so that the caret can stand before its first letter
CARET_WIDTH, CARET_HEIGHT = 2, 16
# Laying out one line of 400,000 characters takes seconds; such a line is kept in pieces, each a
# block that says it goes on from the one before, and read back as one line.
PIECE = 500
_GOES_ON = int(QTextFormat.Property.UserProperty) + 1
_LINE_SEPARATOR = "\u2028"
_NEWLINES = re.compile("\r\n|[\r\u0085\u2028\u2029]")
_FRAMES = dict.fromkeys(range(0xFDD0, 0xFDF0), "\ufffd")  # a document keeps two for itself


def clean(text: str) -> str:
    """`text` as the composer takes it: newlines as "\\n", control characters as visible signs."""
    return visible(_NEWLINES.sub("\n", text)).translate(_FRAMES)


class SpacedLayout(QPlainTextDocumentLayout):
    """Lines of one height, text in their middle; a plain text edit cannot do that by itself."""

    line_height = float(LINE)
    baseline = 15.0

    def blockBoundingRect(self, block: QTextBlock) -> QRectF:
        """The block's place, its lines moved to their distance."""
        rect = super().blockBoundingRect(block)
        layout = block.layout()
        for index in range(layout.lineCount()):
            line = layout.lineAt(index)
            y = index * self.line_height + self.baseline - line.ascent()
            if line.y() != y:
                line.setPosition(QPointF(line.x(), y))
        return QRectF(0, 0, rect.width(), layout.lineCount() * self.line_height)


class ComposerText(QPlainTextEdit):
    """Signals: submitted() on Return; lines_changed(); composing_changed(bool) while an input
    method composes; previous_wanted() on Up in an empty text; escaped() on Esc; focus_changed()."""

    submitted = Signal()
    lines_changed = Signal()
    composing_changed = Signal(bool)
    previous_wanted = Signal()
    escaped = Signal()
    focus_changed = Signal()
    most_lines = MOST_LINES

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.composing = False
        self._placeholder = ""
        self._lines = 1
        self._caret_on = True
        self._scrolls = False
        document = QTextDocument(self)
        self._spaced = SpacedLayout(document)
        document.setDocumentLayout(self._spaced)
        document.setDocumentMargin(SIDE)
        self.setDocument(document)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setTabChangesFocus(True)
        self.setCursorWidth(0)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._blink = QTimer(self)
        self._blink.timeout.connect(self._blink_caret)
        self.cursorPositionChanged.connect(self._show_caret)
        self.textChanged.connect(self._count_lines)
        self.verticalScrollBar().valueChanged.connect(self._hold_still)
        theme().changed.connect(self.restyle)
        self.restyle()

    def text(self) -> str:
        """What was typed and pasted, its long lines whole again."""
        return self._between(0, self.document().characterCount())

    def set_text(self, text: str) -> None:
        """Replace all, with the caret at the end; the way back is forgotten."""
        self.clear()
        self._insert(text)
        self.document().clearUndoRedoStacks()
        self.moveCursor(QTextCursor.MoveOperation.End)

    def is_blank(self) -> bool:
        """Whether there is nothing but white space."""
        return not self.text().strip()

    def set_placeholder(self, text: str) -> None:
        """What stands there while it is empty."""
        self._placeholder = text
        self.viewport().update()

    def lines(self) -> int:
        """The lines to show, 1 to `most_lines`."""
        return self._lines

    def restyle(self) -> None:
        """Take the theme's font and line anew."""
        look = theme()
        font = look.font("body")
        metrics = QFontMetricsF(font)
        self.setFont(font)
        self.document().setDefaultFont(font)
        height = look.px(LINE)
        self._spaced.line_height = height
        self._spaced.baseline = round((height - metrics.height()) / 2 + metrics.ascent())
        self.document().markContentsDirty(0, self.document().characterCount())
        self._count_lines()
        self.viewport().update()

    def sizeHint(self) -> QSize:
        """As high as its lines."""
        return QSize(300, self._lines * theme().px(LINE) + 2 * SIDE)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Return sends, Shift-Return breaks the line; neither while an input method composes."""
        key, held = event.key(), event.modifiers()
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if self.composing:
                return
            breaks = Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.AltModifier
            if held & breaks and not held & Qt.KeyboardModifier.ControlModifier:
                self.textCursor().insertText(_LINE_SEPARATOR)
                self.ensureCursorVisible()
            else:
                self.submitted.emit()
        elif key == Qt.Key.Key_Up and self.document().isEmpty() and not self.composing:
            self.previous_wanted.emit()
        elif key == Qt.Key.Key_Escape and not self.composing:
            self.escaped.emit()
        else:
            super().keyPressEvent(event)

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        """Know whether text is being composed."""
        super().inputMethodEvent(event)
        composing = bool(event.preeditString())
        if composing != self.composing:
            self.composing = composing
            self.composing_changed.emit(composing)
        self._count_lines()

    def insertFromMimeData(self, source: QMimeData) -> None:
        """Paste and drop as plain text."""
        if source.hasText():
            self._insert(source.text())
            self.ensureCursorVisible()

    def createMimeDataFromSelection(self) -> QMimeData:
        """Copy long lines whole."""
        cursor = self.textCursor()
        return plain_data(self._between(cursor.selectionStart(), cursor.selectionEnd()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width has other lines."""
        super().resizeEvent(event)
        self._count_lines()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Start the caret."""
        super().focusInEvent(event)
        self.focus_changed.emit()
        self._show_caret()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Stop the caret."""
        super().focusOutEvent(event)
        self.focus_changed.emit()
        self._blink.stop()
        self.viewport().update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """The text, the placeholder, and a caret in the accent."""
        super().paintEvent(event)
        look = theme()
        painter = QPainter(self.viewport())
        if self.document().isEmpty() and not self.composing:
            painter.setFont(self.font())
            painter.setPen(look.color("text3"))
            metrics = QFontMetricsF(self.font())
            elide = Qt.TextElideMode.ElideRight
            words = metrics.elidedText(self._placeholder, elide, self.viewport().width() - 2 * SIDE)
            painter.drawText(QPointF(SIDE, SIDE + self._spaced.baseline), words)
        if self.hasFocus() and self._caret_on:
            painter.fillRect(self._caret(), look.color("accent"))

    def _caret(self) -> QRect:
        at, high = self.cursorRect(), theme().px(CARET_HEIGHT)
        return QRect(at.x() - 1, at.center().y() - high // 2 + 1, CARET_WIDTH, high)

    def _show_caret(self) -> None:
        self._caret_on = True
        flash = QGuiApplication.styleHints().cursorFlashTime()
        if flash > 0 and self.hasFocus():
            self._blink.start(flash // 2)
        self.viewport().update()

    def _blink_caret(self) -> None:
        self._caret_on = not self._caret_on
        self.viewport().update()

    def _count_lines(self) -> None:
        lines, block = 0, self.document().firstBlock()
        while block.isValid() and lines <= self.most_lines:
            self._spaced.blockBoundingRect(block)
            lines += max(1, block.layout().lineCount())
            block = block.next()
        self._scrolls = lines > self.most_lines
        policy = Qt.ScrollBarPolicy
        bar = policy.ScrollBarAsNeeded if self._scrolls else policy.ScrollBarAlwaysOff
        self.setVerticalScrollBarPolicy(bar)
        self._hold_still()
        lines = min(self.most_lines, lines)
        if lines != self._lines:
            self._lines = lines
            self.updateGeometry()
            self.lines_changed.emit()

    def _hold_still(self) -> None:
        """Kanji are taller than a line, which Qt would scroll by one though all lines are seen."""
        if not self._scrolls:
            self.verticalScrollBar().setValue(0)

    def _insert(self, text: str) -> None:
        cursor = self.textCursor()
        cursor.beginEditBlock()
        for number, line in enumerate(clean(text).split("\n")):
            if number:
                cursor.insertBlock(QTextBlockFormat())
            while len(line) > PIECE - cursor.positionInBlock():
                count, _ = fitting(line, cursor.positionInBlock(), PIECE)
                cursor.insertText(line[:count])
                line = line[count:]
                cursor.insertBlock(_going_on())
            cursor.insertText(line)
        cursor.endEditBlock()
        self.setTextCursor(cursor)

    def _between(self, start: int, end: int) -> str:
        parts: list[str] = []
        block = self.document().findBlock(start)
        while block.isValid() and block.position() <= end:
            if parts and not block.blockFormat().hasProperty(_GOES_ON):
                parts.append("\n")
            first = max(start - block.position(), 0)
            parts.append(str(block.text())[first : end - block.position()])
            block = block.next()
        return "".join(parts).replace(_LINE_SEPARATOR, "\n")


def _going_on() -> QTextBlockFormat:
    form = QTextBlockFormat()
    form.setProperty(_GOES_ON, True)
    return form
