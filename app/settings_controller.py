"""What the Settings window shows and changes: the settings, the look, and wishes to the engine."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from app import folders
from app.model_controller import BUNDLED, ModelController
from app.settings import Settings
from app.settings_window import GENERAL, SettingsWindow
from app.theme import theme
from app.theme_tokens import Scheme
from engine import paths
from engine.api import Sampling


class SettingsController(QObject):
    """Opens the window, one at a time, and keeps what the user chooses there.

    The settings hold the new value when a signal tells of it: network_changed(),
    share_cache_changed(bool), unload_after_changed(minutes), memory_limit_changed(bytes),
    sampling_changed(Sampling). Wishes that others fulfil, and tell of with `set_folder` and its
    neighbours: folder_chosen(Path) and move_cancelled(), token_entered(str) and token_removed().
    """

    network_changed = Signal()
    share_cache_changed = Signal(bool)
    unload_after_changed = Signal(int)
    memory_limit_changed = Signal(object)  # an int of any size
    sampling_changed = Signal(Sampling)
    folder_chosen = Signal(Path)
    move_cancelled = Signal()
    token_entered = Signal(str)
    token_removed = Signal()

    def __init__(self, settings: Settings, models: ModelController, parent: QWidget) -> None:
        """`parent` is the window that the Settings window belongs to."""
        super().__init__(parent)
        self._settings, self._models, self._parent = settings, models, parent
        self.window: SettingsWindow | None = None  # while it is open
        self._pane = GENERAL
        self._folder = paths.models()
        self._folder_error = self._moving_words = ""
        self._moving: float | None = None
        self._token_state: tuple[bool, str, bool] = (False, "", False)
        models.changed.connect(self._show_machine)
        theme().changed.connect(self._show_look)

    def open(self, pane: int | None = None) -> None:
        """Show the window, on `pane` or where it was last; in front if it is open."""
        if self.window is None:
            self.window = window = SettingsWindow(BUNDLED.name, self._parent)
            window.finished.connect(self._closed)
            self._fill(window)
            self._connect(window)
            window.show_pane(self._pane)
        if pane is not None:
            self.window.show_pane(pane)
        self.window.show()
        self.window.raise_()
        self.window.activateWindow()

    def close(self) -> None:
        """Close the window, if it is open."""
        if self.window is not None:
            self.window.close()

    # What others tell

    def set_folder(self, folder: Path) -> None:
        """Where the models are."""
        self._folder = folder
        if self.window:
            self.window.models.set_folder(folder)

    def set_moving(self, fraction: float | None, words: str) -> None:
        """How far the models are moved, 0 to 1; without words nothing is being moved."""
        self._moving, self._moving_words = fraction, words
        if self.window:
            self.window.models.set_moving(fraction, words)

    def set_folder_error(self, sentence: str) -> None:
        """Why the models could not be moved; empty when there is nothing to say."""
        self._folder_error = sentence
        if self.window:
            self.window.models.set_folder_error(sentence)

    def set_token_state(self, stored: bool, sentence: str = "", *, wrong: bool = False) -> None:
        """Whether a token is kept, and what is to be said of it, as an error if `wrong`."""
        self._token_state = (stored, sentence, wrong)
        if self.window:
            self.window.network.set_token_state(stored, sentence, wrong=wrong)

    @property
    def has_token(self) -> bool:
        """Whether a token is kept."""
        return self._token_state[0]

    def set_sampling(self, sampling: Sampling) -> None:
        """The options were changed elsewhere."""
        if self.window:
            self.window.generation.set_sampling(sampling)

    # The window

    def _fill(self, window: SettingsWindow) -> None:
        kept = self._settings
        window.models.set_values(
            share_cache=kept.share_cache,
            at_launch=kept.at_launch,
            unload_after=kept.unload_after_minutes,
            memory_bytes=kept.memory_limit_bytes,
        )
        window.network.set_values(
            proxy=kept.proxy, mirror=kept.mirror, bytes_per_s=kept.speed_limit
        )
        window.generation.set_sampling(kept.sampling)
        self.set_folder(self._folder)
        self.set_moving(self._moving, self._moving_words)
        self.set_folder_error(self._folder_error)
        stored, sentence, wrong = self._token_state
        self.set_token_state(stored, sentence, wrong=wrong)
        self._show_machine()
        self._show_look()

    def _connect(self, window: SettingsWindow) -> None:
        general, models, network = window.general, window.models, window.network
        general.scheme_chosen.connect(self._set_scheme)
        general.zoom_chosen.connect(self._set_zoom)
        general.language_chosen.connect(self._set_language)
        models.folder_chosen.connect(self.folder_chosen)
        models.cancel_requested.connect(self.move_cancelled)
        models.show_requested.connect(self._show_models)
        models.share_cache_changed.connect(self._set_share_cache)
        models.at_launch_chosen.connect(self._set_at_launch)
        models.unload_after_chosen.connect(self._set_unload_after)
        models.memory_changed.connect(self._set_memory_limit)
        network.token_entered.connect(self.token_entered)
        network.token_removed.connect(self.token_removed)
        network.proxy_changed.connect(self._set_proxy)
        network.mirror_changed.connect(self._set_mirror)
        network.speed_changed.connect(self._set_speed_limit)
        window.generation.changed.connect(self._set_sampling)
        window.advanced.logs_requested.connect(self._show_logs)
        window.advanced.data_requested.connect(self._show_data)

    def _closed(self) -> None:
        if self.window:
            self._pane = self.window.pane()
        self.window = None

    def _show_machine(self) -> None:
        machine = self._models.machine
        if self.window:
            self.window.advanced.set_machine(machine)
            memory, limit = (machine.memory_bytes, machine.limit_bytes) if machine else (0, 0)
            if machine:
                limit = machine.recommended_bytes or limit
            self.window.models.memory.set_machine(memory, limit)

    def _show_look(self) -> None:
        if self.window:
            kept = self._settings
            self.window.general.set_values(kept.scheme, theme().zoom, kept.language)

    # What the user chooses

    def _set_scheme(self, scheme: Scheme) -> None:
        self._settings.scheme = scheme
        theme().set_scheme(scheme)

    def _set_zoom(self, zoom: float) -> None:
        theme().set_zoom(zoom)
        self._settings.zoom = theme().zoom

    def _set_language(self, language: str) -> None:
        self._settings.language = language

    def _set_share_cache(self, share: bool) -> None:
        self._settings.share_cache = share
        self.share_cache_changed.emit(share)

    def _set_at_launch(self, which: str) -> None:
        self._settings.at_launch = which

    def _set_unload_after(self, minutes: int) -> None:
        self._settings.unload_after_minutes = minutes
        self.unload_after_changed.emit(minutes)

    def _set_memory_limit(self, n_bytes: int) -> None:
        self._settings.memory_limit_bytes = n_bytes
        self.memory_limit_changed.emit(n_bytes)

    def _set_proxy(self, address: str) -> None:
        self._settings.proxy = address
        self.network_changed.emit()

    def _set_mirror(self, address: str) -> None:
        self._settings.mirror = address
        self.network_changed.emit()

    def _set_speed_limit(self, bytes_per_s: int) -> None:
        self._settings.speed_limit = bytes_per_s
        self.network_changed.emit()

    def _set_sampling(self, sampling: Sampling) -> None:
        self._settings.sampling = sampling
        self.sampling_changed.emit(sampling)

    def _show_models(self) -> None:
        folders.show(self._folder)

    def _show_logs(self) -> None:
        folders.show(paths.logs())

    def _show_data(self) -> None:
        folders.show(paths.home())
