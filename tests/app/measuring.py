"""The Compare view while it measures, as a user sees and clicks it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.compare_running import Live
from app.main_window import COMPARE, MainWindow
from app.panels.compare_column import CompareColumn
from app.widgets.button_base import ButtonBase

LEFT = Qt.MouseButton.LeftButton
PATIENCE_MS = 120_000
MODELS = ("starter-3m", "neox-12m", "starter-12m")


class Measuring:
    """A window that shows it, with these models chosen."""

    def __init__(self, qtbot: QtBot, window: MainWindow, *models: str) -> None:
        self.qtbot, self.window, self.compare = qtbot, window, window.compare
        self.wait(lambda: len(window.models.models) >= len(models))
        window.show_view(COMPARE)
        self.compare.choose(models)

    def wait(self, until: Callable[[], object]) -> None:
        self.qtbot.waitUntil(lambda: bool(until()), timeout=PATIENCE_MS)

    def click(self, button: ButtonBase) -> None:
        assert button.isEnabled()
        self.qtbot.mouseClick(button, LEFT)

    def start(self, rounds: int, position: int) -> None:
        bar = self.window.toolbar.compare
        self.click(bar.benchmark)
        popover = bar.benchmark_popover
        assert popover.isVisible()
        assert popover.focusWidget() is popover.rounds
        for field, value in ((popover.rounds, rounds), (popover.position, position)):
            field.setFocus()
            field.selectAll()
            QTest.keyClicks(field, str(value))
        QTest.keyPress(popover.position, Qt.Key.Key_Return)
        assert not popover.isVisible()
        assert self.compare.is_running

    def ask(self, prompt: str) -> None:
        editor = self.window.compare_view.head.prompt.editor
        editor.setFocus()
        editor.selectAll()
        self.qtbot.keyClicks(editor, prompt)
        self.click(self.window.compare_view.head.prompt.run)

    def done(self) -> None:
        self.wait(lambda: not self.compare.is_running)

    def to_the_end(self, begin: Callable[[], object]) -> None:
        """Run what `begin` starts, without a look at the window meanwhile: twenty of them a second
        cost the engine a tenth of its speed."""
        ended = self.compare._client.compare_ended
        with self.qtbot.waitSignal(ended, timeout=PATIENCE_MS):
            begin()
        self.done()

    def columns(self) -> list[CompareColumn]:
        return list(self.window.compare_view.columns.views.values())

    def told(self, column: int) -> object:
        live: Live | None = self.compare.live.get(column)
        return live.told if live else None
