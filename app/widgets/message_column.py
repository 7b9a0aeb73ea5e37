"""The column of messages: a scroll area that stays where the reader is, or at the end."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence

import shiboken6
from PySide6.QtCore import QEasingCurve, QPropertyAnimation, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from app.theme import theme
from app.widgets.idle import idle
from app.widgets.message_item import MessageItem
from app.widgets.user_message import UserMessage

COLUMN = 648
MARGIN = 24  # the least, at either side
GUTTER = 52  # the least at the left, where the state line stands
TOP, BOTTOM = 16, 6
GAP, GAP_YOURS = 16, 14  # above an answer, above a message of yours
AT_END = 4  # pixels from the end that still count as being there
JUMP_MS = 200
LINE = 42  # an arrow key scrolls two lines


def box_column(width: int) -> tuple[int, int]:
    """The left edge and the width of the column of boxes in a view `width` pixels wide."""
    left = max(GUTTER, (width - COLUMN) // 2)
    return left, max(1, min(COLUMN, width - left - MARGIN))


class MessageColumn(QScrollArea):
    """Places the messages and scrolls. `moved` is emitted when the end came nearer or farther."""

    moved = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(self.tr("Messages"))
        self.viewport().setAutoFillBackground(False)
        self.items: list[MessageItem] = []
        self.following = True  # the end stays in view as text comes
        self._tops: list[int] = []
        self._placing = False
        self._laid = (0, 0)  # what the messages were laid out for
        self.canvas = QWidget(self)
        self.canvas.setAttribute(Qt.WidgetAttribute.WA_StaticContents)
        self.setWidget(self.canvas)
        self.verticalScrollBar().setSingleStep(LINE)
        self.verticalScrollBar().valueChanged.connect(self._on_scroll)
        self._jump = QPropertyAnimation(self.verticalScrollBar(), b"value", self)
        self._jump.setEasingCurve(QEasingCurve.Type.OutCubic)

    def adopt(self, item: MessageItem) -> None:
        """Show `item`, a child of the canvas, as wide as it must be but out of sight as yet."""
        item.move(0, -1_000_000)
        item.show()
        item.set_width(*self._width())

    def append(self, item: MessageItem) -> None:
        """Put an adopted message at the end."""
        self.items.append(item)
        item.height_changed.connect(self._on_height)
        self._place(len(self.items) - 1)

    def prepend(self, items: Sequence[MessageItem]) -> None:
        """Put adopted messages, oldest first, before all others."""
        for item in items:
            item.height_changed.connect(self._on_height)
        anchor = self._anchor()
        self.items[:0] = items
        self._place(0, anchor)

    def remove_from(self, index: int) -> None:
        """Let go of the messages from `index` on."""
        gone, self.items = self.items[index:], self.items[:index]
        del self._tops[index:]
        for item in gone:
            item.hide()
            item.deleteLater()
        self._place(len(self.items))

    def _width(self) -> tuple[int, int]:
        left, column = box_column(self.width())
        return column, min(32, self.width() - left - column)

    def _anchor(self) -> tuple[MessageItem, int] | None:
        """The message at the top of the view, and how far below its own top that is."""
        if not self._tops:
            return None
        at = self.verticalScrollBar().value()
        index = max(0, bisect_right(self._tops, at) - 1)
        return self.items[index], at - self._tops[index]

    def _on_height(self) -> None:
        sender = self.sender()
        if not self._placing and isinstance(sender, MessageItem) and sender in self.items:
            self._place(self.items.index(sender))

    def _place(self, first: int, anchor: tuple[MessageItem, int] | None = None) -> None:
        """Place the messages from index `first` on; what is read stays where it is."""
        anchor = anchor or self._anchor()
        self._placing = True
        left, _ = box_column(self.width())
        del self._tops[first:]
        y = self._tops[-1] + self.items[first - 1].height() if self._tops else TOP
        for index, item in enumerate(self.items[first:], first):
            if index:
                y += GAP_YOURS if isinstance(item, UserMessage) else GAP
            self._tops.append(y)
            item.move(left, y)
            y += item.height()
        self.canvas.resize(self.viewport().width(), y + BOTTOM)
        if self.following:
            self._to_end()
        elif anchor and anchor[0] in self.items:
            top = self._tops[self.items.index(anchor[0])]
            self.verticalScrollBar().setValue(top + anchor[1])
        self._placing = False
        self.moved.emit()

    def _to_end(self) -> None:
        bar = self.verticalScrollBar()
        if self._jump.state() == QPropertyAnimation.State.Running:
            self._jump.setEndValue(bar.maximum())
        else:
            bar.setValue(bar.maximum())

    def _on_scroll(self) -> None:
        if not self._placing and self._jump.state() != QPropertyAnimation.State.Running:
            self.following = self.distance() <= AT_END
        self.moved.emit()

    def distance(self) -> int:
        """How many pixels the end is below the view."""
        bar = self.verticalScrollBar()
        return bar.maximum() - bar.value()

    def jump_to_end(self) -> None:
        """Scroll to the end and stay there."""
        self.following = True
        bar = self.verticalScrollBar()
        self._jump.setDuration(theme().motion(JUMP_MS))
        self._jump.setStartValue(bar.value())
        self._jump.setEndValue(bar.maximum())
        self._jump.start()

    def stay_at_end(self) -> None:
        """Be at the end at once and stay there."""
        self._jump.stop()
        self.following = True
        self._to_end()
        self.moved.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width lays out what is in view now and the rest when there is time."""
        anchor = self._anchor()
        self._placing = True
        super().resizeEvent(event)
        if self._width() != self._laid:
            self._laid = self._width()
            seen = self.visible_items()
            for item in seen:
                item.set_width(*self._laid)
            idle().drop(self)
            idle().add(self, self._lay_out([item for item in self.items if item not in seen]))
        self._place(0, anchor)

    def _lay_out(self, items: list[MessageItem]) -> Iterator[None]:
        for item in reversed(items):
            if shiboken6.isValid(item):
                item.set_width(*self._laid)
            yield

    def visible_items(self) -> list[MessageItem]:
        """The messages that are in view, at least in part."""
        top = self.verticalScrollBar().value()
        bottom = top + self.viewport().height()
        return [item for item in self.items if item.y() < bottom and item.geometry().bottom() > top]

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Home and End, and the space bar as Page Down; the arrows are the area's own."""
        bar = self.verticalScrollBar()
        key = event.key()
        if key == Qt.Key.Key_Home:
            bar.setValue(0)
        elif key == Qt.Key.Key_End:
            bar.setValue(bar.maximum())
        elif key == Qt.Key.Key_Space:
            back = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            action = bar.SliderAction
            bar.triggerAction(action.SliderPageStepSub if back else action.SliderPageStepAdd)
        else:
            super().keyPressEvent(event)
