"""A row of buttons of which one is chosen: one tab stop, moved by the arrow keys."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QButtonGroup, QFrame, QHBoxLayout, QWidget

from app.theme import theme
from app.widgets.button_base import ButtonBase


class Choice(ButtonBase):
    """One of the buttons, drawn by its subclass."""

    def __init__(self, text: str, parent: QWidget) -> None:
        super().__init__(text, parent)
        self.setText(text)
        self.setCheckable(True)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """The arrows are for the row; Qt would only move the focus."""
        if event.key() in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            event.ignore()
            return
        super().keyPressEvent(event)


class ChoiceRow(QFrame):
    """Exclusive choices. `chosen` gives the index that the user chose."""

    chosen = Signal(int)

    def __init__(self, parent: QWidget | None, *, inset: int = 0, gap: int = 0) -> None:
        super().__init__(parent)
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(inset, inset, inset, inset)
        self._row.setSpacing(gap)
        self._group = QButtonGroup(self)
        self._group.idClicked.connect(self._clicked)
        theme().changed.connect(self.update)

    def set_choices(self, choices: Sequence[Choice], current: int = 0) -> None:
        """The buttons, from left to right, in the place of those there were; one is chosen. It
        has the focus where one of the row had it."""
        before = self.segments()
        focused = any(choice.hasFocus() for choice in before)
        for choice in before:
            self._group.removeButton(choice)
        for index, choice in enumerate(choices):
            self._group.addButton(choice, index)
            self._row.addWidget(choice)
            choice.show()  # Qt would only show it at the next event
        self.set_current(current)
        if focused:
            choices[current].setFocus(Qt.FocusReason.OtherFocusReason)
        for choice in before:
            if choice not in choices:
                choice.hide()
                choice.deleteLater()

    def segments(self) -> list[Choice]:
        """The buttons in order."""
        return [b for b in self._group.buttons() if isinstance(b, Choice)]

    def current(self) -> int:
        """The index of the chosen one."""
        return self._group.checkedId()

    def set_current(self, index: int) -> None:
        """Choose one without a signal; it takes the focus from the one chosen before."""
        self._group.button(index).setChecked(True)
        if any(segment.hasFocus() for segment in self.segments()):
            self._group.button(index).setFocus(Qt.FocusReason.OtherFocusReason)
        for at, segment in enumerate(self.segments()):
            policy = Qt.FocusPolicy.TabFocus if at == index else Qt.FocusPolicy.NoFocus
            segment.setFocusPolicy(policy)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """The arrow keys move the choice."""
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()))
        if step is None:
            super().keyPressEvent(event)
            return
        index = max(0, min(len(self.segments()) - 1, self.current() + step))
        if index != self.current():
            self._group.button(index).setFocus(Qt.FocusReason.TabFocusReason)
            self._clicked(index)

    def _clicked(self, index: int) -> None:
        self.set_current(index)
        self.chosen.emit(index)
