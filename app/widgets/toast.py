"""The undo toast: what was done and a way back, at the bottom for eight seconds."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QRectF, QSize, QTimer, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QEnterEvent,
    QFontMetricsF,
    QPainter,
    QPaintEvent,
)
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from app.theme import theme
from app.widgets.button_base import ButtonBase, rounded
from app.widgets.one_line import draw_line

SECONDS = 8
HEIGHT = 34
ABOVE = 16  # its distance from the bottom of its parent


def announce(source: QObject, sentence: str) -> None:
    """Have a screen reader say `sentence`."""
    QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(source, sentence))


class ToastButton(ButtonBase):
    """The word that takes it back, in the letters of the toast."""

    radius = 5

    def sizeHint(self) -> QSize:
        """As wide as its word."""
        look = theme()
        width = QFontMetricsF(look.font("button", bold=True)).horizontalAdvance(self.text())
        return QSize(round(width) + 12, look.px(24))

    def paintEvent(self, _: QPaintEvent) -> None:
        """The word, underlined under the pointer."""
        painter = QPainter(self)
        font = theme().font("button", bold=True)
        font.setUnderline(self.warmth > 0.5)
        painter.setFont(font)
        painter.setPen(theme().color("content"))
        draw_line(painter, self.rect(), self.text(), share=0.5)


class Toast(QWidget):
    """Lies over its parent, bottom centre. `undone` is emitted if the user takes it back, else
    `ended` when the time is over or the next one takes its place."""

    undone = Signal()
    ended = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._host = parent
        self._label = QLabel(self)
        self.button = ToastButton("", self)
        self.button.clicked.connect(self._undo)
        self._row = row = QHBoxLayout(self)
        row.setContentsMargins(14, 0, 10, 0)
        row.setSpacing(16)
        row.addWidget(self._label)
        row.addWidget(self.button)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._end)
        parent.installEventFilter(self)
        theme().changed.connect(self._restyle)
        self._restyle()
        self.hide()

    def tell(self, sentence: str) -> None:
        """Show `sentence`, which nothing can be done about."""
        self.show_undo(sentence, "")

    def show_undo(self, sentence: str, action: str) -> None:
        """Show `sentence` and the button `action`; what was shown before ends now."""
        self.button.setVisible(bool(action))
        if self.isVisible():
            self._end()
        self._label.setText(sentence)
        self.button.setText(action)
        self.button.setAccessibleName(action)
        self.button.updateGeometry()
        self._place()
        self.show()
        self.raise_()
        self._timer.start(SECONDS * 1000)
        announce(self, f"{sentence}. {action}" if action else sentence)

    def enterEvent(self, event: QEnterEvent) -> None:
        """Stay while the pointer is on it."""
        self._timer.stop()
        super().enterEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        """Count anew from here."""
        if self.isVisible():
            self._timer.start(SECONDS * 1000)
        super().leaveEvent(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Stay at the bottom centre of the parent."""
        if event.type() == QEvent.Type.Resize:
            self._place()
        return False

    def paintEvent(self, _: QPaintEvent) -> None:
        """Its ground, the colour of text."""
        rounded(QPainter(self), QRectF(self.rect()), 8, theme().color("text"))

    def _restyle(self) -> None:
        look = theme()
        self._label.setFont(look.font("button", weight=400))
        palette = self._label.palette()
        palette.setColor(palette.ColorRole.WindowText, look.color("content"))
        self._label.setPalette(palette)
        self._place()

    def _place(self) -> None:
        self.setFixedHeight(theme().px(HEIGHT))
        self.resize(self._row.sizeHint().width(), self.height())
        host = self._host
        self.move((host.width() - self.width()) // 2, host.height() - self.height() - ABOVE)

    def _undo(self) -> None:
        self._timer.stop()
        self.hide()
        self.undone.emit()

    def _end(self) -> None:
        self._timer.stop()
        self.hide()
        self.ended.emit()
