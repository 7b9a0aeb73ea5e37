"""What a message of yours and an answer have in common in the column of messages."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.values import MessageRow
from app.widgets.idle import idle


class MessageItem(QWidget):
    """A message in the column. `height_changed` is emitted when its height changed.

    Its content is filled in step by step, so that a long one never holds the window up.
    """

    height_changed = Signal()

    def __init__(self, row: MessageRow, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.row = row
        self.column = self.room = 0  # pixels it may take, and pixels free at the right of them
        self._work: Iterator[None] | None = None
        self._steady = False  # it keeps its height while it is drawn anew

    def set_width(self, column: int, room: int) -> None:
        """Stand in a column of `column` pixels with `room` pixels free at its right."""
        self.column, self.room = column, room
        self.place()

    def place(self) -> None:
        """Put the parts where they belong, and tell of another height."""
        high = self.arrange()
        if self._steady:
            return
        changed = high != self.height()
        self.resize(self.column + self.room, high)
        if changed:
            self.height_changed.emit()

    def arrange(self) -> int:
        """Put the parts where they belong; the height that they need together."""
        raise NotImplementedError

    def fill(self) -> Iterator[None]:
        """Draw the message, yielding between short steps."""
        raise NotImplementedError

    def reset(self) -> None:
        """Take away what `fill` drew."""
        raise NotImplementedError

    def set_last(self, last: bool) -> None:
        """It is the last message of the chat, or no longer."""

    def begin(self) -> Iterator[None]:
        """Draw the message, yielding between short steps; `complete` does what is left."""
        work = self._work = self.fill()
        for _ in work:
            yield
            if self._work is not work:
                return
        self._work = None

    def complete(self) -> None:
        """Do at once what is left of drawing the message."""
        work, self._work = self._work, None
        for _ in work or ():
            pass

    def redraw(self) -> Iterator[None]:
        """Draw the message anew, after another theme, while it keeps its height."""
        self._steady = True
        self.reset()
        yield from self.begin()
        self._steady = False
        self.place()

    def finish_later(self, work: Iterator[None]) -> None:
        """Let `work` be done when there is time."""
        idle().add(self, work)
