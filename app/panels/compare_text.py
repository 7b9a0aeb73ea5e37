"""The text of a compared answer: it scrolls, and stays at the end only while it is there."""

from __future__ import annotations

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QFont, QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from app.theme import theme
from app.widgets.banner import Banner
from app.widgets.focus_ring import KeyboardRing
from app.widgets.text_view import TextView

PX = 13.5
GAP, END = 12, 2  # above the error, below all
AT_END = 4  # pixels from the end that still count as being there
LINE = 42  # an arrow key scrolls two lines


class AnswerText(TextView):
    """The text in the type of a comparison."""

    def _font(self) -> QFont:
        return theme().font("body", px=PX)


class CompareText(QScrollArea):
    """Text as it is written, and under it what went wrong."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.viewport().setAutoFillBackground(False)
        self._text = ""
        self._column = 0
        self._following = True
        self._placing = False
        self._canvas = QWidget(self)
        self.view = AnswerText(self.tr("Answer"), self._canvas)
        self.card = Banner("", self._canvas, tone="error")
        self.card.hide()
        self.setWidget(self._canvas)
        self._canvas.setAutoFillBackground(False)
        KeyboardRing(self, 5, self._seen)
        self.verticalScrollBar().setSingleStep(LINE)
        self.verticalScrollBar().valueChanged.connect(self._on_scrolled)
        self.view.fitted.connect(self.place)
        theme().changed.connect(self._draw_anew)

    def set_text(self, text: str, *, writing: bool) -> None:
        """The answer so far. What is added to it keeps the selection and the place."""
        if writing:
            self.view.set_caret(True)  # else the end is not followed
        if text != self._text:
            if not text.startswith(self._text):
                self.view.reset()
                self._following, self._text = True, ""
            # A model that continues a text begins with the space before a word.
            added = text[len(self._text) :] if self._text.strip() else text.lstrip()
            self._text = text
            self.view.add_plain(added)
            self.place()
        self.view.set_caret(writing)

    def set_error(self, sentence: str) -> None:
        """What went wrong; "" for nothing."""
        if sentence != self.card.sentence():
            self.card.set_sentence(sentence)
            self.card.setVisible(bool(sentence))
            self.place()

    def set_column(self, width: int) -> None:
        """Be laid out `width` pixels wide, whatever room there is for a scroll bar beside it."""
        if width != self._column:
            self._column = width
            self.place()

    def place(self) -> None:
        """Lay out the text and what stands under it."""
        if self._placing:
            return
        self._placing = True
        high = self.view.set_width(self._column)
        self.view.move(0, -self.view.lift())
        high = high if self._text.strip() or self.view.has_caret() else 0
        if not self.card.isHidden():
            high += GAP if high else 0
            card = self.card.heightForWidth(self._column)
            self.card.setGeometry(0, high, self._column, card)
            high += card
        self._canvas.resize(self._column, high + END)
        if self._following and self.view.has_caret():
            self.verticalScrollBar().setValue(self.verticalScrollBar().maximum())
        self._placing = False

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another height keeps what is read, or the end, in view."""
        self._placing = True
        super().resizeEvent(event)
        self._placing = False
        self.place()

    def _seen(self) -> QRect:
        """The part of it that the text has."""
        return QRect(0, 0, self._column, self.height())

    def _on_scrolled(self, value: int) -> None:
        if not self._placing:
            self._following = value >= self.verticalScrollBar().maximum() - AT_END

    def _draw_anew(self) -> None:
        """In the theme's new type and colours."""
        text, self._text = self._text, ""
        caret = self.view.has_caret()
        self.view.reset()
        self.set_text(text, writing=caret)
        self.place()
