"""A number of the comparison's sampling, in a popover below its button."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from app.theme import theme
from app.widgets.popover import Popover
from app.widgets.slider_field import NumberField, SliderField

WIDTH = 300
PADDING, GAP = 17, 12


class NumberPopover(Popover):
    """A field for a number, with a slider where `slides`. `changed` gives what the user chose."""

    changed = Signal(float)

    def __init__(
        self,
        name: str,
        low: float,
        high: float,
        decimals: int,
        parent: QWidget | None = None,
        *,
        slides: bool = False,
        width: int = 64,
    ) -> None:
        super().__init__(name.rstrip(":："), parent)
        self._slides = slides
        grid = QGridLayout(self)
        grid.setContentsMargins(PADDING, PADDING, PADDING, PADDING)
        grid.setHorizontalSpacing(GAP)
        if slides:
            grid.setColumnStretch(1, 1)
            slider = SliderField(grid, name, low, high, decimals)
            self.label, self.field = slider.label, slider.field
            slider.changed.connect(self._take)
        else:
            self.label = QLabel(name, self)
            self.field = NumberField(name, low, high, decimals, self, width=width)
            self.label.setBuddy(self.field)
            grid.addWidget(self.label, 0, 0)
            grid.addWidget(self.field, 0, 1)
            self.field.valueChanged.connect(self._take)
        self._slider = slider if slides else None
        self._quiet = False
        self.field.lineEdit().returnPressed.connect(self.close)
        theme().changed.connect(self._restyle)
        self._restyle()

    def set_value(self, value: float) -> None:
        """Show this, without a signal."""
        self._quiet = True
        self.field.setValue(value)
        self._quiet = False

    def focus(self) -> None:
        """Put the caret into the field, with all of the number chosen."""
        self.field.setFocus(Qt.FocusReason.PopupFocusReason)
        self.field.selectAll()

    def hideEvent(self, event: QEvent) -> None:
        """What was typed counts, however it was closed."""
        self.field.interpretText()
        super().hideEvent(event)

    def _take(self, value: float) -> None:
        if not self._quiet:
            self.changed.emit(value)

    def _restyle(self) -> None:
        if self._slides:
            self.setFixedWidth(theme().px(WIDTH))
        self.label.setFont(theme().font("interface"))
        self.update()
