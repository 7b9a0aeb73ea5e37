"""The window's ground: the sidebar beside the main column, or over it where there is no room."""

from __future__ import annotations

from PySide6.QtCore import QEasingCurve, QEvent, QPoint, QRect, Qt, QVariantAnimation, Signal
from PySide6.QtGui import QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QWidget

from app.theme import theme

OVERLAY_BELOW = 760  # the window's width under which the sidebar lies over the rest
_LEAST, _MOST = 200, 320
_GRIP = 6
_SLIDE_MS = 180


class Frame(QWidget):
    """Places a sidebar and a main column. The border between them can be dragged.

    Signals: sidebar_changed(shown) when the sidebar comes or goes, by whatever cause;
    overlaid_changed(overlaid) when it starts or stops to lie over the main column;
    width_changed(pixels) when the user dragged the border."""

    sidebar_changed = Signal(bool)
    overlaid_changed = Signal(bool)
    width_changed = Signal(int)

    def __init__(self, sidebar: QWidget, main: QWidget, width: int) -> None:
        super().__init__()
        self._sidebar, self._main = sidebar, main
        self._width = min(max(width, _LEAST), _MOST)
        self._wanted = True  # beside the main column
        self._open = False  # over it
        self.overlaid = False
        self._shade = _Shade(self)
        self._shade.pressed.connect(self.hide_overlay)
        for widget in (main, self._shade, sidebar):
            widget.setParent(self)
        self._grip = _Grip(self)
        self._grip.dragged.connect(self._on_dragged)
        self._slide = QVariantAnimation(self)
        self._slide.setEasingCurve(QEasingCurve.Type.OutCubic)
        self._slide.setStartValue(1.0)
        self._slide.setEndValue(1.0)
        self._slide.valueChanged.connect(self._place)
        self._slide.finished.connect(self._place)

    @property
    def sidebar_shown(self) -> bool:
        """Whether the sidebar can be seen, beside or over the main column."""
        return self._open if self.overlaid else self._wanted

    def set_sidebar_shown(self, shown: bool, *, animated: bool = True) -> None:
        """Show or hide the sidebar."""
        if shown == self.sidebar_shown:
            return
        if self.overlaid:
            self._open = shown
        else:
            self._wanted = shown
        self._slide.stop()
        share = self._share
        self._slide.setStartValue(share)
        self._slide.setEndValue(1.0 if shown else 0.0)
        duration = theme().motion(_SLIDE_MS) if animated and self.isVisible() else 0
        self._slide.setDuration(duration)
        self._slide.start()
        if not duration:
            self._place()
        self.sidebar_changed.emit(shown)

    def toggle_sidebar(self) -> None:
        """Show the sidebar if it is hidden, else hide it."""
        self.set_sidebar_shown(not self.sidebar_shown)

    def hide_overlay(self) -> None:
        """Hide the sidebar where it lies over the rest."""
        if self.overlaid:
            self.set_sidebar_shown(False)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give way to a narrow window."""
        super().resizeEvent(event)
        overlaid = self.width() < OVERLAY_BELOW
        if overlaid != self.overlaid:
            self._slide.stop()
            before = self.sidebar_shown
            self.overlaid, self._open = overlaid, False
            self._slide.setEndValue(1.0 if self.sidebar_shown else 0.0)
            self.overlaid_changed.emit(overlaid)
            if before != self.sidebar_shown:
                self.sidebar_changed.emit(self.sidebar_shown)
        self._place()

    @property
    def _share(self) -> float:
        """How much of the sidebar is in view: 0 to 1."""
        running = self._slide.state() == QVariantAnimation.State.Running
        return float(self._slide.currentValue() if running else self._slide.endValue())

    def _place(self) -> None:
        share, height = self._share, self.height()
        seen = round(self._width * share)
        self._sidebar.setGeometry(seen - self._width, 0, self._width, height)
        self._sidebar.setVisible(seen > 0)
        left = 0 if self.overlaid else seen
        self._main.setGeometry(QRect(left, 0, self.width() - left, height))
        self._shade.setGeometry(self.rect())
        self._shade.setVisible(self.overlaid and seen > 0)
        self._grip.setGeometry(seen - _GRIP // 2, 0, _GRIP, height)
        self._grip.setVisible(share == 1 and not self.overlaid)
        self._grip.raise_()

    def _on_dragged(self, x: int) -> None:
        self._width = min(max(x, _LEAST), _MOST)
        self._place()
        self.width_changed.emit(self._width)


class _Grip(QWidget):
    """The border, invisible, that drags the sidebar's width."""

    dragged = Signal(int)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setCursor(Qt.CursorShape.SplitHCursor)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Tell where in the parent the border should be."""
        point: QPoint = self.mapToParent(event.position().toPoint())
        self.dragged.emit(point.x())


class _Shade(QWidget):
    """Under an overlaid sidebar: a press on it closes the sidebar and does nothing else."""

    pressed = Signal()

    def mousePressEvent(self, _: QMouseEvent) -> None:
        """Close."""
        self.pressed.emit()

    def event(self, event: QEvent) -> bool:
        """The wheel does not scroll what lies beneath."""
        return event.type() == QEvent.Type.Wheel or super().event(event)
