"""The sidebar of the Models view: a filter, the tables, which models to show, the machine."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from app.library_rows import LibraryRows
from app.panels.models_filter import Show
from app.panels.sidebar import BAR, LEAST_WIDTH, MOST_WIDTH, WIDTH
from app.panels.sidebar_bar import SidebarBar
from app.panels.sidebar_row import EDGE, PADDING, SidebarRow
from app.theme import theme
from app.widgets.one_line import draw_line
from app.widgets.search_field import SearchField

HEAD_HIGH, HEAD_BASE = 32, 23.5
FACTS_TOP, FACT_HIGH, FACTS_END = 31, 18, 12
TITLE_BASE = 23.0
GAP = 12  # between a fact's name and its value
INSTALLED = 1  # the table that is always there
SHOWN: tuple[Show, ...] = ("all", "fits", "chat", "base")


class ModelsSidebar(QWidget):
    """As wide as the chats' sidebar. Signals: filter_changed(text), section_chosen(index of
    Downloads, Installed, Catalogue), show_changed("all", "fits", "chat" or "base"), and those of
    the bar, toggle() and new_chat()."""

    filter_changed = Signal(str)
    section_chosen = Signal(int)
    show_changed = Signal(str)
    toggle = Signal()
    new_chat = Signal()

    def __init__(self, parent: QWidget | None = None, *, bar_height: int = BAR) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("Sidebar"))
        self.setMinimumWidth(LEAST_WIDTH)
        self.setMaximumWidth(MOST_WIDTH)
        self.bar = SidebarBar(self, height=bar_height)
        self.bar.toggle.connect(self.toggle)
        self.bar.new_chat.connect(self.new_chat)
        self.filter = SearchField(self.tr("Filter models"), self)
        self.filter.textChanged.connect(self._filtered)
        self._groups = (QWidget(self), QWidget(self))
        self.sections = self._make_sections(self._groups[0])
        self.shown = self._make_shown(self._groups[1])
        self.facts = _Facts(self)
        self._place()
        theme().changed.connect(self.update)

    def set_rows(self, rows: LibraryRows) -> None:
        """The counts beside the tables' names, and the machine's facts."""
        counts = (len(rows.downloads), len(rows.installed), len(rows.catalogue))
        for row, count in zip(self.sections, counts, strict=True):
            row.set_note(str(count) if count else "")
            row.setEnabled(count > 0)
        self.facts.set_facts(rows.machine)

    def set_section(self, section: int) -> None:
        """Which table is at the top, without a signal; -1: none of them."""
        stop = section if section >= 0 else INSTALLED
        for index, row in enumerate(self.sections):
            # Of exclusive buttons the last one cannot be let go.
            row.setAutoExclusive(False)
            row.setChecked(index == section)
            row.setAutoExclusive(True)
            focus = Qt.FocusPolicy
            row.setFocusPolicy(focus.TabFocus if index == stop else focus.NoFocus)

    def show_choice(self) -> Show:
        """Which models are to be shown."""
        return next(SHOWN[at] for at, row in enumerate(self.shown) if row.isChecked())

    def query(self) -> str:
        """What is filtered by."""
        return self.filter.text().strip()

    def sizeHint(self) -> QSize:
        """Its usual width."""
        return QSize(WIDTH, 400)

    def paintEvent(self, _: QPaintEvent) -> None:
        """The ground, and the hairline at the right."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme().color("sidebar"))
        painter.fillRect(QRectF(self.width() - 1, 0, 1, self.height()), theme().color("line"))

    def _make_sections(self, group: QWidget) -> list[SidebarRow]:
        names = (self.tr("Downloads"), self.tr("Installed"), self.tr("Catalogue"))
        rows = [SidebarRow(name, group, mark="tint") for name in names]
        for row in rows:
            row.clicked.connect(self._section_clicked)
        _stack(group, _Head(self.tr("Library"), group), rows)
        return rows

    def _make_shown(self, group: QWidget) -> list[SidebarRow]:
        mac = sys.platform == "darwin"
        names = (
            self.tr("All models"),
            self.tr("Fits this Mac") if mac else self.tr("Fits this computer"),
            self.tr("Chat models"),
            self.tr("Base models"),
        )
        rows = [SidebarRow(name, group, mark="check") for name in names]
        rows[0].setChecked(True)
        for row in rows:
            row.clicked.connect(self._show_clicked)
        _stack(group, _Head(self.tr("Show"), group), rows)
        return rows

    def _place(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 1, 0)  # the hairline at the right
        column.setSpacing(0)
        column.addWidget(self.bar)
        inset = QVBoxLayout()
        inset.setContentsMargins(12, 0, 12, 8)
        inset.addWidget(self.filter)
        column.addLayout(inset)
        for group in self._groups:
            column.addWidget(group)
        column.addStretch(1)
        column.addWidget(self.facts)

    def _filtered(self) -> None:
        self.filter_changed.emit(self.query())

    def _section_clicked(self) -> None:
        self.section_chosen.emit(next(at for at, r in enumerate(self.sections) if r.isChecked()))

    def _show_clicked(self) -> None:
        self.show_changed.emit(self.show_choice())


def _stack(group: QWidget, head: QWidget, rows: Sequence[QWidget]) -> None:
    column = QVBoxLayout(group)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(0)
    for widget in (head, *rows):
        column.addWidget(widget)


class _Head(QLabel):
    """The head of a group. It is a label for a screen reader's sake and paints itself."""

    def __init__(self, words: str, parent: QWidget) -> None:
        super().__init__(words, parent)
        theme().changed.connect(self._restyle)
        self._restyle()

    def paintEvent(self, _: QPaintEvent) -> None:
        """The word."""
        look = theme()
        painter = QPainter(self)
        painter.setFont(look.font("small", bold=True))
        painter.setPen(look.color("text3"))
        painter.drawText(QPointF(EDGE + PADDING, HEAD_BASE * look.zoom), self.text())

    def _restyle(self) -> None:
        self.setFixedHeight(theme().px(HEAD_HIGH))
        self.update()


class _Facts(QLabel):
    """What the machine is, below a hairline; a label for a screen reader's sake."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        mac = sys.platform == "darwin"
        self._title = self.tr("This Mac") if mac else self.tr("This computer")
        self._facts: tuple[tuple[str, str], ...] = ()
        theme().changed.connect(self._restyle)
        self._restyle()

    def set_facts(self, facts: tuple[tuple[str, str], ...]) -> None:
        """Names and values, one line each."""
        if facts != self._facts:
            self._facts = facts
            self.setText("\n".join((self._title, *(f"{name} {value}" for name, value in facts))))
            self._restyle()

    def paintEvent(self, _: QPaintEvent) -> None:
        """The hairline, the title and the lines."""
        look = theme()
        painter = QPainter(self)
        painter.fillRect(QRectF(0, 0, self.width(), 1), look.color("line"))
        inset = EDGE + PADDING
        painter.setFont(look.font("small", bold=True))
        painter.setPen(look.color("text3"))
        painter.drawText(QPointF(inset, TITLE_BASE * look.zoom), self._title)
        painter.setFont(look.font("small"))
        for at, (name, value) in enumerate(self._facts):
            top, high = look.px(FACTS_TOP + at * FACT_HIGH), look.px(FACT_HIGH)
            area = QRectF(inset, top, self.width() - 2 * inset, high)
            metrics = painter.fontMetrics()
            painter.setPen(look.color("text"))
            draw_line(painter, area, value, share=1)
            area.setRight(area.right() - metrics.horizontalAdvance(value) - GAP)
            painter.setPen(look.color("text3"))
            elide = Qt.TextElideMode.ElideRight
            draw_line(painter, area, metrics.elidedText(name, elide, int(area.width())))

    def _restyle(self) -> None:
        high = FACTS_TOP + len(self._facts) * FACT_HIGH + FACTS_END
        self.setFixedHeight(theme().px(high))
        self.setVisible(bool(self._facts))
        self.update()
