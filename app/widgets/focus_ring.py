"""The focus ring: two pixels of accent around a control that the keyboard has reached."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QRect, QRectF, Qt
from PySide6.QtGui import QFocusEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from app.theme import theme

GAP = 2
WIDTH = 2
KEYBOARD = (
    Qt.FocusReason.TabFocusReason,
    Qt.FocusReason.BacktabFocusReason,
    Qt.FocusReason.ShortcutFocusReason,
)


class FocusRing(QWidget):
    """A ring around `target`, drawn over its parent since it lies outside the target.

    `shape` gives the part of the target that it goes around, where that is not the whole."""

    def __init__(
        self, target: QWidget, radius: float, shape: Callable[[], QRect] | None = None
    ) -> None:
        super().__init__(target.parentWidget())
        self._target = target
        self._shape = shape or target.rect
        self._radius = radius + GAP + WIDTH / 2
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        target.installEventFilter(self)
        self._follow()
        self.raise_()
        self.show()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keep around the target as it moves, grows and hides."""
        kind = event.type()
        if kind in (QEvent.Type.Move, QEvent.Type.Resize):
            self._follow()
        elif kind == QEvent.Type.Hide:
            self.hide()
        elif kind == QEvent.Type.Show:
            self.show()
        return False

    def paintEvent(self, _: QPaintEvent) -> None:
        """The ring."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(theme().color("ring"), WIDTH))
        inset = WIDTH / 2
        area = QRectF(self.rect()).adjusted(inset, inset, -inset, -inset)
        painter.drawRoundedRect(area, self._radius, self._radius)

    def _follow(self) -> None:
        out = GAP + WIDTH
        around = self._shape().translated(self._target.pos())
        self.setGeometry(around.adjusted(-out, -out, out, out))


class KeyboardRing(QObject):
    """Gives `target`, which is no button of ours, a ring while it has a focus that came by keys."""

    def __init__(
        self, target: QWidget, radius: float, shape: Callable[[], QRect] | None = None
    ) -> None:
        super().__init__(target)
        self._target, self._radius, self._shape = target, radius, shape
        self._ring: FocusRing | None = None
        target.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Make the ring when the focus comes, take it away when it goes."""
        if isinstance(event, QFocusEvent):
            if event.gotFocus() and event.reason() in KEYBOARD and self._ring is None:
                self._ring = FocusRing(self._target, self._radius, self._shape)
            elif event.lostFocus() and self._ring is not None:
                self._ring.hide()
                self._ring.deleteLater()
                self._ring = None
        return False
