"""The options of an answer: how the next token is chosen, and how long the answer may be."""

from __future__ import annotations

from PySide6.QtCore import QRect, QRectF, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from app.panels.sampling_rows import SamplingRows
from app.theme import theme
from app.widgets.button_base import rounded
from app.widgets.push_button import PushButton
from engine.api import Sampling

WIDTH = 380


class OptionsPopover(QFrame):
    """A popup above its button. `changed` gives a new Sampling after every change."""

    changed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Popup | Qt.WindowType.FramelessWindowHint)
        self.setAttribute(Qt.WidgetAttribute.WA_TranslucentBackground)
        self.setAccessibleName(self.tr("Options"))
        column = QVBoxLayout(self)
        column.setContentsMargins(17, 17, 17, 17)
        column.setSpacing(12)
        grid = QGridLayout()
        column.addLayout(grid)
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(12)
        grid.setColumnStretch(1, 1)
        self.rows = SamplingRows(
            grid, ("temperature", "top_p", "top_k", "min_p", "repetition_penalty")
        )
        self.rows.changed.connect(self.changed)
        self.restore = PushButton(self.tr("Restore Defaults"), self)
        self.restore.clicked.connect(self.rows.restore)
        foot = QHBoxLayout()
        foot.addStretch(1)
        foot.addWidget(self.restore)
        column.addLayout(foot)
        theme().changed.connect(self._restyle)
        self._restyle()

    def sampling(self) -> Sampling:
        """The options shown."""
        return self.rows.sampling()

    def set_sampling(self, sampling: Sampling) -> None:
        """Show these, without a signal."""
        self.rows.set_sampling(sampling)

    def open_above(self, place: QRect) -> None:
        """Open above `place` (on the screen), its left side at that of the place."""
        self.adjustSize()
        self.move(place.left(), place.top() - self.height() - 5)
        self.show()

    def paintEvent(self, _: QPaintEvent) -> None:
        """A rounded ground with the border of a control."""
        look = theme()
        rounded(QPainter(self), QRectF(self.rect()), 10, look.color("content"), look.color("edge"))

    def _restyle(self) -> None:
        self.setFixedWidth(theme().px(WIDTH))
        for widget in self.findChildren(QLabel):
            widget.setFont(theme().font("interface"))
        self.update()
