"""An answer: its text and code as they come, what stands in its place until then, its footer."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby, pairwise

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QEnterEvent, QGuiApplication
from PySide6.QtWidgets import QWidget

from app.values import MessageRow
from app.widgets.answer_footer import AnswerFooter
from app.widgets.banner import Banner
from app.widgets.code_block import CodeBlock
from app.widgets.markdown import BlockReader, Step
from app.widgets.message_item import MessageItem
from app.widgets.reading_bar import ReadingBar
from app.widgets.text_view import TextView
from engine.api import Reading

INSET = 12
PART_GAP = 10
CODE_GAP = 12  # below a box of code
FOOTER_GAP = 8
CARD = 46  # the least height of an error's card
SLICE = 2_000  # characters of a stored answer drawn in one step
PATIENCE_MS = 500  # reading that takes less shows no bar


class AnswerView(MessageItem):
    """`regenerated` and `retried` (with its id) ask for another answer, `link_opened` to open an
    address."""

    regenerated = Signal(str)
    retried = Signal(str)
    link_opened = Signal(str)

    def __init__(self, row: MessageRow, parent: QWidget | None = None) -> None:
        super().__init__(row, parent)
        self.setAttribute(Qt.WidgetAttribute.WA_StaticContents)
        self.parts: list[TextView | CodeBlock] = []
        self.bar: ReadingBar | None = None
        self.card: Banner | None = None
        self.footer = AnswerFooter(self)
        self.footer.hide()
        self.footer.copied.connect(self.copy)
        self.footer.regenerated.connect(self._ask_again)
        self._last = False
        self._reader = BlockReader()
        self._block: list[str] = []  # of the open text block
        self._received: list[str] = []
        self._reading: Reading | None = None
        self._patience = QTimer(self, singleShot=True, interval=PATIENCE_MS)
        self._patience.timeout.connect(self._show_reading)

    @property
    def writing(self) -> bool:
        """Whether more text may come."""
        return self.row.status == "writing"

    @property
    def started(self) -> bool:
        """Whether some of it is written."""
        return any(self._received) or bool(self.row.text)

    def fill(self) -> Iterator[None]:
        """Draw the text block by block."""
        text = "".join(self._received) or self.row.text
        self._received = [text]
        for start in range(0, len(text), SLICE):
            self._take(self._reader.feed(text[start : start + SLICE]))
            yield
        if self.writing:
            self._show_caret()
        else:
            self._take(self._reader.close())
            self._show_end()
        self.place()

    def reset(self) -> None:
        """Take the text away."""
        for part in self.parts:
            _discard(part)
        self.parts.clear()
        self._reader = BlockReader()
        self._block.clear()

    # While it is written

    def append(self, text: str) -> None:
        """More of the answer."""
        self.complete()
        self.set_reading(None)
        self._received.append(text)
        self._take(self._reader.feed(text))
        self._show_caret()

    def finish(self, row: MessageRow) -> None:
        """It is written, was stopped or failed: `row` is what is stored."""
        self.complete()
        self.set_reading(None)
        self.row = row
        self._take(self._reader.close())
        if "".join(self._received).strip() != row.text.strip():
            self._received = [row.text]
            self.finish_later(self.redraw())
        self._show_end()
        self.place()

    def set_reading(self, reading: Reading | None) -> None:
        """The prompt is read up to here; None when it no longer is. A short time shows no bar."""
        self._reading = reading
        if reading is None:
            self._patience.stop()
            self._drop_bar()
        elif self.bar or (reading.seconds_left or 0) * 1e3 > PATIENCE_MS:
            self._show_reading()
        elif not self._patience.isActive():
            self._patience.start()

    def _show_reading(self) -> None:
        if self._reading is not None:
            self._need_bar().set_reading(self._reading)
            self.place()

    def set_loading(self, model: str, fraction: float | None) -> None:
        """The model that will answer is loaded so far (0 to 1); None when it no longer is."""
        if fraction is None:
            self._drop_bar()
        else:
            self._need_bar().set_loading(model, fraction)
            self.place()

    def _need_bar(self) -> ReadingBar:
        if self.bar is None:
            self.bar = ReadingBar(self)
            self.bar.show()
            self._show_caret()
        return self.bar

    def _drop_bar(self) -> None:
        if self.bar is not None:
            _discard(self.bar)
            self.bar = None
            self._show_caret()
            self.place()

    # Its parts

    def _take(self, steps: list[Step]) -> None:
        grouped = groupby(steps, key=lambda step: step.kind)
        joined = [(kind, "".join(step.text for step in group)) for kind, group in grouped]
        for (kind, text), (following, _) in pairwise([*joined, ("", "")]):
            if kind == "text":
                self._block.append(text)
                if self.writing and following != "end":  # else it is drawn in a moment
                    self._text_part().add_plain(text)
            elif kind == "end":
                self._text_part().close_block("".join(self._block))
                self._block.clear()
            elif kind == "fence":
                self._add_part(CodeBlock(text, self))
            elif kind == "code":
                self._code_part().add(text)
            else:
                self._code_part().close_block()

    def _text_part(self) -> TextView:
        if not self.parts or not isinstance(self.parts[-1], TextView):
            view = TextView(self.tr("Answer"), self, inset=INSET)
            view.link_opened.connect(self.link_opened)
            self._add_part(view)
        part = self.parts[-1]
        assert isinstance(part, TextView)
        return part

    def _code_part(self) -> CodeBlock:
        part = self.parts[-1]
        assert isinstance(part, CodeBlock)
        return part

    def _add_part(self, part: TextView | CodeBlock) -> None:
        self._drop_empty()
        if self.parts:
            self.parts[-1].set_caret(False)
        part.set_width(self.column)
        part.show()
        part.fitted.connect(self.place)  # last: showing lays out, and that must not nest
        self.parts.append(part)
        self.place()

    def _drop_empty(self) -> None:
        """Take away the empty line that held only the caret."""
        last = self.parts[-1] if self.parts else None
        if isinstance(last, TextView) and last.document().isEmpty():
            _discard(self.parts.pop())

    def _show_caret(self) -> None:
        """The caret stands at the end of what is being written, on an empty line before that."""
        if self.bar is not None:
            self._drop_empty()
        elif self.writing and not self.parts:
            self._text_part()
        if self.parts:
            self.parts[-1].set_caret(self.writing and self.bar is None)

    def _show_end(self) -> None:
        """What stands under an answer that has ended."""
        self._show_caret()
        self._drop_empty()
        failed = self.row.status == "failed"
        if self.card is not None:
            _discard(self.card)
            self.card = None
        if failed:
            self.card = Banner(self.row.error, self, tone="error", action=self.tr("Try Again"))
            self.card.acted.connect(self._retry)
            self.card.show()
        self.footer.set_row(self.row)
        self.footer.setVisible(not failed)
        self.set_last(self._last)

    def set_width(self, column: int, room: int) -> None:
        """Stand in a column of `column` pixels with `room` pixels free at its right."""
        self.column = column
        for part in self.parts:
            part.set_width(column)
        super().set_width(column, room)

    def arrange(self) -> int:
        """Parts from top to bottom, then what stands in their place or under them."""
        y = 0
        above: QWidget | None = None
        for part in self.parts:
            y += CODE_GAP if isinstance(above, CodeBlock) else PART_GAP if above else 0
            above = part
            part.move(0, y - part.lift())
            y += part.space()
        if self.bar is not None:
            y += PART_GAP if y else 0
            self.bar.move(0, y)
            y += self.bar.set_width(self.column)
        if self.card is not None:
            y += PART_GAP if y else 0
            high = max(CARD, self.card.heightForWidth(self.column))
            self.card.setGeometry(0, y, self.column, high)
            y += high
        elif not self.writing:
            y += FOOTER_GAP if y else 0
            self.footer.move(0, y)
            y += self.footer.set_width(self.column)
        return y

    def set_last(self, last: bool) -> None:
        """The last answer shows its buttons always, and only it can be asked for again."""
        self._last = last
        self.footer.set_last(last)
        if self.card is not None:
            self.card.button.setVisible(last)
            self.place()

    def copy(self) -> None:
        """Put the answer, as it was written, on the clipboard."""
        QGuiApplication.clipboard().setText("".join(self._received) or self.row.text)

    def _ask_again(self) -> None:
        self.regenerated.emit(self.row.id)

    def _retry(self) -> None:
        self.retried.emit(self.row.id)

    def enterEvent(self, event: QEnterEvent) -> None:
        """Show the buttons."""
        super().enterEvent(event)
        self.footer.set_hovered(True)

    def leaveEvent(self, event: QEvent) -> None:
        """Hide the buttons."""
        super().leaveEvent(event)
        self.footer.set_hovered(False)


def _discard(widget: QWidget) -> None:
    widget.hide()
    widget.deleteLater()
