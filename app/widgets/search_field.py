"""A search field: an icon, a ground, no border until it has the focus; Esc clears it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from app.theme import theme

ICON = 14


class SearchField(QLineEdit):
    """28 pixels high; `ground` is "hover" in the sidebar and "fill" in a popover."""

    def __init__(
        self, placeholder: str, parent: QWidget | None = None, *, ground: str = "hover"
    ) -> None:
        super().__init__(parent)
        self.setPlaceholderText(placeholder)
        self.setAccessibleName(placeholder)
        self.setProperty("kind", f"search-{ground}")
        self.setAttribute(Qt.WidgetAttribute.WA_MacShowFocusRect, False)
        self.restyle()
        theme().changed.connect(self.restyle)

    def restyle(self) -> None:
        """Take the theme's font and height anew."""
        self.setFont(theme().font("interface"))
        self.setFixedHeight(theme().px(28))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc clears what is there; an empty field lets it pass."""
        if event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
            return
        super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The field, and the icon at its left."""
        super().paintEvent(event)
        painter = QPainter(self)
        pixmap = theme().pixmap("search", "text2", ICON)
        painter.drawPixmap(8, (self.height() - ICON) // 2, pixmap)
