"""The controls of a Sampling, row by row in the grid of whoever shows them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
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
    kept as it was.

    `sliders` are names of Sampling's fields; `between` makes room between two rows, and `rule`
    between the sliders and the rest."""

    changed = Signal(object)

    def __init__(
        self,
        grid: QGridLayout,
        sliders: Sequence[str],
        between: Callable[[], None] = lambda: None,
        rule: Callable[[], None] = lambda: None,
    ) -> None:
        self._host = grid.parentWidget()
        super().__init__(self._host)
        self._grid = grid
        self._sampling = Sampling()
        self.sliders: dict[str, SliderField] = {}
        for name in sliders:
            if self.sliders:
                between()
            self.sliders[name] = self._add_slider(name)
        rule()
        self._add_length()
        between()
        self._add_seed()
        self.set_sampling(self._sampling)
        for slider in self.sliders.values():
            slider.changed.connect(self._take)
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

    def _add_slider(self, name: str) -> SliderField:
        off = self.tr("Off")
        words, low, high, decimals, word = {
            "temperature": (self.tr("Temperature:"), 0, 1.5, 2, ""),
            "top_p": (self.tr("Top-p:"), 0, 1, 2, ""),
            "top_k": (self.tr("Top-k:"), 0, 200, 0, off),
            "min_p": (self.tr("Min-p:"), 0, 0.5, 2, off),
            "repetition_penalty": (self.tr("Repetition penalty:"), 1, 1.5, 2, off),
        }[name]
        return SliderField(self._grid, words, low, high, decimals, word)

    def _add_length(self) -> None:
        name = self.tr("Answer length:")
        self.length = NumberField(name, 1, MOST_TOKENS, 0, self._host)
        # The number stands where the sentence has it, which differs between languages.
        before, after = self.tr("up to {n} tokens").split("{n}")
        words = [QLabel(part.strip(), self._host) for part in (before, after)]
        self._add_row(name, words[0], self.length, words[1])

    def _add_seed(self) -> None:
        name = self.tr("Seed:")
        self.fresh = RadioButton(self.tr("New for every answer"), self._host, label=name)
        self.fixed = RadioButton(self.tr("Always"), self._host, label=name)
        self.seed = NumberField(name, 0, MOST_SEED, 0, self._host)
        self.seed.setGroupSeparatorShown(False)
        choice = QButtonGroup(self)
        for button in (self.fresh, self.fixed):
            choice.addButton(button)
        self._add_row(name, self.fresh)
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
