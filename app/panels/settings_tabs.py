"""The tabs of the Settings window: an icon over a word."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, QSize
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from app.theme import theme
from app.widgets.button_base import rounded
from app.widgets.choice_row import Choice, ChoiceRow
from app.widgets.one_line import draw_line

WIDTH, HEIGHT, GAP = 78, 48, 4
ICON, ICON_TOP = 16, 8
WORD_TOP, WORD_HIGH = 26, 16
PADDING = 8


class SettingsTab(Choice):
    """One pane's icon and name; the chosen one in the accent on a ground."""

    radius = 8

    def __init__(self, icon: str, text: str, parent: QWidget) -> None:
        super().__init__(text, parent)
        self._icon = icon

    def sizeHint(self) -> QSize:
        """78 wide, or as wide as its word needs."""
        look = theme()
        word = QFontMetricsF(look.font("label", weight=500)).horizontalAdvance(self.text())
        width = max(look.px(WIDTH), round(word + 0.5) + 2 * PADDING)
        return QSize(width, look.px(HEIGHT))

    def minimumSizeHint(self) -> QSize:
        """As large as it wants to be."""
        return self.sizeHint()

    def paintEvent(self, _: QPaintEvent) -> None:
        """The ground, the icon, the word."""
        look = theme()
        painter = QPainter(self)
        chosen = self.isChecked()
        clear = look.color("pressed") if chosen else QColor(0, 0, 0, 0)
        hover = look.color("pressed" if chosen else "hover")
        ground = self.ground(clear, hover, look.color("pressed"))
        rounded(painter, QRectF(self.rect()), self.radius, ground)
        ink = "accent" if chosen else "text2"
        middle = self.width() / 2
        at = QPointF(middle - ICON / 2, look.px(ICON_TOP + ICON / 2) - ICON / 2)
        painter.drawPixmap(at, look.pixmap(self._icon, ink, ICON))
        painter.setPen(look.color(ink))
        painter.setFont(look.font("label", weight=500 if chosen else 400))
        word = QRectF(0, look.px(WORD_TOP), self.width(), look.px(WORD_HIGH))
        draw_line(painter, word, self.text(), share=0.5)


class SettingsTabs(ChoiceRow):
    """The panes by icon and name, from left to right."""

    def __init__(self, panes: Sequence[tuple[str, str]], parent: QWidget | None = None) -> None:
        super().__init__(parent, inset=GAP, gap=GAP)  # room for the ring
        self.setAccessibleName(self.tr("Panes"))
        self.set_choices([SettingsTab(icon, name, self) for icon, name in panes])
