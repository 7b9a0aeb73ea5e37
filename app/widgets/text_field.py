"""A field for a line of text, 24 pixels high, which may show that what stands there is wrong."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit, QWidget

from app.theme import theme

HEIGHT = 24


class TextField(QLineEdit):
    """`secret` shows dots for letters. Read-only, its text is in the secondary colour."""

    def __init__(self, name: str, parent: QWidget | None = None, *, secret: bool = False) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setProperty("kind", "field")
        self.setProperty("wrong", False)
        self.setAttribute(Qt.WidgetAttribute.WA_MacShowFocusRect, False)
        if secret:
            self.setEchoMode(QLineEdit.EchoMode.Password)
        self.restyle()
        theme().changed.connect(self.restyle)

    def set_wrong(self, wrong: bool) -> None:
        """Whether the border is in the colour of errors."""
        if wrong != self.property("wrong"):
            self.setProperty("wrong", wrong)
            self.style().unpolish(self)  # else the style sheet's selector is not looked at anew
            self.style().polish(self)

    def restyle(self) -> None:
        """Take the theme's font and height anew."""
        self.setFont(theme().font("interface"))
        self.setFixedHeight(theme().px(HEIGHT))
