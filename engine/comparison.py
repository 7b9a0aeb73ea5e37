"""One prompt for several models: each loaded, timed alone and freed, or all in turns."""

from __future__ import annotations

import gc
import logging
import threading
from array import array
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import replace
from statistics import median

from engine import library
from engine.api import Finished, Loading, ModelInfo, Piece, Reading, ReplyRequest, Stats
from engine.benchmark import Found, benchmark
from engine.compare_api import (
    ColumnEvent,
    CompareRequest,
    Contestant,
    Failed,
    Measured,
    Plan,
    Step,
    too_big_together,
)
from engine.device import machine, mx
from engine.errors import EngineError, Stopped
from engine.language_model import LanguageModel
from engine.session import Session
from engine.track import Track
from engine.watch import Watch

_log = logging.getLogger(__name__)
_EDGE = 50  # tokens at each end that are looked at apart
_Event = Loading | Reading | Step | Piece | Measured | Failed


def compare(
    request: CompareRequest, stopped: threading.Event, stops: Sequence[threading.Event]
) -> Iterator[ColumnEvent]:
    """The events of every contestant; each ends with one Measured or one Failed, or with both where
    a benchmark fails after its first round.

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
                yield _told(column.index, event)
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
                    yield _told(index, event)
    finally:
        for column in columns:
            column.close()
        gc.collect()


def _told(index: int, event: _Event) -> ColumnEvent:
    memory = mx.get_active_memory() if isinstance(event, Piece) else 0
    return ColumnEvent(index, event, memory)


class _Column:
    """One contestant, from its loading to its last token."""

    def __init__(
        self, index: int, who: Contestant, request: CompareRequest, stopped: threading.Event
    ) -> None:
        self.index, self._who, self._request, self._stopped = index, who, request, stopped
        self._session = Session()
        self._times = array("d")  # milliseconds
        self._text: list[str] = []
        self._track = Track()

    def close(self) -> None:
        """Free the model."""
        self._session.unload()

    def run(self, all_stopped: threading.Event) -> Iterator[_Event]:
        """Load, read, write; the last event is a Measured or a Failed."""
        watch = Watch()
        stop = _Either(all_stopped, self._stopped)
        try:
            yield Loading(0.0)
            if stop.is_set():
                raise Stopped
            info = self._load(stop)
            yield Loading(1.0)
            plan = self._request.plan
            if plan is None:
                yield from self._answer(info, stop, watch)
            else:
                yield from self._benchmark(info, plan, stop, watch)
        except Exception as error:  # a fault of ours in one column is told there, and logged
            yield Failed(self._bare(error))

    def _load(self, stop: _Either) -> ModelInfo:
        who = self._who
        folder = library.still(who.folder)
        return self._session.load(
            folder, on_progress=lambda _: None, stopped=stop, precision=who.precision
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
                yield self._measured(info, event.text, event.stats, watch)
                return
            self._note(event)
            yield event

    def _benchmark(
        self, info: ModelInfo, plan: Plan, stop: _Either, watch: Watch
    ) -> Iterator[Step | Reading | Piece | Measured | Failed]:
        """Stopped or failed after the first round it keeps what was found until then."""
        model, found = self._session.model, Found()
        assert model is not None
        cut: Exception | None = None
        try:
            for event in benchmark(model, plan, found, stop):
                self._note(event)
                yield event
        except Exception as error:
            if not found.rounds:
                raise
            cut = self._bare(error)
        stats = replace(found.stats, load_s=self._session.load_s)
        if cut:
            stats = replace(stats, stop_reason="stopped")
        rounds = [ms for times in found.times for ms in times]
        if not self._times:
            self._times.extend(rounds)
        yield replace(
            self._measured(info, "".join(self._text), stats, watch),
            median_ms=median(rounds) if rounds else None,
            spread_ms=found.spread_ms,
            quality=found.quality,
        )
        if cut and not isinstance(cut, Stopped):
            yield Failed(cut)

    def _note(self, event: Reading | Step | Piece) -> None:
        if not isinstance(event, Piece):
            return
        self._text.append(event.text)
        if event.ms is not None:
            self._times.append(event.ms)
            self._track.add(event.position, event.ms, mx.get_active_memory())

    def _measured(self, info: ModelInfo, text: str, stats: Stats, watch: Watch) -> Measured:
        model, times = self._session.model, self._times
        assert model is not None
        return Measured(
            text=text,
            stats=stats,
            model=info,
            dtype=model.dtype,
            median_ms=median(times) if times else None,
            early_ms=median(times[:_EDGE]) if times else None,
            late_ms=median(times[-_EDGE:]) if times else None,
            points=self._track.points(),
            weight_bytes=model.read_bytes,
            transformer_bytes=info.state_bytes_per_token or _cache_bytes(model),
            doubt="interleaved" if self._request.interleaved else watch.doubt(),
        )

    def _bare(self, error: Exception) -> Exception:
        """Without its frames and those of what caused it, which hold arrays; they are logged."""
        if not isinstance(error, EngineError):
            _log.error("comparing %s", self._who.name, exc_info=error)
        each: BaseException | None = error
        while each is not None:
            each.__traceback__ = None
            each = each.__cause__ or each.__context__
        return error


def _cache_bytes(model: LanguageModel) -> int:
    """By which a token adds to the cache of a Transformer of as many parameters: a key and a value
    for two of Mamba's layers, whose parameters one of its has (Gu and Dao 2023, arXiv:2312.00752,
    3.4)."""
    each = 4 if model.dtype == "float32" else 2
    return int(model.config.n_layer * model.config.d_model * each)


class _Either(threading.Event):
    """Set when either of two is: the whole run's or the column's own."""

    def __init__(self, one: threading.Event, other: threading.Event) -> None:
        super().__init__()
        self._two = (one, other)

    def is_set(self) -> bool:
        """Whether one of them is."""
        return any(each.is_set() for each in self._two)
