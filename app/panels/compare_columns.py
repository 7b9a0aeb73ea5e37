"""The compared answers side by side; where there is no room for them they scroll sideways."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from app.compare_rows import ANSWERED, Column, kept_secret, may_vote
from app.panels.compare_column import CompareColumn
from app.theme import theme

OUTER, INNER = 36, 24  # beside the text: at the sides of all, and before and after a line
LEAST = 280


class CompareColumns(QScrollArea):
    """Equal columns, each at least 280 wide. Signals give the id of a column."""

    stop_column = Signal(str)
    continue_requested = Signal(str)
    voted = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAccessibleName(self.tr("Answers"))
        self.viewport().setAutoFillBackground(False)
        self._body = QWidget(self)
        self.setWidget(self._body)
        self._body.setAutoFillBackground(False)
        self.views: dict[str, CompareColumn] = {}
        theme().changed.connect(self._place)

    def set_columns(
        self, columns: Sequence[Column], *, blind: bool = False, answers: bool = True
    ) -> None:
        """Show these; `blind`: letters stand for the names until one of them has the vote. Without
        `answers` there is nothing to vote on or to go on with."""
        ids = [column.id for column in columns]
        if ids != list(self.views):
            self._make(ids)
        voted = any(column.vote for column in columns)
        votable = answers and may_vote(columns) and not (blind and voted)
        hidden = blind and kept_secret(columns)
        for index, column in enumerate(columns):
            self.views[column.id].set_column(
                column,
                letter=chr(ord("A") + index) if hidden else "",
                votable=(votable and column.state in ANSWERED) or column.vote,
                answer=answers,
            )

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Share the room out."""
        super().resizeEvent(event)
        self._place()

    def _make(self, ids: Sequence[str]) -> None:
        for gone in [key for key in self.views if key not in ids]:
            view = self.views.pop(gone)
            view.hide()
            view.deleteLater()
        self.views = {key: self.views.get(key) or self._new() for key in ids}
        self._place()

    def _new(self) -> CompareColumn:
        view = CompareColumn(self._body)
        view.stop_column.connect(self.stop_column)
        view.continue_requested.connect(self.continue_requested)
        view.voted.connect(self.voted)
        view.show()
        return view

    def _place(self) -> None:
        count, wide = len(self.views), self.viewport().width()
        if not count:
            return
        between = 2 * INNER + 1
        pitch = (wide - 2 * OUTER + between) / count
        pitch = max(pitch, theme().px(LEAST))
        left = 0
        for index, view in enumerate(self.views.values()):
            last = index == count - 1
            text = OUTER + index * pitch
            start = round(text)
            inner = round(text + pitch) - between - start
            edge = start + inner + (OUTER if last else INNER + 1)
            view.set_edges(start - left, inner, line=not last)
            view.setGeometry(left, 0, edge - left, self.viewport().height())
            left = edge
        self._body.resize(left, self.viewport().height())
