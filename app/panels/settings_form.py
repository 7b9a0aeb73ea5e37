"""What every pane of the Settings window is made of: rows with names, rules, notes, a footer."""

from __future__ import annotations

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from app.theme import theme
from app.widgets.text_block import TextBlock

SIDE, TOP, BOTTOM = 40, 22, 20
NAMES, GAP = 148, 12  # the column of names, and what is between it and the controls
ROW, BETWEEN = 24, 14  # a row, and the room before the next
AROUND_RULE = 18
NOTE_ABOVE = 3
FOOT_SIDE, FOOT_EDGE, BUTTON = 20, 12, 26


class SettingsForm(QWidget):
    """A pane: names end where the controls begin, as wide as the window.

    Rows go into `grid`: the name in column 0, the control in 1 and 2."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._gaps: dict[int, int] = {}  # rows of the grid that are only room, and its pixels
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self.grid = QGridLayout()
        self._column.addLayout(self.grid)
        self._column.addStretch(1)
        self.grid.setHorizontalSpacing(GAP)
        self.grid.setVerticalSpacing(0)
        self.grid.setColumnStretch(1, 1)
        theme().changed.connect(self.restyle)

    def add_row(self, name: str, *widgets: QWidget, fill: QWidget | None = None) -> QLabel:
        """Controls beside a name, which may be empty; `fill` takes the room that is left."""
        at, row = self.grid.rowCount(), QHBoxLayout()
        row.setSpacing(8)
        for widget in widgets:
            row.addWidget(widget, 1 if widget is fill else 0)
        if fill is None:
            row.addStretch(1)
        label = QLabel(name, self)
        label.setBuddy(widgets[0])
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        self.grid.addWidget(label, at, 0, right)
        self.grid.addLayout(row, at, 1, 1, 2)
        return label

    def add_below(self, widget: QWidget, above: int) -> None:
        """Something under the controls, which takes no room while it is hidden."""
        widget.setContentsMargins(0, above, 0, 0)
        self.grid.addWidget(widget, self.grid.rowCount(), 1, 1, 2)

    def add_note(self, text: str = "") -> Note:
        """A sentence under the controls."""
        note = Note(self)
        self.add_below(note, NOTE_ABOVE)
        note.say(text)
        return note

    def add_gap(self, pixels: int = BETWEEN) -> None:
        """Room before the next row."""
        self._gaps[self.grid.rowCount()] = pixels
        self.grid.setRowMinimumHeight(self.grid.rowCount(), theme().px(pixels))

    def add_rule(self) -> None:
        """A hairline between groups of rows, from side to side."""
        self.add_gap(AROUND_RULE)
        self.grid.addWidget(_Rule(self), self.grid.rowCount(), 0, 1, 3)
        self.add_gap(AROUND_RULE)

    def add_footer(self, note: str, *buttons: QWidget) -> None:
        """The line at the pane's foot: what is to be known, and what can be done."""
        self._column.addWidget(_Footer(note, buttons, self))

    def restyle(self) -> None:
        """Take the theme's fonts and sizes anew; call once all rows are there."""
        look = theme()
        self.grid.setContentsMargins(look.px(SIDE), TOP, look.px(SIDE), BOTTOM)
        self.grid.setColumnMinimumWidth(0, look.px(NAMES))
        for row, pixels in self._gaps.items():
            self.grid.setRowMinimumHeight(row, look.px(pixels))
        for label in self.findChildren(QLabel):
            label.setFont(look.font("interface"))
            label.setMinimumHeight(look.px(ROW))


class Note(QWidget):
    """A small sentence; hidden while it is empty."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._block = TextBlock("label", "text3", self, px=11.5, line=16)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._block)

    def say(self, text: str, *, wrong: bool = False) -> None:
        """Say this, in the colour of errors if it is `wrong`."""
        self._block.set_color("error" if wrong else "text3")
        self._block.set_text(text)
        self.setVisible(bool(text))

    def text(self) -> str:
        """What it says."""
        return self._block.text()


class _Rule(QWidget):
    """A hairline."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setFixedHeight(1)

    def paintEvent(self, _: QPaintEvent) -> None:
        """One pixel of the line's colour."""
        QPainter(self).fillRect(self.rect(), theme().color("line"))


class _Footer(QWidget):
    """A hairline across the window, a sentence at the left and buttons at the right."""

    def __init__(self, note: str, buttons: tuple[QWidget, ...], parent: QWidget) -> None:
        super().__init__(parent)
        row = QHBoxLayout(self)
        row.setContentsMargins(FOOT_SIDE, FOOT_EDGE + 1, FOOT_SIDE, FOOT_EDGE)
        row.setSpacing(8)
        words = TextBlock("label", "text3", self, px=11.5, line=16)
        words.set_text(note)
        row.addWidget(words, 1)
        for button in buttons:
            row.addWidget(button)
        theme().changed.connect(self._restyle)
        self._restyle()

    def paintEvent(self, _: QPaintEvent) -> None:
        """The hairline."""
        QPainter(self).fillRect(QRect(0, 0, self.width(), 1), theme().color("line"))

    def _restyle(self) -> None:
        self.setMinimumHeight(theme().px(BUTTON) + 2 * FOOT_EDGE + 1)  # with or without a button
