"""The picker's list: a filter, the installed models, Unload and Get More Models."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import (
    QEvent,
    QModelIndex,
    QObject,
    QPointF,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QFontMetricsF,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QStandardItem,
    QStandardItemModel,
)
from PySide6.QtWidgets import (
    QFrame,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from app import format as text
from app.theme import theme
from app.widgets.button_base import rounded
from app.widgets.fit_mark import fit_word, paint_fit
from app.widgets.item_view import Index, place_of, state_of
from app.widgets.one_line import draw_line
from app.widgets.search_field import SearchField
from engine.api import ModelInfo

WIDTH = 336
PAD = 6
ROW, ACTION_ROW, DIVIDER = 40, 28, 13
MOST_ROWS = 9
TEXT_LEFT, RIGHT = 30, 8  # within a row
MODEL = int(Qt.ItemDataRole.UserRole)
ACTION = MODEL + 1
NOTE = MODEL + 2
CURRENT = MODEL + 3
UNLOAD, MORE, LINE = "unload", "more", "line"


class PickerDelegate(QStyledItemDelegate):
    """Paints a model, an action or the divider."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """The row's height, by what it is."""
        action = index.data(ACTION)
        high = ROW if action is None else DIVIDER if action == LINE else ACTION_ROW
        return QSize(0, theme().px(high))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """The row; the chosen one on the tint."""
        painter.save()
        area = QRectF(place_of(option))
        if index.data(ACTION) == LINE:
            middle = round(area.center().y())
            wide = area.width() - 4
            painter.fillRect(QRectF(area.x() + 2, middle, wide, 1), theme().color("line"))
        else:
            if state_of(option) & QStyle.StateFlag.State_Selected:
                rounded(painter, area, 7, theme().color("tint"))
            inner = area.adjusted(TEXT_LEFT, 0, -RIGHT, 0)
            if index.data(ACTION):
                _paint_action(painter, inner, str(index.data()), str(index.data(NOTE)))
            else:
                _paint_model(painter, area, inner, index)
        painter.restore()


def _paint_action(painter: QPainter, area: QRectF, name: str, note: str) -> None:
    look = theme()
    painter.setFont(look.font("interface"))
    painter.setPen(look.color("text"))
    draw_line(painter, area, name)
    painter.setFont(look.font("button", weight=400))
    painter.setPen(look.color("text3"))
    draw_line(painter, area, note, share=1)


def _paint_model(painter: QPainter, row: QRectF, area: QRectF, index: Index) -> None:
    look = theme()
    info: ModelInfo = index.data(MODEL)
    usable = not info.problem
    if index.data(CURRENT):
        at = QPointF(row.x() + 7, row.center().y() - 8)
        painter.drawPixmap(at, look.pixmap("check", "accent"))
    taken = _paint_fit_word(painter, area, info) if usable else 0.0
    elide = Qt.TextElideMode.ElideRight
    for base, role, weight, ink, words in (
        (17.0, "interface", 500, "text" if usable else "disabled", info.name),
        (31.0, "small", 400, "text3", str(index.data(NOTE))),
    ):
        font = look.font(role, weight=weight)
        painter.setFont(font)
        painter.setPen(look.color(ink))
        short = QFontMetricsF(font).elidedText(words, elide, area.width() - taken)
        painter.drawText(QPointF(area.x(), area.y() + base * look.zoom), short)


def _paint_fit_word(painter: QPainter, area: QRectF, info: ModelInfo) -> float:
    """The word at the right with its shape; gives the width that they take."""
    look = theme()
    font = look.font("interface")
    word = fit_word(info.fit)
    width = QFontMetricsF(font).horizontalAdvance(word)
    painter.setFont(font)
    painter.setPen(look.color("text"))
    draw_line(painter, area, word, share=1)
    paint_fit(painter, QPointF(area.right() - width - 9.5, area.center().y() + 0.5), info.fit)
    return width + 24


class PickerList(QFrame):
    """A popup, 336 wide. Signals: chosen(name), unload(), more(), closed()."""

    chosen = Signal(str)
    unload = Signal()
    more = Signal()
    closed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Popup | Qt.WindowType.FramelessWindowHint)
        self.setAttribute(Qt.WidgetAttribute.WA_TranslucentBackground)
        self.setAccessibleName(self.tr("Models"))
        self._models: list[ModelInfo] = []
        self._current: ModelInfo | None = None
        self.filter = SearchField(self.tr("Filter"), self, ground="fill")
        self.filter.textChanged.connect(self._fill)
        self.filter.installEventFilter(self)
        self._rows = QStandardItemModel(self)
        self.view = QListView(self)
        self.view.setAccessibleName(self.tr("Models"))
        self.view.setModel(self._rows)
        self.view.setItemDelegate(PickerDelegate(self.view))
        self.view.setMouseTracking(True)
        self.view.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.view.entered.connect(self.view.setCurrentIndex)
        self.view.clicked.connect(self._choose)
        column = QVBoxLayout(self)
        column.setContentsMargins(PAD + 1, PAD + 1, PAD + 1, PAD + 1)
        column.setSpacing(PAD)
        column.addWidget(self.filter)
        column.addWidget(self.view)

    def open_at(
        self, corner: QRect, models: Sequence[ModelInfo], current: ModelInfo | None
    ) -> None:
        """Open below `corner` (a place on the screen), its right sides in one line."""
        self._models, self._current = list(models), current
        self.filter.clear()
        self._fill()
        self.move(corner.right() + 1 - self.width(), corner.bottom() + 5)
        self.show()
        self.filter.setFocus(Qt.FocusReason.PopupFocusReason)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The arrows and Return in the filter are for the list."""
        if not isinstance(event, QKeyEvent) or event.type() != QEvent.Type.KeyPress:
            return False
        key = event.key()
        if key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self._step(1 if key == Qt.Key.Key_Down else -1)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._choose(self.view.currentIndex())
        elif key == Qt.Key.Key_Escape and not self.filter.text():
            self.close()
        else:
            return False
        return True

    def hideEvent(self, event: QEvent) -> None:
        """Tell that it closed."""
        super().hideEvent(event)  # type: ignore[arg-type]
        self.closed.emit()

    def paintEvent(self, _: QPaintEvent) -> None:
        """A rounded ground with the border of a control."""
        look = theme()
        rounded(QPainter(self), QRectF(self.rect()), 10, look.color("content"), look.color("edge"))

    def _fill(self) -> None:
        wanted = self.filter.text().strip().casefold()
        self._rows.clear()
        for info in self._models:
            if wanted in info.name.casefold():
                self._rows.appendRow(self._model_row(info))
        if self._rows.rowCount():
            self._rows.appendRow(_action_row(LINE, "", ""))
        if self._current is not None:
            size = text.short_size(self._current.needed_bytes)
            note = self.tr("frees {size}").format(size=size)
            self._rows.appendRow(_action_row(UNLOAD, self.tr("Unload"), note))
        keys = QKeySequence("Ctrl+2").toString(QKeySequence.SequenceFormat.NativeText)
        self._rows.appendRow(_action_row(MORE, self.tr("Get More Models…"), keys))
        self._select_first()
        self._resize()

    def _model_row(self, info: ModelInfo) -> QStandardItem:
        item = QStandardItem(info.name)
        kind = self.tr("Chat, {precision}, needs {size}")
        if not info.chat:
            kind = self.tr("Base, {precision}, needs {size}")
        if info.for_comparison:
            kind = self.tr("Transformer, {precision}, needs {size}")
        size = text.short_size(info.needed_bytes)
        note = info.problem or kind.format(precision=info.dtype, size=size)
        item.setData(info, MODEL)
        item.setData(note, NOTE)
        item.setData(self._current is not None and info.name == self._current.name, CURRENT)
        word = "" if info.problem else fit_word(info.fit)
        item.setAccessibleDescription(f"{note} {word}".strip())
        if info.problem:
            item.setToolTip(info.problem)
            item.setFlags(Qt.ItemFlag.NoItemFlags)
        return item

    def _select_first(self) -> None:
        rows = range(self._rows.rowCount())
        usable = [r for r in rows if self._rows.item(r).isSelectable()]
        marked = [r for r in usable if self._rows.item(r).data(CURRENT)]
        if first := (marked or usable):
            self.view.setCurrentIndex(self._rows.index(first[0], 0))

    def _resize(self) -> None:
        look = theme()
        heights = [self.view.sizeHintForRow(row) for row in range(self._rows.rowCount())]
        self.view.setFixedHeight(min(sum(heights), look.px(ROW) * MOST_ROWS))
        self.setFixedWidth(look.px(WIDTH))
        self.adjustSize()

    def _step(self, step: int) -> None:
        row = self.view.currentIndex().row() + step
        while 0 <= row < self._rows.rowCount():
            if self._rows.item(row).isSelectable():
                self.view.setCurrentIndex(self._rows.index(row, 0))
                return
            row += step

    def _choose(self, index: QModelIndex) -> None:
        if not index.flags() & Qt.ItemFlag.ItemIsSelectable:
            return
        action, info = index.data(ACTION), index.data(MODEL)
        self.close()
        if action == UNLOAD:
            self.unload.emit()
        elif action == MORE:
            self.more.emit()
        elif info is not None:
            self.chosen.emit(info.name)


def _action_row(action: str, name: str, note: str) -> QStandardItem:
    item = QStandardItem(name)
    item.setData(action, ACTION)
    item.setData(note, NOTE)
    if action == LINE:
        item.setFlags(Qt.ItemFlag.NoItemFlags)
    return item
