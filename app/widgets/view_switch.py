"""The switch between views: segments on one ground, moved by the arrow keys."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from app.theme import theme
from app.widgets.button_base import rounded
from app.widgets.choice_row import Choice, ChoiceRow
from app.widgets.one_line import draw_line

INSET = 2
LEAST, PADDING = 76, 14
TIGHT_PADDING = 12


class Segment(Choice):
    """One view's name; the chosen one is raised."""

    radius = 6
    tight = False

    def sizeHint(self) -> QSize:
        """As wide as its word, and never narrower than the least."""
        look = theme()
        width = QFontMetricsF(look.font("button")).horizontalAdvance(self.text())
        if self.tight:
            return QSize(round(width) + 2 * TIGHT_PADDING, look.px(24))
        return QSize(max(look.px(LEAST), round(width) + 2 * PADDING), look.px(24))

    def minimumSizeHint(self) -> QSize:
        """As large as it wants to be."""
        return self.sizeHint()

    def paintEvent(self, _: QPaintEvent) -> None:
        """The raised ground of the chosen segment, and the word."""
        look = theme()
        painter = QPainter(self)
        if self.isChecked():
            rounded(
                painter, QRectF(self.rect()), self.radius, look.color("raised"), look.color("edge")
            )
        strong = self.isChecked() or self.warmth > 0.5 or self.isDown()
        painter.setPen(look.color("text" if strong else "text2"))
        painter.setFont(look.font("button"))
        draw_line(painter, self.rect(), self.text(), share=0.5)


class ViewSwitch(ChoiceRow):
    """Exclusive segments and one tab stop. `chosen` gives the index that the user chose."""

    def __init__(self, names: Sequence[str], parent: QWidget | None = None) -> None:
        super().__init__(parent, inset=INSET)
        self.setAccessibleName(self.tr("View"))
        self.set_choices([Segment(name, self) for name in names])

    def set_tight(self, tight: bool) -> None:
        """Only as wide as the words, for a narrow window."""
        for segment in self.segments():
            if isinstance(segment, Segment) and segment.tight != tight:
                segment.tight = tight
                segment.updateGeometry()

    def paintEvent(self, _: QPaintEvent) -> None:
        """The common ground."""
        painter = QPainter(self)
        rounded(painter, QRectF(self.rect()), 7, theme().color("fill"))
