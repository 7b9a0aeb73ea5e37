"""The tables of the Models view, one below the other on one grid, walked by the arrow keys."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QApplication, QFrame, QScrollArea, QWidget

from app.library_rows import DownloadRow, LibraryRows
from app.panels.download_row import DownloadRowView
from app.panels.model_row import ModelRowView, widest_deed
from app.panels.models_grid import ROW, Grid
from app.panels.models_section import MARGIN, ModelsSection, Row, RowView
from app.theme import theme
from app.widgets.text_block import TextBlock

SECTIONS = ("downloads", "installed", "catalogue")  # as the sidebar counts them
END = 24  # below the last row
NEAR = 12  # a section is the current one from so far before its top


class ModelsTable(QScrollArea):
    """Signals: asked(what, id) and precision_chosen(id, precision) from the rows; opened(row) for
    a row whose card is wanted; menu_wanted(row, place) on an installed one; section_changed(n)
    when another of SECTIONS is at the top, -1 for none of them."""

    asked = Signal(str, str)
    precision_chosen = Signal(str, str)
    opened = Signal(object)
    menu_wanted = Signal(object, QPoint)
    section_changed = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.viewport().setAutoFillBackground(False)
        self._body = QWidget()
        self.setWidget(self._body)
        self._body.setAutoFillBackground(False)
        self._note = TextBlock("label", "text3", self._body, px=12.5, line=18)
        self._note.hide()
        self.sections = self._make_sections()
        self.current: RowView | None = None  # what Tab reaches
        self._section = -1
        self._aimed = False  # the section was chosen, not scrolled to
        self._placing = False
        self.verticalScrollBar().valueChanged.connect(self._on_scrolled)
        theme().changed.connect(self._place)

    def _make_sections(self) -> dict[str, ModelsSection]:
        make, body, name = self._make_row, self._body, self.tr("Name")
        hub = self.tr("On Hugging Face")
        known = self.tr("Name and parameters")
        return {
            "downloads": ModelsSection(self.tr("Downloads"), "", make, body, counted=True),
            "found": ModelsSection(hub, name, make, body),
            "installed": ModelsSection(self.tr("Installed"), name, make, body),
            "catalogue": ModelsSection(self.tr("Catalogue"), known, make, body),
        }

    def set_rows(self, rows: LibraryRows, *, found_note: str = "", nothing: str = "") -> None:
        """Show these. What stays keeps its place, the pointer and the focus; `found_note` stands in
        place of what was found on the Hub, `nothing` in place of all."""
        before, top = self.rows(), self._first_in_view()
        at = before.index(self.current) if self.current in before else 0
        focused = self.current is not None and _holds_focus(self.current)
        notes = {"found": found_note}
        shown: dict[str, Sequence[Row]] = {
            "downloads": rows.downloads,
            "found": rows.found if rows.search else (),
            "installed": rows.installed,
            "catalogue": rows.catalogue,
        }
        for name, section in self.sections.items():
            section.set_rows(shown[name], notes.get(name, ""))
            section.set_memory(rows.limit, rows.limit_bytes, rows.memory_bytes)
        if nothing != self._note.text():
            self._note.set_text(nothing)
        self._note.setVisible(bool(nothing))
        self._place()
        if top is not None and top[0] in self.rows():
            self._scroll(self._y(top[0]) - top[1])
        self._keep_current(at, focused=focused)
        if self._section < 0 or not self._aimed or self._section_hidden():
            self._tell_section()

    def rows(self) -> list[RowView]:
        """The rows from top to bottom."""
        return [view for section in self.sections.values() for view in section.rows.values()]

    def nothing(self) -> str:
        """What stands in the place of all rows."""
        return "" if self._note.isHidden() else self._note.text()

    def scroll_to(self, section: int) -> None:
        """Bring one of SECTIONS to the top, as far as that goes; it is then the current one."""
        place = self.sections[SECTIONS[section]]
        if place.isHidden():
            return
        self._scroll(place.y())
        self._aimed = True
        self._set_section(section)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Find the grid for this width."""
        super().resizeEvent(event)
        self._place()

    def _make_row(self, row: Row, section: QWidget) -> RowView:
        view: RowView
        if isinstance(row, DownloadRow):
            view = DownloadRowView(row, section)
        else:
            view = ModelRowView(row, section)
            view.precision_chosen.connect(self.precision_chosen)
            view.clicked.connect(lambda: self.opened.emit(view))
        if section is self.sections["installed"]:
            view.menu_wanted.connect(lambda place: self.menu_wanted.emit(view, place))
        view.asked.connect(self.asked)
        view.reached.connect(lambda: self._set_current(view))
        view.stepped.connect(self._step)
        return view

    def _place(self) -> None:
        width = self.viewport().width()
        grid = Grid.of(width - 2 * MARGIN, widest_deed())
        y = 0
        for section in self.sections.values():
            if not section.isHidden():
                high = section.place(grid, width)
                section.setGeometry(0, y, width, high)
                y += high
        if not self._note.isHidden():
            wide = width - 2 * MARGIN
            self._note.setGeometry(MARGIN, y + END, wide, self._note.heightForWidth(wide))
            y += END + self._note.height()
        self._placing = True
        self._body.resize(width, y + END)
        self._placing = False
        self.verticalScrollBar().setSingleStep(theme().px(ROW))

    # The current row

    def _set_current(self, view: RowView | None) -> None:
        if view is not self.current:
            if self.current is not None:
                self.current.set_current(False)
            self.current = view
        if view is not None:
            view.set_current(True)

    def _keep_current(self, at: int, *, focused: bool) -> None:
        """The row that was current, or the one that came in its place."""
        rows = self.rows()
        if self.current in rows and not (focused and not _holds_focus(self.current)):
            return
        self.current = None  # it is being deleted
        self._set_current(rows[min(at, len(rows) - 1)] if rows else None)
        if focused and self.current is not None:
            self.current.setFocus(Qt.FocusReason.TabFocusReason)

    def _step(self, key: int) -> None:
        rows = self.rows()
        if self.current not in rows:
            return
        at, last = rows.index(self.current), len(rows) - 1
        page = max(1, self.viewport().height() // self.current.height() - 1)
        steps = {
            Qt.Key.Key_Up: at - 1,
            Qt.Key.Key_Down: at + 1,
            Qt.Key.Key_PageUp: at - page,
            Qt.Key.Key_PageDown: at + page,
            Qt.Key.Key_Home: 0,
            Qt.Key.Key_End: last,
        }
        view = rows[max(0, min(last, steps[Qt.Key(key)]))]
        view.setFocus(Qt.FocusReason.TabFocusReason)
        self._bring_into_view(view)

    def _bring_into_view(self, view: RowView) -> None:
        """The row, and the heading above the first of a table."""
        section = next(s for s in self.sections.values() if view in s.rows.values())
        top = section.y() if view.y() == section.head.height() else self._y(view)
        low = self._y(view) + view.height() - self.viewport().height()
        value = self.verticalScrollBar().value()
        self.verticalScrollBar().setValue(max(low, min(value, top)))

    # Where the tables stand

    def _y(self, view: RowView) -> int:
        return view.mapTo(self._body, QPoint(0, 0)).y()

    def _first_in_view(self) -> tuple[RowView, int] | None:
        """The first row that is seen whole, and how far it is from the top; None at the start,
        where what is new above it should be seen."""
        value = self.verticalScrollBar().value()
        tops = ((view, self._y(view) - value) for view in self.rows()) if value else ()
        return next(((view, top) for view, top in tops if top >= 0), None)

    def _scroll(self, value: int) -> None:
        self._placing = True
        self.verticalScrollBar().setValue(value)
        self._placing = False

    def _on_scrolled(self) -> None:
        if not self._placing:
            self._aimed = False
            self._tell_section()

    def _section_hidden(self) -> bool:
        return self.sections[SECTIONS[self._section]].isHidden()

    def _tell_section(self) -> None:
        reach = self.verticalScrollBar().value() + NEAR
        shown = [name for name, s in self.sections.items() if not s.isHidden() and s.y() <= reach]
        name = shown[-1] if shown else ""
        self._set_section(SECTIONS.index(name) if name in SECTIONS else -1)

    def _set_section(self, section: int) -> None:
        if section != self._section:
            self._section = section
            self.section_changed.emit(section)


def _holds_focus(view: RowView) -> bool:
    """Whether the focus is on the row or on a button in it."""
    focus = QApplication.focusWidget()
    return focus is not None and (focus is view or view.isAncestorOf(focus))
