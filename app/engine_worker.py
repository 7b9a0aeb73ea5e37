"""The work of the engine's thread: loading, answering, comparing, all with MLX."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from app.engine_work import Ask, Comparison, Load
from app.pacing import Joiner, Pace
from engine.api import Event, Finished, ModelInfo, Piece, Reading
from engine.compare_api import ColumnEvent
from engine.errors import EngineError

if TYPE_CHECKING:
    from engine.session import Session

_log = logging.getLogger(__name__)
_PIECES_PER_S = 30
_PROGRESS_PER_S = 10


class Worker(QObject):
    """Does the work on the engine's thread; only EngineClient may connect to its signals."""

    machine_known = Signal(object)
    loading = Signal(str, float)
    loaded = Signal(object)
    load_failed = Signal(str, object)
    unloaded = Signal()
    reading = Signal(str, object)
    written = Signal(str, object)
    finished = Signal(str, object)
    failed = Signal(str, object)
    compared = Signal(str, object)
    compare_ended = Signal(str, object)

    def __init__(self) -> None:
        super().__init__()
        self._session: Session | None = None

    def _engine(self) -> Session:
        """The session, made (and MLX imported) on first use, on this thread."""
        if self._session is None:
            from engine.session import Session

            self._session = Session()
        return self._session

    @Slot(object)
    def find_machine(self, limit_bytes: int) -> None:
        try:
            from engine.device import limit_memory, machine

            limit_memory(limit_bytes)
            self.machine_known.emit(machine())
        except Exception:
            _log.exception("looking at the machine")

    @Slot(object)
    def load(self, load: Load) -> None:
        if not load.claim():
            return
        name, pace = load.name, Pace(_PROGRESS_PER_S)

        def on_progress(fraction: float) -> None:
            if pace.is_due() or fraction >= 1:
                self.loading.emit(name, fraction)

        try:
            self.loading.emit(name, 0.0)
            info: ModelInfo = self._engine().load(
                load.folder, on_progress=on_progress, stopped=load.stopped, **load.wishes
            )
        except Exception as error:
            if self._session and self._session.info is None:
                self.unloaded.emit()  # the earlier model had to make room
            self.load_failed.emit(name, _logged(error, "loading"))
        else:
            self.loaded.emit(info)

    @Slot()
    def unload(self) -> None:
        self._engine().unload()
        self.unloaded.emit()

    @Slot(object)
    def reply(self, ask: Ask) -> None:
        if not ask.claim():
            return
        request = ask.request
        try:
            self._relay(request.id, self._engine().reply(request, ask.stopped))
        except Exception as error:
            self.failed.emit(request.id, _logged(error, "answering"))

    def _relay(self, request_id: str, events: Iterator[Event]) -> None:
        """Emit the events of a reply, joined so that there are at most 30 a second."""
        joiner, pieces, progress = Joiner(), Pace(_PIECES_PER_S), Pace(_PROGRESS_PER_S)
        try:
            for event in events:
                if isinstance(event, Piece):
                    joiner.add(event)
                    if pieces.is_due():
                        self.written.emit(request_id, joiner.take())
                elif isinstance(event, Reading):
                    if progress.is_due() or event.done >= event.total:
                        self.reading.emit(request_id, event)
                elif isinstance(event, Finished):
                    ended = event
        finally:  # what was written before an error is kept
            if joiner:
                self.written.emit(request_id, joiner.take())
        self.finished.emit(request_id, ended)

    @Slot(object)
    def compare(self, work: Comparison) -> None:
        """Free the chat's model, compare, and put it back."""
        if not work.claim():
            return
        name, error = work.request.id, None
        held = self._engine().info
        try:
            from engine.comparison import compare

            self._engine().unload()
            self._relay_columns(name, compare(work.request, work.stopped, work.stops))
        except Exception as fault:
            error = _logged(fault, "comparing")
        try:
            if held is not None:
                self._put_back(held)
        finally:
            self.compare_ended.emit(name, error)

    def _relay_columns(self, name: str, events: Iterator[ColumnEvent]) -> None:
        """Emit the events in bunches, at most 30 a second while text comes."""
        bunch: list[ColumnEvent] = []
        pace = Pace(_PIECES_PER_S)
        for event in events:
            bunch.append(event)
            if pace.is_due() or not isinstance(event.event, Piece):
                self.compared.emit(name, bunch)
                bunch = []
        if bunch:
            self.compared.emit(name, bunch)

    def _put_back(self, held: ModelInfo) -> None:
        """Load the chat's model again, as it was."""
        from engine.library import still

        try:
            self._engine().load(
                still(held.folder),
                on_progress=lambda _: None,
                stopped=threading.Event(),
                precision=held.precision,
            )
        except Exception as error:
            self.unloaded.emit()
            self.load_failed.emit(held.name, _logged(error, "loading"))

    @Slot()
    def end(self) -> None:
        """Free everything on this thread, then let the thread end."""
        if self._session is not None:
            self._session.close()
            self._session = None
        self.thread().quit()


def _logged(error: Exception, doing: str) -> Exception:
    """`error` without its frames: these hold arrays, which must be freed on this thread."""
    if not isinstance(error, EngineError):
        _log.error("while %s", doing, exc_info=error)
    error.__cause__ = error.__context__ = error.__traceback__ = None
    return error
