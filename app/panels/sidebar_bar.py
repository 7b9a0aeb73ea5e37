"""The top of a sidebar: the buttons that hide it and begin a new chat."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from app.theme import theme
from app.widgets.icon_button import IconButton


class SidebarBar(QWidget):
    """As high as the toolbar beside it. Signals: toggle() and new_chat()."""

    toggle = Signal()
    new_chat = Signal()

    def __init__(self, parent: QWidget | None = None, *, height: int) -> None:
        super().__init__(parent)
        self._height = height
        self.hide_button = IconButton("sidebar", self.tr("Hide Sidebar"), self)
        self.hide_button.clicked.connect(self.toggle)
        self.new_button = IconButton("compose", self.tr("New Chat"), self)
        self.new_button.clicked.connect(self.new_chat)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 0, 12, 0)
        row.setSpacing(4)
        row.addStretch(1)
        row.addWidget(self.hide_button)
        row.addWidget(self.new_button)
        theme().changed.connect(self._restyle)
        self._restyle()

    def _restyle(self) -> None:
        self.setFixedHeight(theme().px(self._height))
