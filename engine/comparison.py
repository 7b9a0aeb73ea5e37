"""One prompt for several models: each loaded, timed alone and freed, or all in turns."""

from __future__ import annotations

import gc
import statistics
import threading
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress

from engine import library
from engine.api import Finished, Loading, ModelInfo, Piece, Reading, ReplyRequest
from engine.compare_api import (
    ColumnEvent,
    CompareRequest,
    Contestant,
    Failed,
    Measured,
    thinned,
    too_big_together,
)
from engine.device import machine
from engine.errors import EngineError, Stopped
from engine.session import Session
from engine.watch import Watch

_EDGE = 50  # tokens at each end that are looked at apart
_POINTS = 400  # at most so many times are kept of an answer


def compare(
    request: CompareRequest, stopped: threading.Event, stops: Sequence[threading.Event]
) -> Iterator[ColumnEvent]:
    """The events of every contestant; each ends with one Measured or one Failed.

    `stopped` ends the whole: contestants that have not begun fail with Stopped. `stops` holds an
    Event for each, which ends that one's answer. One that fails touches no other. No other model
    should be in memory. Raises EngineError("too_big_together") before any is loaded."""
    columns = [
        _Column(index, who, request, stops[index]) for index, who in enumerate(request.contestants)
    ]
    if request.interleaved:
        _check_together(request.contestants)
        yield from _in_turns(columns, stopped)
        return
    for column in columns:
        with closing(column):
            for event in column.run(stopped):
                yield ColumnEvent(column.index, event)
        gc.collect()  # its arrays are given back before the next one is measured


def _check_together(contestants: Sequence[Contestant]) -> None:
    models = []
    for who in contestants:
        with suppress(EngineError):  # which the column of this one tells
            models.append(library.describe(who.folder, machine(), who.precision))
    if error := too_big_together(models, machine()):
        raise error


def _in_turns(columns: list[_Column], stopped: threading.Event) -> Iterator[ColumnEvent]:
    """A step of each after the other, until all have ended."""
    running = {column.index: column.run(stopped) for column in columns}
    try:
        while running:
            for index, steps in list(running.items()):
                event = next(steps, None)
                if event is None:
                    del running[index]
                else:
                    yield ColumnEvent(index, event)
    finally:
        for column in columns:
            column.close()
        gc.collect()


class _Column:
    """One contestant, from its loading to its last token."""

    def __init__(
        self, index: int, who: Contestant, request: CompareRequest, stopped: threading.Event
    ) -> None:
        self.index, self._who, self._request, self._stopped = index, who, request, stopped
        self._session = Session()
        self._times: list[tuple[int, float]] = []

    def close(self) -> None:
        """Free the model."""
        self._session.unload()

    def run(
        self, all_stopped: threading.Event
    ) -> Iterator[Loading | Reading | Piece | Measured | Failed]:
        """Load, read, write; the last event is a Measured or a Failed."""
        watch = Watch()
        stop = _Either(all_stopped, self._stopped)
        try:
            yield Loading(0.0)
            if stop.is_set():
                raise Stopped
            info = self._load(stop)
            yield Loading(1.0)
            yield from self._answer(info, stop, watch)
        except Exception as error:  # a fault of ours in one column is told there, and logged
            error.__traceback__ = None  # its frames hold arrays
            yield Failed(error)

    def _load(self, stop: _Either) -> ModelInfo:
        who = self._who
        return self._session.load(
            who.folder, on_progress=lambda _: None, stopped=stop, precision=who.precision
        )

    def _answer(
        self, info: ModelInfo, stop: _Either, watch: Watch
    ) -> Iterator[Reading | Piece | Measured]:
        request = ReplyRequest(
            id=f"{self._request.id}-{self.index}",
            chat=self._request.id,
            messages=self._request.messages,
            sampling=self._request.sampling,
            write_on=self._request.write_on,
        )
        for event in self._session.reply(request, stop):
            if isinstance(event, Finished):
                yield self._measured(info, event, watch)
                return
            if isinstance(event, Piece) and event.ms is not None:
                self._times.append((event.position, event.ms))
            yield event

    def _measured(self, info: ModelInfo, end: Finished, watch: Watch) -> Measured:
        times = [ms for _, ms in self._times]
        doubt = "interleaved" if self._request.interleaved else watch.doubt()
        return Measured(
            text=end.text,
            stats=end.stats,
            model=info,
            early_ms=statistics.median(times[:_EDGE]) if times else None,
            late_ms=statistics.median(times[-_EDGE:]) if times else None,
            times=thinned(self._times, _POINTS),
            doubt=doubt,
        )


class _Either(threading.Event):
    """Set when either of two is: the whole run's or the column's own."""

    def __init__(self, one: threading.Event, other: threading.Event) -> None:
        super().__init__()
        self._two = (one, other)

    def is_set(self) -> bool:
        """Whether one of them is."""
        return any(each.is_set() for each in self._two)
