"""What the toolbar holds in the Compare view: a new comparison, and the export of this one."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QSize, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QHBoxLayout, QMenu, QWidget

from app.compare_rows import CompareRows
from app.widgets.push_button import PushButton

GAP = 8


class CompareBar(QWidget):
    """Signals: new_requested(), export_requested("csv", "json", "markdown" or "png")."""

    new_requested = Signal()
    export_requested = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
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
        row.addWidget(self.new_button)
        row.addWidget(self.export)
        self.set_rows(CompareRows())

    def set_rows(self, rows: CompareRows) -> None:
        """What can be done with these. Before the vote of a blind run its figures stay here."""
        secret = rows.blind and not any(column.vote for column in rows.columns)
        self.export.setEnabled(bool(rows.table) and not secret)
        self.new_button.setEnabled(
            bool(rows.columns or rows.prompt or rows.before) and not rows.running
        )

    def open_menu(self) -> None:
        """The kinds of file, below the button and ending where it does."""
        size = self.menu.sizeHint()
        corner = QPoint(self.export.width() - size.width(), self.export.height() + 4)
        self.menu.popup(self.export.mapToGlobal(corner))

    def sizeHint(self) -> QSize:
        """As wide as its buttons."""
        new, export = self.new_button.sizeHint(), self.export.sizeHint()
        return QSize(new.width() + GAP + export.width(), max(new.height(), export.height()))

    def _choose(self, action: QAction) -> None:
        self.export_requested.emit(action.data())
