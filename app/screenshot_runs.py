"""The Compare view's part of the screenshots."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication

from app.compare_rows import CompareRows
from app.main_window import COMPARE, MainWindow
from app.screenshot_compare import blind, empty, sample, states


def take_runs(window: MainWindow, take: Callable[[str], None], language: str) -> None:
    """Two to five models, one under way, every state of a column, a blind vote, every chart."""
    window.show_view(COMPARE)
    pictures = {
        "compare": sample(language, 3, running=True),
        "compare-done": sample(language, 3),
        "compare-two": sample(language, 2),
        "compare-five": sample(language, 5),
        "compare-states": states(language),
        "compare-blind": blind(language),
        "compare-empty": empty(language),
    }
    for name, rows in pictures.items():
        _show(window, rows)
        take(name)
    _show(window, pictures["compare-five"])
    switch = window.compare_view.figures.chart.switch
    for at, name in ((2, "compare-quality"), (3, "compare-history")):
        switch.segments()[at].click()
        take(name)
    switch.segments()[0].click()
    window.frame.set_sidebar_shown(True, animated=False)
    _show(window, pictures["compare-done"])
    take("compare-past")
    window.frame.set_sidebar_shown(False, animated=False)


def _show(window: MainWindow, rows: CompareRows) -> None:
    window.compare_view.set_rows(rows)
    window.compare_sidebar.set_rows(rows)
    window.toolbar.compare.set_rows(rows)
    title = QCoreApplication.translate("ComparePresenter", "Compare")
    window.toolbar.set_title(title, rows.title_note)
