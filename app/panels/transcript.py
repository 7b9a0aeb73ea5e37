"""The transcript: the messages of a chat, or the page that stands there before the first one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from PySide6.QtCore import Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QResizeEvent
from PySide6.QtWidgets import QStackedLayout, QWidget

from app import format as figures
from app.panels.first_run import FirstRun
from app.theme import theme
from app.values import MessageRow
from app.widgets import highlight
from app.widgets.answer_view import AnswerView
from app.widgets.idle import idle
from app.widgets.jump_button import JumpButton
from app.widgets.message_column import MessageColumn
from app.widgets.message_item import MessageItem
from app.widgets.user_message import UserMessage
from engine.api import Machine, ModelInfo, Reading

FIRST = 40  # messages made at once at most when a chat is opened; the others when there is time
BATCH = 20  # older messages put in place together
KEPT_READY = 100  # messages made without being looked for
FAR = 48  # pixels to the end from which there is a way to jump there
JUMP_GAP = 6


class Transcript(QWidget):
    """Messages come in through methods; what the user wants goes out through signals.

    Calls for a message that is not shown do nothing: it belongs to a chat in the background.
    """

    regenerate_requested = Signal(str)  # the id of an answer
    retry_requested = Signal(str)  # the id of an answer that failed
    prompt_chosen = Signal(str)
    link_opened = Signal(str)  # http, https or mailto
    announced = Signal(str)  # what a screen reader is told

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.first_run = FirstRun(self)
        self.first_run.prompt_chosen.connect(self.prompt_chosen)
        self.column = MessageColumn(self)
        self.column.moved.connect(self._show_jump)
        self.jump = JumpButton(self)
        self.jump.hide()
        self.jump.clicked.connect(self.column.jump_to_end)
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self.column)
        self._stack.addWidget(self.first_run)
        self._items: dict[str, MessageItem] = {}
        self._older: list[MessageRow] = []  # not made yet
        self._looking = False  # some of them are being made
        self.column.moved.connect(self._look_back)
        theme().changed.connect(self._restyle)
        idle().add(self._stack, highlight.warm())

    # What is shown

    def show_first_run(
        self, model: ModelInfo | None, machine: Machine | None = None, *, loading: str = ""
    ) -> None:
        """The page before the first message: of `model`, of one being loaded, or of none."""
        self._clear()
        self.first_run.show_model(model, machine, loading=loading)
        self._stack.setCurrentWidget(self.first_run)

    def show_chat(self, rows: Sequence[MessageRow]) -> None:
        """Show these messages, oldest first, from the end."""
        self._clear()
        self._stack.setCurrentWidget(self.column)
        self.column.following = True
        made: list[MessageItem] = []
        high = 0
        for row in reversed(rows):
            enough = 3 * max(600, self.height()) // 2
            if len(made) == FIRST or high > enough:
                break
            item = self._make(row)
            self._fill_now(item)
            high += item.height()
            made.insert(0, item)
        self.column.prepend(made)
        self._mark_last()
        self._older = list(rows[: len(rows) - len(made)])
        self._look_back()

    def _look_back(self) -> None:
        """Make older messages when there is time, as far back as one is likely to look."""
        if self._older and not self._looking and self._wanted():
            self._looking = True
            idle().add(self, self._make_older())

    def _wanted(self) -> bool:
        near_top = self.column.verticalScrollBar().value() < 3 * self.height()
        return near_top or len(self.column.items) < KEPT_READY

    def _make_older(self) -> Iterator[None]:
        while self._older and self._wanted():
            batch: list[MessageItem] = []
            for row in reversed(self._older[-BATCH:]):
                item = self._make(row)
                batch.insert(0, item)
                yield
                yield from item.begin()
            del self._older[-BATCH:]
            self.column.prepend(batch)
            yield
        self._looking = False

    def _make(self, row: MessageRow) -> MessageItem:
        item: MessageItem
        if row.role == "assistant":
            item = answer = AnswerView(row, self.column.canvas)
            answer.regenerated.connect(self.regenerate_requested)
            answer.retried.connect(self.retry_requested)
            answer.link_opened.connect(self.link_opened)
        else:
            item = UserMessage(row, self.column.canvas)
        self.column.adopt(item)
        self._items[row.id] = item
        return item

    def _fill_now(self, item: MessageItem) -> None:
        """Draw as much of `item` as can be seen at first, the rest when there is time."""
        work = item.begin()
        for _ in work:
            if item.height() > 3 * max(600, self.height()):
                idle().add(item, work)
                return

    def _clear(self) -> None:
        idle().drop(self)
        self._older.clear()
        self._looking = False
        self._items.clear()
        self.column.remove_from(0)
        for left in self.column.canvas.findChildren(MessageItem):
            left.hide()
            left.deleteLater()  # made, but not yet in place

    def add(self, row: MessageRow) -> None:
        """Another message at the end; the view goes there."""
        self._stack.setCurrentWidget(self.column)
        item = self._make(row)
        self._fill_now(item)
        self.column.append(item)
        self.column.stay_at_end()
        self._mark_last()

    def remove(self, message_id: str) -> None:
        """Take away a message and all that follow it."""
        item = self._items.get(message_id)
        if item in self.column.items:
            index = self.column.items.index(item)
            for gone in self.column.items[index:]:
                del self._items[gone.row.id]
            self.column.remove_from(index)
            self._mark_last()

    def _mark_last(self) -> None:
        for item in self.column.items[-3:]:
            item.set_last(item is self.column.items[-1])

    # An answer as it comes

    def _answer(self, message_id: str) -> AnswerView | None:
        item = self._items.get(message_id)
        return item if isinstance(item, AnswerView) else None

    def append_text(self, message_id: str, text: str) -> None:
        """More of an answer."""
        answer = self._answer(message_id)
        if answer is not None and text:
            if not answer.started:
                self._announce(self.tr("Answer started"))
            answer.append(text)

    def set_reading(self, message_id: str, reading: Reading | None) -> None:
        """How far the prompt of an answer is read; None when that is over."""
        if answer := self._answer(message_id):
            answer.set_reading(reading)

    def set_loading(self, message_id: str, model: str, fraction: float | None) -> None:
        """How far (0 to 1) the model that will answer is loaded; None when that is over."""
        if answer := self._answer(message_id):
            answer.set_loading(model, fraction)

    def finish(self, row: MessageRow) -> None:
        """An answer has ended: done, stopped, at its limit or failed."""
        answer = self._answer(row.id)
        if answer is not None:
            answer.finish(row)
            if row.status == "failed":
                self._announce(row.error)
            elif row.stats is not None:
                told = self.tr("Answer finished, {n} tokens")
                self._announce(told.format(n=figures.count(row.stats.new_tokens)))

    def fail(self, row: MessageRow, sentence: str) -> None:
        """An answer could not be written, for the reason that `sentence` gives."""
        self.finish(replace(row, status="failed", error=sentence))

    def copy_last_answer(self) -> None:
        """Put the last answer on the clipboard, as it was written."""
        for item in reversed(self.column.items):
            if isinstance(item, AnswerView):
                item.copy()
                return

    def _announce(self, text: str) -> None:
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, text))
        self.announced.emit(text)

    # Place and dress

    def _show_jump(self) -> None:
        far = self.column.isVisibleTo(self) and self.column.distance() > FAR
        if far:
            size = self.jump.sizeHint()
            self.jump.resize(size)
            y = self.height() - size.height() - JUMP_GAP
            self.jump.move((self.width() - size.width()) // 2, y)
            self.jump.raise_()
        self.jump.setVisible(far)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the pill in its place."""
        super().resizeEvent(event)
        self._show_jump()

    def _restyle(self) -> None:
        """Draw what is in view in the new theme now, the rest when there is time."""
        seen = self.column.visible_items()
        for item in seen:
            for _ in item.redraw():
                pass
        for item in reversed(self._items.values()):
            if item not in seen:
                idle().add(item, item.redraw())
