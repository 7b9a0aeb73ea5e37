"""What the toolbar holds in the Compare view: a benchmark, a new comparison, the export of this."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QSize, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QHBoxLayout, QMenu, QWidget

from app.compare_rows import CompareRows
from app.panels.benchmark_popover import BenchmarkPopover
from app.widgets.push_button import PushButton
from engine.compare_api import Plan

GAP = 8


class CompareBar(QWidget):
    """Signals: benchmark_requested(Plan), new_requested(), export_requested("csv", "json",
    "markdown" or "png")."""

    benchmark_requested = Signal(Plan)
    new_requested = Signal()
    export_requested = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.benchmark = PushButton(self.tr("Benchmark"), self)
        self.benchmark.setToolTip(self.tr("Measure the Chosen Models"))
        self.benchmark_popover = BenchmarkPopover(self.benchmark)
        self.benchmark_popover.run_requested.connect(self.benchmark_requested)
        self.benchmark.clicked.connect(self.open_benchmark)
        self.new_button = PushButton(self.tr("New"), self)
        self.new_button.setAccessibleName(self.tr("New Comparison"))
        self.new_button.setToolTip(self.tr("New Comparison"))
        self.new_button.clicked.connect(self.new_requested)
        self.export = PushButton(self.tr("Export"), self, icon="export")
        self.export.setToolTip(self.tr("Export"))
        self.export.clicked.connect(self.open_menu)
        self.menu = QMenu(self)
        for kind, words in (
            ("csv", self.tr("Table as CSV…")),
            ("json", self.tr("Everything as JSON…")),
            ("markdown", self.tr("Answers and Table as Markdown…")),
            ("png", self.tr("Table and Chart as PNG…")),
        ):
            self.menu.addAction(words).setData(kind)
        self.menu.triggered.connect(self._choose)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(GAP)
        row.addWidget(self.benchmark)
        row.addWidget(self.new_button)
        row.addWidget(self.export)
        self.set_rows(CompareRows())

    def set_rows(self, rows: CompareRows) -> None:
        """What can be done with these. Before the vote of a blind run its figures stay here."""
        self.benchmark.setEnabled(rows.can_benchmark)
        self.benchmark_popover.set_models(len(rows.chosen))
        self.export.setEnabled(bool(rows.table) and not rows.secret)
        anything = bool(rows.columns or rows.prompt or rows.before)
        self.new_button.setEnabled(anything and not rows.running)

    def open_benchmark(self) -> None:
        """What is to be measured, below the button and ending where it does."""
        corner = self.benchmark.mapToGlobal(QPoint(self.benchmark.width(), 0))
        left = corner - QPoint(self.benchmark_popover.width(), 0)
        self.benchmark_popover.open_below(QRect(left, self.benchmark.size()))
        self.benchmark_popover.focus()

    def open_menu(self) -> None:
        """The kinds of file, below the button and ending where it does."""
        size = self.menu.sizeHint()
        corner = QPoint(self.export.width() - size.width(), self.export.height() + 4)
        self.menu.popup(self.export.mapToGlobal(corner))

    def sizeHint(self) -> QSize:
        """As wide as its buttons."""
        sizes = [each.sizeHint() for each in (self.benchmark, self.new_button, self.export)]
        wide = sum(size.width() for size in sizes) + GAP * (len(sizes) - 1)
        return QSize(wide, max(size.height() for size in sizes))

    def _choose(self, action: QAction) -> None:
        self.export_requested.emit(action.data())
