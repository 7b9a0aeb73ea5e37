"""A popup: a field that shows what is chosen, and opens a menu of what may be."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QAction, QFontMetricsF, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QMenu, QWidget

from app.theme import theme
from app.widgets.button_base import ButtonBase, rounded
from app.widgets.one_line import draw_line

WIDTH, HEIGHT = 232, 24
LEFT, ICON, RIGHT = 10, 12, 7
_OPENING = (Qt.Key.Key_Up, Qt.Key.Key_Down)


class PopupButton(ButtonBase):
    """24 high. `chosen` gives the value of the choice that the user made."""

    chosen = Signal(object)
    radius = 7

    def __init__(self, label: str, parent: QWidget | None = None, *, width: int = WIDTH) -> None:
        super().__init__(label, parent)
        self._width = width
        self._choices: list[tuple[object, str]] = []
        self._value: object = None
        self.clicked.connect(self.open_menu)

    def set_choices(self, choices: Sequence[tuple[object, str]]) -> None:
        """Each as its value and its words; the first is shown."""
        self._choices = list(choices)
        self.set_value(choices[0][0])

    def set_value(self, value: object) -> None:
        """Show the choice with this value, without a signal."""
        self._value = value
        self.setAccessibleDescription(self.words())
        self.update()

    def value(self) -> object:
        """The value of the choice that is shown."""
        return self._value

    def words(self) -> str:
        """What is shown."""
        return next((words for value, words in self._choices if value == self._value), "")

    def open_menu(self) -> None:
        """Open the menu with the choice in use over the field."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        current: QAction | None = None
        for value, words in self._choices:
            action = menu.addAction(words)
            action.setCheckable(True)
            action.setData(value)
            if value == self._value:
                action.setChecked(True)
                current = action
        menu.triggered.connect(self._choose)
        menu.setMinimumWidth(self.width())
        menu.popup(self.mapToGlobal(QPoint(0, 0)), current)
        if current is not None:
            menu.setActiveAction(current)  # the arrows go on from there

    def sizeHint(self) -> QSize:
        """As wide as it was made, or as its longest choice needs."""
        look = theme()
        metrics = QFontMetricsF(look.font("interface"))
        longest = max((metrics.horizontalAdvance(words) for _, words in self._choices), default=0)
        width = max(look.px(self._width), round(longest + 0.5) + LEFT + ICON + RIGHT + 8)
        return QSize(width, look.px(HEIGHT))

    def minimumSizeHint(self) -> QSize:
        """As large as it wants to be."""
        return self.sizeHint()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Up and Down open it, as the space bar does."""
        if event.key() in _OPENING:
            self.click()
            return
        super().keyPressEvent(event)

    def paintEvent(self, _: QPaintEvent) -> None:
        """Ground, border, the words and the two arrows."""
        look = theme()
        painter = QPainter(self)
        able, area = self.isEnabled(), QRectF(self.rect())
        grounds = [look.color(f"raised{state}") for state in ("", "Hover", "Pressed")]
        border = look.color("edge" if able else "line")
        rounded(painter, area, self.radius, self.ground(*grounds), border)
        at = QPointF(area.right() - RIGHT - ICON, area.center().y() - ICON / 2)
        painter.drawPixmap(at, look.pixmap("popup", "text2" if able else "disabled", ICON))
        painter.setPen(look.color("text" if able else "disabled"))
        painter.setFont(look.font("interface"))
        draw_line(painter, area.adjusted(LEFT, 0, 0, 0), self.words())

    def _choose(self, action: QAction) -> None:
        if action.data() != self._value:
            self.set_value(action.data())
            self.chosen.emit(self._value)
