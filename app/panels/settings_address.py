"""A choice between the usual address and one that is typed, with what is wrong with that."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QButtonGroup

from app.panels.settings_form import SettingsForm
from app.widgets.radio_button import RadioButton
from app.widgets.text_field import TextField


class AddressChoice(QObject):
    """Two rows of a form. `changed` gives the address once it has been typed whole; empty for the
    usual one. What is no address is told of, and the one before it stays in use."""

    changed = Signal(str)

    def __init__(
        self,
        form: SettingsForm,
        name: str,
        usual: str,
        example: str,
        check: Callable[[str], str | None],
        wrong: str,
    ) -> None:
        """`check` brings what was typed into one form, or gives None; then `wrong` is said."""
        super().__init__(form)
        self._check, self._wrong = check, wrong
        self._address = ""
        self.usual = RadioButton(usual, form, label=name)
        self.other = RadioButton(self.tr("This one:"), form, label=name)
        self.field = TextField(name, form)
        self.field.setPlaceholderText(example)
        choice = QButtonGroup(self)
        for button in (self.usual, self.other):
            choice.addButton(button)
        form.add_row(name, self.usual)
        form.add_row("", self.other, self.field, fill=self.field)
        self.note = form.add_note()
        self.other.toggled.connect(self._switch)
        self.field.textEdited.connect(self._clear_error)
        self.field.editingFinished.connect(self._take)
        self.set_address("")

    def set_address(self, address: str) -> None:
        """What is in use, without a signal."""
        self._address = address
        self.other.blockSignals(True)
        (self.other if address else self.usual).setChecked(True)
        self.other.blockSignals(False)
        self.field.setText(address)
        self.field.setEnabled(bool(address))
        self._clear_error()

    def _switch(self, other: bool) -> None:
        self.field.setEnabled(other)
        if other:
            self.field.setFocus(Qt.FocusReason.OtherFocusReason)
        self._take()

    def _take(self) -> None:
        typed = self.field.text().strip() if self.other.isChecked() else ""
        address = self._check(typed) if typed else ""
        self._clear_error()
        if address is None:
            self.field.set_wrong(True)
            self.note.say(self._wrong, wrong=True)
            return
        if address:
            self.field.setText(address)
        if address != self._address:
            self._address = address
            self.changed.emit(address)

    def _clear_error(self) -> None:
        self.field.set_wrong(False)
        self.note.say("")
