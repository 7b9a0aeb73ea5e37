"""The precision of a model where another can be chosen: a word with the sign of a menu."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QRectF, QSize, Signal
from PySide6.QtGui import QAction, QColor, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QMenu, QWidget

from app.theme import theme
from app.widgets.button_base import ButtonBase, rounded
from app.widgets.one_line import draw_line

PADDING = 6
SIGN_GAP, SIGN = 3, 11
HEIGHT = 24


class PrecisionButton(ButtonBase):
    """Its word begins `PADDING` within it. `chosen` gives another precision, `added` one in which
    the model is wanted besides; the menu stays open while the choices stay the same."""

    chosen = Signal(str)
    added = Signal(str)
    radius = 5

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("", parent)
        self.small = False  # the type of a second line
        self._choices: tuple[tuple[str, ...], ...] = ((), ())
        self.menu = QMenu(self)
        self.menu.triggered.connect(self._choose)
        self.menu.aboutToHide.connect(self.update)
        self.clicked.connect(self.open_menu)

    def set_precision(
        self, model: str, precision: str, choices: Sequence[str], also: Sequence[str] = ()
    ) -> None:
        """The precision of `model`, all that may be chosen, and those to be had `also`."""
        name = self.tr("Precision of {model}: {precision}")
        self.setAccessibleName(name.replace("{precision}", precision).replace("{model}", model))
        self.setText(precision)
        if (shown := (tuple(choices), tuple(also))) != self._choices:
            self._choices = shown
            self._fill()
        self._tick()
        self.update()

    def open_menu(self) -> None:
        """The choices, below the word."""
        self.menu.popup(self.mapToGlobal(QPoint(0, self.height())))

    def sizeHint(self) -> QSize:
        """As wide as the word and its sign."""
        look = theme()
        role = "small" if self.small else "label"
        font = look.font(role) if self.small else look.font(role, px=12.5)
        word = QFontMetricsF(font).horizontalAdvance(self.text())
        return QSize(round(word + 0.5) + PADDING + SIGN_GAP + SIGN + 3, look.px(HEIGHT))

    def paintEvent(self, _: QPaintEvent) -> None:
        """The ground under the pointer, the word and the sign."""
        look = theme()
        painter = QPainter(self)
        ground = self.ground(QColor(0, 0, 0, 0), look.color("hover"), look.color("pressed"))
        if self.menu.isVisible():
            ground = look.color("pressed")
        rounded(painter, QRectF(self.rect()), self.radius, ground)
        painter.setFont(look.font("small") if self.small else look.font("label", px=12.5))
        painter.setPen(look.color("text3" if self.small else "text"))
        draw_line(painter, QRectF(self.rect()).adjusted(PADDING, 0, 0, 0), self.text())
        x = self.width() - SIGN - 3
        painter.drawPixmap(x, (self.height() - SIGN) // 2, look.pixmap("popup", "text2", SIGN))

    def _fill(self) -> None:
        choices, also = self._choices
        for old in self.menu.actions():
            self.menu.removeAction(old)
            old.deleteLater()  # it may be the one that was just chosen
        for choice in choices:
            action = self.menu.addAction(choice)
            action.setCheckable(True)
            action.setData(choice)
        if also:
            self.menu.addSeparator()
        for choice in also:
            words = self.tr("Also in {precision}").replace("{precision}", choice)
            self.menu.addAction(words).setData(choice)

    def _tick(self) -> None:
        for action in self.menu.actions():
            action.setChecked(action.data() == self.text())

    def _choose(self, action: QAction) -> None:
        precision, besides = action.data(), not action.isCheckable()
        self._tick()  # Qt has checked it already; what is in use is told by the next rows
        if besides:
            self.added.emit(precision)
        elif precision != self.text():
            self.chosen.emit(precision)
