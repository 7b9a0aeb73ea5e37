"""Of a long answer few points are kept, and they tell the same."""

from __future__ import annotations

from itertools import pairwise

import pytest

from engine.compare_api import Point
from engine.track import Track


@pytest.mark.parametrize("tokens", [0, 1, 7, 8, 9, 100, 10_000])
def test_the_points_are_few_in_order_and_end_at_the_last_token(tokens: int) -> None:
    track = Track(8)
    for position in range(tokens):
        track.add(position, 3.0, position)
        assert len(track.points()) <= 8
        assert track.points()[-1].position == position
    assert all(one.position < other.position for one, other in pairwise(track.points()))
    assert {point.ms for point in track.points()} <= {3.0}


def test_every_whole_point_is_the_mean_of_as_many_tokens() -> None:
    track = Track(8)
    for position in range(8 * 1024):
        track.add(position, float(position), 0)
    points = track.points()
    assert len({after.position - before.position for before, after in pairwise(points)}) == 1
    assert sum(point.ms for point in points) / len(points) == (8 * 1024 - 1) / 2


def test_a_short_answer_keeps_every_token() -> None:
    track = Track()
    told = [Point(position, position / 7, 5) for position in range(100)]
    for point in told:
        track.add(*point)
    assert list(track.points()) == told
