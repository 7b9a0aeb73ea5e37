"""The conversations: what sending, stopping, regenerating, switching and deleting do."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from PySide6.QtCore import QObject, QTimer, Signal

from app.live_reply import LiveReply, ended_figures, whole_trace
from app.pacing import Pace
from app.replies import Replies
from app.settings import Settings
from app.store import Store
from app.store_rows import Stored
from app.values import LiveFigures, MessageRow, Trace
from engine.api import Message, Reading

_FIGURES_PER_S = 4
_DRAFT_MS = 500  # after the last key, a draft is written to disk


class ChatController(QObject):
    """Turns the user's intentions into messages in the store and requests to the engine.

    One chat is open (`current`; None is one that has not begun); any number may be answered.

    Signals: list_changed() when the sidebar's rows or discs change; opened() when other messages
    are shown; added(MessageRow), written(id, text), reading(id, Reading | None) and
    ended(MessageRow) for the open chat; status_changed() when its title, its state or what may
    be done changes; figures_changed() for the strip; deleted(id) after a deletion; asking()
    before an answer is asked for, when the model must be there.
    """

    list_changed = Signal()
    opened = Signal()
    added = Signal(object)
    written = Signal(str, str)
    reading = Signal(str, object)
    ended = Signal(object)
    status_changed = Signal()
    figures_changed = Signal()
    deleted = Signal(str)
    asking = Signal()

    def __init__(
        self, store: Store, replies: Replies, settings: Settings, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._store, self._replies, self._settings = store, replies, settings
        self.current: str | None = None
        self.model_name = ""  # of the model that will answer: loaded, or being loaded
        self.sampling = settings.sampling  # of the next answer
        self.draft = settings.new_draft  # what stands in the open chat's composer
        self._last: Stored | None = None  # the open chat's last message
        self._traces: list[Trace] = []  # of the open chat's ended answers
        self._figures = LiveFigures()  # of the last one
        self._figures_pace = Pace(_FIGURES_PER_S)
        self._draft_timer = QTimer(self, interval=_DRAFT_MS, singleShot=True)
        self._draft_timer.timeout.connect(self.save_draft)
        replies.read.connect(self._on_read)
        replies.written.connect(self._on_written)
        replies.ended.connect(self._on_ended)

    # What is shown

    @property
    def live(self) -> LiveReply | None:
        """The open chat's answer that has not ended."""
        return self._replies.of(self.current) if self.current else None

    @property
    def last(self) -> MessageRow | None:
        """The open chat's last message, as it is stored."""
        return self._last.row if self._last else None

    def rows(self) -> list[MessageRow]:
        """The open chat's messages; one that is being written with its text so far."""
        path = self._store.path(self.current) if self.current else []
        return [self._as_written(stored.row) for stored in path]

    def _as_written(self, row: MessageRow) -> MessageRow:
        live = self._replies.live(row.id)
        return replace(row, text=live.text) if live else row

    def figures(self) -> LiveFigures:
        """The open chat's figures; backend and device are left to the caller."""
        if live := self.live:
            return live.figures()
        return self._figures

    def trace(self) -> Trace:
        """The open chat's sparkline."""
        live = self.live
        return whole_trace([*self._traces, live.trace()] if live else self._traces)

    # What the user does

    def open(self, chat: str | None) -> None:
        """Show another chat, None for a new one; what is being answered goes on."""
        if chat == self.current:
            return
        self.save_draft()
        self.current = chat
        self.draft = self._store.chat(chat).draft if chat else self._settings.new_draft
        self._show()

    def _show(self) -> None:
        path = self._store.path(self.current) if self.current else []
        self._last = path[-1] if path else None
        self._traces = [stored.trace for stored in path if stored.trace]
        stats = next((m.row.stats for m in reversed(path) if m.row.stats), None)
        self._figures = ended_figures(stats)
        self.opened.emit()
        if (live := self.live) and live.reading:
            self.reading.emit(live.message, live.reading)
        self._tell()

    def _tell(self) -> None:
        self.status_changed.emit()
        self.figures_changed.emit()

    def send(self, text: str) -> bool:
        """Store a message of the user's and ask for its answer. False when nothing was sent:
        a blank text, no model, or an answer that is still being written."""
        if not text.strip() or not self.model_name or self.live:
            return False
        self._draft_timer.stop()
        self.draft = ""
        if self.current is None:
            self.current, message = self._store.create_chat(text, self.model_name)
            self._settings.new_draft = ""
            self._show()
        else:
            parent = self._last.row.id if self._last else None
            message = self._store.add_user_message(self.current, parent, text)
            self._store.set_draft(self.current, "")
            self.added.emit(message.row)
        self._last = self._ask(message)
        self.added.emit(self._last.row)
        self.list_changed.emit()
        self._tell()
        return True

    def regenerate(self, message: str = "") -> None:
        """Ask again for an answer, by default the last; the old one is kept beside the new."""
        if self.live or self._last is None or not self.model_name:
            return
        stored = self._store.message(message) if message else self._last
        if stored.row.role == "assistant" and stored.parent:
            stored = self._store.message(stored.parent)
        self._ask(stored)
        self._show()
        self.list_changed.emit()

    def _ask(self, question: Stored) -> Stored:
        self.asking.emit()
        return self._replies.ask(question, self.model_name, self.sampling)

    def begin(self, title: str, messages: Iterable[Message], model: str) -> None:
        """Open a new chat in which this was said already."""
        self.open(self._store.copy_chat(title, messages, model))
        self.list_changed.emit()

    def stop(self) -> None:
        """Stop the open chat's answer; what was written is kept."""
        self._replies.stop(self.current)

    def rename(self, chat: str, title: str) -> None:
        """Give a chat another title."""
        self._store.rename(chat, title)
        self.list_changed.emit()
        self.status_changed.emit()

    def delete(self, chat: str) -> None:
        """Delete a chat, stopping its answer; `restore` brings it back until the next start."""
        self._replies.stop(chat)
        if chat == self.current:
            self.open(None)
        self._store.delete(chat)
        self.list_changed.emit()
        self.deleted.emit(chat)

    def restore(self, chat: str) -> None:
        """Undo a deletion and show the chat."""
        self._store.restore(chat)
        self.list_changed.emit()
        self.open(chat)

    def set_draft(self, text: str) -> None:
        """Keep what stands in the open chat's composer; written to disk a moment later."""
        if text != self.draft:
            self.draft = text
            self._draft_timer.start()

    def save_draft(self) -> None:
        """Write the draft to disk now."""
        self._draft_timer.stop()
        if self.current is None:
            self._settings.new_draft = self.draft
        else:
            self._store.set_draft(self.current, self.draft)

    # What the engine tells

    def _on_read(self, live: LiveReply, reading: Reading) -> None:
        if live.chat == self.current:
            self.reading.emit(live.message, reading)
            self._tell_at_pace()

    def _on_written(self, live: LiveReply, text: str) -> None:
        if live.chat == self.current:
            self.written.emit(live.message, text)
            self._tell_at_pace()

    def _tell_at_pace(self) -> None:
        if self._figures_pace.is_due():
            self._tell()

    def _on_ended(self, live: LiveReply, stored: Stored) -> None:
        if live.chat == self.current:
            self._last = stored
            stats = stored.row.stats
            self._figures = ended_figures(stats) if stats else live.figures()
            if stored.trace:
                self._traces.append(stored.trace)
            self.ended.emit(stored.row)
        self.list_changed.emit()
        self._tell()
