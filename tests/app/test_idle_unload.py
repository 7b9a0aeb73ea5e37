"""A model that nobody asks rests: out of memory, in use as before, back for the next message."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from app.main_window import MODELS, MainWindow
from app.panels.model_row import ModelRowView

Say = Callable[[MainWindow, str], None]
Answered = Callable[[MainWindow], None]
LONG_MS = 60_000
SHORTEST = 10  # minutes, of those that can be chosen


@pytest.fixture
def rest(qtbot: QtBot) -> Callable[[MainWindow], None]:
    """Chooses the shortest time, lets it pass, and then lets minutes last as long as they do."""

    def do(window: MainWindow) -> None:
        window.idle.minute_ms = 1
        with qtbot.waitSignal(window._client.unloaded, timeout=LONG_MS):
            choose(window, SHORTEST)
        window.idle.minute_ms = LONG_MS

    return do


def choose(window: MainWindow, minutes: int) -> None:
    """As in the Settings window."""
    window.settings.unload_after_minutes = minutes
    window.preferences.unload_after_changed.emit(minutes)


def test_a_model_that_rests_is_out_of_memory_and_in_use_until_the_user_unloads_it(
    window: MainWindow, rest: Callable[[MainWindow], None], qtbot: QtBot
) -> None:
    note = window.toolbar.picker.note()
    rest(window)
    assert window.models.loaded is None
    assert window.models.name == "starter-3m"
    assert window.toolbar.picker.headline() == "starter-3m"
    assert window.toolbar.picker.note() == note
    assert window.page.transcript.first_run.rows()
    window.page.composer.set_draft("Hello")
    assert window.page.composer.send.isEnabled()
    assert not window.idle.waits()
    window.toolbar.picker.unload_requested.emit()
    qtbot.waitUntil(lambda: window.toolbar.picker.headline() == "Choose a Model", timeout=LONG_MS)
    assert not window.page.composer.send.isEnabled()


def test_the_next_message_loads_it_and_is_answered(
    window: MainWindow, rest: Callable[[MainWindow], None], say: Say, answered: Answered
) -> None:
    say(window, "Hello")
    answered(window)
    assert window.page.composer.hint.text().endswith("tokens in state")
    rest(window)
    assert window.page.composer.hint.text().startswith("starter-3m has not read this chat yet")
    say(window, "And you?")
    assert window.toolbar.picker.headline() == "Loading starter-3m"
    answered(window)
    assert window.chats.last is not None
    assert (window.chats.last.status, window.chats.last.model) == ("done", "starter-3m")
    assert window.models.loaded is not None
    assert window.idle.waits()
    rest(window)
    window.menus.actions["regenerate"].trigger()
    answered(window)
    assert window.chats.last.status == "done"


def test_it_never_rests_while_it_answers_nor_with_a_time_of_never(
    window: MainWindow, say: Say, answered: Answered, qtbot: QtBot
) -> None:
    there: list[bool] = []
    window.replies.written.connect(lambda *_: there.append(window.models.loaded is not None))
    window.replies.ended.connect(lambda *_: there.append(window.models.loaded is not None))
    choose(window, SHORTEST)
    assert window.idle.waits()
    choose(window, 0)
    assert not window.idle.waits()
    say(window, "Hello")
    window.idle.minute_ms = 0
    choose(window, SHORTEST)  # the time is over before the first word
    answered(window)
    assert all(there)
    assert len(there) > 1
    qtbot.waitUntil(lambda: window.models.rests, timeout=LONG_MS)


def test_chosen_in_the_picker_or_the_models_view_it_is_loaded_or_another_is(
    window: MainWindow, rest: Callable[[MainWindow], None], qtbot: QtBot
) -> None:
    window.show_view(MODELS)
    qtbot.waitUntil(lambda: len(window.models.models) > 1, timeout=LONG_MS)
    for chosen in ("starter-3m", "starter-12m"):
        rest(window)
        window.toolbar.picker.model_chosen.emit(chosen)
        qtbot.waitUntil(lambda: window.models.loaded is not None, timeout=LONG_MS)
        assert window.toolbar.picker.headline() == chosen
        assert not window.models.rests
    rest(window)
    row = window.models_view.table.sections["installed"].rows["starter-12m"]
    assert isinstance(row, ModelRowView)
    assert row.row.deed == "load"
    qtbot.mouseClick(row.deed, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: row.row.deed == "loaded", timeout=LONG_MS)


def test_it_comes_back_in_the_precision_that_it_had(
    window: MainWindow,
    rest: Callable[[MainWindow], None],
    starter_3m: Path,
    say: Say,
    answered: Answered,
    qtbot: QtBot,
) -> None:
    window.models.load(starter_3m, precision="4-bit")
    qtbot.waitUntil(lambda: not window.models.is_loading, timeout=LONG_MS)
    rest(window)
    assert window.menus.precision.isEnabled()
    say(window, "Hello")
    answered(window)
    assert window.models.loaded is not None
    assert window.models.loaded.precision == "4-bit"


def test_stopped_on_its_way_back_it_rests_again(
    window: MainWindow, rest: Callable[[MainWindow], None], say: Say, answered: Answered
) -> None:
    rest(window)
    window.chats.asking.connect(window.models.cancel)
    say(window, "Hello")
    window.chats.asking.disconnect(window.models.cancel)
    answered(window)
    assert window.models.rests
    assert window.chats.last is not None
    assert window.chats.last.status == "failed"
    window.chats.regenerate()
    answered(window)
    assert window.chats.last.status == "done"


def test_gone_from_the_disk_it_gives_way_to_the_model_that_came_with_the_app(
    window: MainWindow,
    rest: Callable[[MainWindow], None],
    home: Path,
    starter_3m: Path,
    say: Say,
    qtbot: QtBot,
) -> None:
    import shutil

    copy = shutil.copytree(starter_3m, home / "models" / "mine")
    window.models.load(copy)
    qtbot.waitUntil(lambda: not window.models.is_loading, timeout=LONG_MS)
    rest(window)
    shutil.rmtree(copy)
    say(window, "Hello")
    qtbot.waitUntil(lambda: window.models.loaded is not None, timeout=LONG_MS)
    assert window.models.name == "starter-12m"
    assert "mine" in window.page.banner.sentence()
