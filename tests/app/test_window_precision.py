"""The precision of the model in use, chosen in the Chat menu of the real window."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtGui import QAction
from pytestqt.qtbot import QtBot

from app.main_window import MainWindow
from engine.quantize_folder import quantize_folder

Say = Callable[[MainWindow, str], None]
Answered = Callable[[MainWindow], None]
Open = Callable[..., MainWindow]
LONG_MS = 60_000


@pytest.fixture
def precisions(window: MainWindow) -> dict[str, QAction]:
    """The actions of the Precision menu by their words."""
    return {action.text(): action for action in window.precision.group.actions()}


def test_another_precision_loads_the_model_again_and_the_next_start_keeps_it(
    window: MainWindow,
    precisions: dict[str, QAction],
    open_window: Open,
    say: Say,
    answered: Answered,
    qtbot: QtBot,
) -> None:
    assert [name for name, action in precisions.items() if action.isChecked()] == ["As Stored"]
    precisions["4-bit"].trigger()
    assert precisions["As Stored"].isChecked()  # until the other is loaded
    qtbot.waitUntil(lambda: precisions["4-bit"].isChecked(), timeout=LONG_MS)
    assert window.toolbar.picker.note().startswith("4-bit")
    say(window, "Hello")
    answered(window)
    assert window.chats.last is not None
    assert window.chats.last.status == "done"
    again = open_window()
    assert again.models.loaded is not None
    assert again.models.loaded.dtype == "4-bit"
    stored = again.precision.group.actions()[0]
    stored.trigger()
    qtbot.waitUntil(lambda: stored.isChecked(), timeout=LONG_MS)
    assert again.models.loaded.dtype == "float16"


def test_choosing_the_model_in_use_changes_nothing_of_its_precision(
    window: MainWindow, precisions: dict[str, QAction], qtbot: QtBot
) -> None:
    precisions["8-bit"].trigger()
    qtbot.waitUntil(lambda: precisions["8-bit"].isChecked(), timeout=LONG_MS)
    window.models.choose("starter-3m")
    assert not window.models.is_loading


def test_a_model_stored_in_few_bits_has_no_other_precision(
    window: MainWindow, home: Path, starter_3m: Path, qtbot: QtBot
) -> None:
    quantize_folder(starter_3m, home / "models" / "packed", 4)
    window.models.load(home / "models" / "packed")
    qtbot.waitUntil(lambda: window.models.name == "packed" and not window.models.is_loading)
    assert window.models.loaded is not None
    assert window.models.loaded.dtype == "4-bit"
    assert not window.menus.precision.isEnabled()


@pytest.fixture
def keep(window: MainWindow) -> dict[str, QAction]:
    """The actions that keep a copy, by their words."""
    return {action.text(): action for action in window.precision.keep.actions()}


def test_a_copy_in_fewer_bits_is_kept_loaded_and_listed(
    window: MainWindow, keep: dict[str, QAction], home: Path, qtbot: QtBot
) -> None:
    qtbot.waitUntil(lambda: bool(window.models.models), timeout=LONG_MS)
    keep["Keep a Copy in 4 Bits"].trigger()
    assert window.toolbar.picker.headline() == "Loading starter-3m-4bit"
    picker = window.toolbar.picker
    qtbot.waitUntil(lambda: picker.headline() == "starter-3m-4bit", timeout=LONG_MS)
    assert (home / "models" / "starter-3m-4bit" / "model.safetensors").is_file()
    listed = lambda: [model.name for model in window.models.models]  # noqa: E731
    qtbot.waitUntil(lambda: "starter-3m-4bit" in listed(), timeout=LONG_MS)
    assert window.models.loaded is not None
    assert window.models.loaded.dtype == "4-bit"
    assert not window.menus.precision.isEnabled()


def test_a_copy_that_is_stopped_leaves_nothing_and_the_model_stays(
    window: MainWindow, keep: dict[str, QAction], home: Path, qtbot: QtBot
) -> None:
    keep["Keep a Copy in 8 Bits"].trigger()
    window.models.cancel()
    qtbot.waitUntil(lambda: not window.models.is_loading, timeout=LONG_MS)
    assert window.toolbar.picker.headline() == "starter-3m"
    window.models.unload()
    qtbot.waitUntil(lambda: window.models.loaded is None, timeout=LONG_MS)  # all is done by then
    assert not list((home / "models").glob("*"))


def test_a_copy_that_cannot_be_written_is_one_sentence_and_the_model_stays(
    window: MainWindow, keep: dict[str, QAction], home: Path, qtbot: QtBot
) -> None:
    (home / "models").write_text("a file where the folder should be")
    keep["Keep a Copy in 4 Bits"].trigger()
    qtbot.waitUntil(lambda: window.page.banner.isVisible(), timeout=LONG_MS)
    assert "cannot be written" in window.page.banner.sentence()
    assert window.toolbar.picker.headline() == "starter-3m"
