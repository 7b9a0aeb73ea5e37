"""A row of a download: how far it is, its bar, and buttons for what can be asked for."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt, Slot
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from app.library_rows import DownloadRow, Wish
from app.panels.table_row import INSET, TableRow, table_font
from app.theme import theme
from app.widgets.button_base import ButtonBase
from app.widgets.icon_button import IconButton
from app.widgets.progress import HEIGHT as BAR_HEIGHT
from app.widgets.progress import paint_progress
from app.widgets.push_button import PushButton

GAP = 2  # between two buttons
TEXT_GAP = 12
MARK, MARK_GAP = 14, 6
ICONS = {"pause": "pause", "resume": "play", "cancel": "close"}
BARS = {"accent": "accent", "other": "other", "error": "errorMark"}


class DownloadRowView(TableRow):
    """Shows a DownloadRow; its wishes leave through `asked`."""

    def __init__(self, row: DownloadRow, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.row = row
        self.wishes: dict[Wish, ButtonBase] = {}
        self._show_row()

    def set_row(self, row: DownloadRow) -> None:
        """Show this; nothing is drawn anew where nothing changed."""
        if row != self.row:
            self.row = row
            self._show_row()

    def act(self) -> None:
        """The first wish; but never giving up, which is for its button alone."""
        if self.row.wishes and self.row.wishes[0] != "cancel":
            self.asked.emit(self.row.wishes[0], self.id)

    def place(self) -> None:
        """The buttons at the right, in the order of the wishes."""
        content = self.content()
        right = round(content.right())
        for wish in reversed(self.row.wishes):
            button = self.wishes[wish]
            size = button.sizeHint()
            top = content.y() + (content.height() - size.height()) / 2
            button.setGeometry(right - size.width(), round(top), size.width(), size.height())
            right -= size.width() + GAP

    def paintEvent(self, _: QPaintEvent) -> None:
        """The row."""
        painter = QPainter(self)
        self.begin(painter)
        content, grid, row = self.content(), self.grid, self.row
        one, two = grid.lines(content)
        end = min(self._free_right(), content.x() + self._paint_bar(painter, content)) - TEXT_GAP
        name, area = grid.area("name", one), grid.area("kind", content)
        if grid.moved:
            name, area = one, two
            name.setRight(end + INSET)  # which a name leaves free
        area.setRight(end)
        self.draw_name(painter, name, row.name, row.owner)
        self._paint_text(painter, area)

    def _free_right(self) -> float:
        """Where the buttons begin."""
        shown = [self.wishes[wish].x() for wish in self.row.wishes]
        return min([self.content().right(), *shown])

    def _paint_bar(self, painter: QPainter, content: QRectF) -> float:
        """Bar and percent, unless buttons need their room; gives where the text must end, from
        the left of the content."""
        row, grid = self.row, self.grid
        left, width = grid.columns["memory"]
        if content.x() + left + width > self._free_right():
            return content.width()
        if row.fraction is None and row.tone == "error":
            return content.width()
        if grid.bar:
            area = grid.bar_area(content)
            area = QRectF(area.x(), area.center().y() - BAR_HEIGHT / 2, area.width(), BAR_HEIGHT)
            paint_progress(painter, area, row.fraction or 0.0, BARS[row.tone])
            left = round(area.x() - content.x())
        if row.fraction is not None:
            words = self._percent(row.fraction)
            figure = grid.figure_area(content)
            self.draw_cell(painter, figure, words, table_font(), ink="text2", share=1)
        return left

    def _paint_text(self, painter: QPainter, area: QRectF) -> None:
        look, ink = theme(), "text2"
        if self.row.tone == "error":
            ink = "error"
            at = QPointF(area.x(), round(area.center().y() - MARK / 2))
            painter.drawPixmap(at, look.pixmap("warn", ink, MARK))
            area.adjust(MARK + MARK_GAP, 0, 0, 0)
        font = look.font("small") if self.grid.moved else table_font()
        self.draw_cell(painter, area, self.row.text, font, ink=ink)

    def _show_row(self) -> None:
        row = self.row
        self.id = row.id
        self._show_wishes()
        said = [row.name, row.owner, row.text]
        if row.fraction is not None:
            said.append(self._percent(row.fraction))
        self.setAccessibleName(self.tr(", ").join(part for part in said if part))
        if self.grid.columns:
            self.place()
        self.update()

    def _percent(self, fraction: float) -> str:
        # A download is whole when it was checked, not when its last percent is nearly here.
        return self.tr("{percent} %").replace("{percent}", str(int(100 * fraction)))

    def _show_wishes(self) -> None:
        wishes = self.row.wishes
        for wish in wishes:
            if wish not in self.wishes:
                self.wishes[wish] = self._make_button(wish)
            self.wishes[wish].show()
        for wish, button in self.wishes.items():
            if wish in wishes:
                continue
            if button.hasFocus():
                # What came in its place is at hand, but giving up never comes by itself.
                first = self.wishes[wishes[0]] if wishes and wishes[0] != "cancel" else self
                first.setFocus(Qt.FocusReason.TabFocusReason)
            button.hide()

    def _make_button(self, wish: Wish) -> ButtonBase:
        words = {
            "pause": self.tr("Pause"),
            "resume": self.tr("Resume"),
            "cancel": self.tr("Cancel Download"),
            "retry": self.tr("Try Again"),
            "page": self.tr("Open Page"),
            "settings": self.tr("Settings"),
        }
        button: ButtonBase
        if wish in ICONS:
            button = IconButton(ICONS[wish], words[wish], self, size=24)
        else:
            button = PushButton(words[wish], self, height=22)
        button.setAccessibleName(f"{words[wish]}, {self.row.name}")
        button.setProperty("wish", wish)
        button.clicked.connect(self._on_wish)
        self.add_button(button)
        return button

    @Slot()
    def _on_wish(self) -> None:
        self.asked.emit(str(self.sender().property("wish")), self.id)
