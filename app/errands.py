"""Work that may wait for a disk or a server, done off the GUI thread and answered on it."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal, Slot

from engine.errors import EngineError

_log = logging.getLogger(__name__)

Work = Callable[[], Any]
Then = Callable[[Any, Exception | None], None]


class Errands(QObject):
    """Each errand is `work`, which another thread does, and `then`, which is called with its
    result or its error on the thread that this object lives on, unless it is closed by then.
    What is asked for after that is not done.

    An error that is no EngineError is a fault of ours, and in the log."""

    _done = Signal(object, object, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._telling = threading.Lock()
        self._is_closed = False
        self._queue = ThreadPoolExecutor(1, "library")
        self._done.connect(self._on_done, Qt.ConnectionType.QueuedConnection)

    def in_turn(self, work: Work, then: Then) -> None:
        """Do it after those asked for before, unless it is closed; for the disk."""
        if not self._is_closed:
            self._queue.submit(self._run, work, then)

    def apart(self, work: Work, then: Then) -> None:
        """Do it at once, beside all others; for a server, which is not waited for at the end."""
        if not self._is_closed:
            threading.Thread(target=self._run, args=(work, then), name="hub", daemon=True).start()

    def tell(self, signal: Any, *values: Any) -> None:
        """Emit a signal from another thread, unless it is closed."""
        with self._telling:
            if not self._is_closed:
                signal.emit(*values)

    def close(self) -> None:
        """Tell nothing more, and wait for what is done in turn."""
        with self._telling:
            self._is_closed = True
        self._queue.shutdown(wait=True, cancel_futures=True)

    def _run(self, work: Work, then: Then) -> None:
        result: Any = None
        error: Exception | None = None
        try:
            result = work()
        except EngineError as refusal:
            error = refusal
        except Exception as fault:
            _log.exception("in the library")
            error = fault
        self.tell(self._done, then, result, error)

    @Slot(object, object, object)
    def _on_done(self, then: Then, result: Any, error: Exception | None) -> None:
        if not self._is_closed:
            then(result, error)
