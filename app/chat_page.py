"""The Chat view: the transcript, what stands above and over it, the composer, the strip."""

from __future__ import annotations

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.panels.composer import Composer
from app.panels.strip import Strip
from app.panels.transcript import Transcript
from app.widgets.banner import Banner
from app.widgets.message_column import box_column
from app.widgets.toast import Toast

_ABOVE, _BELOW = 8, 14  # the composer


class ChatPage(QWidget):
    """Puts the composer and the banner on the transcript's column."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.transcript = Transcript(self)
        self.composer = Composer(self)
        self.strip = Strip(self)
        self.banner = Banner("", self)
        self.banner.hide()
        self.toast = Toast(self.transcript)
        self._banner_row, self._composer_row = QVBoxLayout(), QVBoxLayout()
        self._banner_row.addWidget(self.banner)
        self._composer_row.addWidget(self.composer)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(self._banner_row)
        column.addWidget(self.transcript, 1)
        column.addLayout(self._composer_row)
        column.addWidget(self.strip)

    def show_banner(self, sentence: str, action: str = "") -> None:
        """Say something above the transcript; an empty sentence says nothing any more."""
        self.banner.set_sentence(sentence, action)
        self.banner.setVisible(bool(sentence))
        self._place()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep to the column."""
        super().resizeEvent(event)
        self._place()

    def _place(self) -> None:
        left, width = box_column(self.width())
        right = self.width() - left - width
        self._composer_row.setContentsMargins(left, _ABOVE, right, _BELOW)
        above, below = (12, 4) if self.banner.isVisibleTo(self) else (0, 0)
        self._banner_row.setContentsMargins(left, above, right, below)
