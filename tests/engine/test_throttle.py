"""The speed that is shown, and for how long nothing came."""

from __future__ import annotations

import pytest

from engine.hub.throttle import Speed


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr("engine.hub.throttle.time", made)
    return made


def follow(speed: Speed, clock: Clock, seconds: float, per_s: int, done: int = 0) -> int:
    for _ in range(round(seconds * 10)):
        clock.now += 0.1
        done += per_s // 10
        speed.note(done)
    return done


def test_the_speed_is_that_of_the_last_seconds(clock: Clock) -> None:
    speed = Speed()
    assert speed.bytes_per_s is None
    done = follow(speed, clock, 20, 1_000)
    assert speed.bytes_per_s == pytest.approx(1_000)
    follow(speed, clock, 6, 4_000, done)
    assert speed.bytes_per_s == pytest.approx(4_000, rel=0.05)


def test_nothing_comes_is_counted_as_long_as_it_lasts(clock: Clock) -> None:
    speed = Speed()
    done = follow(speed, clock, 3, 1_000)
    assert speed.idle_s == 0
    for second in range(1, 20):
        follow(speed, clock, 1, 0, done)
        assert speed.idle_s == pytest.approx(second)
    assert speed.bytes_per_s == 0
    follow(speed, clock, 1, 1_000, done)
    assert speed.idle_s == 0


def test_a_new_start_is_no_speed_below_nothing(clock: Clock) -> None:
    speed = Speed()
    follow(speed, clock, 3, 1_000)
    follow(speed, clock, 2, 1_000, done=0)
    assert speed.bytes_per_s == pytest.approx(1_000)
