"""A row of the Models sidebar that stays chosen: of a place, or of what is shown."""

from __future__ import annotations

from typing import Literal

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from app.theme import theme
from app.widgets.one_line import draw_line
from app.widgets.row_button import RowButton

HIGH = 30
EDGE, PADDING = 8, 12
CHECK = 16


class SidebarRow(RowButton):
    """One of the rows of its parent, of which one is chosen: on the tint, or with a check mark."""

    def __init__(self, words: str, parent: QWidget, *, mark: Literal["tint", "check"]) -> None:
        super().__init__(words, parent)
        self._mark = mark
        self._note = ""
        self.setText(words)
        self.setCheckable(True)
        self.setAutoExclusive(True)
        self.restyle()

    def set_note(self, note: str) -> None:
        """A figure at the right."""
        if note != self._note:
            self._note = note
            self.setAccessibleDescription(note)
            self.update()

    def note(self) -> str:
        """The figure at the right."""
        return self._note

    def sizeHint(self) -> QSize:
        """30 high; any width."""
        return QSize(200, theme().px(HIGH))

    def restyle(self) -> None:
        """Take the theme's font and height anew."""
        super().restyle()
        self.setFixedHeight(theme().px(HIGH))

    def changeEvent(self, event: QEvent) -> None:
        """The chosen row looks different in an inactive window."""
        if event.type() == QEvent.Type.ActivationChange:
            self.update()
        super().changeEvent(event)

    def paintEvent(self, _: QPaintEvent) -> None:
        """Ground, words, figure or check mark."""
        look = theme()
        painter = QPainter(self)
        area = QRectF(self.rect()).adjusted(EDGE, 0, -EDGE, 0)
        chosen = self.isChecked() and self._mark == "tint"
        tint = "tint" if self.isActiveWindow() else "hover"
        self.paint_ground(painter, area, hover="hover", chosen=tint if chosen else "")
        room = area.adjusted(PADDING, 0, -PADDING, -1)
        painter.setFont(look.font("interface", weight=500 if chosen else 400))
        painter.setPen(look.color("text" if self.isEnabled() else "disabled"))
        draw_line(painter, room, self.text())
        if self._note:
            painter.setFont(look.font("small"))
            painter.setPen(look.color("text3" if self.isEnabled() else "disabled"))
            draw_line(painter, room, self._note, share=1)
        if self.isChecked() and self._mark == "check":
            at = QPointF(room.right() - CHECK + 1, area.center().y() - CHECK / 2)
            painter.drawPixmap(at, look.pixmap("check", "accent", CHECK))
