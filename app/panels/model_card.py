"""The card of a model: what is told of it, in a popover below its row."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from app.library_rows import Card
from app.theme import theme
from app.widgets.button_base import rounded
from app.widgets.one_line import draw_line
from app.widgets.push_button import PushButton
from app.widgets.text_block import TextBlock

WIDTH = 380
PADDING, END = 12, 14  # at the sides, above and below
GAP = 12
LINE = 19  # of a fact
BELOW = 3
VALUE = Qt.TextInteractionFlag.TextSelectableByMouse


class ModelCard(QFrame):
    """A popup that Esc or a press beside it closes. Signals: page_requested(address), closed()."""

    page_requested = Signal(str)
    closed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Popup | Qt.WindowType.FramelessWindowHint)
        self.setAttribute(Qt.WidgetAttribute.WA_TranslucentBackground)
        self._shown: tuple[Card, str] | None = None
        self._place = QRect()
        self.title = _label(self)
        self.subtitle = _label(self)
        self.about = TextBlock("interface", "text", self, px=13, line=19)
        self.problem = TextBlock("interface", "error", self, px=13, line=19)
        self._facts: list[tuple[QLabel, QLabel]] = []
        self.page = PushButton(self.tr("Open Page"), self)
        self.page.clicked.connect(self._open_page)
        column = QVBoxLayout(self)
        column.setContentsMargins(PADDING, END - 2, PADDING, END)
        column.setSpacing(GAP)
        head = QVBoxLayout()
        head.setSpacing(2)
        head.addWidget(self.title)
        head.addWidget(self.subtitle)
        column.addLayout(head)
        column.addWidget(self.problem)
        column.addWidget(self.about)
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(GAP)
        self._grid.setVerticalSpacing(1)
        self._grid.setColumnStretch(1, 1)
        column.addLayout(self._grid)
        foot = QHBoxLayout()
        foot.addStretch(1)
        foot.addWidget(self.page)
        column.addLayout(foot)
        theme().changed.connect(self._restyle)

    def facts(self) -> list[tuple[str, str]]:
        """The facts that are shown."""
        return [(name.text(), value.text()) for name, value in self._facts if name.text()]

    def set_card(self, card: Card, problem: str = "") -> None:
        """Tell this; what has not changed stays as it is, with what is selected in it."""
        if (card, problem) == self._shown:
            return
        self._shown = (card, problem)
        self.setAccessibleName(card.title)
        _say(self.title, card.title)
        _say(self.subtitle, card.subtitle)
        for block, words in ((self.about, card.about), (self.problem, problem)):
            block.set_text(words)
            block.setVisible(bool(words))
        while len(self._facts) < len(card.facts):
            self._add_fact()
        for at, pair in enumerate(self._facts):
            fact = card.facts[at] if at < len(card.facts) else ("", "")
            for label, words in zip(pair, fact, strict=True):
                _say(label, words)
        self.page.setVisible(bool(card.link))
        self._restyle()

    def open_at(self, place: QRect) -> None:
        """Open below `place` (on the screen), or above it where there is no room below."""
        self._place = place
        self._restyle()
        self._move()
        self.show()
        self.setFocus(Qt.FocusReason.PopupFocusReason)

    def hideEvent(self, event: QEvent) -> None:
        """Tell that it closed."""
        super().hideEvent(event)  # type: ignore[arg-type]
        self.closed.emit()

    def paintEvent(self, _: QPaintEvent) -> None:
        """A rounded ground with the border of a control."""
        look = theme()
        rounded(QPainter(self), QRectF(self.rect()), 10, look.color("content"), look.color("edge"))

    def _add_fact(self) -> None:
        row = len(self._facts)
        name, value = _FactName(self), _label(self)
        value.setTextInteractionFlags(VALUE | Qt.TextInteractionFlag.TextSelectableByKeyboard)
        value.setWordWrap(True)
        top = Qt.AlignmentFlag.AlignTop
        self._grid.addWidget(name, row, 0, top)
        self._grid.addWidget(value, row, 1, top)
        self._facts.append((name, value))

    def _open_page(self) -> None:
        if self._shown is not None:
            self.close()
            self.page_requested.emit(self._shown[0].link)

    def _move(self) -> None:
        high, screen = self.height(), self.screen().availableGeometry()
        y = self._place.bottom() + BELOW
        if y + high > screen.bottom() and self._place.top() - BELOW - high >= screen.top():
            y = self._place.top() - BELOW - high
        x = min(self._place.left(), screen.right() - self.width())
        self.move(QPoint(max(x, screen.left()), y))

    def _restyle(self) -> None:
        look = theme()
        self.setFixedWidth(look.px(WIDTH))
        for label, font, ink in (
            (self.title, look.font("interface", bold=True), "text"),
            (self.subtitle, look.font("label"), "text3"),
            *((name, look.font("label", px=12.5), "text3") for name, _ in self._facts),
            *((value, look.font("label", px=12.5), "text") for _, value in self._facts),
        ):
            label.setFont(font)
            palette = label.palette()
            palette.setColor(palette.ColorRole.WindowText, look.color(ink))
            label.setPalette(palette)
        for pair in self._facts:
            for label in pair:
                label.setMinimumHeight(look.px(LINE))
        layout = self.layout()
        if layout is not None:
            layout.invalidate()
            self.setFixedHeight(layout.totalHeightForWidth(self.width()))
        self.update()


class _FactName(QLabel):
    """The name of a fact, on the baseline of a value in Latin letters whatever its script."""

    def paintEvent(self, _: QPaintEvent) -> None:
        """The name."""
        painter = QPainter(self)
        painter.setPen(theme().color("text3"))
        draw_line(painter, self.rect(), self.text())


def _label(parent: QWidget) -> QLabel:
    label = QLabel(parent)
    label.setTextFormat(Qt.TextFormat.PlainText)
    return label


def _say(label: QLabel, words: str) -> None:
    if label.text() != words:
        label.setText(words)
    label.setVisible(bool(words))
