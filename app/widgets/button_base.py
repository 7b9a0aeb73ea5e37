"""What every painted button shares: a ground that fades out, Return as a click, a focus ring."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRect, QRectF, Qt, QVariantAnimation
from PySide6.QtGui import QColor, QEnterEvent, QFocusEvent, QKeyEvent, QPainter, QPen
from PySide6.QtWidgets import QAbstractButton, QWidget

from app.theme import theme
from app.widgets.focus_ring import KEYBOARD, FocusRing

FADE_OUT_MS = 80


class ButtonBase(QAbstractButton):
    """A button drawn by its subclass; `warmth` is 1 under the pointer and fades to 0 after it."""

    radius: float = 6

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setAttribute(Qt.WidgetAttribute.WA_MacShowFocusRect, False)
        self.warmth = 0.0
        self._ring: FocusRing | None = None
        self._fade = QVariantAnimation(self)
        self._fade.setStartValue(1.0)
        self._fade.setEndValue(0.0)
        self._fade.valueChanged.connect(self._cool)
        theme().changed.connect(self.restyle)

    def restyle(self) -> None:
        """Take the theme's colours and sizes anew."""
        self.updateGeometry()
        self.update()

    def shape(self) -> QRect:
        """The part of it that the ring goes around."""
        return self.rect()

    def ground(self, normal: QColor, hover: QColor, pressed: QColor) -> QColor:
        """The colour of the ground at this moment."""
        if self.isDown():
            return pressed
        return mix(normal, hover, self.warmth if self.isEnabled() else 0.0)

    def enterEvent(self, event: QEnterEvent) -> None:
        """Warm at once."""
        self._fade.stop()
        self.warmth = 1.0
        super().enterEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        """Cool in 80 ms."""
        self._fade.setDuration(theme().motion(FADE_OUT_MS))
        self._fade.start()
        super().leaveEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Return clicks as the space bar does."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.isEnabled():
            self.click()
            return
        super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show the ring when the keyboard brought the focus."""
        super().focusInEvent(event)
        if event.reason() in KEYBOARD and self._ring is None and self.parentWidget():
            self._ring = FocusRing(self, self.radius, self.shape)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Take the ring away."""
        super().focusOutEvent(event)
        if self._ring is not None:
            self._ring.hide()
            self._ring.deleteLater()
            self._ring = None

    def _cool(self, warmth: float) -> None:
        self.warmth = warmth
        self.update()


def mix(under: QColor, over: QColor, share: float) -> QColor:
    """`share` (0 to 1) of one colour over another, transparency included."""
    # A transparent colour takes the other's hue, so that a fade has no grey in it.
    start = under if under.alpha() else QColor.fromRgbF(over.redF(), over.greenF(), over.blueF(), 0)
    return QColor.fromRgbF(
        start.redF() + (over.redF() - start.redF()) * share,
        start.greenF() + (over.greenF() - start.greenF()) * share,
        start.blueF() + (over.blueF() - start.blueF()) * share,
        start.alphaF() + (over.alphaF() - start.alphaF()) * share,
    )


def rounded(
    painter: QPainter, area: QRectF, radius: float, ground: QColor, border: QColor | None = None
) -> None:
    """A rounded box; its border, one pixel, lies inside `area`."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(ground)
    if border is None:
        painter.setPen(Qt.PenStyle.NoPen)
    else:
        painter.setPen(QPen(border, 1))
        area = area.adjusted(0.5, 0.5, -0.5, -0.5)
        radius -= 0.5
    painter.drawRoundedRect(area, radius, radius)
