"""Coming back to the window: what changed on the disk meanwhile is seen, and not too often."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.main_window import MainWindow
from app.returning import Returning

LONG_MS = 60_000
Activate = Callable[[QWidget], None]


@pytest.fixture
def activate(qtbot: QtBot) -> Activate:
    """Makes a window the active one."""

    def do(window: QWidget) -> None:
        with qtbot.waitActive(window):
            window.show()
            window.activateWindow()

    return do


@pytest.fixture
def elsewhere(qtbot: QtBot) -> QWidget:
    """Another window, to be away in."""
    it = QWidget()
    qtbot.addWidget(it)
    return it


@pytest.fixture
def here(qtbot: QtBot) -> QWidget:
    """A window of no importance."""
    it = QWidget()
    qtbot.addWidget(it)
    return it


def test_a_model_that_came_while_the_window_was_away_is_listed(
    window: MainWindow,
    elsewhere: QWidget,
    activate: Activate,
    qtbot: QtBot,
    starter_3m: Path,
    home: Path,
) -> None:
    names = lambda: [model.name for model in window.models.models]  # noqa: E731
    qtbot.waitUntil(lambda: bool(names()), timeout=LONG_MS)
    activate(elsewhere)
    shutil.copytree(starter_3m, home / "models" / "owner" / "came-meanwhile")
    activate(window)
    qtbot.waitUntil(lambda: "owner/came-meanwhile" in names(), timeout=LONG_MS)
    activate(elsewhere)
    shutil.rmtree(home / "models" / "owner")
    with qtbot.assertNotEmitted(window.library_presenter.returning.came_back):
        activate(window)
    assert window.library_presenter.returning.waits()


def test_nobody_comes_back_to_a_window_that_is_opened(here: QWidget, activate: Activate) -> None:
    heard: list[None] = []
    returning = Returning(here, apart_ms=1)
    returning.came_back.connect(lambda: heard.append(None))
    activate(here)
    assert not heard


def test_who_goes_to_and_fro_is_told_of_once(
    here: QWidget, elsewhere: QWidget, activate: Activate
) -> None:
    heard: list[None] = []
    returning = Returning(here, apart_ms=LONG_MS)
    returning.came_back.connect(lambda: heard.append(None))
    activate(here)
    for _ in range(3):
        activate(elsewhere)
        activate(here)
    assert len(heard) == 1


def test_who_comes_back_too_soon_is_told_of_later(
    here: QWidget, elsewhere: QWidget, activate: Activate, qtbot: QtBot
) -> None:
    heard: list[None] = []
    returning = Returning(here, apart_ms=300)
    returning.came_back.connect(lambda: heard.append(None))
    activate(here)
    for _ in range(2):
        activate(elsewhere)
        activate(here)
    qtbot.waitUntil(lambda: len(heard) == 2)


def test_a_window_that_was_shut_down_lists_nothing_any_more(
    window: MainWindow, elsewhere: QWidget, activate: Activate
) -> None:
    assert window.shut_down()
    activate(elsewhere)
    activate(window)
    assert window.library_presenter.returning.waits()  # it was told, and nothing broke
