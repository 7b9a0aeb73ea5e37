"""The controls of a Sampling, row by row in the grid of whoever shows them."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QGridLayout, QHBoxLayout, QLabel, QWidget

from app.widgets.radio_button import RadioButton
from app.widgets.slider_field import NumberField, SliderField
from engine.api import Sampling

MOST_TOKENS, MOST_SEED = 1_000_000, 2**31 - 1
USUAL_SEED = 42


class SamplingRows(QObject):
    """`changed` gives a new Sampling after every change of the user's. What has no control is
    kept as it was."""

    changed = Signal(object)

    def __init__(self, grid: QGridLayout) -> None:
        self._host = grid.parentWidget()
        super().__init__(self._host)
        self._grid = grid
        self._sampling = Sampling()
        self.sliders: dict[str, SliderField] = {}
        self.length = NumberField(self.tr("Answer length:"), 1, MOST_TOKENS, 0, self._host)
        self.seed = NumberField(self.tr("Seed:"), 0, MOST_SEED, 0, self._host)
        self.seed.setGroupSeparatorShown(False)
        seed = self.seed.accessibleName()
        self.fresh = RadioButton(self.tr("New for every answer"), self._host, label=seed)
        self.fixed = RadioButton(self.tr("Always"), self._host, label=seed)
        choice = QButtonGroup(self)
        for button in (self.fresh, self.fixed):
            choice.addButton(button)
        self.length.valueChanged.connect(self._take)
        self.fixed.toggled.connect(self._take)
        self.seed.valueChanged.connect(self._take)

    def sampling(self) -> Sampling:
        """What is shown."""
        return self._sampling

    def set_sampling(self, sampling: Sampling) -> None:
        """Show this, without a signal."""
        self._sampling = sampling
        for name, slider in self.sliders.items():
            slider.set_value(getattr(sampling, name))
        controls: tuple[QWidget, ...] = (self.length, self.seed, self.fixed, self.fresh)
        for widget in controls:
            widget.blockSignals(True)
        self.length.setValue(sampling.max_tokens)
        self.seed.setValue(USUAL_SEED if sampling.seed is None else sampling.seed)
        (self.fresh if sampling.seed is None else self.fixed).setChecked(True)
        self.seed.setEnabled(sampling.seed is not None)
        for widget in controls:
            widget.blockSignals(False)

    def restore(self) -> None:
        """Take the defaults, as a change of the user's."""
        self.set_sampling(Sampling())
        self.changed.emit(self._sampling)

    def add_slider(self, name: str) -> None:
        """The row of temperature, top_p, top_k, min_p or repetition_penalty."""
        off = self.tr("Off")
        words, low, high, decimals, word = {
            "temperature": (self.tr("Temperature:"), 0, 1.5, 2, ""),
            "top_p": (self.tr("Top-p:"), 0, 1, 2, ""),
            "top_k": (self.tr("Top-k:"), 0, 200, 0, off),
            "min_p": (self.tr("Min-p:"), 0, 0.5, 2, off),
            "repetition_penalty": (self.tr("Repetition penalty:"), 1, 1.5, 2, off),
        }[name]
        slider = SliderField(self._grid, words, low, high, decimals, word)
        slider.set_value(getattr(self._sampling, name))
        slider.changed.connect(self._take)
        self.sliders[name] = slider

    def add_length(self) -> None:
        """The row of the longest answer."""
        # The number stands where the sentence has it, which differs between languages.
        before, after = self.tr("up to {n} tokens").split("{n}")
        words = [QLabel(part.strip(), self._host) for part in (before, after)]
        self._add_row(self.length.accessibleName(), words[0], self.length, words[1])

    def add_seed(self) -> None:
        """The two rows of the seed."""
        self._add_row(self.seed.accessibleName(), self.fresh)
        self._add_row("", self.fixed, self.seed)

    def _add_row(self, name: str, *widgets: QWidget) -> None:
        at, row = self._grid.rowCount(), QHBoxLayout()
        row.setSpacing(8)
        for widget in widgets:
            row.addWidget(widget)
        row.addStretch(1)
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        self._grid.addWidget(QLabel(name, self._host), at, 0, right)
        self._grid.addLayout(row, at, 1, 1, 2)

    def _take(self) -> None:
        fixed = self.fixed.isChecked()
        self.seed.setEnabled(fixed)
        values: dict[str, float] = {name: row.value() for name, row in self.sliders.items()}
        if "top_k" in values:
            values["top_k"] = round(values["top_k"])
        self._sampling = replace(
            self._sampling,
            max_tokens=round(self.length.value()),
            seed=round(self.seed.value()) if fixed else None,
            **values,  # type: ignore[arg-type]
        )
        self.changed.emit(self._sampling)
