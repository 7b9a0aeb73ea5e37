"""The row that says how much memory models may use."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from app import format as text
from app import wording
from app.panels.settings_form import SettingsForm
from app.widgets.slider_field import SliderField

GB = 10**9
LEAST_GB = 2.0
FIELD_WIDTH = 72


class MemoryRow(QObject):
    """A slider with its field, from 2 GB to the machine's memory. `changed` gives the bytes once
    the slider is let go or the number entered; 0 is what the machine says itself."""

    changed = Signal(object)

    def __init__(self, form: SettingsForm) -> None:
        super().__init__(form)
        self._machine_bytes = self._limit_bytes = 0
        self._chosen_bytes = 0
        name = self.tr("Memory for models:")
        self._row = SliderField(form.grid, name, 0, 1, 1, text.DASH, unit="GB", width=FIELD_WIDTH)
        self.slider, self.field = self._row.slider, self._row.field
        self.note = form.add_note()
        self._row.changed.connect(self._take)
        self.slider.sliderReleased.connect(self._take)
        self._show()

    def set_machine(self, memory_bytes: int, limit_bytes: int) -> None:
        """The machine's memory, and what it gives to models; zeros while that is not known."""
        self._machine_bytes, self._limit_bytes = memory_bytes, limit_bytes
        self._show()

    def set_bytes(self, n_bytes: int) -> None:
        """What models may use, 0 for what the machine says, without a signal."""
        self._chosen_bytes = n_bytes
        self._show()

    def _show(self) -> None:
        known = self._machine_bytes > 0
        self._row.set_enabled(known)
        self.field.setSpecialValueText("" if known else text.DASH)
        if not known:
            self._row.set_value(0)
            return
        # As it is sold, "16 GB", while all else is in bytes of which a thousand make a kilobyte.
        sold = round(self._machine_bytes / 2**30) * GB
        most = max(min(sold, self._machine_bytes), self._limit_bytes) / GB
        self._row.set_range(min(LEAST_GB, most / 4), most)
        self._row.set_value((self._chosen_bytes or self._limit_bytes) / GB)
        words = self.tr("Of {memory}. A model that needs more than 90 % of this is not loaded.")
        self.note.say(words.format(memory=wording.memory(self._machine_bytes)))

    def _take(self) -> None:
        if self.slider.isSliderDown():
            return
        own = round(self._row.value() - self._limit_bytes / GB, 1) == 0
        chosen = 0 if own else round(self._row.value() * 10) * GB // 10
        if chosen != self._chosen_bytes:
            self._chosen_bytes = chosen
            self.changed.emit(chosen)
