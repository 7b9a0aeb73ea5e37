"""A box of code: its language and Copy above, long lines scrolling sideways."""

from __future__ import annotations

from math import ceil

from PySide6.QtCore import QPoint, QRect, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QGuiApplication,
    QPainter,
    QPaintEvent,
    QTextBlockFormat,
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QWidget

from app.theme import theme
from app.widgets import highlight
from app.widgets.button_base import ButtonBase, rounded
from app.widgets.idle import idle
from app.widgets.rich_text import body_format
from app.widgets.text_view import TextView

HEADER = 30
PADDING = 12
TOP = 10
RADIUS = 8
TICK_MS = 1_500


class CopyButton(ButtonBase):
    """An icon with the word Copy, a tick for a moment after it was pressed."""

    radius = 5

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("", parent)
        self.setText(self.tr("Copy"))
        self.setAccessibleName(self.tr("Copy the code"))
        self._icon = "copy"
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self._untick)

    def tick(self) -> None:
        """Say that it was copied."""
        self._icon = "check"
        self._timer.start(TICK_MS)
        self.update()

    def is_ticked(self) -> bool:
        """Whether the tick is shown."""
        return self._icon == "check"

    def _untick(self) -> None:
        self._icon = "copy"
        self.update()

    def sizeHint(self) -> QSize:
        """The icon, the word, and 6 either side."""
        wide = QFontMetricsF(self._font()).horizontalAdvance(self.text())
        return QSize(ceil(6 + 16 + 4 + wide + 7), max(22, theme().px(22)))

    def _font(self) -> QFont:
        return theme().font("label", weight=500)

    def paintEvent(self, _: QPaintEvent) -> None:
        """Ground under the pointer, icon and word."""
        look = theme()
        painter = QPainter(self)
        clear = QColor(0, 0, 0, 0)
        ground = self.ground(clear, look.color("hover"), look.color("pressed"))
        rounded(painter, QRectF(self.rect()), self.radius, ground)
        color = "text" if self.warmth > 0.5 or self.isDown() else "text2"
        painter.drawPixmap(6, (self.height() - 16) // 2, look.pixmap(self._icon, color))
        painter.setFont(self._font())
        painter.setPen(look.color(color))
        area = self.rect().adjusted(26, 0, 0, 0)
        painter.drawText(area, Qt.AlignmentFlag.AlignVCenter, self.text())


class CodeText(TextView):
    """The code itself: one line stays one line, and the view scrolls sideways."""

    foot = PADDING  # where the scroll bar stands

    def __init__(self, name: str, parent: QWidget) -> None:
        super().__init__(name, parent)
        self.setLineWrapMode(TextView.LineWrapMode.NoWrap)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)

    def _font(self) -> QFont:
        return theme().font("code")

    def lift(self) -> int:
        """Less than prose: the letters are smaller."""
        return theme().px(1)

    def _format(self, text: str, gap: int) -> QTextBlockFormat:
        return body_format(theme().line_height("code"))

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Sideways movement is for the code, the rest for the transcript."""
        step = event.angleDelta()
        if abs(step.x()) > abs(step.y()):
            QAbstractScrollArea.wheelEvent(self, event)
        else:
            event.ignore()


class CodeBlock(QWidget):
    """A box of code. `fitted` is emitted when its height changed."""

    fitted = Signal()

    def __init__(self, language: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.language = language.split()[0] if language.split() else ""
        self.title = highlight.language_name(self.language) or self.tr("Code")
        self._parts: list[str] = []
        self._head = HEADER  # pixels, zoomed
        self.text = CodeText(self.tr("{language} code").format(language=self.title), self)
        self.text.fitted.connect(self._fit)
        self.copy_button = CopyButton(self)
        self.copy_button.clicked.connect(self.copy)

    def add(self, code: str) -> None:
        """Add code at the end."""
        self._parts.append(code)
        self.text.add_plain(code)

    def close_block(self) -> None:
        """The code is complete: colour it when there is time."""
        self.text.set_caret(False)
        idle().add(self.text, highlight.colour(self.text.document(), self.language))

    def source(self) -> str:
        """The code as it was written, without its last line end."""
        return "".join(self._parts).removesuffix("\n")

    def copy(self) -> None:
        """Put the code on the clipboard and say so for a moment."""
        QGuiApplication.clipboard().setText(self.source())
        self.copy_button.tick()

    def lift(self) -> int:
        """A box stands where it is put."""
        return 0

    def set_caret(self, shown: bool) -> None:
        """Show the caret at the end: code is being written here."""
        self.text.set_caret(shown)

    def set_width(self, width: int) -> int:
        """Be `width` pixels wide; the height that the box then takes."""
        self._head = max(HEADER, theme().px(HEADER))
        self.resize(width, self.height())
        size = self.copy_button.sizeHint()
        at = QPoint(width - size.width() - 8, (self._head - size.height()) // 2)
        self.copy_button.setGeometry(QRect(at, size))
        self.text.move(1 + PADDING, self._head + TOP - self.text.lift())
        self.text.set_width(width - 2 - PADDING)
        self._fit()
        return self.height()

    def space(self) -> int:
        """The height that the box takes."""
        return self.height()

    def _fit(self) -> None:
        height = self._head + TOP + self.text.space()
        if height != self.height():
            self.resize(self.width(), height)
            self.fitted.emit()

    def paintEvent(self, _: QPaintEvent) -> None:
        """The box, the hairline under its header, and the language."""
        look = theme()
        head = self._head
        painter = QPainter(self)
        area = QRectF(self.rect())
        rounded(painter, area, RADIUS, look.color("code"), look.color("line"))
        painter.fillRect(0, head, self.width(), 1, look.color("line"))
        painter.setFont(look.font("label"))
        painter.setPen(look.color("text2"))
        label = QRectF(1 + PADDING, 0, self.width() / 2, head)
        painter.drawText(label, Qt.AlignmentFlag.AlignVCenter, self.title)
