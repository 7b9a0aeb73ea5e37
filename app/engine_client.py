"""The bridge to the engine: everything with MLX runs on one thread of its own, behind signals."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt, QThread, Signal, Slot

from app.pacing import Joiner, Pace
from engine.api import Event, Finished, ModelInfo, Piece, Reading, ReplyRequest, Stats
from engine.errors import EngineError, Stopped

if TYPE_CHECKING:
    from engine.session import Session

_log = logging.getLogger(__name__)
_PIECES_PER_S = 30
_PROGRESS_PER_S = 10


class _Work:
    """A load or a reply. Whoever claims it first ends it: the worker, or a stop before that."""

    def __init__(self) -> None:
        self.stopped = threading.Event()
        self._claimed = threading.Lock()

    def claim(self) -> bool:
        """True for the first caller only."""
        return self._claimed.acquire(blocking=False)


class _Load(_Work):
    def __init__(self, folder: Path, name: str, wishes: dict[str, Any]) -> None:
        super().__init__()
        self.folder, self.name, self.wishes = folder, name, wishes


class _Ask(_Work):
    def __init__(self, request: ReplyRequest) -> None:
        super().__init__()
        self.request = request


class EngineClient(QObject):
    """Asks the engine's thread and tells what came of it; lives on the GUI thread.

    Requests run one after another, in the order they were made. Each load ends in exactly one
    `loaded` or `load_failed`, each reply in exactly one `finished` or `failed`; a stopped reply
    is finished, a stopped load failed with `Stopped`.

    Signals: machine_known(Machine), loading(name, fraction),
    loaded(ModelInfo), load_failed(name, error), unloaded(), reading(id, Reading),
    written(id, Piece: all since the last one, joined), finished(id, Finished),
    failed(id, error). An error that is no EngineError is a fault of ours, and in the log.
    """

    machine_known = Signal(object)
    loading = Signal(str, float)
    loaded = Signal(object)
    load_failed = Signal(str, object)
    unloaded = Signal()
    reading = Signal(str, object)
    written = Signal(str, object)
    finished = Signal(str, object)
    failed = Signal(str, object)

    _load_wanted = Signal(object)
    _reply_wanted = Signal(object)
    _unload_wanted = Signal()
    _machine_wanted = Signal(object)
    _end_wanted = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._asked: dict[str, _Ask] = {}
        self._load: _Load | None = None
        self._thread = QThread()
        self._thread.setObjectName("engine")
        # The default of 512 kB on macOS is small for the compilers under MLX.
        self._thread.setStackSize(8 << 20)
        self._worker = _Worker()
        self._worker.moveToThread(self._thread)
        self._connect(self._worker)
        self._thread.start()

    def _connect(self, worker: _Worker) -> None:
        queued = Qt.ConnectionType.QueuedConnection
        self._load_wanted.connect(worker.load, queued)
        self._reply_wanted.connect(worker.reply, queued)
        self._unload_wanted.connect(worker.unload, queued)
        self._machine_wanted.connect(worker.find_machine, queued)
        self._end_wanted.connect(worker.end, queued)
        # Signal to signal: these are emitted again on this object's thread.
        worker.machine_known.connect(self.machine_known, queued)
        worker.loading.connect(self.loading, queued)
        worker.loaded.connect(self.loaded, queued)
        worker.load_failed.connect(self.load_failed, queued)
        worker.unloaded.connect(self.unloaded, queued)
        worker.reading.connect(self.reading, queued)
        worker.written.connect(self.written, queued)
        worker.finished.connect(self._on_finished, queued)
        worker.failed.connect(self._on_failed, queued)

    def find_machine(self, limit_bytes: int = 0) -> None:
        """Ask what the engine runs on; models may use `limit_bytes` of it from now on, 0: as much
        as the machine recommends."""
        self._machine_wanted.emit(limit_bytes)

    def load(self, folder: Path, name: str = "", **wishes: Any) -> None:
        """Load the model in `folder`, in signals called `name` (else as the folder); a load that
        was asked for before is stopped. `wishes` are Session.load's other arguments."""
        self.stop_loading()
        self._load = _Load(folder, name or folder.name, wishes)
        self._load_wanted.emit(self._load)

    def stop_loading(self) -> None:
        """Stop the load that waits or runs; the model loaded before stays."""
        load, self._load = self._load, None
        if load is not None:
            load.stopped.set()
            if load.claim():
                self.load_failed.emit(load.name, Stopped())

    def unload(self) -> None:
        """Free the model, once what was asked before is done."""
        self._unload_wanted.emit()

    def ask(self, request: ReplyRequest) -> None:
        """Answer `request`, once what was asked before is done. Its id must be new."""
        if request.id in self._asked:
            raise ValueError(f"the request {request.id} was made already")
        self._asked[request.id] = ask = _Ask(request)
        self._reply_wanted.emit(ask)

    def stop(self, request_id: str) -> None:
        """Stop a reply, running or waiting; nothing happens when it has ended."""
        if ask := self._asked.get(request_id):
            ask.stopped.set()
            if ask.claim():
                self._on_finished(request_id, _never_begun())

    def close(self, timeout_ms: int = 30_000) -> bool:
        """Stop everything, free the model on its thread and end the thread.

        False when that took longer than `timeout_ms`: the thread is still running then."""
        self.stop_loading()
        for request_id in list(self._asked):
            self.stop(request_id)
        self._end_wanted.emit()
        if not self._thread.wait(timeout_ms):
            return False
        # What the worker said last still waits in this thread's queue.
        QCoreApplication.sendPostedEvents(self, QEvent.Type.MetaCall.value)
        return True

    @Slot(str, object)
    def _on_finished(self, request_id: str, finished: Finished) -> None:
        del self._asked[request_id]
        self.finished.emit(request_id, finished)

    @Slot(str, object)
    def _on_failed(self, request_id: str, error: Exception) -> None:
        del self._asked[request_id]
        self.failed.emit(request_id, error)


class _Worker(QObject):
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
    def load(self, load: _Load) -> None:
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
    def reply(self, ask: _Ask) -> None:
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


def _never_begun() -> Finished:
    """The end of a reply that was stopped while it waited."""
    stats = Stats(
        prompt_tokens=0,
        new_tokens=0,
        load_s=None,
        ttft_ms=None,
        prefill_tokens_per_s=None,
        ms_per_token=None,
        tokens_per_s=None,
        state_bytes=0,
        peak_memory_bytes=0,
        stop_reason="stopped",
        backend="",
    )
    return Finished(text="", stats=stats, ids=None, tokenizer="")
