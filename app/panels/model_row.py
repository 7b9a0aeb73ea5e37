"""A row of a model: its columns, its memory as a bar, and the button that gets or loads it."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QEnterEvent, QFocusEvent, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from app.library_rows import Deed, ModelRow
from app.panels.models_grid import Grid
from app.panels.precision_button import PADDING, PrecisionButton
from app.panels.table_row import TableRow, table_font
from app.theme import theme
from app.widgets.fit_mark import fit_word, paint_fit
from app.widgets.memory_bar import paint_memory
from app.widgets.push_button import ROW_PADDING, PushButton

FIT_CENTRE, FIT_WORD = 22.5, 32  # from the left of the fit's column
GAP = 6  # between two cells at least
MARK, MARK_GAP = 14, 6
BUTTON, WORD_PX = 22, 12


def widest_deed() -> int:
    """The width of the widest button that a row shows at rest, in pixels."""
    metrics = QFontMetricsF(theme().font("button", px=WORD_PX))
    words = (_word("load"), _word("get"))
    return round(max(metrics.horizontalAdvance(word) for word in words)) + 2 * (ROW_PADDING + 1)


def _word(deed: Deed) -> str:
    """What a button says."""
    if deed == "load":
        return QCoreApplication.translate("ModelRow", "Load")
    if deed == "get":
        return QCoreApplication.translate("ModelRow", "Get")
    return QCoreApplication.translate("ModelRow", "Unload")


class ModelRowView(TableRow):
    """Shows a ModelRow. `precision_chosen` gives the id and another precision."""

    precision_chosen = Signal(str, str)

    def __init__(self, row: ModelRow, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.row = row
        self._limit_bytes = self._memory_bytes = 0
        self.precision = PrecisionButton(self)
        self.deed = PushButton("", self, height=BUTTON)
        self.add_button(self.precision)
        self.add_button(self.deed)
        self.precision.chosen.connect(self._choose_precision)
        self.deed.clicked.connect(self._do)
        self._show_row()

    def set_row(self, row: ModelRow) -> None:
        """Show this; nothing is drawn anew where nothing changed."""
        if row != self.row:
            self.row = row
            self._show_row()

    def set_memory(self, limit_bytes: int, memory_bytes: int) -> None:
        """What every bar is measured by."""
        if (limit_bytes, memory_bytes) != (self._limit_bytes, self._memory_bytes):
            self._limit_bytes, self._memory_bytes = limit_bytes, memory_bytes
            self.update()

    def act(self) -> None:
        """The button's deed where it can be done, else the card."""
        if self.row.deed in ("load", "get") and self.row.enabled:
            self.asked.emit(self.row.deed, self.id)
        else:
            self.clicked.emit()

    def remove(self) -> None:
        """Ask to move it to the Trash or to forget it, where it may be."""
        if self.row.removable:
            self.asked.emit("trash", self.id)

    def set_grid(self, grid: Grid) -> None:
        """In a second line the precision is set in the smaller type."""
        self.precision.small = "precision" in grid.moved
        super().set_grid(grid)

    def place(self) -> None:
        """The button at the right; the precision's where its word stands."""
        content = self.content()
        size = self.deed.sizeHint()
        top = content.y() + (content.height() - size.height()) / 2
        left = round(content.right()) - size.width()
        self.deed.setGeometry(left, round(top), size.width(), size.height())
        line = self.grid.area("precision", content)
        if self.precision.small:
            before = QFontMetricsF(theme().font("small")).horizontalAdvance(self._details())
            line = self.grid.lines(content)[1].adjusted(before, 0, 0, 0)
        size = self.precision.sizeHint()
        top = line.y() + (line.height() - size.height()) / 2
        left = round(line.x()) - PADDING
        self.precision.setGeometry(left, round(top), size.width(), size.height())

    def paintEvent(self, _: QPaintEvent) -> None:
        """The row."""
        painter = QPainter(self)
        self.begin(painter)
        content = self.content()
        one, two = self.grid.lines(content)
        self.draw_name(painter, self.grid.area("name", one), self.row.name, self.row.note)
        if self.row.problem:
            self._paint_problem(painter, content, two)
        else:
            self._paint_cells(painter, content)
            self._paint_details(painter, two)
            self._paint_memory(painter, content)
            self._paint_fit(painter, content)
        self._paint_word(painter, self.grid.area("action", content))

    def enterEvent(self, event: QEnterEvent) -> None:
        """What is loaded can be unloaded by a button that is there under the pointer."""
        super().enterEvent(event)
        self._show_deed()

    def leaveEvent(self, event: QEvent) -> None:
        """The word is back."""
        super().leaveEvent(event)
        self._show_deed()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """The same for a row that the keyboard has reached."""
        super().focusInEvent(event)
        self._show_deed()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """The word is back, unless the focus went to the button."""
        super().focusOutEvent(event)
        self._show_deed()

    def _show_row(self) -> None:
        row = self.row
        self.id = row.id
        several = len(row.precisions) > 1 and not row.problem
        if several:
            self.precision.set_precision(row.name, row.precision, row.precisions)
        self.precision.setVisible(several)
        self._show_deed()
        self.setAccessibleName(self._spoken())
        if self.grid.columns:
            self.place()
        self.update()

    def _show_deed(self) -> None:
        row = self.row
        names = {
            "load": self.tr("Load {model}"),
            "get": self.tr("Get {model}"),
            "loaded": self.tr("Unload {model}"),
        }
        reached = self.underMouse() or self.deed.hasFocus() or (self.hasFocus() and self.keyboard)
        shown = row.deed in ("load", "get") or (row.deed == "loaded" and reached)
        if row.deed in names:
            if (word := _word(row.deed)) != self.deed.text():
                self.deed.set_text(word)
            self.deed.setAccessibleName(names[row.deed].replace("{model}", row.name))
        if self.deed.hasFocus() and not (shown and row.enabled):
            self.setFocus(Qt.FocusReason.TabFocusReason)
        self.deed.setEnabled(row.enabled)
        self.deed.setVisible(shown)
        self.update()

    def _do(self) -> None:
        self.asked.emit("unload" if self.row.deed == "loaded" else self.row.deed, self.id)

    def _choose_precision(self, precision: str) -> None:
        self.precision_chosen.emit(self.id, precision)

    def _spoken(self) -> str:
        """The whole row in words."""
        row = self.row
        parts = [row.name, row.note]
        if row.problem:
            parts.append(row.problem)
        else:
            parts += [row.kind, row.licence, row.precision]
            if row.disk:
                parts.append(self.tr("{size} on disk").replace("{size}", row.disk))
            if row.memory:
                parts.append(self.tr("needs {size}").replace("{size}", row.memory))
            if row.fit:
                parts.append(fit_word(row.fit))
        return self.tr(", ").join(part for part in (*parts, row.word) if part)

    def _details(self) -> str:
        """What stands on the second line before the precision."""
        row, moved = self.row, self.grid.moved
        values = {"kind": row.kind, "licence": row.licence, "disk": row.disk}
        comma = self.tr(", ")
        words = comma.join(value for name, value in values.items() if name in moved and value)
        return words + comma if words and "precision" in moved and row.precision else words

    def _paint_problem(self, painter: QPainter, content: QRectF, two: QRectF) -> None:
        look = theme()
        area = self.grid.area("kind", content, "fit")
        font = table_font()
        if self.grid.moved:
            area = QRectF(two.x(), two.y(), sum(self.grid.columns["fit"]), two.height())
            font = look.font("small")
        area.adjust(0, 0, -GAP, 0)
        at = QPointF(area.x(), round(area.center().y() - MARK / 2))
        painter.drawPixmap(at, look.pixmap("warn", "error", MARK))
        area.adjust(MARK + MARK_GAP, 0, 0, 0)
        self.draw_cell(painter, area, self.row.problem, font, ink="text2")

    def _paint_cells(self, painter: QPainter, content: QRectF) -> None:
        row, font = self.row, table_font()
        for name, words in (("kind", row.kind), ("licence", row.licence)):
            if name not in self.grid.moved:
                area = self.grid.area(name, content).adjusted(0, 0, -GAP, 0)
                self.draw_cell(painter, area, words, font)
        if "precision" not in self.grid.moved and self.precision.isHidden():
            area = self.grid.area("precision", content).adjusted(0, 0, -GAP, 0)
            self.draw_cell(painter, area, row.precision, font)
        if "disk" not in self.grid.moved:
            self.draw_cell(painter, self.grid.area("disk", content), row.disk, font, share=1)

    def _paint_details(self, painter: QPainter, two: QRectF) -> None:
        words = self._details()
        if self.precision.small and self.precision.isHidden():
            words += self.row.precision
        area = two.adjusted(0, 0, -GAP, 0)
        area.setWidth(self.grid.columns["name"][1] - GAP if self.grid.moved else 0)
        if words:
            self.draw_cell(painter, area, words, theme().font("small"), ink="text3")

    def _paint_memory(self, painter: QPainter, content: QRectF) -> None:
        row, whole = self.row, self._memory_bytes
        if self.grid.bar and whole and row.needed_bytes:
            limit = self._limit_bytes / whole if self._limit_bytes else None
            area = self.grid.bar_area(content)
            paint_memory(painter, area, row.needed_bytes / whole, limit, row.fit)
        self.draw_cell(painter, self.grid.figure_area(content), row.memory, table_font(), share=1)

    def _paint_fit(self, painter: QPainter, content: QRectF) -> None:
        if self.row.fit is None:
            return
        look, area = theme(), self.grid.area("fit", content)
        centre = QPointF(area.x() + FIT_CENTRE * look.zoom, area.center().y() + 0.5)
        paint_fit(painter, centre, self.row.fit)
        area.setLeft(area.x() + FIT_WORD * look.zoom)
        # A word that is wider than its column goes on up to the button.
        area.setRight(area.right() if self.deed.isHidden() else self.deed.x() - GAP)
        self.draw_cell(painter, area, fit_word(self.row.fit), table_font())

    def _paint_word(self, painter: QPainter, area: QRectF) -> None:
        row, look = self.row, theme()
        if not self.deed.isHidden():
            return
        if row.deed == "loaded":
            font = look.font("button", px=WORD_PX)
            word = row.word or self.tr("Loaded")
            width = self.draw_cell(painter, area, word, font, ink="accent", share=1)
            at = QPointF(area.right() - width - MARK_GAP - MARK, area.center().y() - MARK / 2)
            painter.drawPixmap(at, look.pixmap("check", "accent", MARK))
        else:
            word = row.word or (self.tr("Loading") if row.deed == "loading" else "")
            font = look.font("label", px=WORD_PX)
            self.draw_cell(painter, area, word, font, ink="text3", share=1)
