"""A text as tall as its content: selectable, never scrolling, its links and images harmless."""

from __future__ import annotations

from math import ceil

from PySide6.QtCore import QMimeData, QPoint, QRect, Qt, QUrl, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QFont,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocumentFragment,
    QTextOption,
    QWheelEvent,
)
from PySide6.QtWidgets import QFrame, QScrollArea, QTextBrowser, QWidget

from app.theme import theme
from app.widgets import text_marks
from app.widgets.copied import plain_data
from app.widgets.long_lines import fitting
from app.widgets.rich_letters import is_safe
from app.widgets.rich_text import body_format, line_of, plain, render

LONG_LINE = 3_000  # characters; a longer line of plain text is cut, so that adding to it is quick
GAP = 10  # between paragraphs
CARET = (2, 16)

_SCROLLING = {
    Qt.Key.Key_Up,
    Qt.Key.Key_Down,
    Qt.Key.Key_PageUp,
    Qt.Key.Key_PageDown,
    Qt.Key.Key_Home,
    Qt.Key.Key_End,
    Qt.Key.Key_Space,
}


class TextView(QTextBrowser):
    """`fitted` is emitted when its height changed, `link_opened` when a safe link was clicked."""

    foot = 0  # pixels below the text that belong to the view
    fitted = Signal()
    link_opened = Signal(str)

    def __init__(self, name: str, parent: QWidget | None = None, *, inset: int = 0) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setOpenLinks(False)
        self.setUndoRedoEnabled(False)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.viewport().setAutoFillBackground(False)
        for part in (self, self.viewport()):  # growing paints what is new, not all of it
            part.setAttribute(Qt.WidgetAttribute.WA_StaticContents)
        self._tail = 0  # where the plain text begins that is not drawn as Markdown yet
        self._open = False  # there is such text
        self._ends = 0  # line ends of it that wait for more text
        self._line_length = 0
        self._caret = False
        self._caret_at = QRect()
        self._pointer = QPoint()
        self._inset = inset
        self._dress()
        self.document().documentLayout().documentSizeChanged.connect(self._fit)
        self.anchorClicked.connect(self._open_link)
        self.highlighted.connect(self._show_target)

    def _dress(self) -> None:
        document = self.document()
        document.setDocumentMargin(0)
        document.setIndentWidth(18)
        document.setDefaultFont(self._font())
        root = document.rootFrame().frameFormat()
        root.setLeftMargin(self._inset)
        root.setRightMargin(self._inset)
        document.rootFrame().setFrameFormat(root)
        self._end().setBlockFormat(self._format("", 0))

    def _font(self) -> QFont:
        return theme().font("body")

    def reset(self) -> None:
        """Be empty again, in the theme's type."""
        self.clear()
        self._tail, self._open = 0, False
        self._dress()

    def set_width(self, width: int) -> int:
        """Be `width` pixels wide; the height that the text then takes."""
        if width != self.width():
            self.resize(width, self.height())
            if not self.isVisible():  # Qt lays out a hidden view only when it is shown
                self.document().setTextWidth(width)
        self._fit()
        return self.space()

    def space(self) -> int:
        """The height that the text takes below its place."""
        return self.height() - self.lift()

    def lift(self) -> int:
        """How much higher the view must be put: Qt sets letters low in a line of fixed height."""
        return theme().px(2)

    def add_plain(self, text: str) -> None:
        """Add text as it is, at the end. Line ends wait until something follows them."""
        cursor = self._end()
        if not self._open:
            self._open = True
            if not self.document().isEmpty():
                cursor.insertBlock(self._format(text, GAP), QTextCharFormat())
            else:
                cursor.setBlockFormat(self._format(text, 0))
            self._tail, self._ends, self._line_length = cursor.position(), 0, 0
        cursor.beginEditBlock()
        for number, part in enumerate(text.split("\n")):
            self._ends += bool(number)
            while part:
                self._begin_lines(cursor, part)
                count, full = fitting(part, self._line_length, LONG_LINE)
                cursor.insertText(part[:count])
                self._line_length = LONG_LINE if full else self._line_length + count
                part = part[count:]
        cursor.endEditBlock()
        self._fit()

    def _begin_lines(self, cursor: QTextCursor, text: str) -> None:
        if not self._ends and self._line_length >= LONG_LINE:
            self._ends = 1
        for _ in range(self._ends):
            cursor.insertBlock(self._format(text, 0), QTextCharFormat())
            self._line_length = 0
        self._ends = 0

    def _format(self, text: str, gap: int) -> QTextBlockFormat:
        return body_format(line_of(text), gap)

    def close_block(self, source: str) -> None:
        """Draw `source`, one block of Markdown, in the place of the plain text at the end."""
        cursor = self._end()
        first = self._tail == 0 if self._open else self.document().isEmpty()
        if not self._open:
            if not first:
                cursor.insertBlock(QTextBlockFormat(), QTextCharFormat())
            self._tail = cursor.position()
        chosen = self._chosen_in_tail()
        drawn = render(source, first=first)
        cursor.beginEditBlock()
        cursor.setPosition(self._tail, QTextCursor.MoveMode.KeepAnchor)
        cursor.removeSelectedText()
        cursor.setBlockFormat(QTextBlockFormat())
        cursor.insertFragment(QTextDocumentFragment(drawn))
        cursor.setPosition(self._tail)
        head = drawn.begin()
        if not cursor.block().text() and (head.text() or head.textList()):
            cursor.deleteChar()  # a list begins on a new line
        elif head.textList() is None:
            cursor.setBlockFormat(head.blockFormat())
        cursor.setBlockCharFormat(QTextCharFormat())
        cursor.endEditBlock()
        self._open = False
        if chosen:
            self._choose_again(chosen)
        self._fit()

    def _chosen_in_tail(self) -> str:
        cursor = self.textCursor()
        inside = cursor.hasSelection() and cursor.selectionEnd() > self._tail
        return cursor.selectedText() if inside and cursor.selectionStart() >= self._tail else ""

    def _choose_again(self, text: str) -> None:
        found = self.document().find(text, self._tail)
        if not found.isNull():
            self.setTextCursor(found)

    def _end(self) -> QTextCursor:
        cursor = QTextCursor(self.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        return cursor

    def set_caret(self, shown: bool) -> None:
        """Show the caret at the end: text is being written here."""
        if shown != self._caret:
            self._caret = shown
            self.viewport().update()

    def has_caret(self) -> bool:
        """Whether text is being written here."""
        return self._caret

    def _fit(self) -> None:
        height = ceil(self.document().size().height()) + self.foot + self.lift()
        self.verticalScrollBar().setRange(0, 0)
        if height != self.height():
            self.resize(self.width(), height)
            self.fitted.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Lay out anew only for another width: Qt would for each line that is added."""
        if event.size().width() != event.oldSize().width():
            super().resizeEvent(event)
            self._fit()

    def paintEvent(self, event: QPaintEvent) -> None:
        """What lies under the letters, the letters, and the caret."""
        painter = QPainter(self.viewport())
        text_marks.paint(self, painter, event.rect())
        painter.end()
        super().paintEvent(event)
        if self._caret:
            self._paint_caret()

    def _paint_caret(self) -> None:
        wide, high = (theme().px(size) for size in CARET)
        place = self.cursorRect(self._end())
        at = QRect(place.left(), place.center().y() - high // 2, wide, high)
        if at != self._caret_at:
            self.viewport().update(self._caret_at)
            self._caret_at = at
        QPainter(self.viewport()).fillRect(at, theme().color("accent"))

    def createMimeDataFromSelection(self) -> QMimeData:
        """Plain text, and nothing else."""
        return plain_data(plain(self.textCursor().selection()))

    def written(self) -> str:
        """All of the text, as it reads."""
        return plain(QTextDocumentFragment(self.document()))

    def loadResource(self, kind: int, name: QUrl | str) -> object:
        """Nothing: what an answer names is neither fetched nor read."""
        return None

    def wheelEvent(self, event: QWheelEvent) -> None:
        """The transcript scrolls, not the text."""
        event.ignore()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Keys that scroll are the transcript's."""
        if event.key() in _SCROLLING and not event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            event.ignore()
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """A click elsewhere ends the selection, so that there is one at a time."""
        super().focusOutEvent(event)
        if event.reason() == Qt.FocusReason.MouseFocusReason:
            cursor = self.textCursor()
            cursor.clearSelection()
            self.setTextCursor(cursor)

    def _open_link(self, url: QUrl) -> None:
        if is_safe(url):
            self.link_opened.emit(url.toString())

    def _show_target(self, url: QUrl) -> None:
        """Under the pointer a link shows where it leads and is underlined."""
        self.viewport().setToolTip(url.toString())
        link = None if url.isEmpty() else text_marks.link_at(self, self._pointer)
        self.setExtraSelections([link] if link else [])

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Selecting beyond the edge of the transcript scrolls it."""
        self._pointer = event.position().toPoint()
        super().mouseMoveEvent(event)
        area = self.parentWidget()
        while area is not None and not isinstance(area, QScrollArea):
            area = area.parentWidget()
        if area is not None and event.buttons() & Qt.MouseButton.LeftButton:
            place = self.viewport().mapTo(area.widget(), self._pointer)
            area.ensureVisible(place.x(), place.y(), 0, 16)
