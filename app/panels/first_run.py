"""The page before the first message: what is loaded, what it is, three things to try, and a
bigger model to get."""

from __future__ import annotations

import sys

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QTextCharFormat,
    QTextCursor,
)
from PySide6.QtWidgets import QAbstractButton, QFrame, QLabel, QScrollArea, QWidget

from app.panels.bigger_row import BiggerRow
from app.theme import theme
from app.values import BiggerModel
from app.widgets.button_base import ButtonBase
from app.widgets.focus_ring import KEYBOARD
from app.widgets.message_column import box_column
from app.widgets.rich_text import body_format, line_of
from app.widgets.text_view import TextView
from engine.api import Machine, ModelInfo

# Not translated: the models that come with the app know English only.
CHAT_PROMPTS = (
    "What sound does a cow make?",
    "Tell me a short story about a lighthouse and a goat.",
    "Help me book a table for two on Friday.",
)
BASE_PROMPTS = (
    "Once upon a time, a goat lived in a lighthouse.",
    "The quickest way to learn a song by heart is",
    "Dear neighbour, I am writing to you about",
)
MARK = 46
INSET = 12
TEXT_WIDTH = 580
ROW = 42
TOP = 76  # where there is room; a third of the room that is left where there is less
MODEL = "{model}"


class PromptRow(ButtonBase):
    """A prompt to try: its text, an arrow, a hairline below."""

    def __init__(self, text: str, parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self.setText(text)
        self._keyboard = False

    def sizeHint(self) -> QSize:
        """As high as a row."""
        return QSize(1, max(ROW, theme().px(ROW)))

    def focusInEvent(self, event: QFocusEvent) -> None:
        """On a row the ring lies inside."""
        QAbstractButton.focusInEvent(self, event)
        self._keyboard = event.reason() in KEYBOARD

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Take the ring away."""
        self._keyboard = False
        QAbstractButton.focusOutEvent(self, event)

    def paintEvent(self, _: QPaintEvent) -> None:
        """Ground, text, arrow and hairline."""
        look = theme()
        painter = QPainter(self)
        clear = QColor(0, 0, 0, 0)
        ground = self.ground(clear, look.color("hover"), look.color("pressed"))
        painter.fillRect(0, 0, self.width(), self.height() - 1, ground)
        painter.fillRect(0, self.height() - 1, self.width(), 1, look.color("line"))
        painter.setFont(look.font("body"))
        painter.setPen(look.color("text"))
        area = self.rect().adjusted(INSET, 0, -INSET - 24, -1)
        text = painter.fontMetrics().elidedText(
            self.text(), Qt.TextElideMode.ElideRight, area.width()
        )
        painter.drawText(area, Qt.AlignmentFlag.AlignVCenter, text)
        arrow = look.pixmap("arrow")
        painter.drawPixmap(self.width() - INSET - 16, (self.height() - 17) // 2, arrow)
        if self._keyboard:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(look.color("ring"), 2))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -2), 6, 6)


class FirstRun(QScrollArea):
    """`prompt_chosen` is emitted with the text of a row that was pressed, `bigger_requested` with
    the repository of the model that is suggested."""

    prompt_chosen = Signal(str)
    bigger_requested = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.viewport().setAutoFillBackground(False)
        self._page = QWidget(self)
        self._page.setAutoFillBackground(False)
        self.setWidget(self._page)
        self._mark = QLabel(self._page)
        self._headline = QLabel(self._page)
        self._headline.setWordWrap(True)
        self._text = TextView(self.tr("About the model"), self._page)
        self._rule = QWidget(self._page)
        self._rule.setAutoFillBackground(True)
        self._rows: list[PromptRow] = []
        self.bigger = BiggerRow(self._page)
        self.bigger.requested.connect(self.bigger_requested)
        self.bigger.hide()
        self._offered: BiggerModel | None = None
        self._shown: tuple[ModelInfo | None, str] = (None, "")
        theme().changed.connect(self._restyle)
        self._restyle()

    def show_model(
        self, model: ModelInfo | None, machine: Machine | None = None, *, loading: str = ""
    ) -> None:
        """The page of a loaded model, of one being loaded (its name), or of none at all."""
        self._shown = (model, loading)
        for row in self._rows:
            row.hide()
            row.deleteLater()
        self._rows.clear()
        prompts = (CHAT_PROMPTS if model.chat else BASE_PROMPTS) if model else ()
        for prompt in prompts:
            row = PromptRow(prompt, self._page)
            row.clicked.connect(self._on_row)
            row.show()
            self._rows.append(row)
        self._write()
        self._arrange()

    def offer_bigger(self, model: BiggerModel | None) -> None:
        """Suggest a download below, or none."""
        if model != self._offered:
            self._offered = model
            if model is not None:
                self.bigger.set_model(model)
            self._arrange()

    def headline(self) -> str:
        """What stands in large letters."""
        return self._headline.text()

    def text(self) -> str:
        """What stands below it."""
        return self._text.toPlainText()

    def rows(self) -> list[PromptRow]:
        """The prompts to try."""
        return list(self._rows)

    def _on_row(self) -> None:
        if isinstance(row := self.sender(), PromptRow):
            self.prompt_chosen.emit(row.text())

    def _write(self) -> None:
        model, loading = self._shown
        mac = sys.platform == "darwin"
        ready = (
            self.tr("Ready. Everything stays on this Mac.")
            if mac
            else self.tr("Ready. Everything stays on this computer.")
        )
        if model is not None:
            self._headline.setText(ready)
            self._say(self._sentences(model), model.name)
        elif loading:
            self._headline.setText(self.tr("Loading {model}").format(model=loading))
            self._say(
                [self.tr("It runs on this Mac.") if mac else self.tr("It runs on this computer.")],
                "",
            )
        else:
            self._headline.setText(self.tr("Choose a model to start"))
            self._say([self.tr("The list at the top right holds those that are here.")], "")

    def _sentences(self, model: ModelInfo) -> list[str]:
        if model.bundled and model.chat:
            return [
                self.tr(
                    "The model that came with the app, {model}, is loaded and needs no network. "
                    "It is tiny: good for small talk and short stories, and often wrong about "
                    "facts."
                )
            ]
        loaded = self.tr("{model} is loaded and needs no network.")
        base = self.tr("A base model: it continues your text and does not answer questions.")
        return [loaded] if model.chat else [loaded, base]

    def _say(self, sentences: list[str], name: str) -> None:
        """Write the sentences as lines, the name of the model stronger than the rest."""
        look = theme()
        self._text.reset()
        cursor = QTextCursor(self._text.document())
        plain, strong = QTextCharFormat(), QTextCharFormat()
        plain.setForeground(look.color("text2"))
        strong.setForeground(look.color("text"))
        strong.setFont(look.font("body", bold=True))
        for number, sentence in enumerate(sentences):
            form = body_format(line_of(sentence))
            cursor.insertBlock(form) if number else cursor.setBlockFormat(form)
            before, model, after = sentence.partition(MODEL)
            cursor.insertText(before, plain)
            cursor.insertText(name if model else "", strong)
            cursor.insertText(after, plain)

    def _arrange(self) -> None:
        look = theme()
        left, column = box_column(self.width())
        self._page.resize(self.viewport().width(), self._page.height())
        wide = min(TEXT_WIDTH, column - 2 * INSET)
        said = self._text.set_width(wide)
        self._headline.setFixedWidth(column - 2 * INSET)
        head = max(look.line_height("headline"), self._headline.heightForWidth(column - 2 * INSET))
        row = max(ROW, look.px(ROW))
        gap = look.px(23)
        offered = self.bigger.sizeHint().height() if self._offered and self._rows else 0
        high = MARK + look.px(23) + head + 8 + said + gap + row * len(self._rows) + offered
        y = max(16, min(TOP, (self.height() - high) // 3))
        self._mark.move(left + INSET - 1, y)
        y += MARK + look.px(23)
        self._headline.setGeometry(left + INSET, y, column - 2 * INSET, head)
        y += head + 8
        self._text.move(left + INSET, y - self._text.lift())
        y += said + gap
        self._rule.setGeometry(left, y, column, 1)
        self._rule.setVisible(bool(self._rows))
        for place, prompt in enumerate(self._rows):
            prompt.setGeometry(left, y + 1 + place * row, column, row)
        y += 1 + row * len(self._rows)
        self.bigger.setGeometry(left, y, column, offered)
        self.bigger.setVisible(offered > 0)
        y += offered
        self._page.resize(self.viewport().width(), y + 16)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep to the column."""
        super().resizeEvent(event)
        self._arrange()

    def _restyle(self) -> None:
        look = theme()
        self._mark.setPixmap(look.pixmap("mark", "accent", MARK))
        self._mark.resize(MARK, MARK)
        self._headline.setFont(look.font("headline"))
        palette = self._rule.palette()
        palette.setColor(palette.ColorRole.Window, look.color("line"))
        self._rule.setPalette(palette)
        self._write()
        self._arrange()
