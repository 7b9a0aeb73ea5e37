"""States kept in memory, so that a path which was read once is not read again."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence

from engine.state import State


class Snapshots:
    """States by the tokens they have read; the one used longest ago goes first.

    One model's only: clear it when the model changes."""

    def __init__(self, limit_bytes: int) -> None:
        self._limit = limit_bytes
        self._states: OrderedDict[tuple[int, ...], State] = OrderedDict()

    def add(self, ids: Sequence[int], state: State) -> None:
        """Keep `state`, which has read `ids`."""
        key = tuple(ids)
        self._states[key] = state
        self._states.move_to_end(key)
        while len(self._states) > 1 and self.nbytes > self._limit:
            self._states.popitem(last=False)

    def longest(self, ids: Sequence[int]) -> tuple[int, State] | None:
        """The state that has read the most of `ids`, and how many; at least one is left to read."""
        wanted = tuple(ids)
        best: tuple[int, ...] | None = None
        for key in self._states:
            longer = len(key) > len(best or ())
            if longer and len(key) < len(wanted) and wanted[: len(key)] == key:
                best = key
        if best is None:
            return None
        self._states.move_to_end(best)
        return len(best), self._states[best]

    def clear(self) -> None:
        """Forget them all."""
        self._states.clear()

    @property
    def nbytes(self) -> int:
        """The memory that the states take, in bytes; what two of them share counts once."""
        arrays = {id(array): array for state in self._states.values() for array in state.arrays}
        return sum(array.nbytes for array in arrays.values())
