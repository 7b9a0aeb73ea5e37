"""What every test gets: no display, a home of its own, and a check that nothing is left running."""

from __future__ import annotations

import gc
import os
import sys
import weakref
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

# Before Qt is imported by pytest-qt's first use of it.
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QThread

if TYPE_CHECKING:
    from hub_server import HubServer

sys.path.insert(0, str(Path(__file__).parent / "hub"))  # the Hub of the tests' own

_started: weakref.WeakSet[QThread] = weakref.WeakSet()
_original_start = QThread.start


def _recorded_start(self: QThread, *args: Any) -> None:
    _started.add(self)
    _original_start(self, *args)


QThread.start = _recorded_start  # type: ignore[method-assign]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty home for the app's files, which no other test shares; the language is English."""
    folder = tmp_path / "home"
    monkeypatch.setenv("MAMBA_CHAT_HOME", str(folder))
    monkeypatch.setenv("MAMBA_CHAT_LANG", "en")
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hugging-face"))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.null.Keyring")
    for place in ("MAMBA_CHAT_MODELS", "HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE"):
        monkeypatch.delenv(place, raising=False)
    return folder


@pytest.fixture
def trash(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A Trash of the test's own, on the disk of its folder: what was put into it, by name."""
    if sys.platform == "darwin":
        pytest.skip("a Mac has one Trash, the user's")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    for module in ("send2trash", "send2trash.plat_other"):  # which looks where it is once
        monkeypatch.delitem(sys.modules, module, raising=False)
    return tmp_path / "data" / "Trash" / "files"


@pytest.fixture(autouse=True)
def nothing_left_running(home: Path) -> Iterator[None]:
    """Fail a test that leaves a window open or a Qt thread running."""
    yield
    running = [thread for thread in _started if thread.isRunning()]
    for thread in running:
        thread.quit()
        thread.wait(10_000)
    _started.clear()
    assert not running, f"threads still running: {running}"
    assert not (left := _top_level_widgets()), f"windows left behind: {left}"


@pytest.fixture
def hub() -> Iterator[HubServer]:
    """A Hub on this machine, empty and well behaved; the same address for no two tests."""
    from hub_server import HubServer

    with HubServer() as server:
        yield server


def _top_level_widgets() -> list[str]:
    """The names of the top-level widgets that are still there once all that was let go is gone."""
    if QCoreApplication.instance() is None:
        return []
    from PySide6.QtWidgets import QApplication

    for collect in (False, True):
        if collect:
            gc.collect()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
        names = [w.metaObject().className() for w in QApplication.topLevelWidgets()]
        if not (names := [n for n in names if n != "QTipLabel"]):  # Qt keeps its one tooltip
            return []
    for widget in QApplication.topLevelWidgets():
        widget.close()
        widget.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    return names
