"""The chart of a comparison that is chosen, with its title, its switch and its note."""

from __future__ import annotations

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QWidget

from app.compare_rows import Chart
from app.theme import theme
from app.widgets.chart_base import ChartBase
from app.widgets.line_chart import LineChart
from app.widgets.point_chart import PointChart
from app.widgets.small_switch import SmallSwitch
from app.widgets.text_block import TextBlock

TITLE_BASE = 17.0
TITLE = 27  # from the top to the chart
SWITCH_TOP = 2
NOTE_GAP, NOTE_LINE, END = 3, 16, 7
LEAST_CHART = 150


class CompareChart(QWidget):
    """Shows one of its charts; the switch is there while there are several."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._charts: tuple[Chart, ...] = ()
        self._bare = False
        self._tab = ""  # that the user chose, also while there is no chart for it
        self.lines, self.points = LineChart(self), PointChart(self)
        self.points.hide()
        self.switch = SmallSwitch(self.tr("Chart"), self)
        self.switch.chosen.connect(self._choose)
        self.note = TextBlock("small", "text3", self, px=11, line=NOTE_LINE)
        theme().changed.connect(self._place)

    @property
    def chart(self) -> ChartBase:
        """What paints the one that is shown."""
        return self.points if self.shown().x_unit else self.lines

    def set_charts(self, charts: tuple[Chart, ...]) -> None:
        """Show one of these, the one that the user chose last where it has lines."""
        charts = tuple(chart for chart in charts if chart.lines)
        if charts == self._charts:
            return
        self._charts = charts
        tabs = [chart.tab for chart in charts]
        if tabs and tabs != self.switch.words():
            self.switch.set_words(tabs, self._current())
            self._place()
        self.switch.setVisible(len(charts) > 1)
        self._show()

    def shown(self) -> Chart:
        """The one that is shown."""
        return self._charts[self._current()] if self._charts else Chart(title="", unit="")

    def set_bare(self, bare: bool) -> None:
        """Whether it has no switch, for a picture; one that has the focus keeps it."""
        self._bare = bare
        self._place()

    def resizeEvent(self, _: QResizeEvent) -> None:
        """Put the pieces in their places."""
        self._place()

    def paintEvent(self, _: QPaintEvent) -> None:
        """The title."""
        look, painter = theme(), QPainter(self)
        font = look.font("interface", bold=True)
        painter.setFont(font)
        painter.setPen(look.color("text"))
        right = self.width() if self.switch.isHidden() else self.switch.x()
        elide = Qt.TextElideMode.ElideRight
        title = QFontMetricsF(font).elidedText(self.shown().title, elide, right - 8)
        painter.drawText(QPointF(0, TITLE_BASE * look.zoom), title)

    def _current(self) -> int:
        tabs = [chart.tab for chart in self._charts]
        return tabs.index(self._tab) if self._tab in tabs else 0

    def _choose(self, at: int) -> None:
        self._tab = self._charts[at].tab
        self._show()

    def _show(self) -> None:
        chart = self.shown()
        self.chart.set_chart(chart)
        self.lines.setVisible(self.chart is self.lines)
        self.points.setVisible(self.chart is self.points)
        if chart.note != self.note.text():
            self.note.set_text(chart.note)
            self._place()
        self.update()

    def _place(self) -> None:
        look, wide = theme(), self.width()
        size = self.switch.sizeHint()
        left = wide if self._bare else wide - size.width()
        self.switch.setGeometry(left, SWITCH_TOP, size.width(), size.height())
        note = self.note.heightForWidth(wide) if self.note.text() else 0
        top = look.px(TITLE)
        low = self.height() - END - note
        high = max(look.px(LEAST_CHART), low - NOTE_GAP - top)
        for chart in (self.lines, self.points):
            chart.setGeometry(0, top, wide, high)
        self.note.setGeometry(0, top + high + NOTE_GAP, wide, note)
        self.update()
