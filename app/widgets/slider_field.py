"""A value with its name, a slider and a field that follow each other."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QDoubleSpinBox, QGridLayout, QLabel, QSlider, QWidget

from app.theme import theme

FIELD_WIDTH, FIELD_HEIGHT = 64, 24


class NumberField(QDoubleSpinBox):
    """A number in a field 24 pixels high, without arrows; its lowest value may have a word.

    `unit` stands after the number; `width` is in pixels at zoom 1."""

    def __init__(
        self,
        name: str,
        low: float,
        high: float,
        decimals: int,
        parent: QWidget,
        word: str = "",
        *,
        unit: str = "",
        width: int = FIELD_WIDTH,
    ) -> None:
        super().__init__(parent)
        self._width = width
        self.setAccessibleName(name)
        self.setDecimals(decimals)
        self.setRange(low, high)
        self.setSingleStep(10.0**-decimals if decimals < 2 else 0.05)
        self.setButtonSymbols(QDoubleSpinBox.ButtonSymbols.NoButtons)
        self.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.setGroupSeparatorShown(not decimals)
        self.setSpecialValueText(word)
        self.setSuffix(f" {unit}" if unit else "")
        self.setKeyboardTracking(False)
        self.setAttribute(Qt.WidgetAttribute.WA_MacShowFocusRect, False)
        theme().changed.connect(self.restyle)
        self.restyle()

    def restyle(self) -> None:
        """Take the theme's font and size anew."""
        font = theme().font("interface")
        font.setFeature(QFont.Tag("tnum"), 1)
        self.setFont(font)
        self.lineEdit().setFont(font)
        self.setFixedSize(theme().px(self._width), theme().px(FIELD_HEIGHT))


class SliderField(QObject):
    """A row of a grid: the name at the right of its column, the slider, the field."""

    changed = Signal(float)

    def __init__(
        self,
        grid: QGridLayout,
        name: str,
        low: float,
        high: float,
        decimals: int = 2,
        word: str = "",
        *,
        unit: str = "",
        width: int = FIELD_WIDTH,
    ) -> None:
        host = grid.parentWidget()
        super().__init__(host)
        self._factor = 10**decimals
        self.label = QLabel(name, host)
        self.slider = QSlider(Qt.Orientation.Horizontal, host)
        self.slider.setAccessibleName(name)
        self.slider.setMinimumHeight(20)  # the style sheet's knob
        self.field = NumberField(name, low, high, decimals, host, word, unit=unit, width=width)
        self.set_range(low, high)
        self.label.setBuddy(self.field)
        row = grid.rowCount()
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        grid.addWidget(self.label, row, 0, right)
        grid.addWidget(self.slider, row, 1)
        grid.addWidget(self.field, row, 2)
        self.slider.valueChanged.connect(self._slid)
        self.field.valueChanged.connect(self._typed)

    def value(self) -> float:
        """The value in use."""
        return float(self.field.value())

    def set_range(self, low: float, high: float) -> None:
        """The ends of both, without a signal."""
        for part in (self.slider, self.field):
            part.blockSignals(True)
        self.slider.setRange(round(low * self._factor), round(high * self._factor))
        self.slider.setPageStep(max(1, (self.slider.maximum() - self.slider.minimum()) // 10))
        self.field.setRange(low, high)
        for part in (self.slider, self.field):
            part.blockSignals(False)

    def set_enabled(self, enabled: bool) -> None:
        """Whether it can be changed."""
        self.slider.setEnabled(enabled)
        self.field.setEnabled(enabled)

    def set_value(self, value: float) -> None:
        """Show a value without a signal."""
        self.blockSignals(True)
        self.field.setValue(value)
        self._typed(value)
        self.blockSignals(False)

    def _slid(self, steps: int) -> None:
        self.field.setValue(steps / self._factor)

    def _typed(self, value: float) -> None:
        self.slider.blockSignals(True)
        self.slider.setValue(round(value * self._factor))
        self.slider.blockSignals(False)
        self.changed.emit(value)
