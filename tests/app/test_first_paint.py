"""The window is on the screen before anything of the engine's is imported."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.first_paint import FirstPaint
from app.main_window import MainWindow
from app.settings import Settings

Open = Callable[..., MainWindow]
# What takes long to import and only models, downloads or key stores need.
LATE = {
    *("mlx", "numpy", "tokenizers", "safetensors", "huggingface_hub", "hf_xet", "jinja2"),
    *("httpx2", "anyio", "urllib3", "truststore", "ssl", "filelock", "keyring", "send2trash"),
    *("asyncio", "concurrent.futures.process", "multiprocessing", "yaml", "rich", "tqdm"),
    *("engine.device", "engine.session", "engine.generate"),
}
PAINTED = """
import json, sys
from app import window_app

seen, dressed = [], []
apply = window_app.theme.Theme.apply
window_app.theme.Theme.apply = lambda theme: (dressed.append(theme.zoom), apply(theme))

class Tells(window_app.MainWindow):
    def start(self):
        print(json.dumps([seen[0], dressed, sorted(sys.modules)]), flush=True)
        window_app.QApplication.quit()

    def paintEvent(self, event):
        seen.append("painted")
        super().paintEvent(event)

window_app.MainWindow = Tells
sys.exit(window_app.main())
"""


def opened() -> tuple[str, list[float], set[str]]:
    """Whether a window was painted before it started its work, the zooms in which it was dressed
    until then, and the modules that were imported, with the packages around them."""
    ran = subprocess.run([sys.executable, "-c", PAINTED], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    seen, dressed, modules = json.loads(ran.stdout)
    return seen, dressed, {*modules, *(name.partition(".")[0] for name in modules)}


def test_nothing_of_the_engines_is_imported_until_the_window_is_painted() -> None:
    seen, _, modules = opened()
    assert seen == "painted"
    assert sorted(LATE & modules) == []


def test_the_window_is_dressed_once_as_was_chosen() -> None:
    settings = Settings()
    settings.scheme, settings.zoom = "dark", 1.3
    settings.sync()
    assert opened()[1] == [1.3]


def test_a_window_that_is_painted_is_told_of_once(qtbot: QtBot) -> None:
    told: list[str] = []
    window = QWidget()
    qtbot.addWidget(window)
    first = FirstPaint(window)
    first.happened.connect(lambda: told.append("painted"))
    with qtbot.waitSignal(first.happened):
        window.show()
    window.repaint()
    first.overdue.timeout.emit()
    assert told == ["painted"]
    assert first.at is not None


def test_a_window_that_stays_out_of_sight_is_told_of_too(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    first = FirstPaint(window)
    first.overdue.setInterval(0)
    qtbot.waitSignal(first.happened).wait()
    assert not window.isVisible()
