"""Send: an arrow on the accent; and the quiet button of an icon with a word."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from app.theme import theme
from app.widgets.button_base import ButtonBase, rounded
from app.widgets.one_line import draw_line

SIZE = 28


class SendButton(ButtonBase):
    """28 pixels square, in the accent while there is something to send."""

    radius = 8

    def sizeHint(self) -> QSize:
        """The square."""
        return QSize(SIZE, SIZE)

    def minimumSizeHint(self) -> QSize:
        """The square."""
        return self.sizeHint()

    def paintEvent(self, _: QPaintEvent) -> None:
        """The ground and the arrow."""
        look = theme()
        painter = QPainter(self)
        ground = look.color("fill")
        if self.isEnabled():
            ground = self.ground(*(look.color(f"accent{s}") for s in ("", "Hover", "Pressed")))
        rounded(painter, QRectF(self.rect()), self.radius, ground)
        ink = "onAccent" if self.isEnabled() else "disabled"
        painter.drawPixmap((SIZE - 16) // 2, (SIZE - 16) // 2, look.pixmap("send", ink))


class WordButton(ButtonBase):
    """A small icon and a word without ground, as in the composer's second row."""

    radius = 6
    _PADDING, _GAP = 6, 4

    def __init__(self, icon: str, name: str, parent: QWidget | None = None) -> None:
        super().__init__(name, parent)
        self._icon = icon

    def set_text(self, text: str) -> None:
        """Another word."""
        self.setText(text)
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        """As wide as icon and word."""
        look = theme()
        width = QFontMetricsF(look.font("label")).horizontalAdvance(self.text())
        return QSize(round(width) + 2 * self._PADDING + 16 + self._GAP, look.px(24))

    def minimumSizeHint(self) -> QSize:
        """As large as it wants to be."""
        return self.sizeHint()

    def paintEvent(self, _: QPaintEvent) -> None:
        """A ground under the pointer, icon and word."""
        look = theme()
        painter = QPainter(self)
        ground = self.ground(QColor(0, 0, 0, 0), look.color("hover"), look.color("pressed"))
        rounded(painter, QRectF(self.rect()), self.radius, ground)
        hot = self.warmth > 0.5 or self.isDown()
        ink = "text" if hot else "text2"
        painter.drawPixmap(
            QPointF(self._PADDING, self.height() / 2 - 8), look.pixmap(self._icon, ink)
        )
        painter.setFont(look.font("label"))
        painter.setPen(look.color(ink))
        room = QRectF(self.rect()).adjusted(self._PADDING + 16 + self._GAP, 0, 0, 0)
        draw_line(painter, room, self.text())
