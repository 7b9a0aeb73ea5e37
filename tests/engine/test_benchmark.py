"""A benchmark: what it measures, that it can be repeated, and what a stop leaves of it."""

from __future__ import annotations

import gc
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import neox_folder
import pytest

import engine.benchmark
from engine import paths
from engine.api import Piece, Reading
from engine.compare_api import ColumnEvent, CompareRequest, Contestant, Failed, Measured, Plan, Step
from engine.comparison import compare
from engine.device import mx
from engine.errors import EngineError, Stopped
from engine.generate import _Writer
from engine.quality import quality
from engine.state import State

STARTERS = paths.resources() / "models"
PLAN = Plan(prompt_tokens=40, new_tokens=12, rounds=3, position=80)
Told = Callable[[ColumnEvent], object]


@pytest.fixture(autouse=True)
def _short_text(monkeypatch: pytest.MonkeyPatch) -> None:
    """A row of the text tells enough here."""
    monkeypatch.setattr("engine.benchmark.quality", partial(quality, rows=1))


def measure(
    *folders: Path, plan: Plan = PLAN, stop_at: Told = lambda _: False
) -> list[ColumnEvent]:
    request = CompareRequest(
        id="run",
        contestants=tuple(Contestant(folder=folder, name=folder.name) for folder in folders),
        messages=(),
        plan=plan,
    )
    stops = [threading.Event() for _ in folders]
    events = []
    for event in compare(request, threading.Event(), stops):
        events.append(event)
        if stop_at(event):
            stops[event.column].set()
    return events


def end_of(events: list[ColumnEvent], column: int = 0) -> Measured:
    (end,) = [e.event for e in events if e.column == column and isinstance(e.event, Measured)]
    return end


def test_every_part_is_told_and_every_figure_measured() -> None:
    events = measure(STARTERS / "starter-3m")
    steps = [e.event for e in events if isinstance(e.event, Step)]
    assert [(step.part, step.done) for step in steps] == [
        ("warm_up", 0), ("rounds", 0), ("rounds", 1), ("rounds", 2),
        ("quality", 0),
    ]  # fmt: skip
    end = end_of(events)
    assert end.spread_ms
    assert end.stats.ms_per_token
    least, most = end.spread_ms
    assert 0 < least <= end.stats.ms_per_token <= most
    assert end.stats.prompt_tokens == 40
    assert end.stats.load_s
    assert end.quality
    assert 0 < end.quality.bits_per_byte < 8
    assert end.points[-1].position == 80 == end.stats.position + 1
    assert end.early_ms
    assert end.late_ms
    written = "".join(e.event.text for e in events if isinstance(e.event, Piece))
    assert end.text == written != ""


def test_it_writes_and_foretells_the_same_when_it_is_repeated() -> None:
    one, other = end_of(measure(STARTERS / "starter-3m")), end_of(measure(STARTERS / "starter-3m"))
    assert one.text == other.text
    assert one.quality == other.quality
    assert one.weight_bytes == other.weight_bytes


@pytest.mark.parametrize("parts", [{"position": 0}, {"quality": False}])
def test_a_part_that_is_not_wanted_is_left_out(parts: dict[str, int]) -> None:
    plan = Plan(prompt_tokens=8, new_tokens=4, rounds=1, **{"position": 20, **parts})  # type: ignore[arg-type]
    end = end_of(measure(STARTERS / "starter-3m", plan=plan))
    assert (end.quality is None) == (not plan.quality)
    assert bool(end.text) == bool(plan.position)
    assert end.median_ms


def test_stopped_after_a_round_it_keeps_what_was_found_and_the_next_model_is_measured() -> None:
    both = (STARTERS / "starter-3m", STARTERS / "starter-12m")
    events = measure(*both, stop_at=lambda e: e == ColumnEvent(0, Step("rounds", 2, 3)))
    end = end_of(events)
    assert end.stats.stop_reason == "stopped"
    assert end.stats.ms_per_token
    assert end.quality is None
    assert end_of(events, 1).stats.stop_reason == "length"
    assert end_of(events, 1).quality


def test_stopped_in_the_long_run_it_keeps_its_text_and_its_times() -> None:
    plan = replace(PLAN, rounds=1, quality=False, position=400)
    events = measure(
        STARTERS / "starter-3m",
        plan=plan,
        stop_at=lambda e: isinstance(e.event, Piece) and e.event.position > 40,
    )
    end = end_of(events)
    assert end.stats.stop_reason == "stopped"
    assert 40 < end.points[-1].position < 400
    assert end.text


def test_failed_in_the_long_run_it_keeps_what_was_found_and_frees_its_memory(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    step = _Writer._step

    def runs_out(self: _Writer, token: mx.array, state: State) -> tuple[mx.array, State]:
        if self.sampler.settings.temperature and len(self.ids) > 30:
            raise RuntimeError("[malloc] Unable to allocate")
        return step(self, token, state)

    monkeypatch.setattr(_Writer, "_step", runs_out)
    plan = replace(PLAN, rounds=2)
    gc.collect()
    mx.clear_cache()
    base = mx.get_active_memory()
    events = measure(STARTERS / "starter-12m", plan=plan)
    taken = mx.get_active_memory() - base
    end = end_of(events)
    assert end.stats.ms_per_token
    assert end.stats.stop_reason == "stopped"
    assert end.quality
    assert end.text
    assert end.points
    last = events[-1].event
    assert isinstance(last, Failed)
    assert isinstance(last.error, EngineError)
    assert last.error.code == "out_of_memory"
    assert taken < 1_000_000


def test_the_median_is_that_of_the_rounds_as_the_other_figures_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    write_on = engine.benchmark._write_on

    def slow(*args: Any) -> Iterator[Reading | Piece]:
        for event in write_on(*args):
            if isinstance(event, Piece) and event.ms is not None:
                event = replace(event, ms=1e6)
            yield event

    monkeypatch.setattr("engine.benchmark._write_on", slow)
    end = end_of(measure(STARTERS / "starter-3m", plan=replace(PLAN, quality=False)))
    assert end.early_ms == end.late_ms == 1e6
    assert end.median_ms
    assert end.median_ms < 1e6


def test_stopped_before_a_round_is_done_nothing_is_made_up() -> None:
    events = measure(
        STARTERS / "starter-3m", stop_at=lambda e: e == ColumnEvent(0, Step("rounds", 0, 3))
    )
    (failure,) = [e.event for e in events if isinstance(e.event, Failed)]
    assert isinstance(failure.error, Stopped)


def test_a_transformer_writes_as_far_as_it_can_and_its_state_grows_with_it(
    tiny_folder: Callable[..., Path],
) -> None:
    folder = neox_folder.write(tiny_folder(), max_position_embeddings=64)
    plan = replace(PLAN, prompt_tokens=8, new_tokens=4, rounds=1, quality=False)
    end = end_of(measure(folder, plan=plan))
    assert end.stats.position == 64
    assert end.points[-1].position == 65  # what was written last need not be read
    assert end.stats.state_bytes == 64 * end.transformer_bytes


def test_a_mamba_is_told_the_cache_of_a_transformer_of_its_size() -> None:
    end = end_of(measure(STARTERS / "starter-3m", plan=replace(PLAN, rounds=1, quality=False)))
    assert end.transformer_bytes == 2 * 9 / 2 * 160 * 4  # key and value, half its layers
    assert end.stats.state_bytes == end.model.state_bytes


def test_memory_returns_to_its_base_after_each_model(tmp_path: Path) -> None:
    short = replace(PLAN, rounds=1, quality=False)
    measure(STARTERS / "starter-3m", plan=short)
    gc.collect()
    mx.clear_cache()
    base = mx.get_active_memory()
    measure(STARTERS / "starter-3m", tmp_path / "nothing", STARTERS / "starter-3m")
    assert mx.get_active_memory() - base < 0.05 * 4 * 2_910_720
