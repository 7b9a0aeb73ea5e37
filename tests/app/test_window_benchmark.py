"""Measuring through the real window: two Mambas and a Transformer of their size, by clicks; live;
kept."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from measuring import MODELS, Measuring
from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QWidget

from app.main_window import MainWindow
from engine import paths
from engine.compare_api import Plan, Step

pytestmark = pytest.mark.qt_log_ignore("does not support grabbing the keyboard")
Open = Callable[..., MainWindow]


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
    rows = measuring.window.compare_presenter._rows
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


class Painted(QObject):
    """Counts how often a widget is painted."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self.count = 0
        widget.installEventFilter(self)

    def eventFilter(self, _: QObject, event: QEvent) -> bool:  # noqa: N802
        self.count += event.type() == QEvent.Type.Paint
        return False


def test_while_text_grows_nothing_beside_its_column_is_worked_out_or_painted(
    measuring: Measuring, monkeypatch: pytest.MonkeyPatch
) -> None:
    measuring.compare.choose(MODELS[:1])
    measuring.compare.benchmark(Plan(rounds=1, quality=False, position=5000))
    (column,) = measuring.columns()
    measuring.wait(lambda: len(column.column.text) > 20)
    worked_out: list[object] = []
    monkeypatch.setattr("app.compare_words.offered_choice", worked_out.append)
    bar, before = Painted(measuring.window.toolbar), len(column.column.text)
    measuring.wait(lambda: len(column.column.text) > before + 500)
    assert column.column.state == "writing"
    assert not worked_out
    assert bar.count == 0
    monkeypatch.undo()
    measuring.compare.stop()
    measuring.done()


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
    rows = measuring.window.compare_presenter._rows
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
