"""Models that are wanted come one after another; pausing, giving up, quitting and a crash lose
nothing that was brought."""

from __future__ import annotations

import itertools
import random
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from downloading import FILE, REPO, SIZE, SOURCE, Run, check_not_installed, check_whole, refused
from hub_faults import Flip, Stall
from hub_server import HubServer

from engine.api import Download, Network
from engine.hub.downloads import UPDATE_S, Downloads
from engine.hub.staging import Staging

OTHER = "owner/other"
PATIENCE_S = 30


class Watched:
    """A queue at work on a thread of its own, and all that it told."""

    def __init__(self, models: Path, hub: HubServer, *, bytes_per_s: int = 0) -> None:
        models.mkdir(parents=True, exist_ok=True)
        self.told: list[tuple[float, list[Download]]] = []
        self.installed: list[str] = []
        self._heard = threading.Condition()
        network = Network(endpoint=hub.url, bytes_per_s=bytes_per_s)
        self.downloads = Downloads(models, network, self._on_change, self._on_installed)
        self._thread = threading.Thread(target=self.downloads.run)

    def _on_change(self, all_of_them: list[Download]) -> None:
        with self._heard:
            self.told.append((time.monotonic(), all_of_them))
            self._heard.notify_all()

    def _on_installed(self, repo: str) -> None:
        with self._heard:
            self.installed.append(repo)
            self._heard.notify_all()

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        self.downloads.close()
        self._thread.join(PATIENCE_S)
        assert not self._thread.is_alive()

    def wait(self, until: Callable[[], object]) -> None:
        """Wait until something that was told makes `until` true."""
        with self._heard:
            assert self._heard.wait_for(until, PATIENCE_S), self.told[-3:]

    def wait_for(self, repo: str, phase: str, done_bytes: int = 0) -> Download:
        """Wait until a download is in a phase with at least so many bytes."""

        def now() -> Download | None:
            last = self.told[-1][1] if self.told else []
            return next((d for d in last if d.repo == repo and d.phase == phase
                         and d.done_bytes >= done_bytes), None)  # fmt: skip

        self.wait(now)
        found = now()
        assert found
        return found


@contextmanager
def working(models: Path, hub: HubServer, *, bytes_per_s: int = 0) -> Iterator[Watched]:
    queue = Watched(models, hub, bytes_per_s=bytes_per_s)
    queue.start()
    try:
        yield queue
    finally:
        queue.close()


@pytest.fixture
def models(home: Path) -> Path:
    return home / "models"


@pytest.fixture(autouse=True)
def model(hub: HubServer) -> None:
    hub.add(REPO, SOURCE)
    hub.add(OTHER, SOURCE)


def test_two_models_come_one_after_another(hub: HubServer, models: Path) -> None:
    stall = Stall(after=1000)
    hub.misbehave(REPO, FILE, stall)
    with working(models, hub) as queue:
        queue.downloads.add(REPO)
        queue.downloads.add(OTHER)
        assert queue.wait_for(OTHER, "waiting").after == REPO
        queue.wait_for(REPO, "moving")
        stall.released.set()
        queue.wait(lambda: queue.installed == [REPO, OTHER])
        queue.wait(lambda: not queue.told[-1][1])
    check_whole(models / REPO)
    check_whole(models / OTHER)


def test_a_model_that_is_wanted_twice_comes_once(hub: HubServer, models: Path) -> None:
    stall = Stall(after=1000)
    hub.misbehave(REPO, FILE, stall)
    with working(models, hub) as queue:
        for _ in range(3):
            queue.downloads.add(REPO)
        queue.wait_for(REPO, "moving")
        queue.downloads.add(REPO)
        assert len(queue.downloads.statuses()) == 1
        stall.released.set()
        queue.wait(lambda: queue.installed == [REPO])
    assert hub.sent(FILE) == SIZE


def test_a_model_that_another_process_has_in_hand_is_refused(hub: HubServer, models: Path) -> None:
    run = Run(hub, models)
    run.staging.lock()
    with refused("busy"):
        Run(hub, models)()
    run.staging.unlock()
    check_whole(Run(hub, models)())


def test_paused_it_rests_and_resumed_it_fetches_only_the_rest(hub: HubServer, models: Path) -> None:
    stall = Stall(after=SIZE // 2)
    hub.misbehave(REPO, FILE, stall)
    with working(models, hub) as queue:
        queue.downloads.add(REPO)
        queue.wait_for(REPO, "moving", SIZE // 2)
        queue.downloads.pause(REPO)
        assert queue.downloads.wait_until_idle(PATIENCE_S)
        assert queue.wait_for(REPO, "paused").done_bytes > SIZE // 2
        check_not_installed(models)
        queue.downloads.resume(REPO)
        queue.wait(lambda: queue.installed)
    assert hub.sent(FILE) == SIZE


def test_pause_and_resume_in_any_order_end_in_a_whole_model(hub: HubServer, models: Path) -> None:
    chance = random.Random(7)
    hub.total_pace.bytes_per_s = 30e6
    with working(models, hub) as queue:
        queue.downloads.add(REPO)
        for _ in range(200):
            chance.choice((queue.downloads.pause, queue.downloads.resume))(REPO)
            queue.downloads.add(OTHER)
            queue.downloads.pause(OTHER)
        hub.total_pace.bytes_per_s = 0
        queue.downloads.resume(REPO)
        queue.downloads.resume(OTHER)
        queue.wait(lambda: sorted(queue.installed) == [OTHER, REPO])
    check_whole(models / REPO)


def test_given_up_nothing_of_it_is_left(hub: HubServer, models: Path) -> None:
    hub.misbehave(REPO, FILE, Stall(after=SIZE // 2))
    with working(models, hub) as queue:
        queue.downloads.add(REPO)
        queue.wait_for(REPO, "moving", SIZE // 2)
        queue.downloads.cancel(REPO)
        queue.wait(lambda: not queue.told[-1][1])
        queue.downloads.add(OTHER)
        queue.wait(lambda: queue.installed == [OTHER])
    assert not list((models / ".downloads").iterdir())
    check_not_installed(models)


def test_quit_at_two_fifths_it_is_there_paused_at_its_bytes_and_goes_on(
    hub: HubServer, models: Path
) -> None:
    at = SIZE * 2 // 5
    hub.misbehave(REPO, FILE, Stall(after=at))
    with working(models, hub) as queue:
        queue.downloads.add(REPO)
        queue.wait_for(REPO, "moving", at)
    check_not_installed(models)
    with working(models, hub) as queue:
        paused = queue.wait_for(REPO, "paused")
        assert paused.done_bytes - at == Staging(models, REPO).done_bytes() - at >= 0
        assert paused.total_bytes > SIZE
        assert not hub.asked(FILE, "cdn")[1:], "it began by itself"
        queue.downloads.resume(REPO)
        queue.wait(lambda: queue.installed)
    check_whole(models / REPO)
    assert hub.sent(FILE) == SIZE


def test_what_failed_says_why_and_may_be_tried_again(hub: HubServer, models: Path) -> None:
    hub.misbehave(REPO, FILE, Flip(at=5), times=2)
    with working(models, hub) as queue:
        queue.downloads.add(REPO)
        failed = queue.wait_for(REPO, "failed")
        assert "failed its check twice" in str(failed.error)
        queue.downloads.add(OTHER)
        queue.wait(lambda: queue.installed == [OTHER])
        queue.downloads.resume(REPO)
        queue.wait(lambda: queue.installed == [OTHER, REPO])
    check_whole(models / REPO)


def test_it_is_told_at_most_ten_times_a_second_and_never_backwards(
    hub: HubServer, models: Path
) -> None:
    hub.total_pace.bytes_per_s = 6e6
    with working(models, hub) as queue:
        queue.downloads.add(REPO)
        queue.wait(lambda: queue.installed)
    times = [at for at, _ in queue.told]
    gaps = [b - a for a, b in itertools.pairwise(times)]
    assert len(times) > 5
    assert min(gaps) > 0.9 * UPDATE_S
    done = [each[0].done_bytes for _, each in queue.told if each]
    assert done == sorted(done)
    moving = [d for _, each in queue.told for d in each if d.phase == "moving" and d.bytes_per_s]
    assert any(2e6 < (d.bytes_per_s or 0) < 9e6 and d.seconds_left is not None for d in moving)


def test_a_limit_on_the_speed_holds(hub: HubServer, models: Path) -> None:
    began = time.monotonic()
    with working(models, hub, bytes_per_s=8_000_000) as queue:
        queue.downloads.add(REPO)
        queue.wait(lambda: queue.installed)
    assert time.monotonic() - began > 0.8 * SIZE / 8e6


def test_a_clock_that_is_set_changes_nothing(
    hub: HubServer, models: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hours = iter(range(10**9))
    monkeypatch.setattr(time, "time", lambda: 1e9 + (next(hours) % 7 - 3) * 3600.0)
    hub.total_pace.bytes_per_s = 12e6
    with working(models, hub) as queue:
        queue.downloads.add(REPO)
        queue.wait(lambda: queue.installed)
    speeds = [d.bytes_per_s for _, each in queue.told for d in each if d.bytes_per_s]
    assert all(1e6 < speed < 5e7 for speed in speeds)
    check_whole(models / REPO)
