"""Measures how live the window is, without what the machine does meanwhile."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Qt, QTimer

TICK_MS = 10


def _kept_waiting_ms() -> float:
    """How long this thread was ready while the machine ran something else: no fault of ours."""
    file = Path("/proc/thread-self/schedstat")
    return int(file.read_text().split()[1]) / 1e6 if file.exists() else 0.0


class Gaps(QObject):
    """Measures how long the event loop goes without coming round, in milliseconds."""

    def __init__(self) -> None:
        super().__init__()
        self._timer = QTimer(self, interval=TICK_MS)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._tick)
        self._last = 0.0
        self._gaps: list[float] = []

    def _now(self) -> float:
        return 1e3 * time.perf_counter() - _kept_waiting_ms()

    def _tick(self) -> None:
        now = self._now()
        self._gaps.append(now - self._last)
        self._last = now

    def measure(self, wait: Callable[[], None]) -> list[float]:
        """The gaps while `wait` runs, longest first."""
        self._gaps, self._last = [], self._now()
        self._timer.start()
        wait()
        self._timer.stop()
        return sorted(self._gaps, reverse=True)
