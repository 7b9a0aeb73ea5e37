"""What a check box and a radio button share: a mark of 15 pixels, and words beside it."""

from __future__ import annotations

from PySide6.QtCore import QRect, QRectF, QSize
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from app.theme import theme
from app.widgets.button_base import ButtonBase, rounded
from app.widgets.one_line import draw_line

MARK, GAP = 15, 7
HEIGHT = 20


class MarkedButton(ButtonBase):
    """A button that is on or off. `label` names what it belongs to, for a screen reader."""

    def __init__(self, text: str, parent: QWidget | None = None, *, label: str = "") -> None:
        super().__init__(f"{label} {text}".strip(), parent)
        self.setText(text)
        self.setCheckable(True)

    def sizeHint(self) -> QSize:
        """The mark and the words."""
        look = theme()
        words = QFontMetricsF(look.font("interface")).horizontalAdvance(self.text())
        return QSize(MARK + (GAP + round(words + 0.4) if self.text() else 0), look.px(HEIGHT))

    def minimumSizeHint(self) -> QSize:
        """As large as it wants to be."""
        return self.sizeHint()

    def shape(self) -> QRect:
        """The mark alone."""
        return QRect(0, (self.height() - MARK) // 2, MARK, MARK)

    def paintEvent(self, _: QPaintEvent) -> None:
        """The mark, filled with the accent when it is on, and the words."""
        look = theme()
        painter = QPainter(self)
        area, able = QRectF(self.shape()), self.isEnabled()
        if self.isChecked():
            accents = [look.color(f"accent{state}") for state in ("", "Hover", "Pressed")]
            ground = self.ground(*accents) if able else look.color("disabled")
            rounded(painter, area, self.radius, ground)
            self.paint_mark(painter, area)
        else:
            grounds = [look.color(f"raised{state}") for state in ("", "Hover", "Pressed")]
            border = look.color("edge" if able else "line")
            rounded(painter, area, self.radius, self.ground(*grounds), border)
        painter.setPen(look.color("text" if able else "disabled"))
        painter.setFont(look.font("interface"))
        draw_line(painter, QRectF(self.rect()).adjusted(MARK + GAP, 0, 0, 0), self.text())

    def paint_mark(self, painter: QPainter, area: QRectF) -> None:
        """What stands on the accent when it is on."""
        raise NotImplementedError
