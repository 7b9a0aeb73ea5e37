"""The moment at which a window is on the screen."""

from __future__ import annotations

import time

from PySide6.QtCore import QEvent, QObject, QTimer, Signal
from PySide6.QtWidgets import QWidget

_LATEST_MS = 2000  # a window that opens minimised, or on another desktop, is not painted


class FirstPaint(QObject):
    """Says once that `window` was painted, or that it still was not after 2 s."""

    happened = Signal()

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.at: float | None = None  # in seconds since 1970, once it happened
        window.installEventFilter(self)
        self.overdue = QTimer(self, singleShot=True, interval=_LATEST_MS)
        self.overdue.timeout.connect(self._tell)
        self.overdue.start()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Lets everything pass; the first painting ends before the next turn of the loop."""
        if event.type() == QEvent.Type.Paint:
            watched.removeEventFilter(self)
            QTimer.singleShot(0, self._tell)
        return False

    def _tell(self) -> None:
        if self.at is None:
            self.at = time.time()
            self.happened.emit()
