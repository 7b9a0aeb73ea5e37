"""The row under the prompt: what was said before it, seed, temperature, length, how the models
take turns, and which."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QActionGroup, QResizeEvent
from PySide6.QtWidgets import QMenu, QSizePolicy, QWidget

from app import format as figures
from app.compare_rows import Choice
from app.panels.compare_chooser import CompareChooser
from app.panels.compare_popover import NumberPopover
from app.panels.sampling_rows import MOST_SEED, USUAL_SEED
from app.theme import theme
from app.widgets.elided_label import ElidedLabel
from app.widgets.option_button import PADDING, PX, OptionButton
from app.widgets.popover import Popover
from engine.api import Sampling

HEIGHT = 38
RISE = 2  # above the middle of the row
GAP = 10  # between two buttons
NOTE_GAP, NOTE_LEAST = 24, 60
MOST_TOKENS = 100_000
TITLE_WIDTH = 320


class CompareOptions(QWidget):
    """Each is a button that opens a popover or a menu. Where they have no room in one row they go
    on in the next."""

    left_out = Signal()
    sampling_changed = Signal(Sampling)
    interleaved_changed = Signal(bool)
    blind_changed = Signal(bool)
    choose = Signal(tuple)
    precision_chosen = Signal(str, str)
    added = Signal(str, str)
    get_requested = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("Options"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._sampling = Sampling()
        self.after = OptionButton(self.tr("After {value}"), self)
        self.seed = OptionButton(self.tr("Seed {value}"), self)
        self.temperature = OptionButton(self.tr("Temperature {value}"), self)
        self.length = OptionButton(self.tr("Up to {value} tokens"), self)
        self.turns = OptionButton(self.tr("Run {value}"), self)
        self.models = OptionButton(self.tr("Models {value}"), self)
        self.note = ElidedLabel("label", "text3", self, px=PX)
        self.buttons = (
            self.after, self.seed, self.temperature, self.length, self.turns, self.models,
        )  # fmt: skip
        self.seed_popover = NumberPopover(self.tr("Seed:"), 0, MOST_SEED, 0, self.seed, width=96)
        self.seed_popover.field.setGroupSeparatorShown(False)
        self.temperature_popover = NumberPopover(
            self.tr("Temperature:"), 0, 1.5, 2, self.temperature, slides=True
        )
        self.length_popover = NumberPopover(
            self.tr("Tokens at most:"), 1, MOST_TOKENS, 0, self.length, width=80
        )
        self.chooser = CompareChooser(self.models)
        self._make_menu()
        self._make_before_menu()
        self._connect()
        self.set_sampling(self._sampling)
        self.set_choices((), ())
        self.set_before("", "")
        theme().changed.connect(self._fit)

    def set_before(self, before: str, chat: str) -> None:
        """What is read before the prompt, "" for nothing, and the title of the chat it is of."""
        metrics, elide = self.before_menu.fontMetrics(), Qt.TextElideMode.ElideRight
        title = metrics.elidedText(chat, elide, theme().px(TITLE_WIDTH))
        self._chat.setText(title.replace("&", "&&"))
        self.after.setVisible(bool(before))
        if before != self.after.value():
            self.after.set_value(before)
            self._fit()

    def set_sampling(self, sampling: Sampling) -> None:
        """Show this, without a signal."""
        self._sampling = sampling
        any_seed = self.tr("any")
        self.seed.set_value(any_seed if sampling.seed is None else str(sampling.seed))
        temperature = f"{sampling.temperature:.2f}".rstrip("0").rstrip(".")
        self.temperature.set_value(temperature)
        self.length.set_value(figures.count(sampling.max_tokens))
        self.seed_popover.set_value(USUAL_SEED if sampling.seed is None else sampling.seed)
        self.temperature_popover.set_value(sampling.temperature)
        self.length_popover.set_value(sampling.max_tokens)
        self._fit()

    def sampling(self) -> Sampling:
        """What is shown."""
        return self._sampling

    def turns_shown(self) -> tuple[bool, bool, str]:
        """Whether the models take turns, whether their names are hidden, why they cannot."""
        return self.in_turns.isChecked(), self.blind.isChecked(), self.no_turns.text()

    def set_turns(self, *, interleaved: bool, blind: bool, no_turns: str) -> None:
        """How the models take turns, whether their names are hidden, why they cannot take turns."""
        self.in_turns.setEnabled(not no_turns)
        self.no_turns.setText(no_turns)
        self.no_turns.setVisible(bool(no_turns))
        self.one_by_one.setChecked(not interleaved)
        self.in_turns.setChecked(interleaved)
        self.blind.setChecked(blind)
        if blind:
            words = (
                self.tr("interleaved, blind") if interleaved else self.tr("one at a time, blind")
            )
        else:
            words = self.tr("interleaved") if interleaved else self.tr("one at a time")
        self.turns.set_value(words)
        self._fit()

    def set_choices(self, choices: Sequence[Choice], chosen: Sequence[str]) -> None:
        """The models that may be compared, and those that are."""
        self.chooser.set_choices(choices, chosen)
        if (count := str(len(chosen))) != self.models.value():
            self.models.set_value(count)
            self._fit()

    def set_note(self, note: str) -> None:
        """A line at the right."""
        if note != self.note.text():
            self.note.set_text(note)
            self._fit()

    def open_chooser(self) -> None:
        """Open the list of the models."""
        self._open(self.models, self.chooser)

    def sizeHint(self) -> QSize:
        """As high as its rows at this width."""
        return QSize(400, self._place(self.width(), move=False))

    def resizeEvent(self, _: QResizeEvent) -> None:
        """Put the buttons in their places."""
        self._fit()

    def _make_before_menu(self) -> None:
        self.before_menu = QMenu(self.after)
        self._chat = self.before_menu.addAction("")
        self._chat.setEnabled(False)
        self.before_menu.addSeparator()
        self.leave_out = self.before_menu.addAction(self.tr("Leave Them Out"))

    def _make_menu(self) -> None:
        self.menu = QMenu(self.turns)
        self.one_by_one = self.menu.addAction(self.tr("One at a Time"))
        self.in_turns = self.menu.addAction(self.tr("Interleaved"))
        self.no_turns = self.menu.addAction("")  # why that cannot be chosen
        self.no_turns.setEnabled(False)
        group = QActionGroup(self.menu)
        for action in (self.one_by_one, self.in_turns):
            action.setCheckable(True)
            group.addAction(action)
        self.menu.addSeparator()
        self.blind = self.menu.addAction(self.tr("Blind"))
        self.blind.setCheckable(True)
        self.set_turns(interleaved=False, blind=False, no_turns="")

    def _connect(self) -> None:
        self.after.clicked.connect(self._open_before_menu)
        self.leave_out.triggered.connect(self.left_out)
        self.seed.clicked.connect(self._open_seed)
        self.temperature.clicked.connect(self._open_temperature)
        self.length.clicked.connect(self._open_length)
        self.turns.clicked.connect(self._open_menu)
        self.models.clicked.connect(self.open_chooser)
        self.seed_popover.changed.connect(self._take_seed)
        self.temperature_popover.changed.connect(self._take_temperature)
        self.length_popover.changed.connect(self._take_length)
        self.one_by_one.triggered.connect(self._take_turns)
        self.in_turns.triggered.connect(self._take_turns)
        self.blind.triggered.connect(self._take_blind)
        self.chooser.choose.connect(self.choose)
        self.chooser.precision_chosen.connect(self.precision_chosen)
        self.chooser.added.connect(self.added)
        self.chooser.get_requested.connect(self.get_requested)

    # What the user does

    def _open(self, button: QWidget, popover: Popover) -> None:
        popover.open_below(QRect(button.mapToGlobal(QPoint(0, 0)), button.size()))

    def _open_number(self, button: QWidget, popover: NumberPopover) -> None:
        self._open(button, popover)
        popover.focus()

    def _open_seed(self) -> None:
        self._open_number(self.seed, self.seed_popover)

    def _open_temperature(self) -> None:
        self._open_number(self.temperature, self.temperature_popover)

    def _open_length(self) -> None:
        self._open_number(self.length, self.length_popover)

    def _open_menu(self) -> None:
        _pop_up(self.menu, self.turns)

    def _open_before_menu(self) -> None:
        _pop_up(self.before_menu, self.after)

    def _take_seed(self, value: float) -> None:
        self._take(replace(self._sampling, seed=round(value)))

    def _take_temperature(self, value: float) -> None:
        self._take(replace(self._sampling, temperature=value))

    def _take_length(self, value: float) -> None:
        self._take(replace(self._sampling, max_tokens=round(value)))

    def _take(self, sampling: Sampling) -> None:
        self.set_sampling(sampling)
        self.sampling_changed.emit(sampling)

    def _take_turns(self) -> None:
        interleaved, blind, no_turns = self.turns_shown()
        self.set_turns(interleaved=interleaved, blind=blind, no_turns=no_turns)
        self.interleaved_changed.emit(self.in_turns.isChecked())

    def _take_blind(self, blind: bool) -> None:
        interleaved, _, no_turns = self.turns_shown()
        self.set_turns(interleaved=interleaved, blind=blind, no_turns=no_turns)
        self.blind_changed.emit(blind)

    # Where they stand

    def _fit(self) -> None:
        high = self._place(self.width(), move=True)
        if high != self.minimumHeight():
            self.setFixedHeight(high)

    def _place(self, width: int, *, move: bool) -> int:
        """The height of the rows in `width` pixels; `move` puts the buttons there too."""
        row = theme().px(HEIGHT)
        x = y = 0
        for button in (button for button in self.buttons if not button.isHidden()):
            size = button.sizeHint()
            if x and x + size.width() - PADDING > width:
                x, y = 0, y + size.height()
            if move:
                top = y + (row - size.height()) // 2 - RISE
                button.setGeometry(x, top, size.width(), size.height())
            x += size.width() + GAP
        if move:
            self._place_note(x - GAP - PADDING + NOTE_GAP, y, row)
        return y + row

    def _place_note(self, left: int, y: int, row: int) -> None:
        room, high = self.width() - left, self.note.sizeHint().height()
        self.note.setVisible(room >= NOTE_LEAST)
        self.note.setGeometry(left, y + (row - high) // 2 - RISE, max(0, room), high)


def _pop_up(menu: QMenu, button: QWidget) -> None:
    menu.popup(button.mapToGlobal(QPoint(0, button.height() + 2)))
