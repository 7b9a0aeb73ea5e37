"""Work done in short slices while the window has nothing else to do."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from time import perf_counter

import shiboken6
from PySide6.QtCore import QCoreApplication, QObject, QTimer

SLICE_S = 0.004  # leaves most of a frame to what the user does
_DONE = object()


class IdleWork(QObject):
    """Runs generators, each up to its next yield, as long as a slice lasts.

    Work belongs to an object; it is dropped with that object.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._work: deque[tuple[QObject, Iterator[None]]] = deque()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._slice)

    def add(self, owner: QObject, work: Iterator[None], *, first: bool = False) -> None:
        """Do `work` of `owner` later, after (or with `first` before) what already waits."""
        if first:
            self._work.appendleft((owner, work))
        else:
            self._work.append((owner, work))
        if not self._timer.isActive():
            self._timer.start(0)

    def drop(self, owner: QObject) -> None:
        """Forget all work of `owner`."""
        self._work = deque(entry for entry in self._work if entry[0] is not owner)

    def is_done(self) -> bool:
        """Whether nothing waits."""
        return not self._work

    def _slice(self) -> None:
        end = perf_counter() + SLICE_S
        while self._work and perf_counter() < end:
            entry = self._work[0]
            owner, work = entry
            if shiboken6.isValid(owner) and next(work, _DONE) is not _DONE:
                continue
            if entry in self._work:  # the work may have dropped itself
                self._work.remove(entry)
        if self._work:
            self._timer.start(0)


_the_work: IdleWork | None = None


def idle() -> IdleWork:
    """The one queue, made on first use; needs a QApplication."""
    global _the_work
    if _the_work is None or not shiboken6.isValid(_the_work):
        _the_work = IdleWork(QCoreApplication.instance())
    return _the_work
