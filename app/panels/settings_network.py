"""Settings, Network: the token, the proxy, the mirror, and how fast downloads may be."""

from __future__ import annotations

import sys

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLabel, QWidget

from app import addresses
from app.panels.settings_address import AddressChoice
from app.panels.settings_form import SettingsForm
from app.widgets.check_box import CheckBox
from app.widgets.push_button import PushButton
from app.widgets.slider_field import NumberField
from app.widgets.text_field import TextField

MB = 10**6
LEAST_MB, USUAL_MB, MOST_MB = 0.1, 10.0, 10_000.0


class NetworkPane(SettingsForm):
    """What was typed is told of when the editing ends. Signals: token_entered(str),
    token_removed(), proxy_changed(str), mirror_changed(str), speed_changed(bytes a second)."""

    token_entered = Signal(str)
    token_removed = Signal()
    proxy_changed = Signal(str)
    mirror_changed = Signal(str)
    speed_changed = Signal(object)  # an int of any size

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("Network"))
        self._speed = 0
        self._add_token()
        self.add_rule()
        self._add_addresses()
        self.add_gap()
        self._add_speed()
        self.add_footer(self.tr("The network is used only for what you search for and download."))
        self.set_token_state(stored=False)
        self.restyle()

    def set_token_state(self, stored: bool, sentence: str = "", *, wrong: bool = False) -> None:
        """Whether a token is kept, and what is to be said of it, by default where; `wrong` says it
        as an error. The token itself is never shown."""
        self.remove_button.setVisible(stored)
        example = self.tr("A token is stored") if stored else "hf_…"
        self.token.setPlaceholderText(example)
        self.token.setAccessibleDescription(self.tr("A token is stored") if stored else "")
        self.token_note.say(sentence or self._place(), wrong=wrong)

    def set_values(self, *, proxy: str, mirror: str, bytes_per_s: int) -> None:
        """What is in use, without a signal."""
        self.proxy.set_address(proxy)
        self.mirror.set_address(mirror)
        self._speed = bytes_per_s
        for widget in (self.limited, self.speed):
            widget.blockSignals(True)
        self.limited.setChecked(bool(bytes_per_s))
        self.speed.setValue(bytes_per_s / MB if bytes_per_s else USUAL_MB)
        self.speed.setEnabled(bool(bytes_per_s))
        for widget in (self.limited, self.speed):
            widget.blockSignals(False)

    def _add_token(self) -> None:
        name = self.tr("Hugging Face token:")
        self.token = TextField(name, self, secret=True)
        self.token.editingFinished.connect(self._take_token)
        self.remove_button = PushButton(self.tr("Remove"), self, height=24)
        self.remove_button.clicked.connect(self.token_removed)
        self.add_row(name, self.token, self.remove_button, fill=self.token)
        self.token_note = self.add_note()

    def _add_addresses(self) -> None:
        self.proxy = AddressChoice(
            self,
            self.tr("Proxy:"),
            self.tr("The system’s"),
            "http://host:port",
            addresses.proxy,
            self.tr("Enter a proxy as http://host:port. SOCKS is not supported."),
        )
        self.proxy.changed.connect(self.proxy_changed)
        self.add_gap()
        self.mirror = AddressChoice(
            self,
            self.tr("Mirror:"),
            "huggingface.co",
            "https://host",
            addresses.mirror,
            self.tr("Enter the address of a mirror as https://host."),
        )
        self.mirror.changed.connect(self.mirror_changed)

    def _add_speed(self) -> None:
        name = self.tr("Speed limit:")
        # The number stands where the sentence has it, which differs between languages.
        before, after = self.tr("At most {n} MB/s").split("{n}")
        self.limited = CheckBox(before.strip(), self, label=name)
        self.speed = NumberField(name, LEAST_MB, MOST_MB, 1, self)
        self.limited.toggled.connect(self._take_speed)
        self.speed.valueChanged.connect(self._take_speed)
        self.add_row(name, self.limited, self.speed, QLabel(after.strip(), self))

    def _take_token(self) -> None:
        token = self.token.text().strip()
        self.token.clear()
        if token:
            self.token_entered.emit(token)

    def _take_speed(self) -> None:
        limited = self.limited.isChecked()
        self.speed.setEnabled(limited)
        speed = round(self.speed.value() * MB) if limited else 0
        if speed != self._speed:
            self._speed = speed
            self.speed_changed.emit(speed)

    def _place(self) -> str:
        """Where a token is kept."""
        if sys.platform == "darwin":
            return self.tr("Kept in the Keychain.")
        return self.tr("Kept in the system’s keyring.")
