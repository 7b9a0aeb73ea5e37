"""The lower half of the Compare view: the table and the chart, side by side or stacked."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QImage, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QSizePolicy, QWidget

from app.compare_rows import CompareRows
from app.panels.compare_chart import CompareChart
from app.panels.compare_table import ROW, CompareTable
from app.panels.compare_table import WIDTH as TABLE
from app.theme import theme
from app.widgets.one_line import draw_line
from app.widgets.text_block import TextBlock

NARROW = 1000
TOP, END = 10, 12
LEFT, RIGHT = 36, 24
BETWEEN = 44  # from the table to the chart; stacked, above the chart
CHART = 361  # high
WARNING, ICON, ICON_GAP = 22, 14, 7
HIGH, SENTENCE = 372, 48
ROWS, MOST_ROWS = 12, 15  # of the table, for which HIGH is enough; for which it grows
EXPORTED = 592, 361  # the size of an exported chart
SCALE = 2
STEP = 52  # an arrow of the scroll bar goes two rows


class CompareFigures(QWidget):
    """They scroll where there is no room for them. Before the vote of a blind run a sentence
    stands in their place."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.area = QScrollArea(self)
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.area.viewport().setAutoFillBackground(False)
        self.area.viewport().installEventFilter(self)
        self.area.verticalScrollBar().setSingleStep(STEP)
        self._body = QWidget()
        self.area.setWidget(self._body)
        self._body.setAutoFillBackground(False)
        self.warning = _Warning(self._body)
        self.table = CompareTable(self._body)
        self.chart = CompareChart(self._body)
        self.hidden_note = TextBlock("interface", "text2", self._body, px=13, line=18)
        self.hidden_note.set_text(self.tr("Names and figures are shown once you have voted."))
        self.hidden_note.hide()
        theme().changed.connect(self._place)

    def height_wanted(self) -> int:
        """In the picture's measure; little for a sentence alone."""
        return theme().px(HIGH + self._more() if self.hidden_note.isHidden() else SENTENCE)

    def set_rows(self, rows: CompareRows) -> None:
        """Show the figures of these; what has not changed is not touched."""
        secret = rows.secret
        before = (self.hidden_note.isHidden(), self.warning.isHidden(), self.table.height_needed())
        self.warning.set_text(rows.warning)
        self.warning.setVisible(bool(rows.warning))
        self.hidden_note.setVisible(secret)
        self.table.setVisible(not secret)
        self.chart.setVisible(not secret)
        self.table.set_rows(rows.columns, rows.table)
        self.chart.set_charts(rows.charts)
        after = (self.hidden_note.isHidden(), self.warning.isHidden(), self.table.height_needed())
        if after != before:
            self._place()

    def grab_table(self) -> QImage:
        """The table at its own size, on the ground."""
        return self._picture(self.table, theme().px(TABLE), self.table.height_needed())

    def grab_chart(self) -> QImage:
        """The chart that is shown, without its switch."""
        self.chart.set_bare(True)
        picture = self._picture(self.chart, *(theme().px(side) for side in EXPORTED))
        self.chart.set_bare(False)
        return picture

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Find the places for this width."""
        super().resizeEvent(event)
        self.area.setGeometry(0, 1, self.width(), self.height() - 1)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Find the places for another width, also that without or beside a scroll bar."""
        if event.type() == QEvent.Type.Resize:
            self._place()
        return False

    def paintEvent(self, _: QPaintEvent) -> None:
        """The ground, and the hairline above it."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme().color("strip"))
        painter.fillRect(QRectF(0, 0, self.width(), 1), theme().color("line"))

    def _picture(self, widget: QWidget, wide: int, high: int) -> QImage:
        before = widget.size()
        widget.resize(wide, high)
        picture = QImage(wide * SCALE, high * SCALE, QImage.Format.Format_RGB32)
        picture.setDevicePixelRatio(SCALE)
        picture.fill(theme().color("strip"))
        widget.render(picture, QPoint(0, 0), renderFlags=QWidget.RenderFlag.DrawChildren)
        widget.resize(before)
        return picture

    def _more(self) -> int:
        """For the rows of the table above ROWS, in the picture's measure."""
        rows = min(self.table.figures.rowCount(), MOST_ROWS)
        return max(0, rows - ROWS) * ROW

    def _place(self) -> None:
        look, viewport, top = theme(), self.area.viewport(), TOP
        wide = viewport.width()
        self.hidden_note.setGeometry(LEFT, look.px(15), wide - 2 * LEFT, look.px(18))
        beside = self.width() >= look.px(NARROW)
        table = look.px(TABLE) if beside else wide - 2 * LEFT
        if not self.warning.isHidden():
            self.warning.setGeometry(LEFT, top, table, look.px(WARNING))
            top += look.px(WARNING)
        high, chart = self.table.height_needed(), look.px(CHART)
        if beside:  # as high as the table, and no higher than can be seen at once
            chart = max(chart, min(look.px(CHART + self._more()), viewport.height() - TOP))
        if not self.hidden_note.isHidden():
            bottom = self.hidden_note.geometry().bottom()
        elif beside:
            self.table.setGeometry(LEFT, top, table, high)
            left = LEFT + table + BETWEEN
            self.chart.setGeometry(left, TOP, wide - RIGHT - left, chart)
            bottom = max(top + high, TOP + chart)
        else:
            self.table.setGeometry(LEFT, top, table, high)
            top += high + BETWEEN // 2
            self.chart.setGeometry(LEFT, top, table, chart)
            bottom = top + chart + END
        self._body.resize(wide, bottom)


class _Warning(QWidget):
    """Why the figures may not be trusted."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._text = ""
        theme().changed.connect(self.update)

    def set_text(self, text: str) -> None:
        """Say this."""
        if text != self._text:
            self._text = text
            self.setAccessibleName(text)
            self.setToolTip(text)
            self.update()

    def text(self) -> str:
        """What it says."""
        return self._text

    def paintEvent(self, _: QPaintEvent) -> None:
        """The icon and the words."""
        look, painter = theme(), QPainter(self)
        at = QPointF(0, (self.height() - ICON) / 2)
        painter.drawPixmap(at, look.pixmap("warn", "warn", ICON))
        font = look.font("label", px=12)
        painter.setFont(font)
        painter.setPen(look.color("warn"))
        area = QRectF(self.rect()).adjusted(ICON + ICON_GAP, 0, 0, 0)
        words = QFontMetricsF(font).elidedText(
            self._text, Qt.TextElideMode.ElideRight, area.width()
        )
        draw_line(painter, area, words)
