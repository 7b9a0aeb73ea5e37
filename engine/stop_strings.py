"""Stop strings: an answer ends before the first of them, even when it spans several tokens."""

from __future__ import annotations

from collections.abc import Sequence


class StopStrings:
    """Holds back text that may turn out to begin a stop string."""

    def __init__(self, stops: Sequence[str]) -> None:
        self._stops = tuple(stop for stop in stops if stop)
        self._held = ""
        self.hit = ""

    def feed(self, text: str) -> str:
        """The text that is now certain; sets `hit` to a stop string once it is complete."""
        if not self._stops or self.hit:
            return "" if self.hit else text
        pending = self._held + text
        # The one that is complete first, so that the cut between pieces does not matter.
        found = [(at + len(s), at, s) for s in self._stops if (at := pending.find(s)) >= 0]
        if found:
            _, at, self.hit = min(found)
            self._held = ""
            return pending[:at]
        keep = max(_overlap(pending, stop) for stop in self._stops)
        self._held = pending[len(pending) - keep :]
        return pending[: len(pending) - keep]

    def close(self) -> str:
        """The rest: no stop string came."""
        rest, self._held = self._held, ""
        return rest


def _overlap(text: str, stop: str) -> int:
    """The length of the longest end of `text` that begins `stop`."""
    for length in range(min(len(text), len(stop) - 1), 0, -1):
        if text.endswith(stop[:length]):
            return length
    return 0
