"""Progress in an answer's place: the prompt being read, or the model being loaded."""

from __future__ import annotations

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QFont, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from app import format as figures
from app.theme import theme
from app.widgets.progress import paint_progress
from engine.api import Reading

WIDTH = 420
INSET = 12
NOTE_GAP = 11


class ReadingBar(QWidget):
    """A sentence, the time left, a bar that never goes back, and a note."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.sentence = ""
        self.left = ""
        self.note = ""
        self.fraction = 0.0

    def set_reading(self, reading: Reading) -> None:
        """The prompt is read up to here."""
        sentence = self.tr("Reading {done} of {total} tokens").format(
            done=figures.count(reading.done), total=figures.count(reading.total)
        )
        note = self.tr("Read once. Asking again, editing and branching then start at once.")
        left = "" if reading.seconds_left is None else self._left(reading.seconds_left)
        self._show(sentence, left, note, reading.done / max(1, reading.total))

    def set_loading(self, model: str, fraction: float) -> None:
        """So much (0 to 1) of the model is loaded."""
        self._show(self.tr("Loading {model}").format(model=model), "", "", fraction)

    def _show(self, sentence: str, left: str, note: str, fraction: float) -> None:
        if bool(note) != bool(self.note):  # another thing is waited for
            self.fraction = 0.0
        self.fraction = max(self.fraction, min(1.0, fraction))
        self.sentence, self.left, self.note = sentence, left, note
        self.setAccessibleName(sentence)
        self.setAccessibleDescription(left)
        self.update()

    def _left(self, seconds: float) -> str:
        if seconds < 90:
            return self.tr("{seconds} s left").format(seconds=max(1, round(seconds)))
        return self.tr("{minutes} min left").format(minutes=round(seconds / 60))

    def set_width(self, width: int) -> int:
        """Be `width` pixels wide; the height that it then has."""
        note = NOTE_GAP + theme().line_height("label") if self.note else 0
        self.resize(width, theme().line_height("body") + 8 + 4 + note)
        return self.height()

    def paintEvent(self, _: QPaintEvent) -> None:
        """Sentence and time on one line, the bar, the note."""
        look = theme()
        painter = QPainter(self)
        wide = min(WIDTH, self.width() - 2 * INSET)
        line = QRect(INSET, 0, wide, look.line_height("body"))
        self._write(painter, line, look.font("body"), "text", self.sentence)
        right = look.font("label", px=12)
        self._write(painter, line, right, "text2", self.left, Qt.AlignmentFlag.AlignRight)
        bar = QRectF(INSET, line.bottom() + 1 + 8, wide, 4)
        paint_progress(painter, bar, self.fraction)
        below = QRect(INSET, int(bar.bottom()) + NOTE_GAP, self.width(), look.line_height("label"))
        self._write(painter, below, look.font("label"), "text3", self.note)

    def _write(
        self,
        painter: QPainter,
        area: QRect,
        font: QFont,
        color: str,
        text: str,
        side: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignLeft,
    ) -> None:
        painter.setFont(font)
        painter.setPen(theme().color(color))
        painter.drawText(area, side | Qt.AlignmentFlag.AlignVCenter, text)
