"""The download that the first page suggests: what it is, that it fits, and Get."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QWidget

from app.theme import theme
from app.values import BiggerModel
from app.widgets.fit_mark import paint_fit
from app.widgets.one_line import draw_line
from app.widgets.push_button import PushButton

HIGH = 62
INSET = 12
TITLE_MIDDLE, FACTS_MIDDLE = 31.0, 51.0
MARK_BEFORE, MARK_AFTER = 16, 12  # from the facts' end to the mark's middle, from there to words


class BiggerRow(QWidget):
    """`requested` is emitted with the repository."""

    requested = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model: BiggerModel | None = None
        self.button = PushButton(self.tr("Get"), self)
        self.button.clicked.connect(self._on_clicked)
        theme().changed.connect(self._place)

    def set_model(self, model: BiggerModel) -> None:
        """Suggest this one."""
        self._model = model
        self.setAccessibleName(f"{self.tr('Get a bigger model')}: {model.facts}, {self._fits()}")
        self.button.setAccessibleName(f"{self.button.text()} {model.facts}")
        self.update()

    def sizeHint(self) -> QSize:
        """As high as its two lines."""
        return QSize(1, theme().px(HIGH))

    def resizeEvent(self, _: QResizeEvent) -> None:
        """The button stays at the right."""
        self._place()

    def paintEvent(self, _: QPaintEvent) -> None:
        """The title, the facts, and the mark that it fits."""
        if self._model is None:
            return
        look, painter = theme(), QPainter(self)
        room = self.button.x() - 2 * INSET
        painter.setFont(look.font("interface", bold=True))
        painter.setPen(look.color("text"))
        draw_line(painter, _line(TITLE_MIDDLE, INSET, room), self.tr("Get a bigger model"))
        painter.setFont(look.font("interface"))
        painter.setPen(look.color("text2"))
        metrics, fits = QFontMetricsF(painter.font()), self._fits()
        after = MARK_BEFORE + MARK_AFTER + metrics.horizontalAdvance(fits)
        elide = Qt.TextElideMode.ElideMiddle
        facts = metrics.elidedText(self._model.facts, elide, max(0.0, room - after))
        draw_line(painter, _line(FACTS_MIDDLE, INSET, room), facts)
        x = INSET + metrics.horizontalAdvance(facts) + MARK_BEFORE
        paint_fit(painter, QPointF(x, FACTS_MIDDLE * look.zoom), "fits")
        draw_line(painter, _line(FACTS_MIDDLE, x + MARK_AFTER, room), fits)

    def _fits(self) -> str:
        words = self.tr("fits your {memory}")
        return words.replace("{memory}", self._model.memory if self._model else "")

    def _place(self) -> None:
        size = self.button.sizeHint()
        middle = (TITLE_MIDDLE + FACTS_MIDDLE) / 2 * theme().zoom
        top = round(middle - size.height() / 2)
        self.button.setGeometry(self.width() - INSET - size.width(), top, size.width(),
                                size.height())  # fmt: skip
        self.update()

    def _on_clicked(self) -> None:
        if self._model:
            self.requested.emit(self._model.repo)


def _line(middle: float, x: float, width: float) -> QRectF:
    return QRectF(x, middle * theme().zoom - 10, width, 20)
