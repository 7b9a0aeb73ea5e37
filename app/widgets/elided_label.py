"""One line of text that elides where there is no room for it."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.theme import theme
from app.widgets.one_line import draw_line


class ElidedLabel(QWidget):
    """Text in a role's font and a token's colour, at the right of its room; `share` of what is
    free is left of it. `px` replaces the role's own size."""

    def __init__(
        self,
        role: str,
        color: str,
        parent: QWidget | None = None,
        *,
        share: float = 1.0,
        px: float | None = None,
    ) -> None:
        super().__init__(parent)
        self._role, self._color, self._text, self._share = role, color, "", share
        self._px = px
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme().changed.connect(self._restyle)

    def set_text(self, text: str) -> None:
        """Say this."""
        if text == self._text:
            return
        self._text = text
        self.setAccessibleName(text)
        self.setToolTip(text)
        self._restyle()

    def text(self) -> str:
        """What it says, whole."""
        return self._text

    def sizeHint(self) -> QSize:
        """As wide as its text."""
        width = QFontMetricsF(self._font()).horizontalAdvance(self._text)
        return QSize(round(width) + 1, theme().line_height(self._role))

    def minimumSizeHint(self) -> QSize:
        """It may vanish."""
        return QSize(0, theme().line_height(self._role))

    def paintEvent(self, _: QPaintEvent) -> None:
        """The text, or as much of it as there is room for."""
        font = self._font()
        painter = QPainter(self)
        painter.setFont(font)
        painter.setPen(theme().color(self._color))
        elide = Qt.TextElideMode.ElideRight
        words = QFontMetricsF(font).elidedText(self._text, elide, self.width())
        draw_line(painter, self.rect(), words, share=self._share)

    def _font(self) -> QFont:
        return theme().font(self._role, px=self._px)

    def _restyle(self) -> None:
        self.updateGeometry()
        self.update()
