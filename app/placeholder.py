"""A view that is not there yet: its name, and what it will hold."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from app.theme import theme

_WIDTH = 420


class Placeholder(QWidget):
    """A headline and one sentence, in the middle."""

    def __init__(self, headline: str, sentence: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._headline, self._sentence = QLabel(headline), QLabel(sentence)
        self._sentence.setWordWrap(True)
        column = QVBoxLayout(self)
        column.setSpacing(8)
        column.addStretch(2)
        for label in (self._headline, self._sentence):
            label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
            label.setTextFormat(Qt.TextFormat.PlainText)
            column.addWidget(label, alignment=Qt.AlignmentFlag.AlignHCenter)
        column.addStretch(3)
        theme().changed.connect(self._restyle)
        self._restyle()

    def _restyle(self) -> None:
        look = theme()
        self._headline.setFont(look.font("headline"))
        self._sentence.setFont(look.font("body"))
        self._sentence.setFixedWidth(look.px(_WIDTH))
        palette = self._sentence.palette()
        palette.setColor(palette.ColorRole.WindowText, look.color("text2"))
        self._sentence.setPalette(palette)
