"""The Compare view's part of the screenshots."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QCoreApplication

from app.compare_rows import CompareRows
from app.compare_words import before
from app.main_window import COMPARE, MainWindow
from app.screenshot_compare import blind, empty, sample, states
from engine.api import Message


def take_runs(window: MainWindow, take: Callable[..., None], language: str) -> None:
    """Two to five models, one under way, every state of a column, a blind vote, every chart; one
    model in several precisions; a chat that was taken here."""
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
    _take_chooser(window, take, several(pictures["compare-empty"]))
    _take_after(window, take, pictures["compare-done"])
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


def several(rows: CompareRows) -> CompareRows:
    """The second model in three of its precisions, and nothing else chosen."""
    first, _, model, *others = rows.choices
    known = model.precisions
    taken = ("bfloat16", "8-bit", "4-bit")
    free = tuple(precision for precision in known if precision not in taken)
    choices = tuple(
        replace(
            model,
            id=f"{model.id}@{mine}",
            precision=mine,
            precisions=tuple(each for each in known if each in (mine, *free)),
            also=free,
        )
        for mine in taken
    )
    chosen = tuple(choice.id for choice in choices)
    return replace(rows, choices=(first, *choices, *others), chosen=chosen)


def _take_chooser(window: MainWindow, take: Callable[..., None], rows: CompareRows) -> None:
    _show(window, rows)
    options = window.compare_view.head.options
    options.open_chooser()
    take("compare-chooser", options.chooser)
    options.chooser.close()


def _take_after(window: MainWindow, take: Callable[..., None], rows: CompareRows) -> None:
    said = before((Message(role="user", text=""),) * 4)
    _show(window, replace(rows, before=said, chat=rows.past[1].title))
    options = window.compare_view.head.options
    options.after.click()
    take("compare-after", options.before_menu)
    options.before_menu.close()


def _show(window: MainWindow, rows: CompareRows) -> None:
    window.compare_view.set_rows(rows)
    window.compare_sidebar.set_rows(rows)
    window.toolbar.compare.set_rows(rows)
    title = QCoreApplication.translate("ComparePresenter", "Compare")
    window.toolbar.set_title(title, rows.title_note)
