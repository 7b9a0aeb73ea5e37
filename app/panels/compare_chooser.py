"""The models that may be compared, in a popover: two to five of them are chosen."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from app.compare_rows import Choice
from app.contenders import MOST
from app.panels.compare_choice import ROW, CompareChoice
from app.theme import theme
from app.widgets.elided_label import ElidedLabel
from app.widgets.popover import Popover

WIDTH = 430
PAD = 6
MOST_ROWS = 9


class CompareChooser(Popover):
    """Signals: choose(ids of the chosen ones, in the order of the list), precision_chosen(id,
    precision), added(id, precision), get_requested(id)."""

    choose = Signal(tuple)
    precision_chosen = Signal(str, str)
    added = Signal(str, str)
    get_requested = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("", parent)
        self.setAccessibleName(self.tr("Models to Compare"))
        self._shown: tuple[tuple[Choice, ...], tuple[str, ...]] = ((), ())
        self.rows: list[CompareChoice] = []
        self.hint = ElidedLabel("label", "text3", self, share=0.0)
        self._area = QScrollArea(self)
        self._area.setFrameShape(QFrame.Shape.NoFrame)
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._area.setWidgetResizable(True)
        self._area.viewport().setAutoFillBackground(False)
        self._body = QWidget()
        self._list = QVBoxLayout(self._body)
        self._list.setContentsMargins(0, 0, 0, 0)
        self._list.setSpacing(0)
        self._area.setWidget(self._body)
        self._body.setAutoFillBackground(False)
        column = QVBoxLayout(self)
        column.setContentsMargins(PAD + 1, PAD + 1, PAD + 1, PAD + 1)
        column.setSpacing(PAD)
        column.addWidget(self._area)
        foot = QVBoxLayout()
        foot.setContentsMargins(9, 2, 9, 5)
        foot.addWidget(self.hint)
        column.addLayout(foot)
        theme().changed.connect(self._resize)
        self._show_hint()

    def set_choices(self, choices: Sequence[Choice], chosen: Sequence[str]) -> None:
        """Show these; rows that stay keep the focus."""
        shown = (tuple(choices), tuple(chosen))
        if shown == self._shown:
            return
        self._shown = shown
        while len(self.rows) < len(choices):
            self._add_row()
        while len(self.rows) > len(choices):
            row = self.rows.pop()
            self._list.removeWidget(row)
            row.hide()
            row.deleteLater()
        full = len(chosen) >= MOST
        for row, choice in zip(self.rows, choices, strict=True):
            row.set_choice(choice, chosen=choice.id in chosen, full=full)
        self._show_hint()
        self._resize()

    def chosen(self) -> tuple[str, ...]:
        """The ids whose boxes are on."""
        return tuple(row.choice.id for row in self.rows if row.box.isChecked())

    def _add_row(self) -> None:
        row = CompareChoice(self._body)
        row.toggled.connect(self._on_toggled)
        row.precision_chosen.connect(self.precision_chosen)
        row.added.connect(self.added)
        row.get_requested.connect(self.get_requested)
        self._list.addWidget(row)
        self.rows.append(row)

    def _on_toggled(self) -> None:
        chosen = self.chosen()
        self.set_choices(self._shown[0], chosen)
        self.choose.emit(chosen)

    def _show_hint(self) -> None:
        if not self._shown[0]:
            words = self.tr("No model is installed.")
        elif len(self._shown[1]) >= MOST:
            words = self.tr("Five is the most. Take one out to choose another.")
        else:
            words = self.tr("Choose two to five.")
        self.hint.set_text(words)

    def _resize(self) -> None:
        look = theme()
        row = look.px(ROW)
        for view in self.rows:
            view.setFixedHeight(row)
        self._area.setFixedHeight(row * min(len(self.rows), MOST_ROWS))
        self.setFixedWidth(look.px(WIDTH))
        if self.isVisible():
            self.adjustSize()
