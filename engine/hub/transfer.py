"""Brings one file: over one connection, or several where that is faster, checked as it comes."""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Callable
from contextlib import suppress

from urllib3 import BaseHTTPResponse
from urllib3.exceptions import HTTPError

from engine.api import RemoteFile
from engine.errors import EngineError, Stopped
from engine.hub.address import host
from engine.hub.answers import Retry, Source, asked, check, trouble
from engine.hub.network import Wire
from engine.hub.part_file import PartFile, Stretch
from engine.hub.throttle import Throttle

MOST_CONNECTIONS = 4
_CHUNK = 1 << 20
_TICK_S = 0.02
_SAVE_S = 1.0
_TRIAL_S = 2.0  # so long each number of connections is tried
_WORTH_IT = 1.2  # times as fast as with one less, or no further one is opened


class Transfer:
    """One run at a file: what is missing of `part` is fetched from `source`.

    `run` returns when the bytes are here and their hash is known; it raises Retry for what may
    pass, EngineError for what will not, Stopped. What came stays in `part` in every case."""

    def __init__(
        self,
        wire: Wire,
        source: Source,
        part: PartFile,
        throttle: Throttle,
        stopped: threading.Event,
    ) -> None:
        self._wire, self._source, self._part, self._throttle = wire, source, part, throttle
        self._stopped = stopped
        self._over = threading.Event()  # this run ends: all its threads do
        self._ended = threading.Condition()
        # One that waits for its answer has none yet, and nothing to do with `part`.
        self._connections: dict[threading.Thread, BaseHTTPResponse | None] = {}
        self._most = MOST_CONNECTIONS
        self._failure: BaseException | None = None
        self.digest = ""
        self.checked_bytes = 0

    def run(self, on_tick: Callable[[], None]) -> None:
        """Fetch and check; `on_tick` is called many times a second."""
        checker = threading.Thread(target=self._guard, args=(self._check,), name="checker")
        checker.start()
        try:
            if self._part.missing_bytes:
                self._open_connection()
            self._watch(checker, on_tick)
        finally:
            self._end(checker)
        if self._failure is not None:
            raise self._failure
        if self._stopped.is_set() or not self.digest:
            raise Stopped

    def _watch(self, checker: threading.Thread, on_tick: Callable[[], None]) -> None:
        """Wait for the end; open another connection while that makes it faster."""
        trial = _Trial(self._part.done_bytes)
        while checker.is_alive() and not self._failure and not self._stopped.wait(_TICK_S):
            on_tick()
            with self._ended:
                alive = len(self._connections)
            none_left = not alive and self._part.missing_bytes > 0
            if none_left or (alive < self._most and trial.wants_more(self._part.done_bytes)):
                self._open_connection()

    def _end(self, checker: threading.Thread) -> None:
        """Have every thread end, also one that waits for bytes; one that waits for an answer is
        left to itself, for that cannot be interrupted and may take as long as the server likes."""
        self._over.set()
        while answers := self._answers():
            for answer in answers:
                with suppress(ValueError, RuntimeError, OSError):  # it is closed already
                    answer.shutdown()
            with self._ended:
                self._ended.wait_for(lambda: not self._answers(), 0.05)
        checker.join()

    def _answers(self) -> list[BaseHTTPResponse]:
        """Those that are being read."""
        with self._ended:
            return [answer for answer in self._connections.values() if answer is not None]

    def _guard(self, work: Callable[[], None]) -> None:
        """Do a thread's work; what goes wrong ends the run."""
        try:
            work()
        except Exception as error:
            self._fail(error)

    def _fail(self, error: BaseException) -> None:
        with self._ended:
            if self._failure is None and not self._over.is_set():
                self._failure = error
        self._over.set()

    # One connection

    def _open_connection(self) -> None:
        stretch = self._part.take()
        if stretch is None:
            return
        thread = threading.Thread(
            target=self._connect, args=(stretch,), name="download", daemon=True
        )
        with self._ended:
            self._connections[thread] = None
        thread.start()

    def _connect(self, first: Stretch) -> None:
        """Fetch `first`, then what another connection may spare."""
        stretch: Stretch | None = first
        try:
            while stretch is not None and not self._over.is_set():
                self._fetch(stretch)
                self._part.give_back(stretch)
                stretch = self._part.take()
        except Exception as error:
            self._part.give_back(stretch or first)
            self._on_refused(error)
        finally:
            with self._ended:
                del self._connections[threading.current_thread()]

    def _on_refused(self, error: Exception) -> None:
        """The last connection's trouble is the run's; another's says that it is one too many."""
        with self._ended:
            others = len(self._connections) - 1
            self._most = min(self._most, max(1, others))
        if not others or not isinstance(error, Retry):
            self._fail(error)

    def _fetch(self, stretch: Stretch) -> None:
        """Bring one stretch, over one answer of the server."""
        me = threading.current_thread()
        answer = asked(self._wire, self._source, self._part, stretch)
        with self._ended:
            self._connections[me] = None if self._over.is_set() else answer
        try:
            if not self._over.is_set():
                proxy = self._wire.proxy_of(self._source.url)
                check(answer, self._source, self._part, stretch, proxy)
                self._pour(answer, stretch)
        except HTTPError as error:
            raise trouble(error, self._source, self._wire) from error
        finally:
            with self._ended:
                self._connections[me] = None
                self._ended.notify_all()
            answer.close()

    def _pour(self, answer: BaseHTTPResponse, stretch: Stretch) -> None:
        while stretch.at < stretch.end and not self._over.is_set():
            size = self._throttle.allow(_CHUNK, self._over)
            data = answer.read1(size, decode_content=False)
            if not data:
                break
            self._throttle.count(len(data))
            if not self._part.write(stretch, memoryview(data)):
                return
        if stretch.at < stretch.end and not self._over.is_set():
            raise Retry(EngineError("cut", host=host(self._source.endpoint)))

    # The check

    def _check(self) -> None:
        """Hash the bytes in their order as they come, and note from time to time what is here."""
        wanted = self._part.wanted
        known, at, digest, saved = -1, 0, _digest_of(wanted), time.monotonic()
        while not self._over.is_set():
            since, ready = self._part.prefix()
            if since != known:
                known, at, digest = since, 0, _digest_of(wanted)
            if at < ready:
                data = self._part.read(at, min(_CHUNK, ready - at))
                digest.update(data)
                at += len(data)
            elif at == wanted.size:
                self.digest = digest.hexdigest()
                return
            else:
                self._over.wait(0.005)
            self.checked_bytes = at
            if time.monotonic() - saved > _SAVE_S and self._part.missing_bytes:
                self._part.save()
                saved = time.monotonic()


class _Trial:
    """Judges by the speed whether another connection is worth it."""

    def __init__(self, done: int) -> None:
        self._since, self._done = time.monotonic(), done
        self._best = 0.0
        self._over = False

    def wants_more(self, done: int) -> bool:
        """Whether to add one to those that there are, now that `done` bytes are here."""
        now = time.monotonic()
        if self._over or now - self._since < _TRIAL_S:
            return False
        speed = (done - self._done) / (now - self._since)
        self._since, self._done = now, done
        self._over = speed < self._best * _WORTH_IT or not speed
        self._best = max(self._best, speed)
        return not self._over


def _digest_of(wanted: RemoteFile) -> hashlib._Hash:
    """The hash that `wanted` names: SHA-256, or git's over a head and the content."""
    if wanted.sha256 or not wanted.git_id:
        return hashlib.sha256()
    return hashlib.sha1(b"blob %d\0" % wanted.size, usedforsecurity=False)


def is_right(wanted: RemoteFile, digest: str) -> bool:
    """Whether `digest` is the one that the listing names; without one the size must do."""
    known = wanted.sha256 or wanted.git_id
    return not known or digest == known
