"""The list of comparisons: the list of chats, with a second line in each row."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QKeyEvent, QPainter
from PySide6.QtWidgets import QAbstractItemView, QStyleOptionViewItem, QWidget

from app.compare_rows import PastRun
from app.panels.chat_list import CHAT, WRITING, ChatListModel
from app.panels.chat_row import ChatRowDelegate, row_area
from app.panels.chat_view import ChatListView
from app.theme import theme
from app.values import ChatRow
from app.widgets.item_view import Index, place_of

NOTE = WRITING + 1
ROW, TITLE = 46, 27  # high: a row, and the part of it that is the title's
TITLE_TOP, NOTE_BASE = 3, 37.0


class RunListModel(ChatListModel):
    """Each row has a title and a note."""

    notes: dict[str, str] = {}  # noqa: RUF012  replaced, never changed

    def data(self, index: Index, role: int = int(Qt.ItemDataRole.DisplayRole)) -> Any:
        """The note too, which a screen reader tells after the title."""
        if role in (NOTE, Qt.ItemDataRole.AccessibleDescriptionRole):
            return self.notes.get(str(super().data(index, CHAT)), "")
        if role == Qt.ItemDataRole.ToolTipRole and super().data(index, CHAT):
            return super().data(index)
        return super().data(index, role)


class RunRowDelegate(ChatRowDelegate):
    """Paints the note under the title."""

    row_height = ROW

    def title_area(self, row: QRectF) -> QRectF:
        """The upper part of the row."""
        area = super().title_area(row)
        return QRectF(area.x(), area.y() + TITLE_TOP, area.width(), theme().px(TITLE) - TITLE_TOP)

    def paint_note(self, painter: QPainter, row: QRectF, index: Index) -> None:
        """As much of the note as there is room for."""
        font = theme().font("small")
        painter.setFont(font)
        painter.setPen(theme().color("text3"))
        elide = Qt.TextElideMode.ElideRight
        words = QFontMetricsF(font).elidedText(str(index.data(NOTE)), elide, row.width())
        painter.drawText(QPointF(row.x(), row.y() + NOTE_BASE * theme().zoom), words)

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:
        """The field that lies over the title."""
        field = super().createEditor(parent, option, index)
        field.setAccessibleName(self.tr("Title of the comparison"))
        return field

    def updateEditorGeometry(
        self, editor: QWidget, option: QStyleOptionViewItem, index: Index
    ) -> None:
        """Over the title alone."""
        row = row_area(place_of(option))
        editor.setGeometry(row.x() + 5, row.y() + 3, row.width() - 10, theme().px(TITLE) - 3)


class RunListView(ChatListView):
    """Signals give the id of a comparison: chosen(id), renamed(id, title), removed(id)."""

    comparable = False

    def __init__(self, parent: QWidget | None = None) -> None:
        self._runs = RunListModel()
        super().__init__(parent, model=self._runs, rows=RunRowDelegate())
        self._runs.setParent(self)
        self.itemDelegate().setParent(self)
        self.setAccessibleName(self.tr("Comparisons"))

    def set_runs(self, runs: Sequence[PastRun], today: date) -> None:
        """Show these, newest first; while a title is being typed, once that is done."""
        self._runs.notes = {run.id: run.note for run in runs}
        chats = [ChatRow(id=run.id, title=run.title, updated=run.when) for run in runs]
        self.set_chats(chats, today)
        self.viewport().update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Return renames, on every system; the field passes on the one that ends it."""
        current = self.current()
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and current:
            if self.state() != QAbstractItemView.State.EditingState:
                self.start_rename(current)
        else:
            super().keyPressEvent(event)
