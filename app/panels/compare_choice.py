"""A model in the chooser of a comparison: a check box, its precision, its fit, or Get."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QWidget

from app.compare_rows import Choice
from app.panels.precision_button import PrecisionButton
from app.theme import theme
from app.widgets.button_base import ButtonBase, rounded
from app.widgets.check_box import CheckBox
from app.widgets.fit_mark import fit_word, paint_fit
from app.widgets.marked_button import MARK
from app.widgets.one_line import draw_line
from app.widgets.push_button import PushButton

ROW = 40
LEFT, TEXT_LEFT, RIGHT = 9, 32, 10
NAME_BASE, NOTE_BASE = 17.0, 31.0
GAP = 8
MARK_ROOM = 15  # of the shape before the word


class CompareChoice(QWidget):
    """`toggled` gives whether the user wants it; a press anywhere on the row is one on its box.
    `added` gives a precision in which the model is wanted besides."""

    toggled = Signal(str, bool)
    precision_chosen = Signal(str, str)
    added = Signal(str, str)
    get_requested = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.choice = Choice(id="", name="")
        self.box = CheckBox("", self)
        self.precision = PrecisionButton(self)
        self.get = PushButton(self.tr("Get"), self, height=22)
        self.box.clicked.connect(self._toggle)
        self.precision.chosen.connect(self._choose_precision)
        self.precision.added.connect(self._add)
        self.get.clicked.connect(self._get)
        theme().changed.connect(self._place)

    def set_choice(self, choice: Choice, *, chosen: bool, full: bool) -> None:
        """Show this one; `full`: as many as there may be are chosen already."""
        self.choice = choice
        able = choice.installed and not choice.problem
        self.box.setChecked(chosen)
        self.box.setEnabled(able and (chosen or not full))
        self.box.setVisible(choice.installed)
        self.box.setAccessibleDescription(", ".join(filter(None, (self._note(), self._fit_word()))))
        self.get.setVisible(not choice.installed)
        self.get.setEnabled(choice.fit != "too_big" and not choice.problem)
        self.get.setAccessibleName(f"{self.get.text()} {choice.name}")
        several = able and bool(choice.precisions)
        self.box.setAccessibleName(f"{choice.name} {choice.precision}" if several else choice.name)
        self.precision.setVisible(several)
        self.precision.set_precision(choice.name, choice.precision, choice.precisions, choice.also)
        self._place()

    def sizeHint(self) -> QSize:
        """40 high; any width."""
        return QSize(300, theme().px(ROW))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A press beside the box is meant for it."""
        left = event.button() == Qt.MouseButton.LeftButton
        if left and self.rect().contains(event.position().toPoint()) and self.box.isEnabled():
            self.box.click()

    def resizeEvent(self, _: QResizeEvent) -> None:
        """Keep the buttons in their places."""
        self._place()

    def paintEvent(self, _: QPaintEvent) -> None:
        """The ground under the pointer, the name, the note, the fit."""
        look = theme()
        painter = QPainter(self)
        if self.underMouse() and self.box.isEnabled():
            rounded(painter, QRectF(self.rect()), 7, look.color("hover"))
        self._paint_fit(painter)
        able = not self.choice.problem
        area = QRectF(TEXT_LEFT, 0, self._text_end() - TEXT_LEFT, self.height())
        elide = Qt.TextElideMode.ElideRight
        for base, font, ink, words in (
            (NAME_BASE, look.font("interface", weight=500), "text" if able else "disabled",
             self.choice.name),
            (NOTE_BASE, look.font("small"), "text3", self._note()),
        ):  # fmt: skip
            painter.setFont(font)
            painter.setPen(look.color(ink))
            short = QFontMetricsF(font).elidedText(words, elide, area.width())
            painter.drawText(QPointF(area.x(), base * look.zoom), short)

    def _paint_fit(self, painter: QPainter) -> None:
        look = theme()
        if word := self._fit_word():
            area = QRectF(0, 0, self._fit_right(), self.height())
            painter.setFont(look.font("label", px=12))
            painter.setPen(look.color("text2"))
            draw_line(painter, area, word, share=1)
            wide = painter.fontMetrics().horizontalAdvance(word)
            assert self.choice.fit is not None
            paint_fit(
                painter, QPointF(area.right() - wide - 9.5, area.center().y()), self.choice.fit
            )

    def _note(self) -> str:
        return self.choice.problem or self.choice.note

    def _fit_word(self) -> str:
        fit = self.choice.fit
        return "" if fit is None or self.choice.problem else fit_word(fit)

    def _fit_right(self) -> int:
        """Where the word of the fit ends."""
        if self.choice.installed:
            return self.width() - RIGHT
        return self.get.x() - GAP

    def _fit_left(self) -> float:
        if not (word := self._fit_word()):
            return self._fit_right()
        wide = QFontMetricsF(theme().font("label", px=12)).horizontalAdvance(word)
        return self._fit_right() - wide - MARK_ROOM

    def _text_end(self) -> float:
        shown = not self.precision.isHidden()
        return (self.precision.x() if shown else self._fit_left()) - GAP

    def _place(self) -> None:
        high = self.height()
        self.box.setGeometry(LEFT, (high - 20) // 2, MARK, 20)
        _put(self.get, self.width() - RIGHT, high)
        _put(self.precision, round(self._fit_left()) - GAP, high)
        self.update()

    def _toggle(self, wanted: bool) -> None:
        self.toggled.emit(self.choice.id, wanted)

    def _choose_precision(self, precision: str) -> None:
        self.precision_chosen.emit(self.choice.id, precision)

    def _add(self, precision: str) -> None:
        self.added.emit(self.choice.id, precision)

    def _get(self) -> None:
        self.get_requested.emit(self.choice.id)


def _put(button: ButtonBase, right: int, high: int) -> None:
    size = button.sizeHint()
    place = QRect(right - size.width(), (high - size.height()) // 2, size.width(), size.height())
    button.setGeometry(place)
