"""A paragraph of plain text that wraps, with a line height that QLabel cannot set."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent, QTextLayout, QTextOption
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.theme import theme


class TextBlock(QWidget):
    """Text in a role's font; `px` and `line` (pixels at zoom 1) replace the role's own."""

    def __init__(
        self, role: str, color: str, parent: QWidget | None = None, *, px: float, line: int
    ) -> None:
        super().__init__(parent)
        self._role, self._color, self._px, self._line = role, color, px, line
        self._text = ""
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        theme().changed.connect(self._restyle)

    def set_text(self, text: str) -> None:
        """Say this."""
        self._text = text
        self.setAccessibleName(text)
        self._restyle()

    def set_color(self, color: str) -> None:
        """Take another token's colour."""
        self._color = color
        self.update()

    def text(self) -> str:
        """What it says."""
        return self._text

    def hasHeightForWidth(self) -> bool:
        """It wraps."""
        return True

    def heightForWidth(self, width: int) -> int:
        """The lines it needs at this width, in pixels."""
        return self._layout(width)[0].lineCount() * theme().px(self._line)

    def sizeHint(self) -> QSize:
        """Wide enough for a short sentence."""
        return QSize(200, self.heightForWidth(200))

    def paintEvent(self, _: QPaintEvent) -> None:
        """The lines, in the middle of a room that is higher than they are."""
        look = theme()
        painter = QPainter(self)
        painter.setPen(look.color(self._color))
        layout, top = self._layout(self.width())
        high = layout.lineCount() * look.px(self._line)
        top += max(0, (self.height() - high) // 2)
        for index in range(layout.lineCount()):
            line = layout.lineAt(index)
            line.setPosition(QPointF(0, top + index * look.px(self._line)))
            line.draw(painter, QPointF(0, 0))

    def _layout(self, width: int) -> tuple[QTextLayout, float]:
        look = theme()
        font = look.font(self._role, px=self._px)
        layout = QTextLayout(self._text, font)
        layout.setTextOption(QTextOption(Qt.AlignmentFlag.AlignLeft))
        layout.beginLayout()
        while (line := layout.createLine()).isValid():
            line.setLineWidth(width)
        layout.endLayout()
        return layout, (look.px(self._line) - QFontMetricsF(font).height()) / 2

    def _restyle(self) -> None:
        self.updateGeometry()
        self.update()
