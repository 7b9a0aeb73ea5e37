"""A setting as a word with its value, which opens what changes it."""

from __future__ import annotations

from math import ceil

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from app.theme import theme
from app.widgets.button_base import ButtonBase, rounded
from app.widgets.one_line import draw_line

PADDING = 6
HEIGHT = 24
PX = 12


class OptionButton(ButtonBase):
    """`words` hold "{value}", which stands out; they begin `PADDING` within the button."""

    def __init__(self, words: str, parent: QWidget | None = None) -> None:
        super().__init__("", parent)
        self._before, self._after = words.split("{value}")
        self._value = ""
        self.set_value("")

    def set_value(self, value: str) -> None:
        """Show this value."""
        self._value = value
        self.setText(f"{self._before}{value}{self._after}")
        self.setAccessibleName(self.text())
        self.updateGeometry()
        self.update()

    def value(self) -> str:
        """The value that is shown."""
        return self._value

    def sizeHint(self) -> QSize:
        """As wide as its words."""
        wide = sum(QFontMetricsF(font).horizontalAdvance(part) for part, font, _ in self._parts())
        return QSize(ceil(wide) + 2 * PADDING, max(HEIGHT, theme().px(HEIGHT)))

    def minimumSizeHint(self) -> QSize:
        """As large as it wants to be."""
        return self.sizeHint()

    def paintEvent(self, _: QPaintEvent) -> None:
        """A ground under the pointer, and the words."""
        look = theme()
        painter = QPainter(self)
        ground = self.ground(QColor(0, 0, 0, 0), look.color("hover"), look.color("pressed"))
        rounded(painter, QRectF(self.rect()), self.radius, ground)
        area = QRectF(self.rect()).adjusted(PADDING, 0, 0, 0)
        for part, font, ink in self._parts():
            painter.setFont(font)
            painter.setPen(look.color(ink if self.isEnabled() else "disabled"))
            draw_line(painter, area, part)
            area.setLeft(area.left() + QFontMetricsF(font).horizontalAdvance(part))

    def _parts(self) -> list[tuple[str, QFont, str]]:
        look = theme()
        plain = look.font("label", px=PX)
        strong = look.font("label", px=PX, weight=500)
        return [
            (self._before, plain, "text3"),
            (self._value, strong, "text"),
            (self._after, plain, "text3"),
        ]
