"""The times of a long answer by position, in few points however long it gets."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

from engine.compare_api import Point

POINTS = 400


class Track:
    """Joins neighbours two and two whenever there are `most` points, an even number."""

    def __init__(self, most: int = POINTS) -> None:
        self._most, self._step = most, 1  # tokens in a point
        self._whole: list[Point] = []
        self._rest: list[Point] = []  # fewer than a step

    def add(self, position: int, ms: float, memory_bytes: int) -> None:
        """Take the time of the token at `position`; positions go up."""
        self._rest.append(Point(position, ms, memory_bytes))
        if len(self._rest) < self._step:
            return
        self._whole.append(_joined(self._rest))
        self._rest = []
        if len(self._whole) == self._most:
            pairs = range(0, self._most, 2)
            self._whole = [_joined(self._whole[at : at + 2]) for at in pairs]
            self._step *= 2

    def points(self) -> tuple[Point, ...]:
        """Those of now."""
        return (*self._whole, _joined(self._rest)) if self._rest else tuple(self._whole)


def _joined(points: Sequence[Point]) -> Point:
    last = points[-1]
    return Point(last.position, fmean(point.ms for point in points), last.memory_bytes)
