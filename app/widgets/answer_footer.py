"""The line under an answer: who wrote it, how fast, how it ended, and what can be done with it."""

from __future__ import annotations

from PySide6.QtCore import QRect, Qt, QTimer, Signal
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from app import format as figures
from app.theme import theme
from app.values import MessageRow
from app.widgets.icon_button import IconButton

HEIGHT = 24
INSET = 12
DOT = "  ·  "
TICK_MS = 1_500
NARROW = 648  # below the full column the time to the first token gives way


class AnswerFooter(QWidget):
    """`copied` and `regenerated` are emitted when their buttons are pressed."""

    copied = Signal()
    regenerated = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._row: MessageRow | None = None
        self._last = self._hovered = False
        self.copy_button = IconButton("copy", self.tr("Copy"), self, size=HEIGHT)
        self.regenerate_button = IconButton("regenerate", self.tr("Regenerate"), self, size=HEIGHT)
        self._tick = QTimer(self, singleShot=True, interval=TICK_MS)
        self._tick.timeout.connect(self._untick)
        self.copy_button.clicked.connect(self._copy)
        self.regenerate_button.clicked.connect(self.regenerated)
        self._show_buttons()

    def set_row(self, row: MessageRow) -> None:
        """Show the figures of this answer."""
        self._row = row
        self.setAccessibleName(self.text())
        self.update()

    def set_last(self, last: bool) -> None:
        """The last answer of the chat shows its buttons always, and only it is written anew."""
        self._last = last
        self._show_buttons()

    def set_hovered(self, hovered: bool) -> None:
        """The pointer is over the answer."""
        self._hovered = hovered
        self._show_buttons()

    def _show_buttons(self) -> None:
        self.copy_button.setVisible(self._last or self._hovered)
        self.regenerate_button.setVisible(self._last)

    def text(self) -> str:
        """The whole line."""
        return DOT.join(self._parts())

    def _parts(self) -> list[str]:
        row = self._row
        if row is None:
            return []
        parts = [row.model] if row.model else []
        stats = row.stats
        if stats is None:
            return parts
        speed = self.tr("{ms} ms/token").format(ms=figures.ms(stats.ms_per_token))
        tokens = figures.count(stats.new_tokens)
        if row.status == "stopped":
            return [*parts, speed, self.tr("stopped at {n} tokens").format(n=tokens)]
        if row.status == "length":
            return [*parts, speed, self.tr("reached {n} tokens").format(n=tokens)]
        first = None if stats.ttft_ms is None else stats.ttft_ms / 1e3
        return [
            *parts,
            speed,
            self.tr("{rate} tok/s").format(rate=figures.rate(stats.tokens_per_s)),
            self.tr("first token {s} s").format(s=figures.seconds(first)),
        ]

    def _copy(self) -> None:
        self.copied.emit()
        self.copy_button.set_icon("check")
        self._tick.start()

    def _untick(self) -> None:
        self.copy_button.set_icon("copy")

    def set_width(self, width: int) -> int:
        """Be `width` pixels wide; the height that it then has."""
        self.resize(width, max(HEIGHT, theme().px(HEIGHT)))
        right = width - 4
        for button in (self.regenerate_button, self.copy_button):
            right -= HEIGHT
            button.setGeometry(right, (self.height() - HEIGHT) // 2, HEIGHT, HEIGHT)
        # On older answers Copy stands where Regenerate would.
        return self.height()

    def paintEvent(self, _: QPaintEvent) -> None:
        """The figures, as many as have room."""
        look = theme()
        painter = QPainter(self)
        painter.setFont(look.font("label"))
        painter.setPen(look.color("text3"))
        room = self.copy_button.x() - 8 - INSET
        parts = self._parts()
        if len(parts) == 4 and self.width() < NARROW:
            parts.pop()
        metrics = QFontMetricsF(look.font("label"))
        while len(parts) > 1 and metrics.horizontalAdvance(DOT.join(parts)) > room:
            parts.pop()
        text = metrics.elidedText(DOT.join(parts), Qt.TextElideMode.ElideMiddle, room)
        area = QRect(INSET, 0, room, self.height())
        painter.drawText(area, Qt.AlignmentFlag.AlignVCenter, text)
