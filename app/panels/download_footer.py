"""The end of the chats' sidebar while something is coming down: its name, how far it is, a bar."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.library_rows import DownloadNote
from app.panels.download_row import BARS
from app.panels.sidebar_row import EDGE, PADDING
from app.theme import theme
from app.widgets.one_line import draw_line
from app.widgets.progress import HEIGHT as BAR_HEIGHT
from app.widgets.progress import paint_progress
from app.widgets.row_button import RowButton

HIGH = 49
TEXT_MIDDLE, BAR_TOP = 18.5, 33
INSET = 4  # of the ground under the pointer, from the hairline and from the window's edge
GAP = 12  # between the name and the text at least
NAME_LEAST = 64  # with less room for the name, the text is the short one
MORE_GAP = 5


class DownloadFooter(RowButton):
    """Shows a DownloadNote, and hides without one. A click or Return is for seeing them all."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("", parent)
        self.setAccessibleName(self.tr("Downloads"))
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.note: DownloadNote | None = None
        self.hide()

    def set_note(self, note: DownloadNote | None) -> None:
        """Tell this; nothing is drawn anew where nothing changed."""
        if note == self.note:
            return
        self.note = note
        if note is not None:
            self.setAccessibleName(self._spoken(note))
            self.setAccessibleDescription(note.text)
            self.setToolTip(f"{self._named(note)}\n{note.text}")
        self.setVisible(note is not None)
        self.update()

    def sizeHint(self) -> QSize:
        """As high as its line and its bar; any width."""
        return QSize(200, theme().px(HIGH))

    def shown_text(self) -> str:
        """What stands at the right, as there is room."""
        if self.note is None:
            return ""
        metrics = QFontMetricsF(theme().font("small"))
        more = metrics.horizontalAdvance(self._more()) + MORE_GAP if self.note.more else 0.0
        room = self._room().width() - GAP - more - metrics.horizontalAdvance(self.note.text)
        name = metrics.horizontalAdvance(self.note.name)
        fits = room >= min(name, NAME_LEAST * theme().zoom)
        return self.note.text if fits else self.note.short

    def paintEvent(self, _: QPaintEvent) -> None:
        """The hairline, the ground under the pointer, the line and the bar."""
        look, note = theme(), self.note
        painter = QPainter(self)
        painter.fillRect(QRectF(0, 0, self.width(), 1), look.color("line"))
        if note is None:
            return
        ground = QRectF(self.rect()).adjusted(EDGE, 1 + INSET, -EDGE, -INSET)
        self.paint_ground(painter, ground, hover="hover")
        room = self._room()
        self._paint_line(painter, room, note)
        bar = QRectF(room.x(), look.px(BAR_TOP), room.width(), BAR_HEIGHT)
        # Under the pointer the ground is as dark as the track.
        track = "edge" if self.warmth or self.isDown() else "track"
        paint_progress(painter, bar, note.fraction or 0.0, BARS[note.tone], track)

    def _paint_line(self, painter: QPainter, room: QRectF, note: DownloadNote) -> None:
        look, text = theme(), self.shown_text()
        painter.setFont(look.font("small"))
        metrics = QFontMetricsF(painter.font())
        middle = TEXT_MIDDLE * look.zoom
        line = QRectF(room.x(), middle - 10, room.width(), 20)
        painter.setPen(look.color("error" if note.tone == "error" else "text3"))
        draw_line(painter, line, text, share=1)
        line.setRight(line.right() - metrics.horizontalAdvance(text) - GAP)
        more = self._more()
        rest = metrics.horizontalAdvance(more) + MORE_GAP if more else 0.0
        elide = Qt.TextElideMode.ElideRight
        name = metrics.elidedText(note.name, elide, max(0.0, line.width() - rest))
        painter.setPen(look.color("text2"))
        draw_line(painter, line, name)
        if more:
            line.setLeft(line.x() + metrics.horizontalAdvance(name) + MORE_GAP)
            painter.setPen(look.color("text3"))
            draw_line(painter, line, more)

    def _room(self) -> QRectF:
        """Where the text and the bar stand."""
        inset = EDGE + PADDING
        return QRectF(self.rect()).adjusted(inset, 0, -inset, 0)

    def _more(self) -> str:
        return f"+{self.note.more}" if self.note and self.note.more else ""

    def _named(self, note: DownloadNote) -> str:
        return f"{note.name} {self._more()}".strip()

    def _spoken(self, note: DownloadNote) -> str:
        """The name for a screen reader, which is told how far it is apart from that."""
        if not note.more:
            return self.tr("Download: {model}").replace("{model}", note.name)
        words = self.tr("Download: {model} and {n} more").replace("{n}", str(note.more))
        return words.replace("{model}", note.name)
