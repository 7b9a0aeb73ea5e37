"""The model picker: the model in use in two lines, its loading, and the list to choose from."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QElapsedTimer, QPoint, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QWidget

from app import format as text
from app.panels.picker_list import PickerList
from app.theme import theme
from app.widgets.button_base import ButtonBase, mix, rounded
from app.widgets.fit_mark import fit_word, paint_fit
from app.widgets.icon_button import IconButton
from app.widgets.progress import HEIGHT as BAR_HEIGHT
from app.widgets.progress import paint_progress
from engine.api import ModelInfo

HIGH, LOW = 36, 28
LEFT, RIGHT = 13, 9
ICON = 16
NAME_BASE, NOTE_BASE, LOADING_BASE = 15.0, 29.0, 17.5
ONE_BASE, ONE_BASE_LOW = 22.5, 18.5
LEAST, MOST = 212, 280
LEAST_LOW, MOST_LOW = 120, 150
STEP_MS = 100  # the bar moves ten times a second at most


class ModelPicker(ButtonBase):
    """36 high with two lines; `set_compact(True)` makes it 28 high with the name alone.
    Signals: model_chosen(name), unload_requested(), cancel_requested(), more_requested()."""

    model_chosen = Signal(str)
    unload_requested = Signal()
    cancel_requested = Signal()
    more_requested = Signal()
    radius = 8

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("", parent)
        self._models: list[ModelInfo] = []
        self._current: ModelInfo | None = None
        self._loading: tuple[str, float] | None = None
        self._compact = False
        self._since_step = QElapsedTimer()
        self.list = PickerList(self)
        self.list.chosen.connect(self.model_chosen)
        self.list.unload.connect(self.unload_requested)
        self.list.more.connect(self.more_requested)
        self.list.closed.connect(self.update)
        self.cancel = IconButton("close", self.tr("Cancel Loading"), self, size=24, icon_size=14)
        self.cancel.clicked.connect(self.cancel_requested)
        self.cancel.hide()
        self.clicked.connect(self.open_list)
        self._say()

    def set_models(self, models: Sequence[ModelInfo]) -> None:
        """The installed models, in the order of the list."""
        self._models = list(models)

    def set_current(self, info: ModelInfo | None) -> None:
        """The model in use; None shows the invitation to choose one."""
        self._current = info
        self._say()

    def set_loading(self, name: str, fraction: float) -> None:
        """A model is being loaded, so far `fraction` (0 to 1) of it; never goes backwards."""
        before = self._loading
        if before and before[0] == name:
            soon = self._since_step.isValid() and self._since_step.elapsed() < STEP_MS
            if fraction <= before[1] or (soon and fraction < 1):
                return
        self._since_step.start()
        self._loading = (name, fraction)
        self._say()

    def set_loaded(self) -> None:
        """Loading is over, well or not; `set_current` says which model is in use."""
        self._loading = None
        self._say()

    def set_compact(self, compact: bool) -> None:
        """The name alone, for a narrow window."""
        if compact != self._compact:
            self._compact = compact
            self._say()

    def open_list(self) -> None:
        """Open the list below the button."""
        place = QRect(self.mapToGlobal(QPoint(0, 0)), self.size())
        self.list.open_at(place, self._models, self._current)

    def headline(self) -> str:
        """The first line: what is in use or being loaded."""
        if self._loading:
            return self.tr("Loading {model}").replace("{model}", self._loading[0])
        return self._current.name if self._current else self.tr("Choose a Model")

    def note(self) -> str:
        """The second line, before the fit."""
        if self._current is None or self._loading:
            return ""
        size = text.short_size(self._current.disk_bytes)
        return self.tr("{precision}, {size}").format(precision=self._current.dtype, size=size)

    def sizeHint(self) -> QSize:
        """As wide as its lines, within bounds."""
        look = theme()
        name = QFontMetricsF(look.font("button", bold=True)).horizontalAdvance(self.headline())
        wide = max(name, 0.0 if self._compact else self._note_width())
        width = round(wide) + LEFT + RIGHT + ICON + 8
        least, most = (LEAST_LOW, MOST_LOW) if self._compact else (LEAST, MOST)
        return QSize(
            max(look.px(least), min(width, look.px(most))), look.px(LOW if self._compact else HIGH)
        )

    def minimumSizeHint(self) -> QSize:
        """As large as it wants to be."""
        return self.sizeHint()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the cross at the right."""
        super().resizeEvent(event)
        self.cancel.setGeometry(self.width() - 28, (self.height() - 24) // 2, 24, 24)

    def paintEvent(self, _: QPaintEvent) -> None:
        """Border, lines, fit or progress, and the arrows."""
        look = theme()
        painter = QPainter(self)
        open_or_down = self.isDown() or self.list.isVisible()
        ground = look.color("fill") if open_or_down else QColor(0, 0, 0, 0)
        border = mix(look.color("edge"), look.color("text3"), self.warmth)
        rounded(painter, QRectF(self.rect()), self.radius, ground, border)
        base = self._name_base()
        font = look.font("button", bold=True)
        room = self.width() - LEFT - RIGHT - ICON - 8
        name = QFontMetricsF(font).elidedText(self.headline(), Qt.TextElideMode.ElideRight, room)
        painter.setFont(font)
        painter.setPen(look.color("text"))
        painter.drawText(QPointF(LEFT, base * look.zoom), name)
        if self._loading:
            self._paint_bar(painter, self._loading[1])
            return
        if not self._compact:
            self._paint_note(painter)
        at = QPointF(self.width() - RIGHT - ICON, self.height() / 2 - ICON / 2)
        painter.drawPixmap(at, look.pixmap("popup", "text2"))

    def _name_base(self) -> float:
        if self._compact:
            return ONE_BASE_LOW
        if self._loading:
            return LOADING_BASE
        return NAME_BASE if self._current else ONE_BASE

    def _paint_bar(self, painter: QPainter, fraction: float) -> None:
        look = theme()
        y = self.height() - BAR_HEIGHT - 2 if self._compact else look.px(26)
        area = QRectF(LEFT, y, self.width() - LEFT - 37, BAR_HEIGHT)
        paint_progress(painter, area, fraction)

    def _paint_note(self, painter: QPainter) -> None:
        if self._current is None:
            return
        look = theme()
        font = look.font("small")
        base = NOTE_BASE * look.zoom
        x = LEFT + QFontMetricsF(font).horizontalAdvance(self.note())
        painter.setFont(font)
        painter.setPen(look.color("text3"))
        painter.drawText(QPointF(LEFT, base), self.note())
        paint_fit(painter, QPointF(x + 19, base - 4), self._current.fit)
        painter.setFont(font)
        painter.drawText(QPointF(x + 28, base), fit_word(self._current.fit))

    def _note_width(self) -> float:
        if self._current is None:
            return 0.0
        measure = QFontMetricsF(theme().font("small"))
        word = fit_word(self._current.fit)
        return measure.horizontalAdvance(self.note()) + 28 + measure.horizontalAdvance(word)

    def _say(self) -> None:
        self.cancel.setVisible(self._loading is not None)
        model = self.tr("Model: {name}").replace("{name}", self.headline())
        self.setAccessibleName(model)
        self.setToolTip(self.headline())
        if self._loading:
            percent = self.tr("{percent} %").format(percent=round(self._loading[1] * 100))
            self.setAccessibleDescription(percent)
        elif self._current:
            self.setAccessibleDescription(f"{self.note()}, {fit_word(self._current.fit)}")
        self.updateGeometry()
        self.update()
