"""A comparison: one prompt, one seed, several models; each alone, none in another's way."""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from engine import library, paths
from engine.api import Loading, Message, Piece, ReplyRequest, Sampling
from engine.compare_api import ColumnEvent, CompareRequest, Contestant, Failed, Measured
from engine.comparison import compare
from engine.device import machine, mx
from engine.errors import EngineError, Stopped
from engine.session import Session
from engine.watch import Watch

STARTERS = paths.resources() / "models"
ASKED = (Message(role="user", text="Tell me about the sea."),)


def request(*folders: Path, interleaved: bool = False, tokens: int = 24) -> CompareRequest:
    return CompareRequest(
        id="run",
        contestants=tuple(Contestant(folder=folder, name=folder.name) for folder in folders),
        messages=ASKED,
        sampling=Sampling(temperature=0.8, seed=5, max_tokens=tokens),
        interleaved=interleaved,
    )


def run(asked: CompareRequest) -> list[ColumnEvent]:
    never = [threading.Event() for _ in asked.contestants]
    return list(compare(asked, threading.Event(), never))


def measured(events: list[ColumnEvent], column: int) -> Measured:
    ends = [e.event for e in events if e.column == column and isinstance(e.event, Measured)]
    assert len(ends) == 1
    return ends[0]


def alone(folder: Path, tokens: int = 24) -> str:
    """What the model answers in a session of its own."""
    session = Session()
    session.load(folder, on_progress=lambda _: None, stopped=threading.Event())
    asked = ReplyRequest(
        id="a", chat="a", messages=ASKED, sampling=Sampling(temperature=0.8, seed=5,
                                                            max_tokens=tokens))  # fmt: skip
    *_, end = session.reply(asked, threading.Event())
    session.unload()
    return end.text  # type: ignore[union-attr]


BOTH = (STARTERS / "starter-3m", STARTERS / "starter-12m")


@pytest.mark.parametrize("interleaved", [False, True])
def test_each_answers_as_it_does_alone(interleaved: bool) -> None:
    events = run(request(*BOTH, interleaved=interleaved))
    for column, folder in enumerate(BOTH):
        end = measured(events, column)
        assert end.text == alone(folder)
        assert end.model.name == folder.name
        pieces = [e.event for e in events if e.column == column and isinstance(e.event, Piece)]
        assert "".join(piece.text for piece in pieces) == end.text


def test_in_turn_one_is_done_before_the_next_is_loaded() -> None:
    columns = [event.column for event in run(request(*BOTH))]
    assert columns == sorted(columns)


def test_interleaved_they_write_in_turns_and_are_marked_as_nothing_to_time_by() -> None:
    events = run(request(*BOTH, interleaved=True))
    written = [event.column for event in events if isinstance(event.event, Piece)]
    assert written != sorted(written)
    assert {measured(events, column).doubt for column in (0, 1)} == {"interleaved"}


@pytest.mark.parametrize(("spare", "runs"), [(0, True), (-1, False)])
def test_interleaved_what_does_not_fit_into_memory_together_is_refused_before_any_is_loaded(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, spare: int, runs: bool
) -> None:
    needed = sum(library.describe(folder, machine()).needed_bytes for folder in BOTH)
    monkeypatch.setattr("engine.device._limit", needed + spare)
    asked = request(BOTH[0], tmp_path / "nothing", BOTH[1], interleaved=True)
    if runs:
        assert measured(run(asked), 2).text
        return
    events = compare(asked, threading.Event(), [threading.Event() for _ in range(3)])
    with pytest.raises(EngineError) as refused:
        next(events)
    assert refused.value.code == "too_big_together"
    assert refused.value.values == {"needed": needed, "limit": needed - 1}
    assert measured(run(replace(asked, interleaved=False)), 2).text


def test_one_that_cannot_be_loaded_says_why_and_the_others_go_on(tmp_path: Path) -> None:
    events = run(request(BOTH[0], tmp_path / "nothing", BOTH[1]))
    (failure,) = [e.event for e in events if isinstance(e.event, Failed)]
    assert isinstance(failure.error, EngineError)
    assert failure.error.code == "not_found"
    assert measured(events, 0).text
    assert measured(events, 2).text


def test_one_whose_folder_was_moved_meanwhile_is_found_by_its_name(tmp_path: Path) -> None:
    assert measured(run(request(tmp_path / "starter-3m")), 0).text == alone(BOTH[0])


def test_a_stop_in_one_column_touches_no_other() -> None:
    asked = request(*BOTH, interleaved=True, tokens=40)
    stops = [threading.Event(), threading.Event()]
    events = []
    for event in compare(asked, threading.Event(), stops):
        events.append(event)
        if event.column == 0 and isinstance(event.event, Piece):
            stops[0].set()
    assert measured(events, 0).stats.stop_reason == "stopped"
    assert measured(events, 1).text == alone(BOTH[1], 40)


def test_stopped_as_a_whole_the_rest_does_not_begin() -> None:
    stopped = threading.Event()
    events = []
    for event in compare(request(*BOTH), stopped, [threading.Event(), threading.Event()]):
        events.append(event)
        if isinstance(event.event, Piece):
            stopped.set()
    assert measured(events, 0).stats.stop_reason == "stopped"
    (failure,) = [e.event for e in events if isinstance(e.event, Failed)]
    assert isinstance(failure.error, Stopped)


def test_memory_returns_to_its_base_after_each_model_and_after_one_that_fails(
    tmp_path: Path,
) -> None:
    run(request(BOTH[0]))
    gc.collect()
    mx.clear_cache()
    base = mx.get_active_memory()
    biggest, at_the_start = 0, []
    asked = request(BOTH[1], tmp_path / "nothing", BOTH[0], BOTH[1])
    for event in compare(asked, threading.Event(), [threading.Event() for _ in range(4)]):
        biggest = max(biggest, mx.get_active_memory())
        if event.event == Loading(0.0):
            at_the_start.append(mx.get_active_memory())
    assert biggest > base + 20_000_000
    for held in (*at_the_start, mx.get_active_memory()):
        assert held - base < 0.05 * (biggest - base)


def test_every_figure_of_an_answer_is_measured() -> None:
    end = measured(run(request(BOTH[0])), 0)
    stats = end.stats
    assert stats.load_s
    assert stats.ttft_ms
    assert stats.ms_per_token
    assert 2 < stats.new_tokens <= 24
    assert end.early_ms
    assert end.late_ms
    assert end.median_ms
    assert 0 < len(end.points) < stats.new_tokens
    assert all(point.memory_bytes > end.weight_bytes for point in end.points)
    assert end.dtype == "float32"
    assert end.weight_bytes == 4 * end.model.parameters  # tied: all are read
    assert stats.peak_memory_bytes > 5_000_000


def test_to_measure_it_writes_on_past_the_end_of_an_answer() -> None:
    asked = replace(request(BOTH[0], tokens=60), write_on=True)
    end = measured(run(asked), 0)
    assert end.stats.new_tokens == 60
    assert end.stats.stop_reason == "length"
    assert end.points[-1].position >= 60


def test_a_sleep_and_a_busy_machine_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    slept: Iterator[float] = iter([100.0, 400.0])
    monkeypatch.setattr("engine.watch._asleep_s", lambda: next(slept))
    assert Watch().doubt() == "slept"
    monkeypatch.setattr("engine.watch._asleep_s", lambda: 0.0)
    others: Iterator[float] = iter([0.0, 1000.0])
    monkeypatch.setattr("engine.watch._others_s", lambda: next(others))
    assert Watch().doubt() == "busy"
    monkeypatch.setattr("engine.watch._others_s", lambda: 5.0)
    assert Watch().doubt() == ""
