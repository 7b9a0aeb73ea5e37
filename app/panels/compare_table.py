"""The figures of the compared models, one column each; the best in a row is marked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import (
    QFont,
    QFontMetricsF,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from app.compare_rows import Column, Row
from app.panels.table_row import table_font
from app.theme import theme
from app.widgets.focus_ring import KeyboardRing
from app.widgets.item_view import Index, place_of
from app.widgets.one_line import draw_line
from app.widgets.size_mark import LONG, paint_size

ROW = 26
WIDTH, LABEL = 584, 170
GUTTER = 14  # right of a value
DOT_MIDDLE, DOT = 9.5, 2.5
SIZE_GAP = 8
CELL_GAP = 8  # at least, between two values
BEST = int(Qt.ItemDataRole.UserRole)
_NO_INDEX = QModelIndex()


class CompareTableModel(QAbstractTableModel):
    """The labels in column 0, then a column for each model."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.columns: tuple[Column, ...] = ()
        self.rows: tuple[Row, ...] = ()

    def set_rows(self, columns: Sequence[Column], rows: Sequence[Row]) -> bool:
        """Show these; whether there are other rows or columns than before."""
        old, shape = self.rows, (len(self.columns), len(self.rows))
        heads = [(c.short, c.rank) for c in columns] != [(c.short, c.rank) for c in self.columns]
        other = (len(columns), len(rows)) != shape
        if other:
            self.beginResetModel()
        self.columns, self.rows = tuple(columns), tuple(rows)
        if other:
            self.endResetModel()
            return True
        for at, (before, after) in enumerate(zip(old, self.rows, strict=True)):
            if before != after:
                self.dataChanged.emit(self.index(at, 0), self.index(at, len(columns)))
        if heads and columns:
            self.headerDataChanged.emit(Qt.Orientation.Horizontal, 1, len(columns))
        return False

    def rowCount(self, parent: Index = _NO_INDEX) -> int:
        """The lines, without the head."""
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = _NO_INDEX) -> int:
        """The labels and the models."""
        return 0 if parent.isValid() else len(self.columns) + 1

    def data(self, index: Index, role: int = int(Qt.ItemDataRole.DisplayRole)) -> Any:
        """The words of a cell, and whether it is the best of its row."""
        row, at = self.rows[index.row()], index.column() - 1
        best = at in row.best
        if role == Qt.ItemDataRole.DisplayRole:
            return row.label if at < 0 else row.cells[at] if at < len(row.cells) else ""
        if role == Qt.ItemDataRole.AccessibleDescriptionRole and best:
            return self.tr("best")
        return best if role == BEST else None

    def headerData(
        self, section: int, side: Qt.Orientation, role: int = int(Qt.ItemDataRole.DisplayRole)
    ) -> Any:
        """The short name of a model, and the whole one where the pointer rests."""
        if side != Qt.Orientation.Horizontal or not section:
            return None
        column = self.columns[section - 1]
        if role == Qt.ItemDataRole.ToolTipRole:
            return column.name
        return column.short if role == Qt.ItemDataRole.DisplayRole else None

    def text(self) -> str:
        """The table as lines of text with tabs between the cells."""
        lines = [["", *(column.short for column in self.columns)]]
        lines += [[row.label, *row.cells] for row in self.rows]
        return "\n".join("\t".join(line) for line in lines)


class CompareTable(QTableView):
    """As high as its rows. The copy keys put it on the clipboard, with tabs between the cells."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("Figures"))
        self.figures = CompareTableModel(self)
        KeyboardRing(self, 5)
        self.setModel(self.figures)
        self.setItemDelegate(_Cells(self))
        self._head = _Head(self)
        self.setHorizontalHeader(self._head)
        self.verticalHeader().hide()
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        for bar in (self.setHorizontalScrollBarPolicy, self.setVerticalScrollBarPolicy):
            bar(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAttribute(Qt.WidgetAttribute.WA_MacShowFocusRect, False)
        self.viewport().setAutoFillBackground(False)
        theme().changed.connect(self._restyle)
        self._restyle()

    def set_rows(self, columns: Sequence[Column], rows: Sequence[Row]) -> None:
        """Show these; only cells that changed are drawn anew."""
        if self.figures.set_rows(columns, rows):
            self._share_width()
            self.updateGeometry()

    def copy(self) -> None:
        """Put it on the clipboard."""
        QGuiApplication.clipboard().setText(self.figures.text())

    def height_needed(self) -> int:
        """Of the head and all rows."""
        return theme().px(ROW) * (self.figures.rowCount() + 1)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """The copy keys; the arrows walk the cells."""
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
        else:
            super().keyPressEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """The area around it scrolls."""
        event.ignore()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Share the width out."""
        super().resizeEvent(event)
        self._share_width()

    def _share_width(self) -> None:
        """The labels have their column, the models share the rest."""
        count = len(self.figures.columns)
        if not count:
            return
        label = theme().px(LABEL)
        each = (self.width() - label) / count
        self.setColumnWidth(0, label)
        for at in range(count):
            wide = round(label + (at + 1) * each) - round(label + at * each)
            self.setColumnWidth(at + 1, wide)

    def _restyle(self) -> None:
        high = theme().px(ROW)
        self.verticalHeader().setMinimumSectionSize(high)
        self.verticalHeader().setDefaultSectionSize(high)
        self._head.setFixedHeight(high)
        self._share_width()
        self.updateGeometry()
        self.viewport().update()


class _Cells(QStyledItemDelegate):
    """Paints a label, or a value with its mark."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """The words, and the hairline above them."""
        look, area = theme(), QRectF(place_of(option))
        painter.save()
        painter.fillRect(QRectF(area.x(), area.y(), area.width(), 1), look.color("line"))
        words = str(index.data())
        if not index.column():
            _draw(painter, area.adjusted(0, 1, -CELL_GAP, 0), words, table_font(), "text2", 0)
        else:
            best = bool(index.data(BEST))
            font = table_font()
            font.setWeight(QFont.Weight(600 if best else 400))
            value = area.adjusted(CELL_GAP, 1, -GUTTER, 0)
            _draw(painter, value, words, font, "accent" if best else "text", 1)
            if best:
                painter.setRenderHint(QPainter.RenderHint.Antialiasing)
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(look.color("accent"))
                at = QPointF(value.right() + DOT_MIDDLE, value.center().y() + 0.5)
                painter.drawEllipse(at, DOT, DOT)
        painter.restore()


class _Head(QHeaderView):
    """The models' short names, each with its line."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.setMinimumSectionSize(1)
        self.setSectionsClickable(False)
        self.viewport().setAutoFillBackground(False)

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:
        """A name at the right of its column."""
        table = self.parentWidget()
        if not section or not isinstance(table, CompareTable):
            return
        column = table.figures.columns[section - 1]
        font = theme().font("button", bold=True)
        area = QRectF(rect).adjusted(CELL_GAP, 0, -GUTTER, -1)
        room = area.adjusted(LONG + SIZE_GAP, 0, 0, 0)
        wide = min(QFontMetricsF(font).horizontalAdvance(column.short), room.width())
        _draw(painter, room, column.short, font, "text", 1)
        left = QPointF(area.right() - wide - SIZE_GAP - LONG, area.center().y() + 0.5)
        paint_size(painter, left, column.rank)


def _draw(painter: QPainter, area: QRectF, words: str, font: QFont, ink: str, share: float) -> None:
    painter.setFont(font)
    painter.setPen(theme().color(ink))
    elide = Qt.TextElideMode.ElideRight
    short = QFontMetricsF(font).elidedText(words, elide, max(0.0, area.width()))
    draw_line(painter, area, short, share=share)
