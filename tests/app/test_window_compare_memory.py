"""Interleaved models are in memory together: where there is no room they run one at a time."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot
from test_window_compare import LEFT, Comparing

from app.main_window import MainWindow
from engine.device import limit_memory

pytestmark = pytest.mark.qt_log_ignore("does not support grabbing the keyboard")
LIMIT = 110_000_000  # room for each of the starters, not for both


@pytest.fixture
def comparing(qtbot: QtBot, window: MainWindow) -> Iterator[Comparing]:
    """The smaller starter twice, on a machine with a small limit, which the settings set."""
    made = Comparing(qtbot, window, tokens=12)
    window.preferences.memory_limit_changed.emit(LIMIT)
    made.wait(lambda: window.models.machine and window.models.machine.limit_bytes == LIMIT)
    window.compare.choose(("starter-3m", "starter-3m@bfloat16"))
    yield made
    made.view.head.options.menu.close()
    made.view.head.options.chooser.close()
    limit_memory(0)


def choose_turns(comparing: Comparing) -> None:
    """Choose Interleaved in the menu, by the keys."""
    options = comparing.view.head.options
    comparing.qtbot.mouseClick(options.turns, LEFT)
    assert options.in_turns.isEnabled()
    assert not options.no_turns.isVisible()
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Return):
        comparing.qtbot.keyClick(options.menu, key)
    assert options.turns.text() == "Run interleaved"


def tick_the_large_one(comparing: Comparing) -> None:
    """Press its row in the chooser, which puts it in or takes it out."""
    options = comparing.view.head.options
    comparing.qtbot.mouseClick(options.models, LEFT)
    row = next(row for row in options.chooser.rows if row.choice.id == "starter-12m")
    comparing.qtbot.mouseClick(row.box, LEFT)
    options.chooser.close()


def test_too_large_together_they_run_one_at_a_time_and_the_view_says_so(
    comparing: Comparing,
) -> None:
    window, options = comparing.window, comparing.view.head.options
    choose_turns(comparing)
    tick_the_large_one(comparing)
    assert options.turns.text() == "Run one at a time"
    assert options.note.text() == "Too large together to be interleaved: one at a time."
    comparing.qtbot.mouseClick(options.turns, LEFT)
    assert not options.in_turns.isEnabled()
    assert options.no_turns.text() == "Together they need 151 MB, and 110 MB are for models"
    assert options.no_turns.isVisible()
    options.menu.close()
    comparing.run()
    comparing.done()
    run = window.compare.run
    assert run
    assert not run.interleaved
    assert [column.error for column in run.columns] == ["", "", ""]
    assert {column.doubt for column in run.columns} <= {"", "busy"}
    tick_the_large_one(comparing)
    assert options.turns.text() == "Run interleaved"


def test_another_limit_in_the_settings_counts_at_once(comparing: Comparing) -> None:
    window, options = comparing.window, comparing.view.head.options
    tick_the_large_one(comparing)
    assert not options.in_turns.isEnabled()
    window.preferences.memory_limit_changed.emit(0)
    comparing.wait(options.in_turns.isEnabled)
    assert not options.no_turns.isVisible()
