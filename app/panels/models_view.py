"""The Models view: downloads, what was found on the Hub, what is installed, the catalogue."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QPoint, QRect, QRectF, Qt, Signal
from PySide6.QtGui import (
    QDragEnterEvent,
    QDragLeaveEvent,
    QDropEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.library_rows import LibraryRows
from app.panels.model_card import ModelCard
from app.panels.model_row import ModelRowView
from app.panels.models_filter import Show, filtered
from app.panels.models_table import ModelsTable
from app.panels.row_menu import RowMenu, TrashSheet
from app.panels.table_row import INSET
from app.theme import theme
from app.widgets.banner import Banner

FRAME = 2


class ModelsView(QWidget):
    """Shows LibraryRows. What the user wants leaves as signals with the id of a row;
    `trash_requested` is confirmed already, or of an imported model; `page_requested` gives the
    address of a page or the id of a download, `section_changed` the index of the section at the
    top (-1: none)."""

    load_requested = Signal(str)
    unload_requested = Signal(str)
    get_requested = Signal(str)
    pause_requested = Signal(str)
    resume_requested = Signal(str)
    retry_requested = Signal(str)
    cancel_requested = Signal(str)
    page_requested = Signal(str)
    settings_requested = Signal()
    reveal_requested = Signal(str)
    trash_requested = Signal(str)
    precision_chosen = Signal(str, str)
    folder_requested = Signal()
    trouble_dismissed = Signal()
    section_changed = Signal(int)
    dropped = Signal(list)  # of pathlib.Path: what was dropped on the view

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("Models"))
        self.setAcceptDrops(True)
        self._rows = LibraryRows()
        self._text = ""
        self._show: Show = "all"
        self.banner = Banner("", self, action=self.tr("Choose Folder…"))
        self.banner.acted.connect(self.folder_requested)
        self.banner.dismissed.connect(self.trouble_dismissed)
        self.table = ModelsTable(self)
        self.card = ModelCard(self)
        self._opened: ModelRowView | None = None  # the row whose card is open
        self._frame = _DropFrame(self)
        self._notice = QWidget(self)
        above = QVBoxLayout(self._notice)
        above.setContentsMargins(INSET, INSET, INSET, 0)
        above.addWidget(self.banner)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._notice)
        column.addWidget(self.table, 1)
        self._notice.hide()
        self._connect()

    def set_rows(self, rows: LibraryRows) -> None:
        """Show these, up to ten times a second: only what changed is drawn anew."""
        if rows != self._rows:
            self._rows = rows
            self._show_rows()

    def set_filter(self, text: str, show: Show) -> None:
        """Show only rows with `text` in them, and of models only those of this kind."""
        if (text, show) != (self._text, self._show):
            self._text, self._show = text, show
            self._show_rows()

    def scroll_to(self, section: int) -> None:
        """Bring the downloads (0), what is installed (1) or the catalogue (2) to the top."""
        self.table.scroll_to(section)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Folders and files may be dropped; a frame says so."""
        if _paths(event):
            event.acceptProposedAction()
            self._frame.raise_()
            self._frame.show()

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        """They went elsewhere."""
        self._frame.hide()

    def dropEvent(self, event: QDropEvent) -> None:
        """Tell what was dropped."""
        self._frame.hide()
        if dropped := _paths(event):
            event.acceptProposedAction()
            self.dropped.emit(dropped)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The frame of a drop goes around everything."""
        super().resizeEvent(event)
        self._frame.setGeometry(self.rect())

    def _connect(self) -> None:
        self._signals = {
            "load": self.load_requested,
            "unload": self.unload_requested,
            "get": self.get_requested,
            "pause": self.pause_requested,
            "resume": self.resume_requested,
            "retry": self.retry_requested,
            "cancel": self.cancel_requested,
            "page": self.page_requested,
            "reveal": self.reveal_requested,
        }
        self.table.asked.connect(self._on_asked)
        self.table.precision_chosen.connect(self.precision_chosen)
        self.table.opened.connect(self._open_card)
        self.table.menu_wanted.connect(self._open_menu)
        self.table.section_changed.connect(self.section_changed)
        self.card.page_requested.connect(self.page_requested)
        self.card.closed.connect(self._on_card_closed)

    def _show_rows(self) -> None:
        rows = filtered(self._rows, self._text, self._show)
        filtering = bool(self._text.strip()) or self._show != "all"
        nothing = self.tr("No models match")
        found_note = self._rows.search_note
        if self._rows.found and filtering and not rows.found:
            found_note = nothing
        any_left = bool(rows.downloads or rows.installed or rows.catalogue or rows.search)
        self.table.set_rows(
            rows,
            found_note=found_note if rows.search else "",
            nothing=nothing if filtering and not any_left else "",
        )
        self._show_banner()
        self._update_card()

    def _show_banner(self) -> None:
        """The folder that is away; else what could not be done, until it is dismissed."""
        away, trouble = self._rows.notice, self._rows.trouble
        if (away or trouble) != self.banner.sentence():
            if away:
                self.banner.set_sentence(away, self.tr("Choose Folder…"))
            else:
                self.banner.set_sentence(trouble, dismiss=self.tr("Close"))
            self.banner.set_tone("warn" if away else "error")
        self._notice.setVisible(bool(away or trouble))

    def _on_asked(self, what: str, row: str) -> None:
        if what == "settings":
            self.settings_requested.emit()
        elif what == "trash":
            self._remove(row)
        else:
            self._signals[what].emit(row)

    def _open_card(self, view: ModelRowView) -> None:
        self._opened = view
        view.set_marked(True)
        self._update_card()
        corner = view.mapToGlobal(QPoint(0, 0))
        self.card.open_at(QRect(corner, view.size()))

    def _update_card(self) -> None:
        if self._opened is None:
            return
        if self._opened in self.table.rows():
            self.card.set_card(self._opened.row.card, self._opened.row.problem)
        else:
            self._opened = None  # it is being deleted
            self.card.close()

    def _on_card_closed(self) -> None:
        if self._opened is not None:
            self._opened.set_marked(False)
            self._opened = None

    def _open_menu(self, view: ModelRowView, place: QPoint) -> None:
        menu = RowMenu(view.row, view)
        menu.asked.connect(self._on_asked)
        menu.aboutToHide.connect(lambda: view.set_marked(False))
        view.set_marked(True)
        menu.popup(place)

    def _remove(self, model: str) -> None:
        """Ask before a model goes to the Trash; one that was imported can be imported again."""
        row = next((row for row in self._rows.installed if row.id == model), None)
        if row is None or not row.removable:
            return
        if row.forgets:
            self.trash_requested.emit(model)
        else:
            sheet = TrashSheet(row, self)
            sheet.confirmed.connect(self._on_confirmed)
            sheet.open()

    def _on_confirmed(self, model: str) -> None:
        # It may have gone, or been loaded from elsewhere, while the question stood there.
        if any(row.id == model and row.removable for row in self._rows.installed):
            self.trash_requested.emit(model)


def _paths(event: QDropEvent) -> list[Path]:
    urls = event.mimeData().urls()
    return [Path(url.toLocalFile()) for url in urls if url.isLocalFile()]


class _DropFrame(QWidget):
    """Two pixels of accent around the view while something is held over it."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    def paintEvent(self, _: QPaintEvent) -> None:
        """The frame."""
        painter, accent = QPainter(self), theme().color("accent")
        wide, high = self.width(), self.height()
        for side in (
            QRectF(0, 0, wide, FRAME),
            QRectF(0, high - FRAME, wide, FRAME),
            QRectF(0, 0, FRAME, high),
            QRectF(wide - FRAME, 0, FRAME, high),
        ):
            painter.fillRect(side, accent)
