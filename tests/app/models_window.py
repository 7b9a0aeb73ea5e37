"""What the tests of the window's library share: the Models view, as a user sees and clicks it."""

from __future__ import annotations

from collections.abc import Callable

from library_bridge import REPO
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from app.main_window import MODELS, MainWindow
from app.panels.download_row import DownloadRowView
from app.panels.model_row import ModelRowView
from app.panels.row_menu import TrashSheet

LEFT = Qt.MouseButton.LeftButton
NAME = REPO.partition("/")[2]
PATIENCE_MS = 60_000


class Library:
    """A window's Models view, as a user sees and clicks it."""

    def __init__(self, qtbot: QtBot, window: MainWindow) -> None:
        self.qtbot, self.window = qtbot, window
        window.show_view(MODELS)
        self.view = window.models_view

    def row(self, section: str, name: str) -> ModelRowView | None:
        rows = self.view.table.sections[section].rows.values()
        models = [row for row in rows if isinstance(row, ModelRowView)]
        return next((row for row in models if row.row.name == name), None)

    def download(self) -> DownloadRowView | None:
        rows = self.view.table.sections["downloads"].rows.values()
        return next((row for row in rows if isinstance(row, DownloadRowView)), None)

    def wait(self, until: Callable[[], object]) -> None:
        self.qtbot.waitUntil(lambda: bool(until()), timeout=PATIENCE_MS)

    def search(self, words: str) -> None:
        field = self.window.toolbar.models.search
        field.setFocus()
        field.clear()
        self.qtbot.keyClicks(field, words)
        self.qtbot.keyClick(field, Qt.Key.Key_Return)

    def get(self) -> None:
        """Search for the tests' model and press Get."""
        self.search(REPO)
        self.wait(lambda: self.row("found", NAME))
        self.press("found", NAME)

    def press(self, section: str, name: str) -> None:
        row = self.row(section, name)
        assert row is not None
        self.qtbot.mouseClick(row.deed, LEFT)

    def wish(self, wish: str) -> None:
        row = self.download()
        assert row is not None
        self.qtbot.mouseClick(row.wishes[wish], LEFT)  # type: ignore[index]

    def text(self) -> str:
        row = self.download()
        return row.row.text if row else ""

    def trash(self, name: str) -> None:
        """Press the key for it, and confirm."""
        row = self.row("installed", name)
        assert row is not None
        row.setFocus(Qt.FocusReason.TabFocusReason)
        self.qtbot.keyClick(row, Qt.Key.Key_Delete)
        (sheet,) = self.view.findChildren(TrashSheet)
        self.qtbot.mouseClick(sheet.move_button, LEFT)
