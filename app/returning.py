"""Notices that the user comes back to a window from elsewhere."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QTimer, Signal
from PySide6.QtWidgets import QWidget

_APART_MS = 5000


class Returning(QObject):
    """`came_back` when the window is the active one again, at most once in `apart_ms`; who is
    quicker than that is told of at its end."""

    came_back = Signal()

    def __init__(self, window: QWidget, *, apart_ms: int = _APART_MS) -> None:
        super().__init__(window)
        self._window = window
        self._was_away = False
        self._is_due = False  # somebody came back too soon
        self._apart = QTimer(self, interval=apart_ms, singleShot=True)
        self._apart.timeout.connect(self._on_time)
        window.installEventFilter(self)

    def waits(self) -> bool:
        """Whether it told of somebody so lately that the next one has to wait."""
        return self._apart.isActive()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The window becomes active, or another does."""
        if event.type() == QEvent.Type.ActivationChange:
            active = self._window.isActiveWindow()
            if active and self._was_away:
                self._on_return()
            self._was_away = not active
        return False

    def _on_return(self) -> None:
        if self.waits():
            self._is_due = True
            return
        self._apart.start()
        self.came_back.emit()

    def _on_time(self) -> None:
        if self._is_due:
            self._is_due = False
            self._on_return()
