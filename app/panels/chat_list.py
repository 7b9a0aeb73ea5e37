"""The list of chats: its model with date groups, and the delegate that paints a row."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QCoreApplication,
    QDate,
    QLocale,
    QModelIndex,
    QObject,
    Qt,
    Signal,
)

from app.values import ChatRow
from app.widgets.item_view import Index

Entry = str | ChatRow  # the head of a group, or a chat

HEAD = int(Qt.ItemDataRole.UserRole)
CHAT = HEAD + 1
WRITING = HEAD + 2


def group_name(day: date, today: date) -> str:
    """The head under which a chat of `day` stands."""
    if day >= today:
        return QCoreApplication.translate("ChatList", "Today")
    if day == today - timedelta(days=1):
        return QCoreApplication.translate("ChatList", "Yesterday")
    if day >= today - timedelta(days=7):
        return QCoreApplication.translate("ChatList", "Previous 7 Days")
    month = QLocale().toString(QDate(day.year, day.month, 1), "MMMM")
    if day.year == today.year:
        return month
    template = QCoreApplication.translate("ChatList", "{month} {year}")
    return template.format(month=month, year=day.year)


def grouped(chats: Sequence[ChatRow], today: date) -> list[Entry]:
    """The chats, newest first as they come, with a head before each group."""
    entries: list[Entry] = []
    last = None
    for chat in chats:
        name = group_name(chat.updated.date(), today)
        if name != last:
            entries.append(name)
            last = name
        entries.append(chat)
    return entries


class ChatListModel(QAbstractListModel):
    """Heads and chats. `renamed` gives the id and the new title that the user typed."""

    renamed = Signal(str, str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._chats: list[ChatRow] = []
        self._entries: list[Entry] = []
        self._today = date.today()
        self._writing: frozenset[str] = frozenset()

    def set_chats(self, chats: Sequence[ChatRow], today: date) -> bool:
        """Show these; False if nothing changed."""
        if list(chats) == self._chats and today == self._today:
            return False
        self.beginResetModel()
        self._chats, self._today = list(chats), today
        self._entries = grouped(chats, today)
        self.endResetModel()
        return True

    def chats(self) -> list[ChatRow]:
        """The chats shown, without heads."""
        return list(self._chats)

    def set_writing(self, ids: frozenset[str]) -> None:
        """The chats whose answer is being written."""
        if ids == self._writing:
            return
        self._writing = ids
        if self._entries:
            self.dataChanged.emit(self.index(0), self.index(len(self._entries) - 1), [WRITING])

    def find(self, chat: str | None) -> QModelIndex:
        """The row of a chat; invalid if it is not there."""
        for row, entry in enumerate(self._entries):
            if isinstance(entry, ChatRow) and entry.id == chat:
                return self.index(row)
        return QModelIndex()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008  Qt's own default
        """Heads and chats together."""
        return 0 if parent.isValid() else len(self._entries)

    def flags(self, index: Index) -> Qt.ItemFlag:
        """A head can be neither chosen nor reached."""
        if isinstance(self._entries[index.row()], str):
            return Qt.ItemFlag.NoItemFlags
        flag = Qt.ItemFlag
        return flag.ItemIsEnabled | flag.ItemIsSelectable | flag.ItemIsEditable

    def data(self, index: Index, role: int = int(Qt.ItemDataRole.DisplayRole)) -> Any:
        """Texts, and for the delegate whether it is a head, its chat, whether it writes."""
        entry = self._entries[index.row()]
        chat = entry if isinstance(entry, ChatRow) else None
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole):
            return chat.title if chat else entry
        if role == Qt.ItemDataRole.AccessibleDescriptionRole and chat:
            return self.tr("writing") if chat.id in self._writing else ""
        if role == HEAD:
            return chat is None
        if role == CHAT:
            return chat.id if chat else None
        if role == WRITING:
            return chat is not None and chat.id in self._writing
        return None

    def setData(self, index: Index, value: Any, role: int = int(Qt.ItemDataRole.EditRole)) -> bool:
        """A new title from the row's editor; an empty or unchanged one changes nothing."""
        entry = self._entries[index.row()]
        title = " ".join(str(value).split())
        if role != Qt.ItemDataRole.EditRole or not isinstance(entry, ChatRow):
            return False
        if title and title != entry.title:
            self.renamed.emit(entry.id, title)
        return True
