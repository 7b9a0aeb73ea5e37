"""How a row of the chat list is painted, and its field while it is renamed."""

from __future__ import annotations

from PySide6.QtCore import QAbstractItemModel, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import (
    QLineEdit,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from app.panels.chat_list import HEAD, WRITING
from app.theme import theme
from app.widgets.button_base import rounded
from app.widgets.item_view import Index, place_of, state_of
from app.widgets.one_line import draw_line

ROW, HEAD_ROW = 30, 32
EDGE = 8  # from the sides of the list to the row
PADDING = 12
BADGE = 24  # the room of the ellipsis or the disc at the right
HEAD_BASE = 23.5
RADIUS = 7


def row_area(rect: QRect) -> QRect:
    """The row's ground within its item."""
    return rect.adjusted(EDGE, 0, -EDGE, 0)


def more_area(rect: QRect) -> QRect:
    """Where the ellipsis is pressed."""
    row = row_area(rect)
    return QRect(row.right() - 31, row.top(), 32, row.height())


class ChatRowDelegate(QStyledItemDelegate):
    """Paints heads and rows. `keyboard` says that the focus came by keys and wants its ring,
    `active` that the window is."""

    keyboard = False
    active = True
    row_height = ROW

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """A row's height; heads are a little higher."""
        return QSize(0, theme().px(HEAD_ROW if index.data(HEAD) else self.row_height))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """A head or a row."""
        painter.save()
        if index.data(HEAD):
            self._paint_head(painter, place_of(option), index)
        else:
            self._paint_row(painter, option, index)
        painter.restore()

    def _paint_head(self, painter: QPainter, rect: QRect, index: Index) -> None:
        look = theme()
        painter.setFont(look.font("small", bold=True))
        painter.setPen(look.color("text3"))
        base = rect.top() + HEAD_BASE * look.zoom
        painter.drawText(QPointF(rect.left() + EDGE + PADDING, base), str(index.data()))

    def _paint_row(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        look, state = theme(), state_of(option)
        selected = bool(state & QStyle.StateFlag.State_Selected)
        active = self.active
        hover = bool(state & QStyle.StateFlag.State_MouseOver)
        area = QRectF(row_area(place_of(option)))
        if selected or hover:
            ground = "tint" if selected and active else "hover"
            rounded(painter, area, RADIUS, look.color(ground))
        if state & QStyle.StateFlag.State_HasFocus and self.keyboard:
            painter.setPen(QPen(look.color("ring"), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.drawRoundedRect(area.adjusted(1, 1, -1, -1), RADIUS - 1, RADIUS - 1)
        writing = bool(index.data(WRITING))
        width = area.width() - 2 * PADDING - (BADGE if hover or writing else 0)
        font = look.font("interface", weight=500 if selected else 400)
        title = QFontMetricsF(font).elidedText(
            str(index.data()), Qt.TextElideMode.ElideRight, width
        )
        painter.setFont(font)
        painter.setPen(look.color("text"))
        draw_line(painter, self.title_area(area), title)
        self.paint_note(
            painter, area.adjusted(PADDING, 0, width - area.width() + PADDING, 0), index
        )
        self._paint_badge(painter, area, hover=hover, writing=writing)

    def title_area(self, row: QRectF) -> QRectF:
        """Where the title stands in the ground of a row, in the middle of the height."""
        return row.adjusted(PADDING, 0, 0, -1)

    def paint_note(self, painter: QPainter, row: QRectF, index: Index) -> None:
        """What else a subclass says of a row, in the room of its text."""

    def _paint_badge(self, painter: QPainter, area: QRectF, *, hover: bool, writing: bool) -> None:
        look = theme()
        middle = area.center().y()
        if hover:
            at = QPointF(area.right() - 28, middle - 8)
            painter.drawPixmap(at, look.pixmap("more", "text2"))
        elif writing:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(look.color("accent"))
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.drawEllipse(QPointF(area.right() - 15.5, middle), 3.5, 3.5)

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:
        """The field that lies over the row."""
        field = QLineEdit(parent)
        field.setProperty("kind", "rename")
        field.setAccessibleName(self.tr("Title of the chat"))
        field.setFont(theme().font("interface"))
        field.setAttribute(Qt.WidgetAttribute.WA_MacShowFocusRect, False)
        return field

    def setEditorData(self, editor: QWidget, index: Index) -> None:
        """The title, chosen whole."""
        assert isinstance(editor, QLineEdit)
        if not editor.isModified():
            editor.setText(str(index.data()))
            editor.selectAll()

    def setModelData(self, editor: QWidget, model: QAbstractItemModel, index: Index) -> None:
        """What was typed."""
        assert isinstance(editor, QLineEdit)
        model.setData(index, editor.text())

    def updateEditorGeometry(
        self, editor: QWidget, option: QStyleOptionViewItem, index: Index
    ) -> None:
        """Five pixels inside the row, four above and below."""
        editor.setGeometry(row_area(place_of(option)).adjusted(5, 4, -5, -4))
