"""Brings one model down whole: looks it up, fetches and checks its files, installs it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from engine.api import Download, Network, Phase, RemoteFile
from engine.disk import check_room
from engine.errors import EngineError, Stopped
from engine.folder_layout import family_of, read_config
from engine.hub.answers import Retry, Source
from engine.hub.network import Wire
from engine.hub.part_file import PartFile, adopt
from engine.hub.patience import answer_of
from engine.hub.repository import look_up
from engine.hub.staging import Staging
from engine.hub.throttle import Speed, Throttle
from engine.hub.transfer import Transfer, is_right

ATTEMPTS = 10  # in a row without a byte, until it is given up
_LONGEST_WAIT_S, _LONGEST_WAIT_OFFLINE_S = 60.0, 15.0
_TICK_S = 0.1
_IDLE_S = 3  # after so long without a byte it is said


@dataclass
class Progress:
    """How far it is; the fetching thread writes, others read."""

    phase: Phase = "starting"
    done_bytes: int = 0
    checked_bytes: int = 0
    idle_s: float = 0.0
    retry_at: float = 0.0  # on the monotonic clock
    attempt: int = 0


class ModelDownload:
    """One run at a model. Everything here happens on the thread that calls `run`."""

    def __init__(
        self,
        staging: Staging,
        network: Network,
        stopped: threading.Event,
        on_tick: Callable[[], None],
        *,
        patient: bool = True,
        wire: Wire | None = None,
        first_wait_s: float = 1.0,
    ) -> None:
        """`on_tick` is called many times a second; `patient` waits for the network as long as it
        takes. Of the waits before another attempt each is twice the last."""
        self._staging, self._network, self._stopped = staging, network, stopped
        self._on_tick, self._patient, self._first_wait_s = on_tick, patient, first_wait_s
        self._wire = wire or Wire(network)
        self._throttle = Throttle(network.bytes_per_s)
        self.speed = Speed()
        self._most = 0  # bytes that were ever here: less than that again is no progress
        self.progress = Progress(done_bytes=staging.done_bytes())

    def status(self) -> Download:
        """How it stands now; may be asked on any thread."""
        progress, speed, total = self.progress, self.speed.bytes_per_s, self._staging.total_bytes
        phase, retry_in = progress.phase, max(0.0, progress.retry_at - time.monotonic())
        if phase == "moving" and progress.idle_s >= _IDLE_S:
            phase, retry_in = "retrying", max(0.0, self._wire.stall_s - progress.idle_s)
        known = speed if phase == "moving" else None
        return Download(
            repo=self._staging.repo,
            phase=phase,
            done_bytes=progress.done_bytes,
            checked_bytes=progress.checked_bytes,
            total_bytes=total,
            bytes_per_s=known,
            seconds_left=(total - progress.done_bytes) / known if known else None,
            idle_s=round(progress.idle_s),
            retry_in_s=round(retry_in),
            attempt=max(1, progress.attempt),
            attempts=ATTEMPTS,
        )

    def hold_to(self, bytes_per_s: int) -> None:
        """From now on no faster than this; 0: as fast as can be."""
        self._throttle.bytes_per_s = bytes_per_s

    def run(self) -> Path:
        """The installed folder. Raises EngineError, or Stopped; what came stays."""
        self._staging.lock()
        try:
            if self._staging.repository is None:
                self._persist(self._look_up)
            self._fetch_all()
            return self._staging.install()
        except EngineError as error:
            if error.code == "unwritable" and not self._staging.models.is_dir():
                raise EngineError("folder_gone", path=self._staging.models) from error
            raise
        finally:
            self._staging.unlock()
            self._wire.close()

    def _look_up(self) -> None:
        try:
            ask = partial(look_up, self._network, self._staging.repo, self._staging.revision)
            found = answer_of(ask, self._stopped, self._on_tick)
        except EngineError as error:
            if error.code in ("offline", "hub_trouble"):
                raise Retry(error, offline=error.code == "offline") from error
            raise
        self._staging.record(found)

    def _fetch_all(self) -> None:
        """The small files first: what they tell may save the large ones. What is installed already
        and is still the same does not come again."""
        assert self._staging.repository is not None
        for file in self._staging.repository.files:
            if not self._staging.is_here(file):
                adopt(self._staging.target / file.name, self._staging.files, file)
        for file in sorted(self._staging.repository.files, key=lambda each: each.size):
            if not self._staging.is_here(file):
                missing = self._staging.total_bytes - self._staging.done_bytes()
                check_room(self._staging.files, missing)
                self._persist(partial(self._fetch_checked, file))
            if file.name == "config.json":
                family_of(self._staging.files, read_config(self._staging.files))

    def _fetch_checked(self, file: RemoteFile) -> None:
        """One file; one that fails its check is fetched once more from its start."""
        for last in (False, True):
            part = PartFile(self._staging.files, file)
            self._bad(file).unlink(missing_ok=True)
            try:
                if is_right(file, self._transfer(part, file)):
                    part.finish()
                    return
                part.set_aside() if last else part.start_over()
            finally:
                part.close()
        raise EngineError("check_failed", file=file.name)

    def _bad(self, file: RemoteFile) -> Path:
        return self._staging.files / f"{file.name}.bad"

    def _transfer(self, part: PartFile, file: RemoteFile) -> str:
        """The digest of the file, once it is here."""
        known = self._staging.repository
        assert known is not None
        others = self._staging.done_bytes() - part.done_bytes
        source = Source(self._network.endpoint, known.repo, known.revision, file.name)
        transfer = Transfer(self._wire, source, part, self._throttle, self._stopped)

        def on_tick() -> None:
            progress = self.progress
            progress.done_bytes = part.done_bytes + others
            if progress.done_bytes > self._most:
                self._most, progress.attempt = progress.done_bytes, 0
            progress.checked_bytes = transfer.checked_bytes + others
            self.speed.note(progress.done_bytes)
            progress.idle_s = self.speed.idle_s if part.missing_bytes else 0.0
            progress.phase = "moving" if part.missing_bytes else "checking"
            self._on_tick()

        try:
            transfer.run(on_tick)
            return transfer.digest
        finally:
            on_tick()
            if part.missing_bytes:
                part.save()

    def _persist(self, work: Callable[[], None]) -> None:
        """Do `work`, and again after a while where that may help."""
        while True:
            try:
                work()
                self.progress.attempt = 0
                return
            except Retry as retry:
                self._wait(retry)

    def _wait(self, retry: Retry) -> None:
        """Wait before the next attempt; give up after the last."""
        progress = self.progress
        progress.attempt += 1
        forever = retry.offline and self._patient
        if progress.attempt > ATTEMPTS and not forever:
            raise retry.error
        longest = _LONGEST_WAIT_OFFLINE_S if retry.offline else _LONGEST_WAIT_S
        pause = retry.after_s or min(self._first_wait_s * 2.0 ** (progress.attempt - 1), longest)
        progress.retry_at = time.monotonic() + pause
        progress.idle_s = retry.idle_s
        progress.phase = "offline" if retry.offline else "retrying"
        self.speed.reset()
        while (left := progress.retry_at - time.monotonic()) > 0:
            self._on_tick()
            if self._stopped.wait(min(left, _TICK_S)):
                raise Stopped
        progress.phase = "starting"
