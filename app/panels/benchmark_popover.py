"""What a benchmark is to measure, in a popover below its button."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QVBoxLayout

from app.theme import theme
from app.widgets.popover import Popover
from app.widgets.push_button import PushButton
from app.widgets.slider_field import NumberField
from app.widgets.text_block import TextBlock
from engine.compare_api import Plan

WIDTH = 340
PADDING, GAP, ROW_GAP = 17, 14, 9
MOST_ROUNDS, LEAST_POSITION, MOST_POSITION = 50, 100, 100_000
FIELD = 80


class BenchmarkPopover(Popover):
    """`run_requested` gives the Plan."""

    run_requested = Signal(Plan)

    def __init__(self, parent: PushButton) -> None:
        super().__init__(parent.text(), parent)
        usual = Plan()
        self.about = TextBlock("interface", "text2", self, px=12.5, line=18)
        self.about.set_text(
            self.tr(
                "Each chosen model is measured alone. In every round it reads {read} tokens of a "
                "text and writes {write}. Then it predicts that text, and at last it writes on."
            )
            .replace("{read}", str(usual.prompt_tokens))
            .replace("{write}", str(usual.new_tokens))
        )
        self.rounds = self._field(self.tr("Rounds:"), 1, MOST_ROUNDS, usual.rounds)
        self.position = self._field(
            self.tr("Write on to:"), LEAST_POSITION, MOST_POSITION, usual.position
        )
        self.run = PushButton(self.tr("Run Benchmark"), self, primary=True)
        self.run.clicked.connect(self._run)
        self._lay_out()
        theme().changed.connect(self._restyle)
        self._restyle()

    def set_models(self, count: int) -> None:
        """So many are chosen."""
        self.run.setEnabled(count > 0)

    def focus(self) -> None:
        """Put the caret into the first field, with all of the number chosen."""
        self.rounds.setFocus(Qt.FocusReason.PopupFocusReason)
        self.rounds.selectAll()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Return in a field runs it."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._run()
        else:
            super().keyPressEvent(event)

    def _field(self, name: str, low: int, high: int, value: int) -> NumberField:
        field = NumberField(name, low, high, 0, self, width=FIELD)
        field.setValue(value)
        return field

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(PADDING, PADDING, PADDING, PADDING)
        column.setSpacing(GAP)
        column.addWidget(self.about)
        grid = QGridLayout()
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(ROW_GAP)
        grid.setColumnStretch(2, 1)
        self._labels = []
        for row, (field, unit) in enumerate(
            ((self.rounds, ""), (self.position, self.tr("tokens")))
        ):
            name, after = QLabel(field.accessibleName(), self), QLabel(unit, self)
            name.setBuddy(field)
            self._labels += [name, after]
            right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            grid.addWidget(name, row, 0, right)
            grid.addWidget(field, row, 1)
            grid.addWidget(after, row, 2)
        column.addLayout(grid)
        foot = QHBoxLayout()
        foot.addStretch(1)
        foot.addWidget(self.run)
        column.addLayout(foot)

    def _run(self) -> None:
        if not self.run.isEnabled() or not self.isVisible():
            return
        for field in (self.rounds, self.position):
            field.interpretText()
        self.close()
        rounds, position = round(self.rounds.value()), round(self.position.value())
        self.run_requested.emit(Plan(rounds=rounds, position=position))

    def _restyle(self) -> None:
        wide = theme().px(WIDTH)
        self.setFixedWidth(wide)
        self.about.setFixedHeight(self.about.heightForWidth(wide - 2 * PADDING))
        for label in self._labels:
            label.setFont(theme().font("interface"))
        self.update()
