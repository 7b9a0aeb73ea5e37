"""How fast: the limit that the user set, and the speed that is shown."""

from __future__ import annotations

import threading
import time
from collections import deque

_WINDOW_S = 5.0
_SLICE_S = 0.1


class Throttle:
    """Holds all connections together to `bytes_per_s`; 0 holds nothing."""

    def __init__(self, bytes_per_s: int = 0) -> None:
        self.bytes_per_s = bytes_per_s
        self._lock = threading.Lock()
        self._free_at = time.monotonic()

    def allow(self, most: int, over: threading.Event) -> int:
        """How many bytes may be read now, at most `most`; waits until there are some."""
        while self.bytes_per_s and not over.is_set():
            with self._lock:
                wait = self._free_at - time.monotonic()
            if wait <= 0:
                return max(1, min(most, int(self.bytes_per_s * _SLICE_S)))
            over.wait(min(wait, _SLICE_S))
        return most

    def count(self, size: int) -> None:
        """`size` bytes were read."""
        if self.bytes_per_s:
            with self._lock:
                start = max(self._free_at, time.monotonic() - _SLICE_S)
                self._free_at = start + size / self.bytes_per_s


class Speed:
    """Bytes a second over the last five seconds, on a clock that nobody sets."""

    def __init__(self) -> None:
        self._seen: deque[tuple[float, int]] = deque()
        self._came_at = time.monotonic()  # the last byte

    def note(self, done: int) -> None:
        """`done` bytes are here now; fewer than before is a new start."""
        now = time.monotonic()
        if self._seen and done < self._seen[-1][1]:
            self._seen.clear()
        if not self._seen or done != self._seen[-1][1]:
            self._came_at = now
        self._seen.append((now, done))
        while len(self._seen) > 2 and now - self._seen[1][0] >= _WINDOW_S:
            self._seen.popleft()

    def reset(self) -> None:
        """Begin anew after a pause."""
        self._seen.clear()

    @property
    def bytes_per_s(self) -> float | None:
        """None until half a second is known."""
        if len(self._seen) < 2:
            return None
        (start, first), (end, last) = self._seen[0], self._seen[-1]
        return (last - first) / (end - start) if end - start >= 0.5 else None

    @property
    def idle_s(self) -> float:
        """For so long no byte came."""
        return self._seen[-1][0] - self._came_at if self._seen else 0.0
