"""A small switch between ways to see one thing: 22 high, moved by the arrow keys."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from app.theme import theme
from app.widgets.button_base import rounded
from app.widgets.choice_row import Choice, ChoiceRow
from app.widgets.one_line import draw_line

INSET, HEIGHT, PADDING = 2, 18, 10
RADIUS, GROUND_RADIUS = 5, 6


class SmallSegment(Choice):
    """One of the names; the chosen one is raised."""

    radius = RADIUS

    def sizeHint(self) -> QSize:
        """As wide as its word."""
        wide = QFontMetricsF(_font()).horizontalAdvance(self.text())
        return QSize(round(wide) + 2 * PADDING, theme().px(HEIGHT))

    def minimumSizeHint(self) -> QSize:
        """As large as it wants to be."""
        return self.sizeHint()

    def paintEvent(self, _: QPaintEvent) -> None:
        """The raised ground of the chosen one, and the word."""
        look, painter = theme(), QPainter(self)
        if self.isChecked():
            ground, edge = look.color("raised"), look.color("edge")
            rounded(painter, QRectF(self.rect()), RADIUS, ground, edge)
        strong = self.isChecked() or self.warmth > 0.5 or self.isDown()
        painter.setPen(look.color("text" if strong else "text2"))
        painter.setFont(_font())
        draw_line(painter, self.rect(), self.text(), share=0.5)


class SmallSwitch(ChoiceRow):
    """Exclusive segments and one tab stop. `chosen` gives the index that the user chose."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent, inset=INSET)
        self.setAccessibleName(name)

    def words(self) -> list[str]:
        """Those of the segments, in their order."""
        return [segment.text() for segment in self.segments()]

    def set_words(self, words: Sequence[str], current: int) -> None:
        """Other segments; one that stays keeps the focus, and a press that has begun."""
        old: dict[str, Choice | None] = {segment.text(): segment for segment in self.segments()}
        segments = [old.pop(word, None) or SmallSegment(word, self) for word in words]
        self.set_choices(segments, current)

    def paintEvent(self, _: QPaintEvent) -> None:
        """The common ground."""
        rounded(QPainter(self), QRectF(self.rect()), GROUND_RADIUS, theme().color("fill"))


def _font() -> QFont:
    return theme().font("label", weight=500)
