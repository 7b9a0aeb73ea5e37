"""The Compare view: one prompt down a ladder of sizes, side by side, with their figures."""

from __future__ import annotations

from itertools import pairwise

from PySide6.QtCore import Signal
from PySide6.QtGui import QImage, QResizeEvent
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from app.compare_rows import CompareRows
from app.panels.compare_columns import CompareColumns
from app.panels.compare_empty import CompareEmpty
from app.panels.compare_figures import CompareFigures
from app.panels.compare_head import CompareHead
from app.theme import theme
from engine.api import Sampling

LEAST_COLUMNS, LEAST_FIGURES = 240, 120  # of the height, where the window is low


class CompareView(QWidget):
    """Shows CompareRows. What the user wants leaves as signals: of a column with its id, of a
    choice with that of the choice; `choose` gives the ids of all that are chosen."""

    run_requested = Signal()
    stop_requested = Signal()
    stop_column = Signal(str)
    choose = Signal(tuple)
    precision_chosen = Signal(str, str)
    added = Signal(str, str)
    get_requested = Signal(str)
    prompt_changed = Signal(str)
    left_out = Signal()
    sampling_changed = Signal(Sampling)
    interleaved_changed = Signal(bool)
    blind_changed = Signal(bool)
    continue_requested = Signal(str)
    voted = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("Compare"))
        self._rows = CompareRows()
        self._stops: list[QWidget] = []
        self.head = CompareHead(self)
        self.columns = CompareColumns(self)
        self.empty = CompareEmpty(self)
        self.figures = CompareFigures(self)
        self._pages = QStackedWidget(self)
        self._pages.addWidget(self.empty)
        self._pages.addWidget(self.columns)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.head)
        column.addWidget(self._pages, 1)
        column.addWidget(self.figures)
        self.figures.hide()
        self.setFocusProxy(self.head.prompt.editor)
        self._connect()

    def set_rows(self, rows: CompareRows) -> None:
        """Show these, up to thirty times a second: only what changed is drawn anew."""
        if rows == self._rows:
            return
        self._rows = rows
        self.head.set_rows(rows)
        blind = rows.blind and not rows.benchmark
        self.columns.set_columns(rows.columns, blind=blind, answers=not rows.benchmark)
        self._pages.setCurrentWidget(self.columns if rows.columns else self.empty)
        self.empty.set_ready(len(rows.chosen) > 1)
        self.figures.set_rows(rows)
        self._order_tabs()
        shown = bool(rows.table or any(chart.lines for chart in rows.charts) or rows.warning)
        self.figures.setVisible(shown and bool(rows.columns))
        self._share_height()

    def grab_chart(self) -> QImage:
        """A picture of the chart that is shown, in two pixels for one, whatever the window."""
        return self.figures.grab_chart()

    def grab_table(self) -> QImage:
        """A picture of the table, in two pixels for one, whatever the window."""
        return self.figures.grab_table()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Share the height between the answers and their figures."""
        super().resizeEvent(event)
        self._share_height()

    def _order_tabs(self) -> None:
        """Tab goes down the view: options, answers, table, chart. Qt puts what is made later at
        the end, and answers and segments are."""
        stops: list[QWidget] = [self.head.options.models]
        for view in self.columns.views.values():
            stops += view.stops()
        stops += [self.figures.table, *self.figures.chart.switch.segments()]
        if stops != self._stops:
            self._stops = stops
            for before, after in pairwise(stops):
                QWidget.setTabOrder(before, after)

    def _share_height(self) -> None:
        look = theme()
        free = self.height() - self.head.height()
        wanted = self.figures.height_wanted()
        room = max(look.px(LEAST_FIGURES), free - look.px(LEAST_COLUMNS))
        self.figures.setFixedHeight(min(wanted, room))

    def _connect(self) -> None:
        prompt, options = self.head.prompt, self.head.options
        prompt.run_requested.connect(self.run_requested)
        prompt.stop_requested.connect(self.stop_requested)
        prompt.changed.connect(self.prompt_changed)
        options.left_out.connect(self.left_out)
        options.sampling_changed.connect(self.sampling_changed)
        options.interleaved_changed.connect(self.interleaved_changed)
        options.blind_changed.connect(self.blind_changed)
        options.choose.connect(self.choose)
        options.precision_chosen.connect(self.precision_chosen)
        options.added.connect(self.added)
        options.get_requested.connect(self.get_requested)
        self.empty.choose_requested.connect(options.open_chooser)
        self.columns.stop_column.connect(self.stop_column)
        self.columns.continue_requested.connect(self.continue_requested)
        self.columns.voted.connect(self.voted)
        self.head.resized.connect(self._share_height)
        theme().changed.connect(self._share_height)
