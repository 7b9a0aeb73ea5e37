"""A bar, what it tells of, and a button that gives it up."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from app.theme import theme
from app.widgets.elided_label import ElidedLabel
from app.widgets.progress import HEIGHT, paint_progress
from app.widgets.push_button import PushButton


class ProgressLine(QWidget):
    """The bar over its words, the button at the right. `cancelled` when that is pressed."""

    cancelled = Signal()

    def __init__(self, cancel: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._bar = _Bar(self)
        self._words = ElidedLabel("label", "text3", self, share=0.0)
        self.cancel = PushButton(cancel, self, height=22)
        self.cancel.clicked.connect(self.cancelled)
        column = QVBoxLayout()
        column.setSpacing(4)
        column.addStretch(1)
        column.addWidget(self._bar)
        column.addWidget(self._words)
        column.addStretch(1)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(12)
        row.addLayout(column, 1)
        row.addWidget(self.cancel)

    def set_progress(self, fraction: float | None, words: str) -> None:
        """How far it is, 0 to 1, and in words; None is not known yet."""
        self._bar.set_fraction(fraction or 0.0)
        self._words.set_text(words)

    def fraction(self) -> float:
        """How much of the bar is full."""
        return self._bar.fraction

    def words(self) -> str:
        """What stands under the bar."""
        return self._words.text()


class _Bar(QWidget):
    """The bar."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.fraction = 0.0
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme().changed.connect(self.update)

    def set_fraction(self, fraction: float) -> None:
        """How much of it is full."""
        self.fraction = fraction
        self.update()

    def sizeHint(self) -> QSize:
        """Four pixels high."""
        return QSize(80, HEIGHT)

    def paintEvent(self, _: QPaintEvent) -> None:
        """The track and the part that is done."""
        paint_progress(QPainter(self), QRectF(self.rect()), self.fraction)
