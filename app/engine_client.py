"""The bridge to the engine: everything with MLX runs on one thread of its own, behind signals."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt, QThread, Signal, Slot

from app.engine_work import Ask, Comparison, Load, never_begun
from app.engine_worker import Worker
from engine.api import Finished, ReplyRequest
from engine.compare_api import CompareRequest
from engine.errors import Stopped


class EngineClient(QObject):
    """Asks the engine's thread and tells what came of it; lives on the GUI thread.

    Requests run one after another, in the order they were made. Each load ends in exactly one
    `loaded` or `load_failed`, each reply in exactly one `finished` or `failed`; a stopped reply
    is finished, a stopped load failed with `Stopped`.

    Signals: machine_known(Machine), loading(name, fraction),
    loaded(ModelInfo), load_failed(name, error), unloaded(), reading(id, Reading),
    written(id, Piece: all since the last one, joined), finished(id, Finished),
    failed(id, error); of a comparison compared(id, list[ColumnEvent]) and at its end
    compare_ended(id, error or None), when the chats' states are gone and the model is back. An
    error that is no EngineError is a fault of ours, and in the log.
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
    compared = Signal(str, object)
    compare_ended = Signal(str, object)

    _load_wanted = Signal(object)
    _reply_wanted = Signal(object)
    _unload_wanted = Signal()
    _machine_wanted = Signal(object)
    _compare_wanted = Signal(object)
    _end_wanted = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._asked: dict[str, Ask] = {}
        self._load: Load | None = None
        self._comparison: Comparison | None = None
        self._thread = QThread()
        self._thread.setObjectName("engine")
        # The default of 512 kB on macOS is small for the compilers under MLX.
        self._thread.setStackSize(8 << 20)
        self._worker = Worker()
        self._worker.moveToThread(self._thread)
        self._connect(self._worker)
        self._thread.start()

    def _connect(self, worker: Worker) -> None:
        queued = Qt.ConnectionType.QueuedConnection
        self._load_wanted.connect(worker.load, queued)
        self._reply_wanted.connect(worker.reply, queued)
        self._unload_wanted.connect(worker.unload, queued)
        self._machine_wanted.connect(worker.find_machine, queued)
        self._compare_wanted.connect(worker.compare, queued)
        self._end_wanted.connect(worker.end, queued)
        # Signal to signal: these are emitted again on this object's thread.
        worker.machine_known.connect(self.machine_known, queued)
        worker.loading.connect(self.loading, queued)
        worker.loaded.connect(self.loaded, queued)
        worker.load_failed.connect(self.load_failed, queued)
        worker.unloaded.connect(self.unloaded, queued)
        worker.reading.connect(self.reading, queued)
        worker.written.connect(self.written, queued)
        worker.compared.connect(self.compared, queued)
        worker.compare_ended.connect(self._on_compared, queued)
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
        self._load = Load(folder, name or folder.name, wishes)
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
        self._asked[request.id] = ask = Ask(request)
        self._reply_wanted.emit(ask)

    def stop(self, request_id: str) -> None:
        """Stop a reply, running or waiting; nothing happens when it has ended."""
        if ask := self._asked.get(request_id):
            ask.stopped.set()
            if ask.claim():
                self._on_finished(request_id, never_begun())

    def compare(self, request: CompareRequest) -> None:
        """Compare, once what was asked before is done; one at a time."""
        if self._comparison is not None:
            raise ValueError("a comparison is under way")
        self._comparison = Comparison(request)
        self._compare_wanted.emit(self._comparison)

    def stop_comparing(self, column: int | None = None) -> None:
        """Stop the comparison, running or waiting, or one column's answer."""
        work = self._comparison
        if work is None:
            return
        if column is not None:
            work.stops[column].set()
            return
        work.stopped.set()
        if work.claim():
            self._on_compared(work.request.id, Stopped())

    def close(self, timeout_ms: int = 30_000) -> bool:
        """Stop everything, free the model on its thread and end the thread.

        False when that took longer than `timeout_ms`: the thread is still running then."""
        self.stop_loading()
        self.stop_comparing()
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

    @Slot(str, object)
    def _on_compared(self, request_id: str, error: Exception | None) -> None:
        self._comparison = None
        self.compare_ended.emit(request_id, error)
