"""A view that is not there yet: its name, and what it will hold."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QVBoxLayout, QWidget

from app.theme import theme

_WIDTH = 420


class Placeholder(QWidget):
    """A headline and one sentence, in the middle."""

    def __init__(self, headline: str, sentence: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._headline, self._sentence = QLabel(headline), QLabel(sentence)
        self._sentence.setWordWrap(True)
        self._text = QWidget()  # as wide as the sentence, so that its height is known
        column = QVBoxLayout(self._text)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        for label in (self._headline, self._sentence):
            label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
            label.setTextFormat(Qt.TextFormat.PlainText)
            column.addWidget(label)
        grid = QGridLayout(self)
        grid.addWidget(self._text, 1, 1)
        grid.setRowStretch(0, 2)
        grid.setRowStretch(2, 3)
        grid.setColumnStretch(0, 1)
        grid.setColumnStretch(2, 1)
        theme().changed.connect(self._restyle)
        self._restyle()

    def _restyle(self) -> None:
        look = theme()
        self._headline.setFont(look.font("headline"))
        self._sentence.setFont(look.font("body"))
        self._text.setFixedWidth(look.px(_WIDTH))
        palette = self._sentence.palette()
        palette.setColor(palette.ColorRole.WindowText, look.color("text2"))
        self._sentence.setPalette(palette)
