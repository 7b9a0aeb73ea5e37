"""Jump to Latest: a pill over the end of the transcript, shown when the end is out of sight."""

from __future__ import annotations

from math import ceil

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from app.theme import theme
from app.widgets.button_base import ButtonBase, rounded

HEIGHT = 28
ICON_AT = 10
TEXT_AT = 31


class JumpButton(ButtonBase):
    """The pill. Its parent places it."""

    radius = HEIGHT / 2

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("", parent)
        self.setText(self.tr("Jump to Latest"))
        self.setAccessibleName(self.text())

    def sizeHint(self) -> QSize:
        """As wide as its words."""
        wide = QFontMetricsF(self._font()).horizontalAdvance(self.text())
        return QSize(ceil(TEXT_AT + wide + 13), max(HEIGHT, theme().px(HEIGHT)))

    def _font(self) -> QFont:
        return theme().font("button")

    def paintEvent(self, _: QPaintEvent) -> None:
        """A raised pill, the arrow down, the words."""
        look = theme()
        painter = QPainter(self)
        grounds = [look.color(f"raised{state}") for state in ("", "Hover", "Pressed")]
        area = QRectF(self.rect())
        rounded(painter, area, self.height() / 2, self.ground(*grounds), look.color("edge"))
        painter.drawPixmap(ICON_AT, (self.height() - 16) // 2, look.pixmap("jump"))
        painter.setFont(self._font())
        painter.setPen(look.color("text"))
        area.setLeft(TEXT_AT)
        painter.drawText(area, Qt.AlignmentFlag.AlignVCenter, self.text())
