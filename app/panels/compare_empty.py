"""What stands in the Compare view before the first run."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.theme import theme
from app.widgets.push_button import PushButton
from app.widgets.text_block import TextBlock

WIDTH = 400
GAP = 14


class CompareEmpty(QWidget):
    """A sentence in the middle, and the way to the models while too few of them are chosen."""

    choose_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.sentence = TextBlock("body", "text2", self, px=14, line=22)
        self.sentence.set_text(
            self.tr(
                "One prompt, one seed, several sizes. Choose two to five models, write a prompt, "
                "press Run."
            )
        )
        self.button = PushButton(self.tr("Choose Models…"), self)
        self.button.clicked.connect(self.choose_requested)
        self._block = QWidget(self)
        block = QVBoxLayout(self._block)
        block.setContentsMargins(0, 0, 0, 0)
        block.setSpacing(GAP)
        block.addWidget(self.sentence)
        block.addWidget(self.button, 0, Qt.AlignmentFlag.AlignLeft)
        column = QVBoxLayout(self)
        column.addStretch(2)
        column.addWidget(self._block, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addStretch(3)
        theme().changed.connect(self._restyle)
        self._restyle()

    def set_ready(self, ready: bool) -> None:
        """Whether there are enough models chosen."""
        self.button.setVisible(not ready)

    def _restyle(self) -> None:
        wide = theme().px(WIDTH)
        self._block.setFixedWidth(wide)
        self.sentence.setFixedHeight(self.sentence.heightForWidth(wide))
