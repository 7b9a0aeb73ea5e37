"""The Settings window as the screenshots show it; not used by the app."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtGui import QPixmap

from app import wording
from app.main_window import MainWindow
from app.settings_window import GENERAL, MODELS, NETWORK
from app.theme import theme

_NAMES = ("general", "models", "generation", "network", "advanced")
_FOLDER = Path.home() / "Library" / "Application Support" / "Mamba Chat" / "models"


class SettingsShots:
    """Takes every pane; `save` is given each picture with its name."""

    def __init__(
        self,
        window: MainWindow,
        suffix: str,
        only: frozenset[str],
        settle: Callable[[], None],
        save: Callable[[QPixmap, str], None],
    ) -> None:
        self._settings = window.preferences
        self._suffix, self._only, self._settle, self._save = suffix, only, settle, save

    def take(self) -> None:
        """Open the window, show its panes and what may happen in them, and close it."""
        self._settings.set_folder(_FOLDER)
        for pane, name in enumerate(_NAMES):
            self._take(pane, f"settings-{name}")
        self._settings.set_moving(0.26, wording.moving(12 * 10**8, 47 * 10**8))
        self._take(MODELS, "settings-moving")
        self._settings.set_moving(None, "")
        self._settings.set_token_state(stored=True)
        assert self._settings.window is not None
        network = self._settings.window.network
        network.set_values(proxy="socks5://proxy:1080", mirror="", bytes_per_s=5_000_000)
        network.proxy.field.editingFinished.emit()
        self._take(NETWORK, "settings-wrong")
        theme().set_zoom(1.3)
        self._take(GENERAL, "settings-zoomed")
        theme().set_zoom(1.0)
        self._settings.close()

    def _take(self, pane: int, name: str) -> None:
        self._settings.open(pane)
        window = self._settings.window
        if window is None or (self._only and name not in self._only):
            return
        for scheme, mark in (("light", ""), ("dark", "-dark")):
            theme().set_scheme("light" if scheme == "light" else "dark")
            self._settle()
            self._save(window.grab(), f"{name}{self._suffix}{mark}")
