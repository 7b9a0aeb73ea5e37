"""What the rows of the Models view share: ground, hairline, keys, texts cut to their columns."""

from __future__ import annotations

from html import escape

from PySide6.QtCore import QEvent, QObject, QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QFont,
    QFontMetricsF,
    QHelpEvent,
    QKeyEvent,
    QPainter,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractButton, QToolTip, QWidget

from app.panels.models_grid import ROW, Grid
from app.theme import theme
from app.widgets.button_base import ButtonBase
from app.widgets.one_line import draw_line
from app.widgets.row_button import RowButton

INSET = 12  # from the row's ground to its text
NOTE_GAP, NOTE_LEAST = 9, 30
STEPS = (
    Qt.Key.Key_Up,
    Qt.Key.Key_Down,
    Qt.Key.Key_Home,
    Qt.Key.Key_End,
    Qt.Key.Key_PageUp,
    Qt.Key.Key_PageDown,
)


def table_font() -> QFont:
    """Of the cells: 12.5 pixels, with figures that align."""
    return theme().font("label", px=12.5)


class TableRow(RowButton):
    """A row with its text `INSET` within it. Only the current one is reached by Tab, and then the
    buttons in it. Signals: asked(what, id) for each wish of the user, stepped(key) for the keys
    that go to another row, reached() when it gets the focus, menu_wanted(place on the screen)."""

    asked = Signal(str, str)
    stepped = Signal(int)
    reached = Signal()
    menu_wanted = Signal(QPoint)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("", parent)
        self.id = ""
        self.grid = Grid()
        self.marked = False  # its card or its menu is open
        self._buttons: list[ButtonBase] = []
        self._cut: list[str] = []
        self.set_current(False)

    def set_grid(self, grid: Grid) -> None:
        """Stand in these columns."""
        if grid != self.grid:
            self.grid = grid
            self.place()
            self.update()

    def set_current(self, current: bool) -> None:
        """Whether Tab comes here."""
        focus = Qt.FocusPolicy
        self.setFocusPolicy(focus.StrongFocus if current else focus.ClickFocus)
        for button in self._buttons:
            button.setFocusPolicy(focus.TabFocus if current else focus.NoFocus)

    def set_marked(self, marked: bool) -> None:
        """Whether its card or its menu is open."""
        self.marked = marked
        self.update()

    def add_button(self, button: ButtonBase) -> None:
        """A button of this row: its arrow keys walk the rows, Tab comes to it after the row."""
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        if self.focusPolicy() == Qt.FocusPolicy.StrongFocus:
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.installEventFilter(self)
        QWidget.setTabOrder(self._buttons[-1] if self._buttons else self, button)
        self._buttons.append(button)

    def act(self) -> None:
        """What Return does."""

    def remove(self) -> None:
        """What Delete does."""

    def place(self) -> None:
        """Put the buttons in their places."""

    def content(self) -> QRectF:
        """The room of the text, below the hairline."""
        return QRectF(self.rect()).adjusted(INSET, 1, -INSET, 0)

    def tip(self) -> str:
        """What had no room when the row was last drawn, whole."""
        return "\n".join(self._cut)

    def sizeHint(self) -> QSize:
        """As high as the grid's rows; any width."""
        return QSize(400, self.grid.row_height if self.grid.columns else theme().px(ROW))

    def restyle(self) -> None:
        """Take the theme anew."""
        super().restyle()
        if self.grid.columns:
            self.place()

    # Painting

    def begin(self, painter: QPainter) -> None:
        """The hairline above, the ground and the ring."""
        self._cut.clear()
        look = theme()
        line = QRectF(INSET, 0, self.width() - 2 * INSET, 1)
        painter.fillRect(line, look.color("line"))
        area = QRectF(self.rect()).adjusted(0, 1, 0, 0)
        self.paint_ground(painter, area, hover="fill", chosen="tint" if self.marked else "")

    def draw_cell(
        self,
        painter: QPainter,
        area: QRectF,
        words: str,
        font: QFont,
        *,
        ink: str = "text",
        share: float = 0.0,
    ) -> float:
        """One line in `area`, cut where it has no room; gives the width that it takes."""
        metrics = QFontMetricsF(font)
        short = metrics.elidedText(words, Qt.TextElideMode.ElideRight, max(0.0, area.width()))
        if short != words:
            self._cut.append(words)
        painter.setFont(font)
        painter.setPen(theme().color(ink))
        draw_line(painter, area, short, share=share)
        return metrics.horizontalAdvance(short)

    def draw_name(self, painter: QPainter, area: QRectF, name: str, note: str) -> None:
        """The name, and as much of the note as there is room for."""
        look = theme()
        area = area.adjusted(0, 0, -INSET, 0)
        taken = self.draw_cell(painter, area, name, look.font("interface", weight=500))
        rest = area.adjusted(taken + look.px(NOTE_GAP), 0, 0, 0)
        if not note:
            return
        if rest.width() >= look.px(NOTE_LEAST):
            self.draw_cell(painter, rest, note, look.font("label", px=12), ink="text3")
        else:
            self._cut.append(note)

    # Qt's events

    def event(self, event: QEvent) -> bool:
        """The tip says what was cut."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            # As rich text it wraps.
            tip = f"<p>{escape(self.tip())}</p>" if self._cut else ""
            QToolTip.showText(event.globalPos(), tip, self)
            return True
        return super().event(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The arrow keys of a button walk the rows too."""
        if not isinstance(event, QKeyEvent) or event.type() != QEvent.Type.KeyPress:
            return False
        vertical = event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down)
        if vertical:
            self.stepped.emit(event.key())
        return vertical

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows walk, Return acts, Delete asks to remove it, the menu key opens the menu."""
        key, shift = event.key(), event.modifiers() & Qt.KeyboardModifier.ShiftModifier
        if key in STEPS:
            self.stepped.emit(key)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not event.isAutoRepeat():
            self.act()
        elif key in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace) and not event.isAutoRepeat():
            self.remove()
        elif key == Qt.Key.Key_Menu or (key == Qt.Key.Key_F10 and shift):
            self.menu_wanted.emit(self.mapToGlobal(QPoint(INSET, self.height())))
        else:
            QAbstractButton.keyPressEvent(self, event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """The menu of the row."""
        self.menu_wanted.emit(event.globalPos())

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Tell that this is the current row."""
        super().focusInEvent(event)
        self.reached.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the buttons in their places."""
        super().resizeEvent(event)
        if self.grid.columns:
            self.place()
