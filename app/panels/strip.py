"""The instrument strip: ms per token and its sparkline, then cells of figures, live."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, QTimer
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app import format as text
from app.theme import theme
from app.values import LiveFigures, Trace
from app.widgets import sparkline
from app.widgets.sparkline import Sparkline

HEIGHT = 66
MARGIN = 24
FIGURE_WIDTH = 104
SPARK_GAP = 8
TOP = 11  # of the sparkline and the dividers, 44 high
CELL_GAP = 28
CELL_PADDING = 16
FIGURE_BASE, VALUE_BASE, LABEL_BASE = 35.0, 36.0, 52.0
INTERVAL_MS = 250
# Below these widths a cell is dropped: the machine, the tokens, the first token.
NARROW, NARROWER, NARROWEST = 900, 820, 760


@dataclass(frozen=True, slots=True)
class Cell:
    """A figure, its unit (small when set off by a space) and what it is."""

    value: str
    unit: str
    label: str


class Strip(QWidget):
    """66 pixels high. Live figures are shown at most four times a second, final ones at once."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("Figures"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._sparkline = Sparkline(self)
        self._figures = LiveFigures()
        self._waiting: tuple[LiveFigures, Trace] | None = None
        self._timer = QTimer(self)
        self._timer.setInterval(INTERVAL_MS)
        self._timer.timeout.connect(self._tick)
        theme().changed.connect(self._restyle)
        self._restyle()
        self._show(self._figures, Trace())

    def set_live(self, figures: LiveFigures, trace: Trace) -> None:
        """Show these while they change; of what comes faster than 4 a second, the last counts."""
        if self._timer.isActive():
            self._waiting = (figures, trace)
            return
        self._show(figures, trace)
        self._timer.start()

    def set_final(self, figures: LiveFigures, trace: Trace) -> None:
        """Show these now and drop any that wait."""
        self._timer.stop()
        self._waiting = None
        self._show(figures, trace)

    def clear(self) -> None:
        """Nothing measured: dashes; the machine stays."""
        now = self._figures
        self.set_final(LiveFigures(backend=now.backend, device=now.device), Trace())

    def figures(self) -> LiveFigures:
        """What is shown at this moment."""
        return self._figures

    def cells(self) -> list[Cell]:
        """The cells that have room, left to right."""
        now, width = self._figures, self.width() / theme().zoom
        number, unit = text.size(now.state_bytes)
        first = None if now.ttft_ms is None else now.ttft_ms / 1000
        seconds = self.tr("{value} s").replace("{value}", "") if first is not None else ""
        rate = self.tr("tokens/s, reading") if now.reading else self.tr("tokens/s")
        cells = [Cell(text.rate(now.tokens_per_s), "", rate)]
        if width >= NARROWEST:
            cells.append(Cell(text.seconds(first), seconds, self.tr("first token")))
        if width >= NARROWER:
            cells.append(Cell(text.count(now.position), "", self.tr("tokens")))
        unit = f" {unit}" if now.state_bytes is not None else ""
        label = self.tr("state, growing") if now.state_grows else self.tr("state, constant")
        cells.append(Cell(number, unit, label))
        if width >= NARROW:
            cells.append(Cell(now.backend or text.DASH, "", now.device))
        return cells

    def sizeHint(self) -> QSize:
        """As high as it is; any width."""
        return QSize(720, theme().px(HEIGHT))

    def resizeEvent(self, _: QResizeEvent) -> None:
        """Put the sparkline after the figure."""
        self._place()

    def paintEvent(self, _: QPaintEvent) -> None:
        """Ground, hairline, figure and cells."""
        look = theme()
        painter = QPainter(self)
        painter.fillRect(self.rect(), look.color("strip"))
        painter.fillRect(QRectF(0, 0, self.width(), 1), look.color("line"))
        self._paint_figure(painter)
        left = self._sparkline.geometry().right() + 1 + CELL_GAP
        cells = self.cells()
        width = (self.width() - MARGIN - left) / len(cells)
        for index, cell in enumerate(cells):
            x = round((left + index * width) * 2) / 2
            painter.fillRect(QRectF(x, look.px(TOP), 1, look.px(44)), look.color("line"))
            self._paint_cell(painter, cell, x + 1 + CELL_PADDING, width - CELL_PADDING - 5)

    def _paint_figure(self, painter: QPainter) -> None:
        look, now = theme(), self._figures
        painter.setPen(look.color("text" if now.ms_per_token is not None else "text3"))
        painter.setFont(look.font("figure"))
        painter.drawText(QPointF(MARGIN, FIGURE_BASE * look.zoom), text.ms(now.ms_per_token))
        label = self.tr("ms/token, reading") if now.reading else self.tr("ms/token")
        painter.setPen(look.color("text3"))
        painter.setFont(look.font("small"))
        painter.drawText(QPointF(MARGIN, LABEL_BASE * look.zoom), label)

    def _paint_cell(self, painter: QPainter, cell: Cell, x: float, width: float) -> None:
        look = theme()
        value, small = look.font("value"), look.font("small")
        base = VALUE_BASE * look.zoom
        # A unit without a space before it, as in Japanese, belongs to the number.
        number = cell.value + ("" if cell.unit.startswith(" ") else cell.unit)
        painter.setFont(value)
        painter.setPen(look.color("text"))
        painter.drawText(QPointF(x, base), number)
        if cell.unit.startswith(" "):
            after = x + QFontMetricsF(value).horizontalAdvance(number) + 3
            painter.setFont(look.font("label"))
            painter.setPen(look.color("text2"))
            painter.drawText(QPointF(after, base), cell.unit.strip())
        painter.setFont(small)
        painter.setPen(look.color("text3"))
        elide = Qt.TextElideMode.ElideRight
        label = QFontMetricsF(small).elidedText(cell.label, elide, width)
        painter.drawText(QPointF(x, LABEL_BASE * look.zoom), label)

    def _show(self, figures: LiveFigures, trace: Trace) -> None:
        self._figures = figures
        self._sparkline.set_trace(trace)
        spoken = [f"{text.ms(figures.ms_per_token)} {self.tr('ms/token')}"]
        spoken += [f"{c.value}{c.unit} {c.label}" for c in self.cells()]
        self.setAccessibleDescription(", ".join(spoken))
        self.update()

    def _tick(self) -> None:
        if self._waiting is None:
            self._timer.stop()
            return
        self._show(*self._waiting)
        self._waiting = None

    def _restyle(self) -> None:
        self.setFixedHeight(theme().px(HEIGHT))
        self._place()
        self.update()

    def _place(self) -> None:
        look = theme()
        x = MARGIN + look.px(FIGURE_WIDTH) + SPARK_GAP
        y = look.px(TOP) + (look.px(44) - sparkline.HEIGHT) // 2
        narrow = self.width() / look.zoom < NARROW
        width = sparkline.NARROW_WIDTH if narrow else sparkline.WIDTH
        self._sparkline.setGeometry(x, y, width, sparkline.HEIGHT)
