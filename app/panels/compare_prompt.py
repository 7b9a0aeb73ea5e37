"""The prompt of a comparison: a field of one to three lines, Run and Stop."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFont, QFontMetricsF, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QStackedLayout, QVBoxLayout, QWidget

from app.panels.composer_text import LINE, SIDE, ComposerText
from app.theme import theme
from app.widgets.button_base import ButtonBase, rounded
from app.widgets.one_line import draw_line

RADIUS = 10
MOST_LINES = 3
LEFT, TOP = 13, 9  # the border's pixel included
GAP = 12
ICON, ICON_LEFT, TEXT_LEFT, END = 16, 14, 35, 19  # in a button


class PromptText(ComposerText):
    """The composer's text, three lines high at most."""

    most_lines = MOST_LINES


class RunButton(ButtonBase):
    """As high as a field of one line; `primary` is in the accent, the other has an icon."""

    radius = RADIUS

    def __init__(self, words: str, parent: QWidget, *, icon: str = "") -> None:
        super().__init__(words, parent)
        self._icon = icon
        self.setText(words)
        self.setToolTip(words)

    def sizeHint(self) -> QSize:
        """As wide as icon and word."""
        word = QFontMetricsF(_font()).horizontalAdvance(self.text())
        return QSize(round(TEXT_LEFT + word + END), field_height())

    def minimumSizeHint(self) -> QSize:
        """As large as it wants to be."""
        return self.sizeHint()

    def paintEvent(self, _: QPaintEvent) -> None:
        """Ground, icon and word."""
        look, painter, area = theme(), QPainter(self), QRectF(self.rect())
        kind = "raised" if self._icon else "accent"
        ground = self.ground(*(look.color(f"{kind}{state}") for state in ("", "Hover", "Pressed")))
        able = self.isEnabled()
        if self._icon:
            rounded(painter, area, RADIUS, ground, look.color("edge" if able else "line"))
        else:
            rounded(painter, area, RADIUS, ground if able else look.color("fill"))
        ink = ("text" if self._icon else "onAccent") if able else "disabled"
        painter.setFont(_font())
        painter.setPen(look.color(ink))
        if self._icon:
            at = QPointF(ICON_LEFT, area.center().y() - ICON / 2)
            painter.drawPixmap(at, look.pixmap(self._icon, ink, ICON))
            draw_line(painter, area.adjusted(TEXT_LEFT, 0, 0, 0), self.text())
        else:
            draw_line(painter, area, self.text(), share=0.5)


class ComparePrompt(QWidget):
    """Signals: run_requested() by Run or Return, stop_requested() by Stop or Esc,
    changed(text) for what the user types."""

    run_requested = Signal()
    stop_requested = Signal()
    changed = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._able = self._running = self._quiet = False
        self._known = ""  # the prompt that was last given or told
        self.box = _Box(self)
        self.editor = self.box.editor
        self._place = QWidget(self)
        self._buttons = QStackedLayout(self._place)  # so that the field keeps its width
        self.run = RunButton(self.tr("Run"), self._place)
        self.stop = RunButton(self.tr("Stop"), self._place, icon="stop")
        self._buttons.addWidget(self.run)
        self._buttons.addWidget(self.stop)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(GAP)
        row.addWidget(self.box, 1)
        row.addWidget(self._place, 0, Qt.AlignmentFlag.AlignTop)
        self.editor.submitted.connect(self._submit)
        self.editor.escaped.connect(self._escape)
        self.editor.textChanged.connect(self._on_edited)
        self.editor.composing_changed.connect(self._show_state)
        self.run.clicked.connect(self.run_requested)
        self.stop.clicked.connect(self.stop_requested)
        self._show_state()

    def set_prompt(self, prompt: str) -> None:
        """The prompt of what is shown, without a signal; what is being typed is left alone."""
        if prompt != self._known:
            self._known = prompt
            if prompt != self.editor.text():
                self._quiet = True
                self.editor.set_text(prompt)
                self._quiet = False
                self._show_state()

    def set_state(self, *, running: bool, can_run: bool) -> None:
        """Whether it runs, and whether it could."""
        self._running, self._able = running, can_run
        self._show_state()

    def _on_edited(self) -> None:
        if self._quiet:
            return
        self._show_state()
        if (text := self.editor.text()) != self._known:
            self._known = text
            self.changed.emit(text)

    def _show_state(self) -> None:
        able = self._able and not self.editor.composing and not self.editor.is_blank()
        self.run.setEnabled(able)
        focused = self.run.hasFocus() or self.stop.hasFocus()
        shown = self.stop if self._running else self.run
        if self._buttons.currentWidget() is not shown:
            self._buttons.setCurrentWidget(shown)
            if focused:
                shown.setFocus(Qt.FocusReason.OtherFocusReason)

    def _submit(self) -> None:
        if self.run.isEnabled() and not self._running:
            self.run_requested.emit()

    def _escape(self) -> None:
        if self._running:
            self.stop_requested.emit()


class _Box(QFrame):
    """The field with its border, which turns accent with the focus."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.editor = PromptText(self)
        self.editor.setAccessibleName(self.tr("Prompt"))
        self.editor.set_placeholder(self.tr("A prompt for every model"))
        column = QVBoxLayout(self)
        column.setContentsMargins(LEFT - SIDE, TOP - SIDE, LEFT - SIDE, TOP - SIDE)
        column.addWidget(self.editor)
        self.editor.focus_changed.connect(self.update)
        self.editor.lines_changed.connect(self._fit)
        theme().changed.connect(self._fit)
        self._fit()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A press beside the text is meant for it."""
        self.editor.setFocus(Qt.FocusReason.MouseFocusReason)
        super().mousePressEvent(event)

    def paintEvent(self, _: QPaintEvent) -> None:
        """Ground and border."""
        look = theme()
        border = look.color("accent" if self.editor.hasFocus() else "edge")
        rounded(QPainter(self), QRectF(self.rect()), RADIUS, look.color("content"), border)

    def _fit(self) -> None:
        self.editor.setFixedHeight(self.editor.sizeHint().height())
        self.update()


def field_height() -> int:
    """Of a field of one line, in pixels."""
    return theme().px(LINE) + 2 * TOP


def _font() -> QFont:
    return theme().font("button", weight=600, px=13)
