"""A banner: an icon, a sentence, a button that does the next step, and one that declines it."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QSizePolicy, QWidget

from app.theme import theme
from app.widgets.button_base import rounded
from app.widgets.push_button import PushButton
from app.widgets.text_block import TextBlock


class Banner(QFrame):
    """`tone` is "warn" or "error". Signals: acted() when the button of the next step is pressed,
    dismissed() for the other one, which stands before it."""

    acted = Signal()
    dismissed = Signal()

    def __init__(
        self, sentence: str, parent: QWidget | None = None, *, tone: str = "warn", action: str = ""
    ) -> None:
        super().__init__(parent)
        self._tone = tone
        self._icon = QLabel(self)
        self._icon.setFixedSize(16, 16)
        self._text = TextBlock("interface", "text", self, px=13, line=18)
        self._text.set_text(sentence)
        policy = self._text.sizePolicy()  # in a narrow banner it may be higher than its hint
        policy.setVerticalPolicy(QSizePolicy.Policy.Preferred)
        self._text.setSizePolicy(policy)
        self.dismiss = PushButton("", self)
        self.dismiss.hide()
        self.dismiss.clicked.connect(self.dismissed)
        self.button = PushButton(action, self)
        self.button.setVisible(bool(action))
        self.button.clicked.connect(self.acted)
        row = QHBoxLayout(self)
        row.setContentsMargins(13, 10, 10, 10)
        row.setSpacing(10)
        row.addWidget(self._icon)
        row.addWidget(self._text, 1)
        row.addWidget(self.dismiss)
        row.addWidget(self.button)
        theme().changed.connect(self._restyle)
        self._restyle()

    def set_sentence(self, sentence: str, action: str = "", dismiss: str = "") -> None:
        """Say something else, with other buttons or none."""
        self._text.set_text(sentence)
        for button, word in ((self.button, action), (self.dismiss, dismiss)):
            button.set_text(word)
            button.setVisible(bool(word))

    def set_tone(self, tone: str) -> None:
        """ "warn" or "error"."""
        self._tone = tone
        self._restyle()

    def sentence(self) -> str:
        """What it says."""
        return self._text.text()

    def paintEvent(self, _: QPaintEvent) -> None:
        """A hairline box on the content's ground."""
        look = theme()
        rounded(QPainter(self), QRectF(self.rect()), 8, look.color("content"), look.color("line"))

    def _restyle(self) -> None:
        look = theme()
        self._icon.setPixmap(look.pixmap("warn", self._tone))
        self.update()
