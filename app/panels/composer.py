"""The composer: the message being written, the options of its answer, Send and Stop."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QFocusEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from app.panels.composer_text import SIDE, ComposerText
from app.panels.options_popover import OptionsPopover
from app.theme import theme
from app.widgets.button_base import rounded
from app.widgets.elided_label import ElidedLabel
from app.widgets.push_button import PushButton
from app.widgets.send_button import SendButton, WordButton
from engine.api import Sampling

RADIUS = 10
LEFT, TOP, RIGHT, BOTTOM = 13, 10, 9, 8  # the border's pixel included
ROW_GAP = 6
WORD_INSET = 6  # a word button's own padding, so that its icon stands under the text


class Composer(QFrame):
    """One to eight lines, then it scrolls. `submitted` gives a message that is not blank; the text
    stays until `set_draft` replaces it, so that nothing is lost where it was not taken."""

    submitted = Signal(str)
    stop_requested = Signal()
    escaped = Signal()
    draft_changed = Signal(str)
    edit_last_requested = Signal()
    sampling_changed = Signal(Sampling)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("Composer"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._busy, self._ready, self._hint, self._quiet = False, True, "", False
        self.editor = ComposerText(self)
        self.editor.setAccessibleName(self.tr("Message"))
        self.options = WordButton("options", self.tr("Options"), self)
        self.options.setToolTip(self.tr("Options"))
        self.hint = ElidedLabel("label", "text3", self)
        self.send = SendButton(self.tr("Send"), self)
        self.send.setToolTip(self.tr("Send"))
        self.stop = PushButton(self.tr("Stop"), self, height=28, radius=8, icon="stop", weight=600)
        self.popover = OptionsPopover(self)
        self._lay_out()
        self._connect()
        self.set_sampling(Sampling())
        self._update_state()

    def set_busy(self, busy: bool) -> None:
        """While an answer is being written Stop stands in the place of Send."""
        self._busy = busy
        self._update_state()

    def set_ready(self, ready: bool) -> None:
        """Whether there is a model to send to."""
        self._ready = ready
        self._update_state()

    def set_draft(self, text: str) -> None:
        """Replace what stands there, without a signal; the same text leaves the caret alone."""
        if text == self.editor.text():
            return
        self._quiet = True
        self.editor.set_text(text)
        self._quiet = False
        self._update_state()

    def draft(self) -> str:
        """What stands there."""
        return self.editor.text()

    def set_placeholder(self, text: str) -> None:
        """What an empty composer says."""
        self.editor.set_placeholder(text)
        self.editor.setAccessibleDescription(text)

    def set_hint(self, text: str) -> None:
        """A line beside Send, such as the tokens to be read."""
        self._hint = text
        self._show_hint()

    def set_sampling(self, sampling: Sampling) -> None:
        """The options of the next answer."""
        self.popover.set_sampling(sampling)
        self._name_options(sampling)

    def sampling(self) -> Sampling:
        """The options of the next answer."""
        return self.popover.sampling()

    def open_options(self) -> None:
        """Open the options above the composer, so that the message stays in view."""
        self.popover.open_above(QRect(self.mapToGlobal(QPoint(0, 0)), self.size()))

    def focusInEvent(self, event: QFocusEvent) -> None:
        """The focus is for the text. As its proxy it would hold Tab among the composer's parts."""
        self.editor.setFocus(event.reason())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A press beside the text is meant for it."""
        self.editor.setFocus(Qt.FocusReason.MouseFocusReason)
        super().mousePressEvent(event)

    def paintEvent(self, _: QPaintEvent) -> None:
        """The ground, and a border that turns accent with the focus."""
        look = theme()
        border = look.color("accent" if self.editor.hasFocus() else "edge")
        rounded(QPainter(self), QRectF(self.rect()), RADIUS, look.color("content"), border)

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(LEFT - SIDE, TOP - SIDE, RIGHT, BOTTOM)
        column.setSpacing(ROW_GAP - SIDE)
        column.addWidget(self.editor)
        row = QHBoxLayout()
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(12)
        # The icon, not the padding of its button, stands on the text's vertical.
        row.addSpacing(SIDE - WORD_INSET - 1)
        row.addWidget(self.options)
        row.addWidget(self.hint, 1)
        row.addWidget(self.send)
        row.addWidget(self.stop)
        column.addLayout(row)
        self._fit()

    def _connect(self) -> None:
        self.editor.submitted.connect(self._submit)
        self.editor.textChanged.connect(self._edited)
        self.editor.lines_changed.connect(self._fit)
        self.editor.composing_changed.connect(self._update_state)
        self.editor.previous_wanted.connect(self.edit_last_requested)
        self.editor.escaped.connect(self._escape)
        self.editor.focus_changed.connect(self.update)
        self.options.clicked.connect(self.open_options)
        self.popover.changed.connect(self._take_sampling)
        self.send.clicked.connect(self._submit)
        self.stop.clicked.connect(self.stop_requested)
        theme().changed.connect(self._fit)

    def _submit(self) -> None:
        if self.send.isEnabled() and not self._busy:
            self.submitted.emit(self.editor.text())

    def _escape(self) -> None:
        if self._busy:
            self.stop_requested.emit()
        else:
            self.escaped.emit()

    def _edited(self) -> None:
        self._update_state()
        if not self._quiet:
            self.draft_changed.emit(self.editor.text())

    def _update_state(self) -> None:
        able = self._ready and not self.editor.composing and not self.editor.is_blank()
        self.send.setEnabled(able)
        self.send.setVisible(not self._busy)
        self.stop.setVisible(self._busy)
        self._show_hint()

    def _show_hint(self) -> None:
        composing = self.tr("Return confirms the text first")
        self.hint.set_text(composing if self.editor.composing else self._hint)

    def _take_sampling(self, sampling: Sampling) -> None:
        self._name_options(sampling)
        self.sampling_changed.emit(sampling)

    def _name_options(self, sampling: Sampling) -> None:
        words = self.tr("Temperature {value}")
        self.options.set_text(
            words.format(value=f"{sampling.temperature:.2f}".rstrip("0").rstrip("."))
        )
        self.options.setAccessibleDescription(self.options.text())

    def _fit(self) -> None:
        self.editor.setFixedHeight(self.editor.sizeHint().height())
        self.update()
