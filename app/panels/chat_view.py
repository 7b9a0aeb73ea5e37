"""The view of the chat list: choosing, renaming in place, the menu of a row, deleting by key."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from PySide6.QtCore import QEvent, QItemSelection, QModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QFocusEvent, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QAbstractItemView, QListView, QMenu, QWidget

from app.panels.chat_list import CHAT, ChatListModel
from app.panels.chat_row import ChatRowDelegate, more_area
from app.theme import theme
from app.values import ChatRow
from app.widgets.focus_ring import KEYBOARD

ARROWS = (
    Qt.Key.Key_Up,
    Qt.Key.Key_Down,
    Qt.Key.Key_Home,
    Qt.Key.Key_End,
    Qt.Key.Key_PageUp,
    Qt.Key.Key_PageDown,
)


class ChatListView(QListView):
    """Signals give the id of a chat: chosen(id), renamed(id, title), removed(id); where the rows
    are `comparable` also compared(id)."""

    chosen = Signal(str)
    renamed = Signal(str, str)
    removed = Signal(str)
    compared = Signal(str)
    comparable = True

    def __init__(
        self,
        parent: QWidget | None = None,
        *,
        model: ChatListModel | None = None,
        rows: ChatRowDelegate | None = None,
    ) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("Chats"))
        self._model = model or ChatListModel(self)
        self._rows = rows or ChatRowDelegate(self)
        self._waiting: list[ChatRow] | None = None
        self._today = date.today()
        self._quiet = False
        self.setModel(self._model)
        self.setItemDelegate(self._rows)
        self.setMouseTracking(True)
        self.setUniformItemSizes(False)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setEditTriggers(
            QAbstractItemView.EditTrigger.DoubleClicked
            | QAbstractItemView.EditTrigger.EditKeyPressed
        )
        self.setAttribute(Qt.WidgetAttribute.WA_MacShowFocusRect, False)
        self._model.renamed.connect(self.renamed)
        theme().changed.connect(self._restyle)

    def set_chats(self, chats: Sequence[ChatRow], today: date) -> None:
        """Show these; while a title is being typed, once that is done."""
        self._today = today
        if self.state() == QAbstractItemView.State.EditingState:
            self._waiting = list(chats)
            return
        current, scroll = self.current(), self.verticalScrollBar().value()
        if self._model.set_chats(chats, today):
            self.set_current(current)
            self.verticalScrollBar().setValue(scroll)

    def chats(self) -> list[ChatRow]:
        """The chats shown."""
        return self._model.chats()

    def set_writing(self, ids: frozenset[str]) -> None:
        """The chats that get a disc."""
        self._model.set_writing(ids)

    def current(self) -> str | None:
        """The id of the chosen chat."""
        chosen = self.selectionModel().selectedIndexes()
        return str(chosen[0].data(CHAT)) if chosen else None

    def set_current(self, chat: str | None) -> None:
        """Choose a chat, or none, without a signal."""
        if self.current() == chat:
            return
        self._quiet = True
        self.setCurrentIndex(self._model.find(chat))
        if chat is None or not self.currentIndex().isValid():
            self.clearSelection()
        self._quiet = False

    def index_of(self, chat: str) -> QModelIndex:
        """Where a chat stands in the list."""
        return self._model.find(chat)

    def start_rename(self, chat: str) -> None:
        """Open the field over the chat's title."""
        self.edit(self._model.find(chat))

    def menu_for(self, chat: str) -> QMenu:
        """The menu of a row, made anew."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        rename = menu.addAction(self.tr("Rename"))
        rename.triggered.connect(lambda: self.start_rename(chat))
        if self.comparable:
            compare = menu.addAction(self.tr("Compare Models…"))
            compare.triggered.connect(lambda: self.compared.emit(chat))
        remove = menu.addAction(self.tr("Delete"))
        remove.triggered.connect(lambda: self.removed.emit(chat))
        return menu

    def selectionChanged(self, selected: QItemSelection, deselected: QItemSelection) -> None:
        """Tell of what the user chose."""
        super().selectionChanged(selected, deselected)
        chat = self.current()
        if chat is not None and not self._quiet:
            self.chosen.emit(chat)

    def closeEditor(self, editor: QWidget, hint: object) -> None:
        """Show what came while a title was typed."""
        super().closeEditor(editor, hint)  # type: ignore[arg-type]
        if self._waiting is not None:
            waiting, self._waiting = self._waiting, None
            self.set_chats(waiting, self._today)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A press on the ellipsis opens the menu and chooses nothing."""
        self._rows.keyboard = False
        at = event.position().toPoint()
        index = self.indexAt(at)
        left = event.button() == Qt.MouseButton.LeftButton
        if left and index.data(CHAT) and more_area(self.visualRect(index)).contains(at):
            self._open_menu(index, self.viewport().mapToGlobal(at))
            return
        if event.button() == Qt.MouseButton.RightButton:
            return  # the menu that follows must not change what is open
        super().mousePressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """The menu of the row under the pointer, or by key of the chosen one."""
        by_key = event.reason() == QContextMenuEvent.Reason.Keyboard
        index = self.currentIndex() if by_key else self.indexAt(event.pos())
        at = self.visualRect(index).center() if by_key else event.pos()
        self._open_menu(index, self.viewport().mapToGlobal(at))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Command-Delete removes; a bare Delete never does."""
        key, current = event.key(), self.current()
        if key in (Qt.Key.Key_Backspace, Qt.Key.Key_Delete):
            if current and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
                self.removed.emit(current)
            return
        if key in ARROWS:
            self._rows.keyboard = True
        super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """The ring is for a focus that came by keys."""
        self._rows.keyboard = event.reason() in KEYBOARD
        super().focusInEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        """The chosen row looks different in an inactive window."""
        if event.type() == QEvent.Type.ActivationChange:
            self._rows.active = self.isActiveWindow()
            self.viewport().update()
        super().changeEvent(event)

    def _open_menu(self, index: QModelIndex, at: QPoint) -> None:
        if chat := index.data(CHAT):
            self.menu_for(str(chat)).popup(at)

    def _restyle(self) -> None:
        self.scheduleDelayedItemsLayout()
        self.viewport().update()
