"""What the start does of what was chosen in the Settings window."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from app.main_window import MainWindow
from app.settings import Settings
from app.theme import theme

Open = Callable[..., MainWindow]
LOADED_MS = 60_000


def _choose(starter_3m: Path, **choices: object) -> None:
    settings = Settings()
    settings.model = str(starter_3m)
    for name, value in choices.items():
        setattr(settings, name, value)
    settings.sync()


def test_nothing_is_loaded_at_the_start_where_that_was_chosen(
    open_window: Open, qtbot: QtBot, starter_3m: Path
) -> None:
    _choose(starter_3m, at_launch="nothing")
    window = open_window(load=False)
    window.start()
    qtbot.waitUntil(lambda: bool(window.models.models), timeout=LOADED_MS)
    assert window.models.machine is not None
    assert not window.models.is_loading
    assert window.models.loaded is None
    assert window.toolbar.picker.headline() == "Choose a Model"
    window.models.choose("starter-3m")
    qtbot.waitUntil(lambda: window.models.loaded is not None, timeout=LOADED_MS)


def test_the_model_that_came_with_the_app_is_loaded_where_that_was_chosen(
    open_window: Open, qtbot: QtBot, starter_3m: Path
) -> None:
    _choose(starter_3m, at_launch="starter")
    window = open_window(load=False)
    window.start()
    qtbot.waitUntil(lambda: window.models.loaded is not None, timeout=LOADED_MS)
    assert window.models.name == "starter-12m"


def test_the_app_speaks_the_language_chosen(starter_3m: Path) -> None:
    _choose(starter_3m, language="ja")
    code = "from app import window_app as w; print(w.make_application().translate('Menus', 'Edit'))"
    environment = {**os.environ, "MAMBA_CHAT_LANG": "", "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, check=True
    )
    assert done.stdout.decode().strip() == "編集"


def test_the_window_opens_in_the_scheme_and_the_size_chosen(
    open_window: Open, starter_3m: Path
) -> None:
    _choose(starter_3m, scheme="dark", zoom=1.3)
    window = open_window(load=False)
    assert theme().dark
    assert theme().zoom == 1.3
    label = QLabel(window)
    assert label.palette().text().color() == theme().color("text")
