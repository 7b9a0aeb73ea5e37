"""The chart of a comparison: time or memory over the position, with its title and its note."""

from __future__ import annotations

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QWidget

from app.compare_rows import Chart
from app.theme import theme
from app.widgets.line_chart import LineChart
from app.widgets.small_switch import SmallSwitch
from app.widgets.text_block import TextBlock

TITLE_BASE = 17.0
TITLE = 27  # from the top to the chart
SWITCH_TOP = 2
NOTE_GAP, NOTE_LINE, END = 3, 16, 7
LEAST_CHART = 150


class CompareChart(QWidget):
    """Shows one of two charts; the switch is there while there are two."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._charts: tuple[Chart, ...] = ()
        self.chart = LineChart(self)
        words = (self.tr("Time"), self.tr("Memory"))
        self.switch = SmallSwitch(self.tr("Chart"), words, self)
        self.switch.chosen.connect(self._show)
        self.note = TextBlock("small", "text3", self, px=11, line=NOTE_LINE)
        theme().changed.connect(self._place)

    def set_charts(self, charts: tuple[Chart, ...]) -> None:
        """Show one of these, the one that the user chose last where it has lines."""
        charts = tuple(chart for chart in charts if chart.lines)
        if charts == self._charts:
            return
        self._charts = charts
        self.switch.setVisible(len(charts) > 1)
        self._show()

    def shown(self) -> Chart:
        """The one that is shown."""
        at = min(self.switch.current(), len(self._charts) - 1)
        return self._charts[at] if self._charts else Chart(title="", unit="")

    def resizeEvent(self, _: QResizeEvent) -> None:
        """Put the pieces in their places."""
        self._place()

    def paintEvent(self, _: QPaintEvent) -> None:
        """The title."""
        look, painter = theme(), QPainter(self)
        font = look.font("interface", bold=True)
        painter.setFont(font)
        painter.setPen(look.color("text"))
        right = self.switch.x() if not self.switch.isHidden() else self.width()
        elide = Qt.TextElideMode.ElideRight
        title = QFontMetricsF(font).elidedText(self.shown().title, elide, right - 8)
        painter.drawText(QPointF(0, TITLE_BASE * look.zoom), title)

    def _show(self) -> None:
        chart = self.shown()
        self.chart.set_chart(chart)
        if chart.note != self.note.text():
            self.note.set_text(chart.note)
            self._place()
        self.update()

    def _place(self) -> None:
        look, wide = theme(), self.width()
        size = self.switch.sizeHint()
        self.switch.setGeometry(wide - size.width(), SWITCH_TOP, size.width(), size.height())
        note = self.note.heightForWidth(wide) if self.note.text() else 0
        top = look.px(TITLE)
        low = self.height() - END - note
        high = max(look.px(LEAST_CHART), low - NOTE_GAP - top)
        self.chart.setGeometry(0, top, wide, high)
        self.note.setGeometry(0, top + high + NOTE_GAP, wide, note)
        self.update()
