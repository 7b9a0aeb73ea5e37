"""Settings, Advanced: what the engine runs on, and where the app keeps its files."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QWidget

from app import format as text
from app import wording
from app.panels.settings_form import SettingsForm
from app.widgets.push_button import PushButton
from engine.api import Machine


class AdvancedPane(SettingsForm):
    """Signals: logs_requested() and data_requested() to see the folders."""

    logs_requested = Signal()
    data_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("Advanced"))
        self.backend = self._fact(self.tr("Backend:"))
        self.device = self._fact(self.tr("Device:"))
        self.memory = self._fact(self.tr("Memory:"))
        self.logs_button = PushButton(self.tr("Show Logs"), self)
        self.logs_button.clicked.connect(self.logs_requested)
        self.data_button = PushButton(self.tr("Show Data Folder"), self)
        self.data_button.clicked.connect(self.data_requested)
        note = self.tr("Chats and settings are in the data folder.")
        self.add_footer(note, self.logs_button, self.data_button)
        self.set_machine(None)
        self.restyle()

    def set_machine(self, machine: Machine | None) -> None:
        """What the engine runs on; None while that is not known."""
        self.backend.setText(machine.backend if machine else text.DASH)
        self.device.setText(machine.device if machine else text.DASH)
        self.memory.setText(wording.memory(machine.memory_bytes) if machine else text.DASH)

    def _fact(self, name: str) -> QLabel:
        value = QLabel(self)
        value.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.add_row(name, value)
        return value
