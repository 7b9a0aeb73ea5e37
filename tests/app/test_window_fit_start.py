"""A model last used that has become tight: the window asks before it loads it at the start."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.main_window import MainWindow
from app.model_controller import BUNDLED
from app.settings import Settings

Open = Callable[..., MainWindow]
LONG_MS = 60_000


@pytest.fixture
def asks_at_start(
    open_window: Open, qtbot: QtBot, home: Path, limit: Callable[[int], None]
) -> Callable[[Path], MainWindow]:
    """Opens the window where a model last used has become tight, and waits for its question."""

    def open_it(last: Path) -> MainWindow:
        limit(120_000_000)  # starter-12m needs 91 MB and starter-3m 33 MB
        settings = Settings()
        settings.model = str(last)
        settings.sync()
        window = open_window(load=False)
        window.page.composer.setFocus()
        window.start()
        qtbot.waitUntil(lambda: window.question.isVisible(), timeout=LONG_MS)
        return window

    return open_it


def test_a_last_model_that_became_tight_asks_at_the_start_and_load_loads_it(
    asks_at_start: Callable[[Path], MainWindow], qtbot: QtBot
) -> None:
    window = asks_at_start(BUNDLED)
    assert window.question.banner.sentence().startswith("starter-12m needs 91")
    assert window.models.loaded is None
    assert not window.models.is_loading
    qtbot.keyClicks(QApplication.focusWidget(), "typed on")
    assert window.page.composer.draft() == "typed on"
    qtbot.mouseClick(window.question.banner.button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.models.loaded is not None, timeout=LONG_MS)
    assert window.toolbar.picker.headline() == "starter-12m"


def test_cancel_at_the_start_loads_nothing_but_one_that_fits(
    asks_at_start: Callable[[Path], MainWindow],
    qtbot: QtBot,
    home: Path,
    starter_3m: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("app.model_controller.BUNDLED", starter_3m)
    shutil.copytree(BUNDLED, home / "models" / "copy")
    window = asks_at_start(home / "models" / "copy")
    qtbot.mouseClick(window.question.banner.dismiss, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.models.loaded is not None, timeout=LONG_MS)
    assert window.toolbar.picker.headline() == "starter-3m"
