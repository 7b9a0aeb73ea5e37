"""The top of the Compare view: the prompt with Run, and the options below it."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from app.compare_rows import CompareRows
from app.panels.compare_options import CompareOptions
from app.panels.compare_prompt import ComparePrompt
from app.theme import theme
from app.widgets.option_button import PADDING

MARGIN, TOP = 24, 14
INSET = 12  # from the field's box to its text


class CompareHead(QWidget):
    """Both in a column, with a hairline under them. What has not changed is left alone. `resized`
    tells of another size."""

    resized = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._rows = CompareRows()
        self.prompt = ComparePrompt(self)
        self.options = CompareOptions(self)
        row = QHBoxLayout()
        row.setContentsMargins(INSET - PADDING, 0, 0, 0)
        row.addWidget(self.options)
        column = QVBoxLayout(self)
        column.setContentsMargins(MARGIN, TOP, MARGIN, 1)
        column.setSpacing(0)
        column.addWidget(self.prompt)
        column.addLayout(row)
        theme().changed.connect(self.update)

    def set_rows(self, rows: CompareRows) -> None:
        """Show the prompt and the options of these."""
        old, self._rows = self._rows, rows
        self.prompt.set_prompt(rows.prompt)
        if (rows.running, rows.can_run) != (old.running, old.can_run):
            self.prompt.set_state(running=rows.running, can_run=rows.can_run)
        self.options.set_before(rows.before, rows.chat)
        if rows.sampling != self.options.sampling():
            self.options.set_sampling(rows.sampling)
        if (rows.interleaved, rows.blind, rows.no_turns) != self.options.turns_shown():
            self.options.set_turns(
                interleaved=rows.interleaved, blind=rows.blind, no_turns=rows.no_turns
            )
        self.options.set_choices(rows.choices, rows.chosen)
        self.options.set_note(rows.note)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Tell of it."""
        super().resizeEvent(event)
        self.resized.emit()

    def paintEvent(self, _: QPaintEvent) -> None:
        """The hairline."""
        line = QRectF(0, self.height() - 1, self.width(), 1)
        QPainter(self).fillRect(line, theme().color("line"))
