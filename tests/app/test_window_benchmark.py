"""Measuring through the real window: two Mambas and a Transformer of their size, by clicks; live;
kept; and with the figures that the command line finds for one of them alone."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.compare_running import Live
from app.main_window import COMPARE, MainWindow
from app.panels.compare_column import CompareColumn
from app.widgets.button_base import ButtonBase
from engine import paths
from engine.api import Sampling
from engine.compare_api import Plan, Step
from engine.quality import quality

LEFT = Qt.MouseButton.LeftButton
PATIENCE_MS = 120_000
pytestmark = pytest.mark.qt_log_ignore("does not support grabbing the keyboard")
MODELS = ("starter-3m", "neox-12m", "starter-12m")
TRIES = 8
NEAR = 0.10
Open = Callable[..., MainWindow]


class Measuring:
    """The Compare view, as a user sees and clicks it."""

    def __init__(self, qtbot: QtBot, window: MainWindow, *models: str) -> None:
        self.qtbot, self.window, self.compare = qtbot, window, window.compare
        self.wait(lambda: len(window.models.models) >= len(models))
        window.show_view(COMPARE)
        self.compare.choose(models)

    def wait(self, until: Callable[[], object]) -> None:
        self.qtbot.waitUntil(lambda: bool(until()), timeout=PATIENCE_MS)

    def click(self, button: ButtonBase) -> None:
        assert button.isEnabled()
        self.qtbot.mouseClick(button, LEFT)

    def start(self, rounds: int, position: int) -> None:
        bar = self.window.toolbar.compare
        self.click(bar.benchmark)
        popover = bar.benchmark_popover
        assert popover.isVisible()
        assert popover.focusWidget() is popover.rounds
        for field, value in ((popover.rounds, rounds), (popover.position, position)):
            field.setFocus()
            field.selectAll()
            QTest.keyClicks(field, str(value))
        QTest.keyPress(popover.position, Qt.Key.Key_Return)
        assert not popover.isVisible()
        assert self.compare.is_running

    def ask(self, prompt: str) -> None:
        editor = self.window.compare_view.head.prompt.editor
        editor.setFocus()
        editor.selectAll()
        self.qtbot.keyClicks(editor, prompt)
        self.click(self.window.compare_view.head.prompt.run)

    def done(self) -> None:
        self.wait(lambda: not self.compare.is_running)

    def to_the_end(self, begin: Callable[[], object]) -> None:
        """Run what `begin` starts, without a look at the window meanwhile: twenty of them a second
        cost the engine a tenth of its speed."""
        ended = self.compare._client.compare_ended
        with self.qtbot.waitSignal(ended, timeout=PATIENCE_MS):
            begin()
        self.done()

    def columns(self) -> list[CompareColumn]:
        return list(self.window.compare_view.columns.views.values())

    def told(self, column: int) -> object:
        live: Live | None = self.compare.live.get(column)
        return live.told if live else None


@pytest.fixture
def ladder(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A Transformer as large as starter-12m is among the models; the machine is never busy."""
    sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "bench"))
    from make_checkpoint import make

    make(paths.models() / "neox-12m", "gpt_neox", "12m")
    monkeypatch.setattr("engine.watch.Watch.doubt", lambda _: "")
    monkeypatch.setattr("engine.benchmark.quality", partial(quality, rows=1))


@pytest.fixture
def measuring(ladder: None, qtbot: QtBot, window: MainWindow) -> Measuring:
    return Measuring(qtbot, window, *MODELS)


def test_a_whole_benchmark_of_two_mambas_and_a_transformer_by_clicks(
    measuring: Measuring, open_window: Open, tmp_path: Path
) -> None:
    measuring.start(rounds=1, position=160)
    seen: set[str] = set()

    def watch() -> bool:
        seen.update(column.status() for column in measuring.columns())
        return not measuring.compare.is_running

    measuring.wait(watch)
    assert {"Waiting for its turn", "Round 1 of 1", "Done, 144 tokens"} <= seen
    assert any(words.startswith("Writing, ") and "of 160 tokens" in words for words in seen)
    run = measuring.compare.run
    assert run
    for result, column in zip(run.columns, measuring.columns(), strict=True):
        assert result.quality
        assert result.points[-1].position == 160
        assert column.chat_button.isHidden()
        assert column.vote_button.isHidden()
    rows = measuring.window.compare_presenter._rows()
    table = {row.label: row.cells for row in rows.table}
    assert all(cell != "–" for cells in table.values() for cell in cells)
    assert [chart.tab for chart in rows.charts if chart.lines] == ["Time", "Memory", "Quality"]
    by_name = {result.name: result for result in run.columns}
    grown = by_name["neox-12m"].points
    assert grown[-1].memory_bytes - grown[0].memory_bytes > 0.5 * 140 * 15_360
    for name in ("starter-3m", "starter-12m"):
        held = [point.memory_bytes for point in by_name[name].points]
        assert max(held) < 1.05 * min(held)
    for kind in ("csv", "json", "markdown", "png"):
        measuring.window.compare_presenter.write(kind, tmp_path / kind)
        assert (tmp_path / kind).stat().st_size > 100
    assert "bits_per_byte" in (tmp_path / "csv").read_text()
    again = open_window(load=False)
    again.compare.open(run.id)
    assert again.compare.run == run


def test_while_it_runs_the_chart_grows_and_the_axis_stays(measuring: Measuring) -> None:
    measuring.compare.choose(MODELS[:1])
    measuring.start(rounds=1, position=3000)
    chart = measuring.window.compare_view.figures.chart
    lengths: set[int] = set()

    def grown() -> bool:
        if chart.isVisible() and chart.shown().lines and measuring.compare.is_running:
            assert chart.shown().end == 3000
            lengths.add(len(chart.shown().lines[0].points))
        return len(lengths) >= 3

    measuring.wait(grown)
    measuring.click(measuring.columns()[0].stop_button)
    measuring.done()
    run = measuring.compare.run
    assert run
    assert run.columns[0].stats
    assert run.columns[0].stats.stop_reason == "stopped"
    assert 0 < run.columns[0].points[-1].position < 3000


def test_a_stop_in_one_column_leaves_the_others_to_be_measured(measuring: Measuring) -> None:
    measuring.compare.choose(MODELS[:2])
    measuring.start(rounds=1, position=100)
    measuring.wait(lambda: isinstance(measuring.told(0), Step))
    measuring.click(measuring.columns()[0].stop_button)
    measuring.done()
    run = measuring.compare.run
    assert run
    assert "Stopped" in measuring.columns()[0].status()
    assert measuring.columns()[0].column.state == "stopped"
    assert all(column.quality for column in run.columns[1:])


def test_models_that_are_moved_meanwhile_are_measured_and_the_chats_model_comes_back(
    measuring: Measuring, tmp_path: Path
) -> None:
    window = measuring.window
    window.models.choose("neox-12m")
    measuring.wait(lambda: window.models.loaded and window.models.loaded.name == "neox-12m")
    measuring.compare.choose(("starter-3m", "neox-12m"))
    measuring.start(rounds=1, position=300)
    measuring.wait(lambda: isinstance(measuring.told(0), Step))
    window._library_client.move_models(tmp_path)
    measuring.done()
    assert measuring.compare.run
    assert all(column.quality for column in measuring.compare.run.columns)
    measuring.wait(lambda: window.models.loaded and window.models.loaded.folder.is_dir())
    assert window.models.loaded
    assert window.models.loaded.folder == paths.models() / "neox-12m"


def test_over_time_the_benchmarks_of_a_model_make_its_history(measuring: Measuring) -> None:
    measuring.compare.choose(MODELS[:1])
    for _ in range(2):
        measuring.compare.benchmark(Plan(rounds=1, quality=False, position=0))
        measuring.done()
    rows = measuring.window.compare_presenter._rows()
    (history,) = [chart for chart in rows.charts if chart.tab == "History"]
    assert len(history.lines[0].points) == 2
    assert measuring.columns()[0].status() == "Measured"
    kept = measuring.compare.past[0]
    assert kept.title == "Benchmark"
    measuring.compare.remove(kept.id)
    assert len(measuring.compare.benchmarks) == 1


def test_nothing_to_measure_nothing_to_press(measuring: Measuring) -> None:
    measuring.compare.choose(())
    assert not measuring.window.toolbar.compare.benchmark.isEnabled()
    measuring.compare.choose(MODELS[:1])
    assert measuring.window.toolbar.compare.benchmark.isEnabled()
    measuring.compare.benchmark(Plan(rounds=1, quality=False, position=0))
    assert not measuring.window.toolbar.compare.benchmark.isEnabled()
    measuring.done()


def alone(model: str) -> dict[str, Any]:
    """What `bench` finds, run by itself."""
    command = [sys.executable, "-m", "engine", "bench", "--model", model, "--prompt-tokens", "512"]
    run = subprocess.run(
        [*command, "--new-tokens", "128", "--repeats", "2", "--json"],
        capture_output=True, text=True, check=True, timeout=PATIENCE_MS / 1e3,
    )  # fmt: skip
    (found,) = json.loads(run.stdout)["runs"]
    return {"ms": found["ms_per_token"], "s": 1 / found["prefill_tokens_per_s"]}


def near(here: dict[str, float], there: dict[str, float]) -> bool:
    return all(abs(here[name] / there[name] - 1) <= NEAR for name in here)


@pytest.mark.bench
@pytest.mark.parametrize("model", MODELS)
def test_a_benchmark_in_the_window_finds_what_bench_finds_alone(
    measuring: Measuring, model: str
) -> None:
    """Other work only ever adds time: the least of some tries on either side is compared."""
    measuring.compare.choose((model,))
    here: dict[str, float] = {}
    there: dict[str, float] = {}
    for _ in range(TRIES):
        plan = Plan(rounds=2, quality=False, position=0)
        measuring.to_the_end(partial(measuring.compare.benchmark, plan))
        assert measuring.compare.run
        stats = measuring.compare.run.columns[0].stats
        assert stats
        assert stats.ms_per_token
        assert stats.prefill_tokens_per_s
        found = {"ms": stats.ms_per_token, "s": 1 / stats.prefill_tokens_per_s}
        here = {name: min(value, here.get(name, value)) for name, value in found.items()}
        there = {name: min(value, there.get(name, value)) for name, value in alone(model).items()}
        if near(here, there):
            break
    assert near(here, there), (here, there)


@pytest.mark.bench
@pytest.mark.parametrize("model", MODELS)
def test_an_answer_beside_others_takes_the_time_that_bench_finds_alone(
    measuring: Measuring, model: str
) -> None:
    measuring.compare.set_sampling(Sampling(temperature=0.0, max_tokens=160))
    measuring.compare.choose(MODELS)
    here = there = float("inf")
    for _ in range(TRIES):
        measuring.to_the_end(partial(measuring.ask, "Once upon a time there was a ship."))
        assert measuring.compare.run
        (found,) = [each for each in measuring.compare.run.columns if each.name == model]
        assert found.median_ms
        here, there = min(here, found.median_ms), min(there, alone(model)["ms"])
        if abs(here / there - 1) <= NEAR:
            break
    assert abs(here / there - 1) <= NEAR, (here, there)
