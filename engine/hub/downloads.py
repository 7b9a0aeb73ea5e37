"""The models that are wanted, one after another: paused, gone on with, given up, kept over a quit.

`run` works on a thread of its own; every other method may be called from any thread and returns
at once."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from engine.api import Download, Network
from engine.errors import EngineError, Stopped
from engine.hub.download import ModelDownload
from engine.hub.staging import Staging, unfinished

_log = logging.getLogger(__name__)
UPDATE_S = 0.1  # between two updates at least


@dataclass
class _Job:
    staging: Staging
    wish: Literal["go", "pause", "cancel"]
    stopped: threading.Event = field(default_factory=threading.Event)
    download: ModelDownload | None = None  # while it runs
    error: Exception | None = None
    done_bytes: int = 0

    @property
    def repo(self) -> str:
        return self.staging.repo


class Downloads:
    """Brings models into a folder. `on_change` gets the list, at most ten times a second;
    `on_installed` the name of one that is complete. Both are called on `run`'s thread."""

    def __init__(
        self,
        models: Path,
        network: Network,
        on_change: Callable[[list[Download]], None],
        on_installed: Callable[[str], None],
    ) -> None:
        self._models, self._network = models, network
        self._on_change, self._on_installed = on_change, on_installed
        self._wake = threading.Condition()
        self._jobs: dict[str, _Job] = {}
        self._closed, self._changed, self._told = False, False, 0.0
        self._held = False  # nothing is begun, and nothing deleted

    def move_to(self, models: Path) -> None:
        """From now on models come into this folder; what is unfinished there is taken up, paused
        but for what was wished meanwhile.

        Nothing may be running: `pause_all` and `wait_until_idle` first."""
        with self._wake:
            assert not self._running()
            wishes = {job.repo: job.wish for job in self._jobs.values() if not job.error}
            self._models = models
            self._jobs.clear()
        self._recall()
        for repo, wish in wishes.items():
            if wish != "pause":
                self.resume(repo) if wish == "go" else self.cancel(repo)

    def _recall(self) -> None:
        with self._wake:  # held, so that what is wanted meanwhile is not taken for a remnant
            for staging in unfinished(self._models):
                if staging.repo not in self._jobs:
                    job = _Job(staging, "pause", done_bytes=staging.done_bytes())
                    self._jobs[staging.repo] = job
            self._touch()

    def set_network(self, network: Network) -> None:
        """How the Hub is reached from the next model on; the speed limit holds at once."""
        with self._wake:
            self._network = network
            for job in self._jobs.values():
                if job.download:
                    job.download.hold_to(network.bytes_per_s)

    def add(self, repo: str, revision: str = "main") -> None:
        """Want a model; one that is wanted already goes on.

        Raises EngineError where its folder cannot be made."""
        with self._wake:
            if repo not in self._jobs:
                staging = Staging(self._models, repo)
                staging.begin(revision)
                self._jobs[repo] = _Job(staging, "go")
        self.resume(repo)

    def resume(self, repo: str) -> None:
        """Go on with one that is paused or has failed, when it is its turn."""
        with self._wake:
            job = self._jobs.get(repo)
            if job is None or job.wish == "cancel":
                return
            if job.wish == "pause" and job.download is None:
                self._jobs[repo] = self._jobs.pop(repo)  # behind those that wait
            job.wish, job.error = "go", None
            self._touch()

    def pause(self, repo: str) -> None:
        """Stop; what is here is kept."""
        self._stop(repo, "pause")

    def cancel(self, repo: str) -> None:
        """Give it up and delete what is here of it."""
        self._stop(repo, "cancel")

    def pause_all(self) -> None:
        """Stop every one, and leave what is wished from now on until `go_on`; `wait_until_idle`
        tells when the disk is at rest."""
        with self._wake:
            self._held = True
            for job in self._jobs.values():
                if job.wish == "go" and not job.error:
                    job.wish = "pause"
                    job.stopped.set()
            self._touch()

    def go_on(self) -> None:
        """Do what is wished again; what was paused stays so."""
        with self._wake:
            self._held = False
            self._touch()

    def wait_until_idle(self, timeout_s: float) -> bool:
        """Whether nothing runs any more."""
        with self._wake:
            return self._wake.wait_for(lambda: not self._running(), timeout_s)

    def close(self) -> None:
        """Have `run` end; all is kept."""
        with self._wake:
            self._closed = True
            for job in self._jobs.values():
                job.stopped.set()
            self._wake.notify_all()

    def statuses(self) -> list[Download]:
        """All as they stand now, in their order."""
        with self._wake:
            before, shown = "", []
            for job in self._jobs.values():
                if job.wish != "cancel":
                    shown.append(_status(job, before))
                    before = job.repo if job.wish == "go" else before
            return shown

    def run(self) -> None:
        """Take up, paused, what was left unfinished; then work until `close`."""
        self._recall()
        while (job := self._next()) is not None:
            if job.wish == "cancel":
                self._drop(job)
            else:
                self._bring(job)
            self._tell(at_once=True)

    def _stop(self, repo: str, wish: Literal["pause", "cancel"]) -> None:
        with self._wake:
            if job := self._jobs.get(repo):
                job.wish = wish
                job.stopped.set()
                self._touch()

    def _touch(self) -> None:
        self._changed = True
        self._wake.notify_all()

    def _running(self) -> list[_Job]:
        return [job for job in self._jobs.values() if job.download]

    def _due(self) -> Iterator[_Job]:
        if self._held:
            return
        yield from (job for job in self._jobs.values() if job.wish == "cancel")
        yield from (job for job in self._jobs.values() if job.wish == "go" and not job.error)

    def _next(self) -> _Job | None:
        """The next that has work to do; waits for one. None: it is over."""
        while True:
            with self._wake:
                self._wake.wait_for(lambda: self._closed or self._changed or any(self._due()))
                if self._closed:
                    return None
                job = next(self._due(), None)
                if job is not None and job.wish == "go":
                    job.stopped.clear()
                    job.download = ModelDownload(
                        job.staging, self._network, job.stopped, self._tell
                    )
                if job is not None:
                    return job
            self._tell(at_once=True)

    def _drop(self, job: _Job) -> None:
        job.staging.discard()
        with self._wake:
            self._jobs.pop(job.repo, None)
            self._changed = True

    def _bring(self, job: _Job) -> None:
        assert job.download is not None
        error: Exception | None = None
        finished = False
        try:
            job.download.run()
            finished = True
        except Stopped:
            pass
        except EngineError as found:
            error = found
        except Exception as fault:
            _log.exception("downloading %s", job.repo)
            error = fault
        with self._wake:
            job.done_bytes = job.staging.done_bytes()
            job.download, job.error = None, error
            if finished:
                self._jobs.pop(job.repo, None)
            self._touch()
        if finished:
            self._on_installed(job.repo)

    def _tell(self, *, at_once: bool = False) -> None:
        """Give the list out, unless that was just done; what comes too early is told later."""
        now = time.monotonic()
        if at_once or now - self._told >= UPDATE_S:
            if at_once and now - self._told < UPDATE_S:
                time.sleep(UPDATE_S - (now - self._told))
            self._told, self._changed = time.monotonic(), False
            self._on_change(self.statuses())


def _status(job: _Job, before: str) -> Download:
    """What is told of one; `before` is the one that it waits for."""
    total = job.staging.total_bytes
    if job.wish == "pause":
        done = job.download.progress.done_bytes if job.download else job.done_bytes
        return Download(repo=job.repo, phase="paused", done_bytes=done, total_bytes=total)
    if job.error is not None:
        return Download(
            repo=job.repo,
            phase="failed",
            done_bytes=job.done_bytes,
            total_bytes=total,
            error=job.error,
        )
    if job.download is None:
        return Download(
            repo=job.repo,
            phase="waiting",
            done_bytes=job.done_bytes,
            total_bytes=total,
            after=before,
        )
    return job.download.status()
