"""One model's answer: its name and size, its figure, how far it is, its text, its buttons."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import (
    QFontMetricsF,
    QGuiApplication,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QWidget

from app.compare_rows import ANSWERED, BUSY, Column
from app.panels.compare_status import paint_status
from app.panels.compare_text import CompareText
from app.theme import theme
from app.widgets.icon_button import IconButton
from app.widgets.push_button import PushButton
from app.widgets.size_mark import LONG, paint_size

SIZE_MIDDLE, NAME_BASE, FIGURE_BASE = 25.0, 30.0, 31.0
STATUS_MIDDLE = 51.0
TEXT_TOP = 70
NAME_GAP, UNIT_GAP = 8, 5
BUTTON, BUTTON_STEP, HANG = 24, 30, 4  # buttons hang over the text's right side
VOTE_GAP = 12
TICK_MS = 1_500


class CompareColumn(QWidget):
    """Signals give the id of the column: stop_column(id), continue_requested(id), voted(id)."""

    stop_column = Signal(str)
    continue_requested = Signal(str)
    voted = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.column = Column(id="", name="", short="", rank=0, state="waiting", status="")
        self._letter = ""
        self._left = self._text = 0
        self._line = False
        self._tick = QTimer(self, singleShot=True, interval=TICK_MS)
        self._tick.timeout.connect(self._untick)
        self.text = CompareText(self)
        self.copy_button = IconButton("copy", self.tr("Copy"), self, size=BUTTON)
        self.chat_button = IconButton("chat", self.tr("Continue in Chat"), self, size=BUTTON)
        self.stop_button = IconButton("stop", self.tr("Stop"), self, size=BUTTON)
        self.vote_button = PushButton(self.tr("Better"), self)
        self.copy_button.clicked.connect(self._copy)
        self.chat_button.clicked.connect(self._continue)
        self.stop_button.clicked.connect(self._stop)
        self.vote_button.clicked.connect(self._vote)
        self._votable, self._answer = False, True
        theme().changed.connect(self._restyle)

    def set_column(
        self, column: Column, *, letter: str = "", votable: bool = False, answer: bool = True
    ) -> None:
        """Show this one; with a `letter` in place of its name its figure is hidden too. What is no
        `answer` cannot be gone on with."""
        before, head = self._key(), self._head()
        self.column, self._letter, self._votable = column, letter, votable
        self._answer = answer
        self.text.set_text(column.text, writing=column.state == "writing")
        self.text.set_error(column.status if column.state == "failed" else "")
        if self._key() != before:
            self._show_buttons()
        if self._head() != head:
            self.setAccessibleName(self.name())
            self.setAccessibleDescription(self.status())
            self.text.setAccessibleName(self.name())
            self.update(0, 0, self.width(), theme().px(TEXT_TOP))  # not the text

    def set_edges(self, left: int, text: int, *, line: bool) -> None:
        """The text stands `left` pixels from the left and is `text` wide; a line at the right."""
        self._left, self._text, self._line = left, text, line
        self._place()

    def stops(self) -> tuple[QWidget, ...]:
        """What Tab goes through, in its order."""
        buttons = (self.copy_button, self.chat_button, self.stop_button, self.vote_button)
        return self.text, *buttons

    def name(self) -> str:
        """What it is called at the moment; its short name is painted where it has no room."""
        return self._letter or self.column.name

    def status(self) -> str:
        """The line under the name."""
        return self.tr("Failed") if self.column.state == "failed" else self.column.status

    def figure(self) -> str:
        """Milliseconds per token; an en dash before there are any, nothing while it is hidden."""
        return "" if self._letter else self.column.figure or "–"

    def resizeEvent(self, _: QResizeEvent) -> None:
        """Put the pieces in their places."""
        self._place()

    def paintEvent(self, event: QPaintEvent) -> None:
        """The head, and the line at the right."""
        look = theme()
        painter = QPainter(self)
        if self._line:
            painter.fillRect(QRectF(self.width() - 1, 0, 1, self.height()), look.color("line"))
        if event.rect().top() >= look.px(TEXT_TOP):  # under the text, which grows
            return
        room = self._paint_figure(painter)
        at = QPointF(self._left, SIZE_MIDDLE * look.zoom)
        paint_size(painter, at, -1 if self._letter else self.column.rank)
        font = look.font("body", bold=True)
        x = self._left + LONG + NAME_GAP
        painter.setFont(font)
        painter.setPen(look.color("text"))
        name, metrics = self.name(), QFontMetricsF(font)
        if metrics.horizontalAdvance(name) > room - x:
            short = self._letter or self.column.short or name
            name = metrics.elidedText(short, Qt.TextElideMode.ElideRight, room - x)
        painter.drawText(QPointF(x, NAME_BASE * look.zoom), name)
        end = self._left + self._text + HANG - BUTTON_STEP * len(self._shown_buttons())
        middle = QRectF(self._left, STATUS_MIDDLE * look.zoom - 10, end - self._left, 20)
        paint_status(painter, middle, self.column, self.status())

    def _paint_figure(self, painter: QPainter) -> float:
        """The figure and its unit at the right; where they begin."""
        look, figure = theme(), self.figure()
        x = float(self._left + self._text)
        if not figure:
            return x
        base = FIGURE_BASE * look.zoom
        unit_font, font = look.font("small"), look.font("figure", px=22)
        unit = self.tr("ms/token")
        x -= QFontMetricsF(unit_font).horizontalAdvance(unit)
        painter.setFont(unit_font)
        painter.setPen(look.color("text3"))
        painter.drawText(QPointF(x, base), unit)
        x -= QFontMetricsF(font).horizontalAdvance(figure) + UNIT_GAP
        painter.setFont(font)
        painter.setPen(look.color("text"))
        painter.drawText(QPointF(x, base), figure)
        return x - NAME_GAP

    def _head(self) -> tuple[object, ...]:
        """What is painted over the text."""
        shown = self.column
        return self.name(), shown.rank, self.figure(), shown.state, shown.status, shown.fraction

    # Its buttons

    def _key(self) -> tuple[object, ...]:
        """What its buttons depend on."""
        shown, text = self.column, bool(self.column.text)
        return self.name(), self._letter, self._votable, self._answer, shown.vote, shown.state, text

    def _shown_buttons(self) -> list[IconButton]:
        buttons = (self.copy_button, self.chat_button, self.stop_button)
        return [button for button in buttons if not button.isHidden()]

    def _show_buttons(self) -> None:
        state = self.column.state
        self.stop_button.setVisible(state in BUSY)
        self.copy_button.setVisible(state not in BUSY and bool(self.column.text))
        self.chat_button.setVisible(state in ANSWERED and self._answer and not self._letter)
        for button, words in (
            (self.copy_button, self.tr("Copy")),
            (self.chat_button, self.tr("Continue in Chat")),
            (self.stop_button, self.tr("Stop")),
        ):
            button.setAccessibleName(f"{words}: {self.name()}")
        self.vote_button.setVisible(self._votable)
        self.vote_button.set_icon("check" if self.column.vote else "")
        self.vote_button.setAccessibleName(f"{self.tr('Better')}: {self.name()}")
        self._place()

    def _place(self) -> None:
        look = theme()
        right = self._left + self._text + HANG
        top = round(STATUS_MIDDLE * look.zoom) - BUTTON // 2
        for button in reversed(self._shown_buttons()):
            button.setGeometry(right - BUTTON, top, BUTTON, BUTTON)
            right -= BUTTON_STEP
        low = self.height()
        if self._votable:
            size = self.vote_button.sizeHint()
            low -= size.height() + VOTE_GAP
            self.vote_button.setGeometry(self._left, low, size.width(), size.height())
            low -= VOTE_GAP
        head = look.px(TEXT_TOP)
        bar = self.width() - self._left - int(self._line)  # a scroll bar stands beside the text
        self.text.set_column(self._text)
        self.text.setGeometry(self._left, head, bar, max(0, low - head))

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.column.text)
        self.copy_button.set_icon("check")
        self._tick.start()

    def _untick(self) -> None:
        self.copy_button.set_icon("copy")

    def _continue(self) -> None:
        self.continue_requested.emit(self.column.id)

    def _stop(self) -> None:
        self.stop_column.emit(self.column.id)

    def _vote(self) -> None:
        if not self.column.vote:
            self.voted.emit(self.column.id)

    def _restyle(self) -> None:
        self._place()
        self.update()
