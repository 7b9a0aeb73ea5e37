"""What is asked of the user beneath the toolbar, in every view, while all else goes on."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget

from app.widgets.banner import Banner
from app.widgets.message_column import box_column
from app.widgets.toast import announce

_ABOVE, _BELOW = 12, 4


class QuestionBar(QWidget):
    """A banner with two buttons on the column of the chat, hidden while nothing is asked.

    Signals: accepted() and declined(). It stays until `withdraw`."""

    accepted = Signal()
    declined = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.banner = Banner("", self)
        self.banner.acted.connect(self.accepted)
        self.banner.dismissed.connect(self.declined)
        self._column = QVBoxLayout(self)
        self._column.addWidget(self.banner)
        self.hide()

    def ask(self, sentence: str, accept: str, decline: str, *, tone: str, focus: bool) -> None:
        """Ask `sentence` in place of what was asked before. With `focus` the keys are for the
        answer, and Return declines."""
        self.banner.set_tone(tone)
        self.banner.set_sentence(sentence, accept, decline)
        self.setAccessibleName(sentence)
        for button in (self.banner.button, self.banner.dismiss):
            button.setAccessibleDescription(sentence)
        self.show()
        if focus:  # as by a key, so that the ring shows where Return goes
            self.banner.dismiss.setFocus(Qt.FocusReason.ShortcutFocusReason)
        announce(self, sentence)

    def decline(self) -> None:
        """As the button that declines; nothing happens while nothing is asked."""
        if self.isVisible():
            self.banner.dismiss.click()

    def withdraw(self) -> None:
        """Nothing is asked any more."""
        self.hide()

    def has_focus(self) -> bool:
        """Whether the keys are for the answer."""
        focused = QApplication.focusWidget()
        return focused is not None and self.isAncestorOf(focused)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape declines."""
        if event.key() == Qt.Key.Key_Escape:
            self.decline()
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep to the column."""
        super().resizeEvent(event)
        left, width = box_column(self.width())
        self._column.setContentsMargins(left, _ABOVE, self.width() - left - width, _BELOW)
