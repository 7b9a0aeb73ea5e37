"""The sidebar of the Compare view: the comparisons that were kept, by date."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from PySide6.QtCore import QEvent, QRectF, QSize, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QStackedLayout, QVBoxLayout, QWidget

from app.compare_rows import CompareRows, PastRun
from app.panels.run_list import RunListView
from app.panels.sidebar import BAR, LEAST_WIDTH, MOST_WIDTH, WIDTH
from app.panels.sidebar_bar import SidebarBar
from app.theme import theme
from app.widgets.text_block import TextBlock


class CompareSidebar(QWidget):
    """As wide as the chats' sidebar. Signals give the id of a comparison: opened(id),
    renamed(id, title), removed(id); and those of the bar, toggle() and new_chat()."""

    opened = Signal(str)
    renamed = Signal(str, str)
    removed = Signal(str)
    toggle = Signal()
    new_chat = Signal()

    def __init__(self, parent: QWidget | None = None, *, bar_height: int = BAR) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("Sidebar"))
        self.setMinimumWidth(LEAST_WIDTH)
        self.setMaximumWidth(MOST_WIDTH)
        self._past: tuple[PastRun, ...] = ()
        self.bar = SidebarBar(self, height=bar_height)
        self.view = RunListView(self)
        self._empty = TextBlock("interface", "text3", self, px=12, line=18)
        self._empty.set_text(self.tr("Comparisons appear here once you press Run."))
        self._pages = QStackedLayout()
        page = QWidget(self)
        stack = QVBoxLayout(page)
        stack.setContentsMargins(20, 16, 20, 0)
        stack.addWidget(self._empty)
        stack.addStretch(1)
        self._pages.addWidget(page)
        self._pages.addWidget(self.view)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 1, 0)  # the hairline at the right
        column.setSpacing(0)
        column.addWidget(self.bar)
        column.addLayout(self._pages, 1)
        self._connect()

    def set_rows(self, rows: CompareRows) -> None:
        """The comparisons, newest first, and the one that is shown."""
        if rows.past != self._past:
            self._past = rows.past
            self._show(rows.past)
        self.view.set_current(rows.current or None)

    def empty_text(self) -> str:
        """What stands in the place of the list; "" when there are comparisons."""
        return "" if self._pages.currentWidget() is self.view else self._empty.text()

    def sizeHint(self) -> QSize:
        """Its usual width."""
        return QSize(WIDTH, 400)

    def changeEvent(self, event: QEvent) -> None:
        """A day may have gone by while the window was away."""
        if event.type() == QEvent.Type.ActivationChange:
            self._show(self._past)
        super().changeEvent(event)

    def paintEvent(self, _: QPaintEvent) -> None:
        """The ground, and the hairline at the right."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme().color("sidebar"))
        painter.fillRect(QRectF(self.width() - 1, 0, 1, self.height()), theme().color("line"))

    def _connect(self) -> None:
        self.bar.toggle.connect(self.toggle)
        self.bar.new_chat.connect(self.new_chat)
        self.view.chosen.connect(self.opened)
        self.view.renamed.connect(self.renamed)
        self.view.removed.connect(self.removed)
        theme().changed.connect(self.update)

    def _show(self, past: Sequence[PastRun]) -> None:
        self.view.set_runs(past, date.today())
        self._pages.setCurrentIndex(1 if past else 0)
