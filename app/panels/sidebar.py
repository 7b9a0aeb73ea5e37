"""The sidebar: new chat, search, the chats by date, and what is coming down."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date

from PySide6.QtCore import QEvent, QObject, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QStackedLayout, QVBoxLayout, QWidget

from app.panels.chat_view import ChatListView
from app.panels.download_footer import DownloadFooter
from app.panels.sidebar_bar import SidebarBar
from app.theme import theme
from app.values import ChatRow
from app.widgets.search_field import SearchField
from app.widgets.text_block import TextBlock

WIDTH, LEAST_WIDTH, MOST_WIDTH = 248, 200, 320
BAR = 52


class Sidebar(QWidget):
    """248 pixels wide, 200 to 320. Chats come in as rows; the user's wishes leave as signals."""

    chat_selected = Signal(str)
    new_chat = Signal()
    rename_chat = Signal(str, str)
    delete_chat = Signal(str)
    compare_chat = Signal(str)
    search_changed = Signal(str)
    downloads_wanted = Signal()
    toggle = Signal()

    def __init__(self, parent: QWidget | None = None, *, bar_height: int = BAR) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("Sidebar"))
        self.setMinimumWidth(LEAST_WIDTH)
        self.setMaximumWidth(MOST_WIDTH)
        self.search = SearchField(self.tr("Search"), self)
        self.view = ChatListView(self)
        self.downloads = DownloadFooter(self)
        self._empty = TextBlock("interface", "text3", self, px=12, line=18)
        self._pages = QStackedLayout()
        self._bar = SidebarBar(self, height=bar_height)
        self.hide_button, self.new_button = self._bar.hide_button, self._bar.new_button
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 1, 0)  # the hairline at the right
        column.setSpacing(0)
        column.addWidget(self._bar)
        column.addLayout(_inset(self.search, 12, 0, 12, 0))
        column.addSpacing(8)
        column.addLayout(self._pages, 1)
        column.addWidget(self.downloads)
        self._pages.addWidget(self.view)
        page = QWidget(self)
        stack = QVBoxLayout(page)
        stack.setContentsMargins(20, 16, 20, 0)
        stack.addWidget(self._empty)
        stack.addStretch(1)
        self._pages.addWidget(page)
        self._connect()
        self._show_page()

    def set_chats(self, chats: Sequence[ChatRow]) -> None:
        """The chats, newest first, already narrowed down to what is searched for."""
        self.view.set_chats(chats, date.today())
        self._show_page()

    def set_current(self, chat: str | None) -> None:
        """The chat that is open; None for a new one."""
        self.view.set_current(chat)

    def set_writing(self, chats: Iterable[str]) -> None:
        """The chats whose answer is being written."""
        self.view.set_writing(frozenset(chats))

    def query(self) -> str:
        """What is searched for."""
        return self.search.text().strip()

    def empty_text(self) -> str:
        """What stands in the place of the list; "" when there are chats."""
        return "" if self._pages.currentIndex() == 0 else self._empty.text()

    def sizeHint(self) -> QSize:
        """Its usual width."""
        return QSize(WIDTH, 400)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Down in the search field goes to the list."""
        if not isinstance(event, QKeyEvent) or event.type() != QEvent.Type.KeyPress:
            return False
        down = event.key() == Qt.Key.Key_Down and bool(self.view.chats())
        if down:
            self.view.setFocus(Qt.FocusReason.TabFocusReason)
        return down

    def changeEvent(self, event: QEvent) -> None:
        """A day may have gone by while the window was away."""
        if event.type() == QEvent.Type.ActivationChange:
            self.view.set_chats(self.view.chats(), date.today())
        super().changeEvent(event)

    def paintEvent(self, _: QPaintEvent) -> None:
        """The ground, and the hairline at the right."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme().color("sidebar"))
        painter.fillRect(QRectF(self.width() - 1, 0, 1, self.height()), theme().color("line"))

    def _connect(self) -> None:
        self._bar.toggle.connect(self.toggle)
        self._bar.new_chat.connect(self.new_chat)
        self.search.textChanged.connect(self._searched)
        self.search.installEventFilter(self)
        self.view.chosen.connect(self.chat_selected)
        self.view.renamed.connect(self.rename_chat)
        self.view.removed.connect(self.delete_chat)
        self.view.compared.connect(self.compare_chat)
        self.downloads.clicked.connect(self.downloads_wanted)
        theme().changed.connect(self.update)

    def _searched(self) -> None:
        self.search_changed.emit(self.query())
        self._show_page()

    def _show_page(self) -> None:
        if query := self.query():
            self._empty.set_text(self.tr("No chat contains “{q}”.").replace("{q}", query))
        else:
            self._empty.set_text(self.tr("Chats appear here once you send a message."))
        self._pages.setCurrentIndex(0 if self.view.chats() else 1)


def _inset(widget: QWidget, left: int, top: int, right: int, bottom: int) -> QHBoxLayout:
    row = QHBoxLayout()
    row.setContentsMargins(left, top, right, bottom)
    row.addWidget(widget)
    return row
