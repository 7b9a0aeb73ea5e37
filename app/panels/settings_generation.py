"""Settings, Generation: how the next token is chosen, and how long an answer may be."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.panels.sampling_rows import SamplingRows
from app.panels.settings_form import SettingsForm
from app.widgets.push_button import PushButton
from engine.api import Sampling


class GenerationPane(SettingsForm):
    """`changed` gives a new Sampling after every change of the user's."""

    changed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("Generation"))
        self.rows = SamplingRows(
            self.grid,
            ("temperature", "top_p", "top_k", "repetition_penalty"),
            between=self.add_gap,
            rule=self.add_rule,
        )
        self.rows.changed.connect(self.changed)
        self.restore = PushButton(self.tr("Restore Defaults"), self)
        self.restore.clicked.connect(self.rows.restore)
        self.add_footer(self.tr("For the next answers, in every chat."), self.restore)
        self.restyle()

    def set_sampling(self, sampling: Sampling) -> None:
        """What is in use, without a signal."""
        self.rows.set_sampling(sampling)
