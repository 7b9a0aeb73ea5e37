"""The About window: what the app is, what it runs on, and whom it owes."""

from __future__ import annotations

import sys
from importlib.metadata import PackageNotFoundError, version

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QGuiApplication, QPainter, QPaintEvent
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLabel, QTextBrowser, QVBoxLayout, QWidget

from app import folders, wording
from app import format as text
from app.theme import theme
from app.widgets.push_button import PushButton
from engine import __version__, paths
from engine.api import Machine, ModelInfo

_SIZE = QSize(380, 456)
_ROW = 29


class About(QDialog):
    """380 x 456: the icon, the version, the machine, and the notices of what is inside."""

    def __init__(
        self, machine: Machine | None, models: list[ModelInfo], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("About Mamba Chat"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setObjectName("about")
        self.setFixedSize(_SIZE)
        self._rows = self._facts(machine, models)
        column = QVBoxLayout(self)
        column.setContentsMargins(44, 36, 44, 34)
        column.setSpacing(0)
        column.addWidget(_Icon(), alignment=Qt.AlignmentFlag.AlignHCenter)
        column.addSpacing(10)
        column.addWidget(_Line("Mamba Chat", "headline", "text"))
        column.addSpacing(2)
        column.addWidget(_Line(self._version(), "interface", "text2"))
        column.addSpacing(21)
        column.addWidget(_Facts(self._rows))
        column.addSpacing(14)
        column.addWidget(_Line(self._promise(), "label", "text2"))
        column.addStretch(1)
        column.addLayout(self._buttons())

    def details(self) -> str:
        """The version and the facts, one a line, for a report."""
        return "\n".join(
            ["Mamba Chat " + __version__, *(f"{name}: {value}" for name, value in self._rows)]
        )

    def _version(self) -> str:
        return self.tr("Version {version}").format(version=__version__)

    def _promise(self) -> str:
        if sys.platform == "darwin":
            return self.tr(
                "Chats, models and figures stay on this Mac. "
                "The app uses the network only for downloads you ask for."
            )
        return self.tr(
            "Chats, models and figures stay on this computer. "
            "The app uses the network only for downloads you ask for."
        )

    def _facts(self, machine: Machine | None, models: list[ModelInfo]) -> list[tuple[str, str]]:
        device = backend = text.DASH
        if machine:
            device = f"{machine.device}, {wording.memory(machine.memory_bytes)}"
            backend = ", ".join([machine.backend, *_mlx()])
        size = text.short_size(sum(model.disk_bytes for model in models))
        count = self.tr("{count} installed, {size}").format(count=len(models), size=size)
        here = self.tr("This Mac") if sys.platform == "darwin" else self.tr("This computer")
        return [
            (here, device),
            (self.tr("Backend"), backend),
            (self.tr("Models"), count),
        ]

    def _buttons(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(10)
        row.addStretch(1)
        owed = PushButton(self.tr("Acknowledgements"), self)
        owed.clicked.connect(self._show_owed)
        copy = PushButton(self.tr("Copy Details"), self)
        copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.details()))
        row.addWidget(owed)
        row.addWidget(copy)
        row.addStretch(1)
        return row

    def _show_owed(self) -> None:
        Acknowledgements(self).open()


class Acknowledgements(QDialog):
    """The starter models' card and the notices that their sources ask to be passed on; in the
    frozen app also the way to the licences of all that is in it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Acknowledgements"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(640, 520)
        page = QTextBrowser(self)
        page.setOpenLinks(False)
        folder = paths.resources() / "models"
        files = [folder / "README.md", folder / "credits" / "NOTICES.md"]
        page.setMarkdown("\n\n".join(file.read_text("utf-8") for file in files))
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 16, 8, 16)
        column.addWidget(page)
        if licences := paths.licences():
            show = PushButton(self.tr("Licences"), self)
            show.clicked.connect(lambda: folders.show(licences))
            column.addSpacing(12)
            column.addWidget(show, alignment=Qt.AlignmentFlag.AlignHCenter)


class _Icon(QWidget):
    """The app's icon."""

    def __init__(self) -> None:
        super().__init__()
        self.setFixedSize(128, 128)
        self._picture = QSvgRenderer(str(paths.resources() / "icon.svg"), self)

    def paintEvent(self, _: QPaintEvent) -> None:
        """The whole picture; its margin is part of it."""
        self._picture.render(QPainter(self), QRectF(self.rect()))


class _Facts(QWidget):
    """Names at the left and values at the right, between hairlines."""

    def __init__(self, rows: list[tuple[str, str]]) -> None:
        super().__init__()
        self._rows = rows
        self.setFixedHeight(_ROW * len(rows) + 1)
        self.setAccessibleName("; ".join(f"{name}: {value}" for name, value in rows))

    def paintEvent(self, _: QPaintEvent) -> None:
        """Rows of 29 pixels."""
        look, painter = theme(), QPainter(self)
        painter.setFont(look.font("interface"))
        for at, (name, value) in enumerate(self._rows):
            row = QRectF(0, at * _ROW + 1, self.width(), _ROW - 1)
            painter.fillRect(QRectF(0, at * _ROW, self.width(), 1), look.color("line"))
            painter.setPen(look.color("text2"))
            middle = Qt.AlignmentFlag.AlignVCenter
            painter.drawText(row, middle | Qt.AlignmentFlag.AlignLeft, name)
            painter.setPen(look.color("text"))
            painter.drawText(row, middle | Qt.AlignmentFlag.AlignRight, value)
        painter.fillRect(QRectF(0, self.height() - 1, self.width(), 1), look.color("line"))


class _Line(QLabel):
    """Centred words in a role and a colour of the theme."""

    def __init__(self, words: str, role: str, color: str) -> None:
        super().__init__(words)
        self._role, self._color = role, color
        self.setWordWrap(True)
        self.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        theme().changed.connect(self._restyle)
        self._restyle()

    def _restyle(self) -> None:
        self.setFont(theme().font(self._role))
        palette = self.palette()
        palette.setColor(palette.ColorRole.WindowText, theme().color(self._color))
        self.setPalette(palette)


def _mlx() -> list[str]:
    """MLX with its version, where that can be known without importing it."""
    try:
        return [f"MLX {version('mlx')}"]
    except PackageNotFoundError:
        return []
