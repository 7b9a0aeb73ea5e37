"""Frees a model's memory once nobody has asked it anything for as long as the user chose."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

from app.settings import Settings

if TYPE_CHECKING:
    from app.main_window import MainWindow

_MINUTE_MS = 60_000


class IdleUnload(QObject):
    """Lets the model rest after the minutes of the settings, counted from the end of the last
    answer, and wakes it for the next one. A minute lasts `minute_ms`."""

    def __init__(self, window: MainWindow, settings: Settings) -> None:
        super().__init__(window)
        self._models, self._replies, self._settings = window.models, window.replies, settings
        self.minute_ms = _MINUTE_MS
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self._on_time)
        window.models.changed.connect(self._restart)
        window.replies.ended.connect(self._restart)
        window.preferences.unload_after_changed.connect(self._restart)
        # Requests run in their order: the model is there before the answer is begun.
        window.chats.asking.connect(window.models.wake)

    def waits(self) -> bool:
        """Whether the model will be unloaded if nobody asks."""
        return self._timer.isActive()

    def _restart(self, *_: object) -> None:
        minutes = self._settings.unload_after_minutes
        if minutes and self._models.loaded is not None:
            self._timer.start(minutes * self.minute_ms)
        else:
            self._timer.stop()

    def _on_time(self) -> None:
        if not self._replies.chats:  # else the end of the answer counts
            self._models.rest()
