"""The push button, plain or primary, 26 pixels high and 22 in rows."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from app.theme import theme
from app.widgets.button_base import ButtonBase, rounded
from app.widgets.one_line import draw_line

PADDING = 12
IN_ROWS, ROW_PX, ROW_PADDING = 22, 12, 11  # its height there, its type, its padding
ICON_LEFT, TEXT_AFTER_ICON = 8, 28


class PushButton(ButtonBase):
    """A word on a raised ground; `primary` is the one accent button of a view."""

    def __init__(
        self,
        text: str,
        parent: QWidget | None = None,
        *,
        primary: bool = False,
        height: int = 26,
        radius: float = 6,
        icon: str = "",
        weight: int = 500,
    ) -> None:
        super().__init__(text, parent)
        self.primary = primary
        self.radius = radius
        self._height = height
        self._icon = icon
        self._weight = weight
        self.setText(text)

    def set_text(self, text: str) -> None:
        """Another word, also for a screen reader."""
        self.setText(text)
        self.setAccessibleName(text)
        self.updateGeometry()

    def set_icon(self, icon: str) -> None:
        """Another of the icons by name; "" for none."""
        if icon != self._icon:
            self._icon = icon
            self.updateGeometry()
            self.update()

    def sizeHint(self) -> QSize:
        """As wide as its word."""
        padding = ROW_PADDING if self._height <= IN_ROWS else PADDING
        width = QFontMetricsF(self._font()).horizontalAdvance(self.text()) + 2 * (padding + 1)
        if self._icon:
            width += TEXT_AFTER_ICON - PADDING - 1
        return QSize(round(width + 0.4), theme().px(self._height))

    def minimumSizeHint(self) -> QSize:
        """As large as it wants to be."""
        return self.sizeHint()

    def paintEvent(self, _: QPaintEvent) -> None:
        """Ground, border and word."""
        look = theme()
        painter = QPainter(self)
        ground, border, ink = self._colors()
        high = look.px(self._height)
        area = QRectF(0, (self.height() - high) / 2, self.width(), high)
        rounded(painter, area, self.radius, ground, border)
        painter.setPen(look.color(ink))
        painter.setFont(self._font())
        if self._icon:
            at = QPointF(ICON_LEFT, area.center().y() - 8)
            painter.drawPixmap(at, look.pixmap(self._icon, ink))
            area.adjust(TEXT_AFTER_ICON - PADDING - 1, 0, 0, 0)
        draw_line(painter, area, self.text(), share=0.5)

    def _font(self) -> QFont:
        px = ROW_PX if self._height <= IN_ROWS else None
        return theme().font("button", weight=self._weight, px=px)

    def _colors(self) -> tuple[QColor, QColor | None, str]:
        look = theme()
        if self.primary and not self.isEnabled():
            return look.color("fill"), None, "disabled"
        if self.primary:
            grounds = [look.color(f"accent{state}") for state in ("", "Hover", "Pressed")]
            return self.ground(*grounds), None, "onAccent"
        grounds = [look.color(f"raised{state}") for state in ("", "Hover", "Pressed")]
        if not self.isEnabled():
            return grounds[0], look.color("line"), "disabled"
        return self.ground(*grounds), look.color("edge"), "text"
