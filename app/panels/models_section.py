"""A table of the Models view: its heading, the heads of its columns, its rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QWidget

from app.library_rows import DownloadRow, ModelRow
from app.panels.download_row import DownloadRowView
from app.panels.model_row import ModelRowView
from app.panels.models_grid import ROW, Grid
from app.panels.table_row import INSET
from app.theme import theme
from app.widgets.text_block import TextBlock

Row = DownloadRow | ModelRow
RowView = DownloadRowView | ModelRowView

MARGIN = 24
HEAD, HEAD_WITH_COLUMNS = 44, 60
HEADING_BASE, COLUMNS_BASE = 31.5, 53.0
COUNT_GAP = 7
LIMIT_GAP = 8  # from the word over the bars to the limit


class SectionHead(QLabel):
    """A heading, the number of rows where it is told, and the heads of the columns. It is a label
    for a screen reader's sake and paints itself."""

    def __init__(self, title: str, first: str, parent: QWidget, *, counted: bool) -> None:
        super().__init__(title, parent)
        self._title, self._first, self._counted = title, first, counted
        self._count = 0
        self._limit, self._limit_at = "", 0.0
        self.grid = Grid()
        theme().changed.connect(self.update)

    def set_count(self, count: int) -> None:
        """How many rows there are; the columns have heads where there is one."""
        if count != self._count:
            self._count = count
            self.setText(f"{self._title} {count}" if self._counted else self._title)

    def set_grid(self, grid: Grid) -> None:
        """Stand over these columns."""
        if grid != self.grid:
            self.grid = grid
            self.update()

    def set_limit(self, limit: str, share: float) -> None:
        """The limit in words, at this share of the bar; "" where it is not known."""
        if (limit, share) != (self._limit, self._limit_at):
            self._limit, self._limit_at = limit, share
            self.update()

    def high(self) -> int:
        """In pixels."""
        return theme().px(HEAD_WITH_COLUMNS if self._first and self._count else HEAD)

    def paintEvent(self, _: QPaintEvent) -> None:
        """The heading and, over their columns, the heads."""
        look = theme()
        painter = QPainter(self)
        font = look.font("interface", bold=True)
        at = QPointF(MARGIN, HEADING_BASE * look.zoom)
        painter.setFont(font)
        painter.setPen(look.color("text"))
        painter.drawText(at, self._title)
        if self._counted:
            x = at.x() + QFontMetricsF(font).horizontalAdvance(self._title) + look.px(COUNT_GAP)
            painter.setFont(look.font("interface"))
            painter.setPen(look.color("text3"))
            painter.drawText(QPointF(x, at.y()), str(self._count))
        if self._first and self._count:
            self._paint_columns(painter)

    def _paint_columns(self, painter: QPainter) -> None:
        look, grid = theme(), self.grid
        painter.setFont(look.font("small"))
        painter.setPen(look.color("text3"))
        row = QRectF(MARGIN, 0, self.width() - 2 * MARGIN, self.height())
        words = {
            "name": self._first,
            "kind": self.tr("Kind"),
            "licence": self.tr("Licence"),
            "precision": self.tr("Precision"),
        }
        for name, word in words.items():
            if name not in grid.moved:
                _draw(painter, grid.area(name, row).x(), word)
        if "disk" not in grid.moved:
            _draw(painter, grid.area("disk", row).right(), self.tr("Disk"), share=1)
        memory = self.tr("Memory")
        if not grid.bar:
            _draw(painter, grid.figure_area(row).right(), memory, share=1)
            return
        bar = grid.bar_area(row)
        _draw(painter, bar.x(), memory)
        if self._limit:
            # Over its tick, but clear of the word.
            metrics = QFontMetricsF(painter.font())
            half = metrics.horizontalAdvance(self._limit) / 2
            least = bar.x() + metrics.horizontalAdvance(memory) + LIMIT_GAP + half
            middle = max(bar.x() + bar.width() * self._limit_at + 0.5, least)
            _draw(painter, middle, self._limit, share=0.5)


def _draw(painter: QPainter, x: float, word: str, *, share: float = 0.0) -> None:
    """A head at `x`, with `share` of its width left of it."""
    width = QFontMetricsF(painter.font()).horizontalAdvance(word)
    painter.drawText(QPointF(x - share * width, COLUMNS_BASE * theme().zoom), word)


class ModelsSection(QWidget):
    """Rows are kept by their id: what stays is brought up to date in place. `make` makes the view
    of a row that is new; `first` is the head of the first column, "" for a table without heads."""

    def __init__(
        self,
        title: str,
        first: str,
        make: Callable[[Row, QWidget], RowView],
        parent: QWidget,
        *,
        counted: bool = False,
    ) -> None:
        super().__init__(parent)
        self._make = make
        self.head = SectionHead(title, first, self, counted=counted)
        self._note = TextBlock("label", "text3", self, px=12.5, line=18)
        self.rows: dict[str, RowView] = {}

    def set_rows(self, rows: Sequence[Row], note: str = "") -> None:
        """Show these, or `note` in their place; without either it is not there."""
        old, self.rows = self.rows, {}
        for row in rows:
            view = old.pop(row.id, None)
            if view is None:
                view = self._make(row, self)
                view.show()
            _update(view, row)
            self.rows[row.id] = view
        for view in old.values():
            view.hide()
            view.deleteLater()
        self._say(note)

    def note(self) -> str:
        """What stands in the place of rows."""
        return "" if self._note.isHidden() else self._note.text()

    def set_memory(self, limit: str, limit_bytes: int, memory_bytes: int) -> None:
        """What the bars are measured by, and the limit in words."""
        share = limit_bytes / memory_bytes if memory_bytes else 0.0
        self.head.set_limit(limit if share else "", share)
        for view in self.rows.values():
            if isinstance(view, ModelRowView):
                view.set_memory(limit_bytes, memory_bytes)

    def place(self, grid: Grid, width: int) -> int:
        """Put everything in its place; gives the height, in pixels."""
        look = theme()
        self.head.set_grid(grid)
        y = self.head.high()
        self.head.setGeometry(0, 0, width, y)
        if not self._note.isHidden():
            wide = width - 2 * MARGIN
            high = max(self._note.heightForWidth(wide), look.px(ROW))
            self._note.setGeometry(MARGIN, y, wide, high)
            y += high
        for view in self.rows.values():
            view.set_grid(grid)
            view.setGeometry(MARGIN - INSET, y, width - 2 * (MARGIN - INSET), grid.row_height)
            y += grid.row_height
        return y

    def paintEvent(self, _: QPaintEvent) -> None:
        """The hairline above a note; rows have their own."""
        if not self._note.isHidden():
            line = QRectF(MARGIN, self.head.height(), self.width() - 2 * MARGIN, 1)
            QPainter(self).fillRect(line, theme().color("line"))

    def _say(self, note: str) -> None:
        self.head.set_count(len(self.rows))
        if note != self._note.text():
            self._note.set_text(note)
        self._note.setVisible(bool(note) and not self.rows)
        self.setVisible(bool(self.rows or note))


def _update(view: RowView, row: Row) -> None:
    if isinstance(view, DownloadRowView) and isinstance(row, DownloadRow):
        view.set_row(row)
    if isinstance(view, ModelRowView) and isinstance(row, ModelRow):
        view.set_row(row)
