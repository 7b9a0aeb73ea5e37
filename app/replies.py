"""The answers that have not ended, of all chats: asked for, followed, kept on disk as they grow."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QObject, Signal

from app.engine_client import EngineClient
from app.errors_text import sentence
from app.live_reply import LiveReply
from app.store import Store
from app.store_rows import Stored
from app.values import Status
from engine.api import Finished, Message, ModelInfo, Piece, Reading, ReplyRequest, Sampling

_STATUS: dict[str, Status] = {
    "end": "done",
    "stop": "done",
    "length": "length",
    "stopped": "stopped",
}


class Replies(QObject):
    """Asks for answers and writes down what comes. A chat has at most one that has not ended.

    Signals: read(LiveReply, Reading), written(LiveReply, text), ended(LiveReply, Stored).
    """

    read = Signal(object, object)
    written = Signal(object, str)
    ended = Signal(object, object)

    def __init__(self, store: Store, client: EngineClient, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._store, self._client = store, client
        self._live: dict[str, LiveReply] = {}  # by message
        self.model: ModelInfo | None = None  # the one that answers now
        self._read: set[str] = set()  # the chats whose state it holds
        client.reading.connect(self._on_reading)
        client.written.connect(self._on_written)
        client.finished.connect(self._on_finished)
        client.failed.connect(self._on_failed)
        client.compare_ended.connect(self._on_compared)

    def set_model(self, model: ModelInfo | None) -> None:
        """Another model answers from here on; it has read no chat yet. One whose folder was moved
        is the same."""
        moved = self.model and model and replace(self.model, folder=model.folder)
        if model is None or model != moved:
            self._read.clear()
        self.model = model

    def _on_compared(self, _: str, __: object) -> None:
        """The model made room for others, and its states with it."""
        self._read.clear()

    def has_read(self, chat: str | None) -> bool:
        """Whether the model that answers has read a chat, so that it reads only what is new."""
        return chat in self._read

    def of(self, chat: str | None) -> LiveReply | None:
        """The answer of a chat that has not ended."""
        return next((live for live in self._live.values() if live.chat == chat), None)

    def live(self, message: str) -> LiveReply | None:
        """The answer with this id, if it has not ended."""
        return self._live.get(message)

    def stop_all(self) -> None:
        """Stop every answer that has not ended."""
        for message in list(self._live):
            self._client.stop(message)

    @property
    def chats(self) -> set[str]:
        """The chats with an answer that has not ended."""
        return {live.chat for live in self._live.values()}

    def ask(self, question: Stored, model: str, sampling: Sampling) -> Stored:
        """Ask for an answer to a user's message; the empty answer that will grow."""
        reply = self._store.start_reply(question.chat, question.row.id, model)
        self._live[reply.row.id] = LiveReply(reply.row.id, question.chat)
        path = self._store.path(question.chat, end=question.row.id)
        request = ReplyRequest(
            id=reply.row.id,
            chat=question.chat,
            messages=tuple(_message(stored) for stored in path),
            sampling=sampling,
        )
        self._client.ask(request)
        return reply

    def stop(self, chat: str | None) -> None:
        """Stop a chat's answer; what was written is kept."""
        if live := self.of(chat):
            self._client.stop(live.message)

    def _on_reading(self, message: str, reading: Reading) -> None:
        live = self._live[message]
        live.read(reading)
        self.read.emit(live, reading)

    def _on_written(self, message: str, piece: Piece) -> None:
        live = self._live[message]
        live.write(piece)
        if live.is_due_for_saving():
            self._store.grow_reply(message, live.text)
        self.written.emit(live, piece.text)

    def _on_finished(self, message: str, finished: Finished) -> None:
        live = self._live.pop(message)
        if finished.stats.position:
            self._read.add(live.chat)
        path = self._store.path(live.chat, end=message)
        ids = dict(zip((stored.row.id for stored in path), finished.ids or (), strict=False))
        stored = self._store.finish_reply(
            message,
            finished.text,
            _STATUS[finished.stats.stop_reason],
            model=self._wrote(live),
            stats=finished.stats,
            trace=replace(live.trace(), end=finished.stats.position) if live.began else None,
            ids=ids,
            tokenizer=finished.tokenizer,
        )
        self.ended.emit(live, stored)

    def _on_failed(self, message: str, error: Exception) -> None:
        live = self._live.pop(message)
        stored = self._store.finish_reply(
            message,
            live.text,
            "failed",
            model=self._wrote(live),
            error=sentence(error),
            trace=live.trace() if live.tokens else None,
        )
        self.ended.emit(live, stored)

    def _wrote(self, live: LiveReply) -> str | None:
        """The model that wrote an answer, which is the one that was loaded when it began."""
        return self.model.name if self.model and live.began else None


def _message(stored: Stored) -> Message:
    return Message(
        role=stored.row.role,
        text=stored.row.text,
        ids=stored.ids,
        tokenizer=stored.tokenizer,
    )
