"""Settings, General: light or dark, the size of text, the language."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.panels.settings_form import SettingsForm
from app.theme_tokens import ZOOMS
from app.widgets.popup_button import PopupButton


class GeneralPane(SettingsForm):
    """Signals: scheme_chosen("system", "light" or "dark"), zoom_chosen(factor),
    language_chosen("en", "ja", or "" for the system's)."""

    scheme_chosen = Signal(str)
    zoom_chosen = Signal(float)
    language_chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("General"))
        self.scheme = self._popup(self.tr("Appearance:"))
        system = self.tr("System")
        self.scheme.set_choices(
            [("system", system), ("light", self.tr("Light")), ("dark", self.tr("Dark"))]
        )
        self.add_gap()
        self.zoom = self._popup(self.tr("Text size:"))
        self.zoom.set_choices([(zoom, f"{round(zoom * 100)} %") for zoom in ZOOMS])
        self.add_rule()
        self.language = self._popup(self.tr("Language:"))
        # A language is named in itself, so that whoever took the wrong one finds the way back.
        self.language.set_choices([("", system), ("en", "English"), ("ja", "日本語")])
        self.add_note(self.tr("Another language is used from the next start on."))
        self.scheme.chosen.connect(self.scheme_chosen.emit)
        self.zoom.chosen.connect(self.zoom_chosen.emit)
        self.language.chosen.connect(self.language_chosen.emit)
        self.restyle()

    def set_values(self, scheme: str, zoom: float, language: str) -> None:
        """What is in use, without a signal."""
        self.scheme.set_value(scheme)
        self.zoom.set_value(zoom)
        self.language.set_value(language)

    def _popup(self, name: str) -> PopupButton:
        popup = PopupButton(name, self)
        self.add_row(name, popup)
        return popup
