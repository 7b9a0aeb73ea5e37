"""A whole comparison through the real window: typed, run, stopped in a column, voted for, exported,
gone on with in a chat."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from app.main_window import CHAT, COMPARE, MainWindow
from app.panels.compare_column import CompareColumn
from engine.api import Sampling

LEFT = Qt.MouseButton.LeftButton
PATIENCE_MS = 60_000
PROMPT = "Tell me about the sea."
Open = Callable[..., MainWindow]


class Comparing:
    """The Compare view, as a user sees and clicks it."""

    def __init__(self, qtbot: QtBot, window: MainWindow, tokens: int = 24) -> None:
        self.qtbot, self.window = qtbot, window
        self.wait(lambda: len(window.models.models) >= 2)
        window.show_view(COMPARE)
        self.view = window.compare_view
        window.compare.choose(("starter-3m", "starter-12m"))
        window.compare.set_sampling(Sampling(temperature=0.7, seed=3, max_tokens=tokens))

    def wait(self, until: Callable[[], object]) -> None:
        self.qtbot.waitUntil(lambda: bool(until()), timeout=PATIENCE_MS)

    def run(self) -> None:
        editor = self.view.head.prompt.editor
        editor.setFocus()
        editor.selectAll()
        self.qtbot.keyClicks(editor, PROMPT)
        self.qtbot.mouseClick(self.view.head.prompt.run, LEFT)
        assert self.window.compare.is_running

    def done(self) -> None:
        self.wait(lambda: not self.window.compare.is_running)

    def columns(self) -> list[CompareColumn]:
        return list(self.view.columns.views.values())


@pytest.fixture
def comparing(qtbot: QtBot, window: MainWindow) -> Comparing:
    return Comparing(qtbot, window)


def test_two_models_answer_side_by_side_and_their_figures_stand_below(
    comparing: Comparing,
) -> None:
    comparing.run()
    comparing.done()
    run = comparing.window.compare.run
    assert run
    for column, result in zip(comparing.columns(), run.columns, strict=True):
        assert column.column.state == "done"
        assert column.column.text == result.text != ""
        assert float(column.column.figure) > 0
    table = {row.label: row for row in comparing.window.compare_presenter._rows.table}
    assert table["Parameters"].cells == ("2.9 M", "12.1 M")
    assert table["Disk"].best == {0}
    assert [len(chart.lines) for chart in comparing.window.compare_presenter._charts] == [
        2,
        2,
        0,
        0,
    ]


def test_a_column_is_stopped_by_its_own_button_and_the_next_one_runs_to_its_end(
    comparing: Comparing,
) -> None:
    comparing.window.compare.set_sampling(Sampling(temperature=1.2, seed=1, max_tokens=300))
    comparing.run()
    comparing.wait(lambda: comparing.columns()[0].column.state == "writing")
    comparing.qtbot.mouseClick(comparing.columns()[0].stop_button, LEFT)
    comparing.done()
    run = comparing.window.compare.run
    assert run
    assert run.columns[0].stats
    assert run.columns[1].stats
    assert run.columns[0].stats.stop_reason == "stopped"
    assert run.columns[1].stats.stop_reason != "stopped"


def test_the_better_answer_is_voted_for_and_blind_no_name_is_shown_before(
    comparing: Comparing,
) -> None:
    comparing.window.compare.set_blind(True)
    comparing.run()
    comparing.done()
    rows = comparing.window.compare_presenter._rows
    assert rows.warning == ""
    column = comparing.columns()[0]
    index = int(column.column.id)
    comparing.qtbot.mouseClick(column.vote_button, LEFT)
    run = comparing.window.compare.run
    assert run
    assert run.vote == index
    assert [int(each.column.id) for each in comparing.columns()] == [0, 1]


def test_a_model_that_does_not_fit_is_skipped_and_the_others_answer(
    comparing: Comparing, limit: Callable[[int], None]
) -> None:
    limit(40_000_000)
    comparing.run()
    comparing.done()
    small, large = (column.column for column in comparing.columns())
    assert small.state == "done"
    assert (large.state, large.status) == ("skipped", "Does not fit, skipped")


def test_blind_where_there_is_nothing_to_vote_on_names_and_figures_are_shown(
    comparing: Comparing,
) -> None:
    comparing.window.compare.set_blind(True)
    comparing.window.compare.set_precision("starter-12m", "5-bit")
    comparing.run()
    assert not comparing.view.figures.table.isVisible()
    comparing.done()
    assert [column.name() for column in comparing.columns()] == ["starter-3m", "starter-12m"]
    assert comparing.view.figures.hidden_note.isHidden()
    assert comparing.view.figures.table.isVisible()
    assert comparing.window.toolbar.compare.export.isEnabled()


def test_an_answer_is_gone_on_with_in_a_chat_of_its_model(comparing: Comparing) -> None:
    comparing.run()
    comparing.done()
    comparing.qtbot.mouseClick(comparing.columns()[1].chat_button, LEFT)
    window = comparing.window
    assert window.view == CHAT
    assert window.page.composer.editor.toPlainText() == PROMPT
    comparing.wait(lambda: window.models.loaded and window.models.loaded.name == "starter-12m")


def test_runs_are_there_after_a_new_start_and_can_be_opened(
    comparing: Comparing, open_window: Open, qtbot: QtBot
) -> None:
    comparing.run()
    comparing.done()
    kept = comparing.window.compare.run
    assert kept
    window = open_window()
    window.show_view(COMPARE)
    window.compare_sidebar.opened.emit(kept.id)
    assert window.compare.run == kept
    assert [view.column.text for view in window.compare_view.columns.views.values()] == [
        column.text for column in kept.columns
    ]


def test_a_run_that_cannot_be_read_is_said_to_be_of_another_version(comparing: Comparing) -> None:
    comparing.run()
    comparing.done()
    window, run = comparing.window, comparing.window.compare.run
    assert run
    window._store._db.execute("UPDATE comparisons SET content = '{}'")
    window.compare_sidebar.opened.emit(run.id)
    assert window.compare.run == run
    toast = window.compare_presenter._toast
    assert toast.isVisible()
    assert not toast.button.isVisible()


def test_a_run_is_exported_as_files_that_others_can_read(
    comparing: Comparing, tmp_path: Path
) -> None:
    comparing.run()
    comparing.done()
    for kind in ("csv", "json", "markdown", "png"):
        comparing.window.compare_presenter.write(kind, tmp_path / kind)
        assert (tmp_path / kind).stat().st_size > 100
    with (tmp_path / "csv").open() as file:
        assert [row["model"] for row in csv.DictReader(file)] == ["starter-3m", "starter-12m"]
    assert (tmp_path / "png").read_bytes()[:4] == b"\x89PNG"
    nowhere = tmp_path / "no such folder" / "file"
    comparing.window.compare_presenter.write("csv", nowhere)
    assert str(nowhere) in comparing.window.compare_presenter._rows.warning
    comparing.run()
    assert comparing.window.compare_presenter._rows.warning == ""
    comparing.done()


def test_a_chat_that_is_asked_meanwhile_is_answered_after_it(comparing: Comparing) -> None:
    comparing.run()
    window = comparing.window
    window.page.composer.submitted.emit("Hello")
    comparing.done()
    comparing.wait(lambda: window.chats.live is None)
    assert window.chats.last
    assert window.chats.last.text.strip()


def test_quitting_in_the_middle_keeps_what_was_written(
    qtbot: QtBot, window: MainWindow, open_window: Open
) -> None:
    comparing = Comparing(qtbot, window, tokens=400)
    comparing.run()
    comparing.wait(lambda: len(comparing.columns()[0].column.text) > 20)
    written = comparing.columns()[0].column.text
    again = open_window(load=False)
    (kept,) = again.compare.past
    again.compare.open(kept.id)
    assert again.compare.run
    assert again.compare.run.prompt == PROMPT
    assert again.compare.run.columns[0].text.startswith(written)


def test_a_run_that_a_crash_ends_keeps_what_was_saved_of_it(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.compare_controller._SAVES_PER_S", 1000)
    comparing = Comparing(qtbot, window, tokens=400)
    comparing.run()
    comparing.wait(lambda: len(comparing.columns()[0].column.text) > 20)
    run = window.compare.run
    assert run
    on_disk = window._store.comparisons.get(run.id)
    assert on_disk
    assert on_disk.columns[0].text == run.columns[0].text
    window.compare.stop()
    comparing.done()
