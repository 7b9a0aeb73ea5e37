"""The options of an answer: how the next token is chosen, and how long the answer may be."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QRect, QRectF, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)

from app.theme import theme
from app.widgets.button_base import rounded
from app.widgets.push_button import PushButton
from app.widgets.slider_field import NumberField, SliderField
from engine.api import Sampling

WIDTH = 380
MOST_TOKENS, MOST_SEED = 1_000_000, 2**31 - 1


class OptionsPopover(QFrame):
    """A popup above its button. `changed` gives a new Sampling after every change."""

    changed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Popup | Qt.WindowType.FramelessWindowHint)
        self.setAttribute(Qt.WidgetAttribute.WA_TranslucentBackground)
        self.setAccessibleName(self.tr("Options"))
        self._sampling = Sampling()
        column = QVBoxLayout(self)
        column.setContentsMargins(17, 17, 17, 17)
        column.setSpacing(12)
        grid = QGridLayout()
        column.addLayout(grid)
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(12)
        grid.setColumnStretch(1, 1)
        self.sliders = self._make_sliders(grid)
        self._make_length(grid)
        self._make_seed(grid)
        self.restore = PushButton(self.tr("Restore Defaults"), self)
        self.restore.clicked.connect(self._restore)
        foot = QHBoxLayout()
        foot.addStretch(1)
        foot.addWidget(self.restore)
        column.addLayout(foot)
        theme().changed.connect(self._restyle)
        self._restyle()
        self.set_sampling(self._sampling)

    def sampling(self) -> Sampling:
        """The options shown."""
        return self._sampling

    def set_sampling(self, sampling: Sampling) -> None:
        """Show these, without a signal."""
        self._sampling = sampling
        for name, slider in self.sliders.items():
            slider.set_value(getattr(sampling, name))
        for widget in (self.length, self.seed, self.fixed, self.fresh):
            widget.blockSignals(True)
        self.length.setValue(sampling.max_tokens)
        self.seed.setValue(42 if sampling.seed is None else sampling.seed)
        (self.fresh if sampling.seed is None else self.fixed).setChecked(True)
        self.seed.setEnabled(sampling.seed is not None)
        for widget in (self.length, self.seed, self.fixed, self.fresh):
            widget.blockSignals(False)

    def open_above(self, place: QRect) -> None:
        """Open above `place` (on the screen), its left side at that of the place."""
        self.adjustSize()
        self.move(place.left(), place.top() - self.height() - 5)
        self.show()

    def paintEvent(self, _: QPaintEvent) -> None:
        """A rounded ground with the border of a control."""
        look = theme()
        rounded(QPainter(self), QRectF(self.rect()), 10, look.color("content"), look.color("edge"))

    def _make_sliders(self, grid: QGridLayout) -> dict[str, SliderField]:
        off = self.tr("Off")
        made = {
            "temperature": SliderField(grid, self.tr("Temperature:"), 0, 1.5),
            "top_p": SliderField(grid, self.tr("Top-p:"), 0, 1),
            "top_k": SliderField(grid, self.tr("Top-k:"), 0, 200, 0, off),
            "min_p": SliderField(grid, self.tr("Min-p:"), 0, 0.5, 2, off),
            "repetition_penalty": SliderField(grid, self.tr("Repetition penalty:"), 1, 1.5, 2, off),
        }
        for slider in made.values():
            slider.changed.connect(self._take)
        return made

    def _make_length(self, grid: QGridLayout) -> None:
        name = self.tr("Answer length:")
        self.length = NumberField(name, 1, MOST_TOKENS, 0, self)
        self.length.valueChanged.connect(self._take)
        # The number stands where the sentence has it, which differs between languages.
        before, after = self.tr("up to {n} tokens").split("{n}")
        row = QHBoxLayout()
        row.setSpacing(6)
        row.addWidget(QLabel(before.strip(), self))
        row.addWidget(self.length)
        row.addWidget(QLabel(after.strip(), self))
        row.addStretch(1)
        self._add_row(grid, name, row)

    def _make_seed(self, grid: QGridLayout) -> None:
        name = self.tr("Seed:")
        self.fresh = QRadioButton(self.tr("New for every answer"), self)
        self.fixed = QRadioButton(self.tr("Always"), self)
        self.seed = NumberField(name, 0, MOST_SEED, 0, self)
        self.seed.setGroupSeparatorShown(False)
        choice = QButtonGroup(self)
        for button in (self.fresh, self.fixed):
            button.setAccessibleName(f"{name} {button.text()}")
            choice.addButton(button)
        self.fixed.toggled.connect(self._take)
        self.seed.valueChanged.connect(self._take)
        self._add_row(grid, name, _row(self.fresh))
        self._add_row(grid, "", _row(self.fixed, self.seed))

    def _add_row(self, grid: QGridLayout, name: str, row: QHBoxLayout) -> None:
        at = grid.rowCount()
        label = QLabel(name, self)
        grid.addWidget(label, at, 0, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        grid.addLayout(row, at, 1, 1, 2)

    def _take(self) -> None:
        slider, fixed = self.sliders, self.fixed.isChecked()
        self.seed.setEnabled(fixed)
        self._sampling = replace(
            self._sampling,
            temperature=slider["temperature"].value(),
            top_p=slider["top_p"].value(),
            top_k=round(slider["top_k"].value()),
            min_p=slider["min_p"].value(),
            repetition_penalty=slider["repetition_penalty"].value(),
            max_tokens=round(self.length.value()),
            seed=round(self.seed.value()) if fixed else None,
        )
        self.changed.emit(self._sampling)

    def _restore(self) -> None:
        self.set_sampling(Sampling())
        self.changed.emit(self._sampling)

    def _restyle(self) -> None:
        self.setFixedWidth(theme().px(WIDTH))
        for widget in (*self.findChildren(QLabel), *self.findChildren(QRadioButton)):
            widget.setFont(theme().font("interface"))
        self.update()


def _row(*widgets: QWidget) -> QHBoxLayout:
    row = QHBoxLayout()
    row.setSpacing(8)
    for widget in widgets:
        row.addWidget(widget)
    row.addStretch(1)
    return row
