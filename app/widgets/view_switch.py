"""The switch between views: segments on one ground, moved by the arrow keys."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QButtonGroup, QFrame, QHBoxLayout, QWidget

from app.theme import theme
from app.widgets.button_base import ButtonBase, rounded
from app.widgets.one_line import draw_line

INSET = 2
LEAST, PADDING = 76, 14
TIGHT_PADDING = 12


class Segment(ButtonBase):
    """One view's name; the chosen one is raised."""

    radius = 6
    tight = False

    def __init__(self, text: str, parent: QWidget) -> None:
        super().__init__(text, parent)
        self.setText(text)
        self.setCheckable(True)

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

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """The arrows are for the switch; Qt would only move the focus."""
        if event.key() in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            event.ignore()
            return
        super().keyPressEvent(event)

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


class ViewSwitch(QFrame):
    """Exclusive segments and one tab stop. `chosen` gives the index that the user chose."""

    chosen = Signal(int)

    def __init__(self, names: Sequence[str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("View"))
        row = QHBoxLayout(self)
        row.setContentsMargins(INSET, INSET, INSET, INSET)
        row.setSpacing(0)
        self._group = QButtonGroup(self)
        for index, name in enumerate(names):
            segment = Segment(name, self)
            self._group.addButton(segment, index)
            row.addWidget(segment)
        self._group.idClicked.connect(self._clicked)
        self.set_current(0)
        theme().changed.connect(self.update)

    def segments(self) -> list[ButtonBase]:
        """The segments in order."""
        return [b for b in self._group.buttons() if isinstance(b, ButtonBase)]

    def current(self) -> int:
        """The index of the chosen view."""
        return self._group.checkedId()

    def set_current(self, index: int) -> None:
        """Choose a view without a signal."""
        self._group.button(index).setChecked(True)
        for at, segment in enumerate(self.segments()):
            policy = Qt.FocusPolicy.TabFocus if at == index else Qt.FocusPolicy.NoFocus
            segment.setFocusPolicy(policy)

    def set_tight(self, tight: bool) -> None:
        """Only as wide as the words, for a narrow window."""
        for segment in self._group.buttons():
            if isinstance(segment, Segment) and segment.tight != tight:
                segment.tight = tight
                segment.updateGeometry()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """The arrow keys move the choice."""
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()))
        if step is None:
            super().keyPressEvent(event)
            return
        index = max(0, min(len(self.segments()) - 1, self.current() + step))
        if index != self.current():
            self._clicked(index)
            self._group.button(index).setFocus(Qt.FocusReason.TabFocusReason)

    def paintEvent(self, _: QPaintEvent) -> None:
        """The common ground."""
        painter = QPainter(self)
        rounded(painter, QRectF(self.rect()), 7, theme().color("fill"))

    def _clicked(self, index: int) -> None:
        self.set_current(index)
        self.chosen.emit(index)
