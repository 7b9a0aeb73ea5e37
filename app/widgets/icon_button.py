"""A button that is only an icon, 28 pixels square in bars and 24 in rows."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from app.theme import theme
from app.widgets.button_base import ButtonBase, rounded


class IconButton(ButtonBase):
    """An icon with a tooltip, a name and, if it has one, its shortcut in the tooltip."""

    def __init__(
        self,
        icon: str,
        name: str,
        parent: QWidget | None = None,
        *,
        size: int = 28,
        shortcut: str = "",
        icon_size: int = 16,
    ) -> None:
        super().__init__(name, parent)
        self._icon = icon
        self._size = size
        self._icon_size = icon_size
        self.radius = 6 if size >= 28 else 5
        self.set_name(name, shortcut)

    def set_name(self, name: str, shortcut: str = "") -> None:
        """What it does, for the tooltip and for a screen reader."""
        self.setAccessibleName(name)
        self.setToolTip(f"{name}  {shortcut}" if shortcut else name)

    def set_icon(self, icon: str) -> None:
        """Another of the icons by name."""
        self._icon = icon
        self.update()

    def sizeHint(self) -> QSize:
        """The square target."""
        return QSize(self._size, self._size)

    def minimumSizeHint(self) -> QSize:
        """As large as it wants to be."""
        return self.sizeHint()

    def paintEvent(self, _: QPaintEvent) -> None:
        """The ground under the pointer and the icon, stronger while there."""
        look = theme()
        painter = QPainter(self)
        clear = QColor(0, 0, 0, 0)
        ground = self.ground(clear, look.color("hover"), look.color("pressed"))
        area = QRectF(
            (self.width() - self._size) / 2,
            (self.height() - self._size) / 2,
            self._size,
            self._size,
        )
        rounded(painter, area, self.radius, ground)
        hot = self.warmth > 0.5 or self.isDown()
        color = "disabled" if not self.isEnabled() else "text" if hot else "text2"
        size = self._icon_size
        pixmap = look.pixmap(self._icon, color, size)
        corner = area.center().toPoint()
        painter.drawPixmap(corner.x() - size // 2, corner.y() - size // 2, pixmap)
