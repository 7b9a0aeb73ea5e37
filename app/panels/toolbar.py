"""The toolbar: title, view switch in the middle of the window, picker and export."""

from __future__ import annotations

import math

from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QFontMetricsF,
    QMouseEvent,
    QMoveEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.panels.compare_bar import CompareBar
from app.panels.models_bar import ModelsBar
from app.panels.picker import ModelPicker
from app.theme import theme
from app.widgets.icon_button import IconButton
from app.widgets.view_switch import ViewSwitch

HEIGHT, PLAIN_HEIGHT = 52, 44
SIDE = 12
TITLE_LEFT, TITLE_MOST = 20, 236
TITLE_BASE, SUBTITLE_BASE = 23.0, 37.5
GAP = 12
NARROW, NARROWER = 1000, 800  # of the main width: the picker's second line, the title
MODELS, COMPARE = 1, 2  # the views whose bars stand in the place of picker and export


class Toolbar(QWidget):
    """`expanded`: it is the window's title area, 52 high with the title in it; else the system's
    title bar stands above it and it is 44 high without a title."""

    view_changed = Signal(int)
    sidebar_toggled = Signal()
    new_chat = Signal()
    export_requested = Signal()

    def __init__(self, parent: QWidget | None = None, *, expanded: bool = False) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("Toolbar"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._expanded = expanded
        self._title, self._subtitle = "", ""
        self._left_room = 0
        self._sidebar_shown = True
        self.show_sidebar = IconButton("sidebar", self.tr("Show Sidebar"), self)
        self.new_button = IconButton("compose", self.tr("New Chat"), self)
        names = [self.tr("Chat"), self.tr("Models"), self.tr("Compare")]
        self.switch = ViewSwitch(names, self)
        self.picker = ModelPicker(self)
        self.export = IconButton("export", self.tr("Export"), self)
        self.export.setEnabled(False)
        self.models = ModelsBar(self)
        self.compare = CompareBar(self)
        self.show_sidebar.clicked.connect(self.sidebar_toggled)
        self.new_button.clicked.connect(self.new_chat)
        self.switch.chosen.connect(self.view_changed)
        self.export.clicked.connect(self.export_requested)
        theme().changed.connect(self._restyle)
        self._restyle()

    def bar_height(self) -> int:
        """52, or 44 beneath a system title bar, zoomed."""
        return theme().px(HEIGHT if self._expanded else PLAIN_HEIGHT)

    def set_title(self, title: str, subtitle: str) -> None:
        """The chat's title and a line below it."""
        if (title, subtitle) == (self._title, self._subtitle):
            return
        self._title, self._subtitle = title, subtitle
        self.setAccessibleDescription(f"{title}, {subtitle}" if subtitle else title)
        self.update()

    def set_view(self, index: int) -> None:
        """Show which view is open, without a signal."""
        self.switch.set_current(index)
        self._place()

    def set_sidebar_shown(self, shown: bool) -> None:
        """While the sidebar is hidden its two buttons stand here."""
        self._sidebar_shown = shown
        self._place()

    def set_left_room(self, pixels: int) -> None:
        """Keep so many pixels free at the left, for the window's own buttons."""
        self._left_room = pixels
        self._place()

    def set_export_enabled(self, enabled: bool) -> None:
        """Whether there is something to export."""
        self.export.setEnabled(enabled)

    def sizeHint(self) -> QSize:
        """As high as it is; any width."""
        return QSize(720, self.bar_height())

    def resizeEvent(self, _: QResizeEvent) -> None:
        """Put the pieces in their places."""
        self._place()

    def moveEvent(self, _: QMoveEvent) -> None:
        """The switch stays in the middle of the window."""
        self._place()

    def showEvent(self, _: QShowEvent) -> None:
        """The window is known now."""
        self._place()

    def event(self, event: QEvent) -> bool:
        """The picker wants another width while it loads, and with another model."""
        if event.type() == QEvent.Type.LayoutRequest:
            self._place()
        return super().event(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """As the window's title area it moves the window."""
        handle = self.window().windowHandle()
        if self._expanded and handle and event.button() == Qt.MouseButton.LeftButton:
            handle.startSystemMove()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """As the window's title area it zooms the window."""
        if self._expanded and event.button() == Qt.MouseButton.LeftButton:
            window = self.window()
            window.showNormal() if window.isMaximized() else window.showMaximized()

    def paintEvent(self, _: QPaintEvent) -> None:
        """Ground, hairline, title and subtitle."""
        look = theme()
        painter = QPainter(self)
        painter.fillRect(self.rect(), look.color("content"))
        low = self.height() - 1
        painter.fillRect(QRectF(0, low, self.width(), 1), look.color("line"))
        area = self.title_area()
        if area.width() <= 0:
            return
        elide = Qt.TextElideMode.ElideRight
        title_base = TITLE_BASE if self._subtitle else (TITLE_BASE + SUBTITLE_BASE) / 2
        for base, font, ink, words in (
            (title_base, look.font("interface", bold=True), "text", self._title),
            (SUBTITLE_BASE, look.font("small"), "text3", self._subtitle),
        ):
            painter.setFont(font)
            painter.setPen(look.color(ink))
            short = QFontMetricsF(font).elidedText(words, elide, area.width())
            painter.drawText(QPointF(area.x(), base * look.zoom), short)

    def title_area(self) -> QRect:
        """Where the title stands; empty when there is no room or it is in the title bar above."""
        if not self._expanded or self.width() < NARROWER:
            return QRect()
        left = TITLE_LEFT
        if not self._sidebar_shown:
            both = not self.new_button.isHidden()
            last = self.new_button if both else self.show_sidebar
            left = last.geometry().right() + 1 + (GAP if both else 2 * GAP)
        most = self.switch.x() - GAP - left
        return QRect(left, 0, min(TITLE_MOST, most), self.height())

    def _restyle(self) -> None:
        self.setFixedHeight(self.bar_height())
        self._place()

    def _place(self) -> None:
        wide, middle = self.width(), (self.height() - 1) / 2
        self.switch.set_tight(wide < NARROWER)
        left = SIDE if not self._left_room else self._left_room
        comparing = self.switch.current() == COMPARE  # which has a button for its own
        for button in (self.show_sidebar, self.new_button):
            shown = not self._sidebar_shown and not (comparing and button is self.new_button)
            button.setVisible(shown)  # once: to show it and hide it again asks for another layout
            if shown:
                size = button.sizeHint()
                _place_at(button, left, middle)
                left += size.width() + 8
        size = self.switch.sizeHint()
        window = self.window()
        centre = window.width() / 2 - self.mapTo(window, QPoint(0, 0)).x()
        x = max(left, round(centre - size.width() / 2))
        least = left + size.width() + GAP
        right = self._place_right(least, max(least, x + size.width() + GAP), middle)
        _place_at(self.switch, max(left, min(x, right - size.width())), middle)
        self.update()

    def _place_right(self, least: int, free_from: int, middle: float) -> int:
        """Put what stands at the right, where there is room from `free_from` on and, with the
        switch moved aside, from `least` on; gives where the switch must end."""
        wide, view = self.width(), self.switch.current()
        right, chat = wide - SIDE, view not in (MODELS, COMPARE)
        self.models.setVisible(view == MODELS)
        self.compare.setVisible(view == COMPARE)
        self.picker.setVisible(chat)
        self.export.setVisible(chat and wide >= NARROWER)
        if view == COMPARE:
            return _put(self.compare, right, middle) - GAP
        if view == MODELS:
            width = min(self.models.width_for(right - free_from), right - least)
            high = self.models.sizeHint().height()
            top = math.floor(middle - high / 2 + 0.5)
            self.models.setGeometry(right - width, top, width, high)
            return right - width - GAP
        if wide >= NARROWER:
            right = _put(self.export, right, middle) - GAP
        self.picker.set_compact(wide < NARROW)
        return _put(self.picker, right, middle) - GAP


def _put(widget: QWidget, right: int, middle: float) -> int:
    """Put `widget` so that it ends at `right`; gives its left side."""
    left = right - widget.sizeHint().width()
    _place_at(widget, left, middle)
    return left


def _place_at(widget: QWidget, left: int, middle: float) -> None:
    size = widget.sizeHint()
    top = math.floor(middle - size.height() / 2 + 0.5)
    widget.setGeometry(left, top, size.width(), size.height())
