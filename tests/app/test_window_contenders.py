"""One model in several precisions, chosen, run and opened again in the real window."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot
from test_window_compare import LEFT, Comparing

from app.compare_export import as_markdown
from app.main_window import MainWindow
from app.panels.compare_choice import CompareChoice

pytestmark = pytest.mark.qt_log_ignore("does not support grabbing the keyboard")


@pytest.fixture
def comparing(qtbot: QtBot, window: MainWindow) -> Iterator[Comparing]:
    """The Compare view with its chooser open; the smallest starter alone is chosen."""
    made = Comparing(qtbot, window, tokens=12)
    window.compare.choose(("starter-3m",))
    qtbot.mouseClick(made.view.head.options.models, LEFT)
    yield made
    for menu in made.view.findChildren(QMenu):
        menu.close()
    made.view.head.options.chooser.close()


def row(comparing: Comparing, key: str) -> CompareChoice:
    """A row of the chooser."""
    rows = comparing.view.head.options.chooser.rows
    return next(each for each in rows if each.choice.id == key)


def also(comparing: Comparing, key: str, words: str) -> None:
    """Choose an entry of the menu of a row's precision, by the keys alone."""
    button = row(comparing, key).precision
    comparing.qtbot.keyClick(button, Qt.Key.Key_Space)
    assert button.menu.isVisible()
    comparing.qtbot.keyClick(button.menu, Qt.Key.Key_Up)  # from the end
    while (at := button.menu.activeAction()) is None or at.text() != words:
        comparing.qtbot.keyClick(button.menu, Qt.Key.Key_Up)
    comparing.qtbot.keyClick(button.menu, Qt.Key.Key_Return)


def test_a_model_is_chosen_in_three_precisions_by_the_keys_and_runs_in_each(
    comparing: Comparing,
) -> None:
    also(comparing, "starter-3m", "Also in 4-bit")
    also(comparing, "starter-3m", "Also in 8-bit")
    assert comparing.view.head.options.models.value() == "3"
    assert [a.text() for a in row(comparing, "starter-3m").precision.menu.actions()] == [
        "float16", "bfloat16", "", "Also in bfloat16",
    ]  # fmt: skip
    comparing.view.head.options.chooser.close()
    comparing.run()
    comparing.done()
    assert [column.column.name for column in comparing.columns()] == [
        "starter-3m", "starter-3m 8-bit", "starter-3m 4-bit",
    ]  # fmt: skip
    assert [column.column.short for column in comparing.columns()] == ["float32", "8-bit", "4-bit"]
    run = comparing.window.compare.run
    assert run
    assert [column.dtype for column in run.columns] == ["float32", "8-bit", "4-bit"]  # on a CPU
    assert all(column.stats for column in run.columns)
    written = as_markdown(run)
    for key in ("starter-3m", "starter-3m@8-bit", "starter-3m@4-bit"):
        assert f"## {key}\n" in written


def test_an_additional_row_goes_when_its_box_is_cleared(comparing: Comparing) -> None:
    also(comparing, "starter-3m", "Also in 4-bit")
    before = len(comparing.view.head.options.chooser.rows)
    comparing.qtbot.mouseClick(row(comparing, "starter-3m@4-bit").box, LEFT)
    assert len(comparing.view.head.options.chooser.rows) == before - 1
    assert comparing.window.compare.contenders.chosen == ("starter-3m",)


def test_a_run_that_is_opened_again_chooses_its_precisions(comparing: Comparing) -> None:
    window = comparing.window
    also(comparing, "starter-3m", "Also in 8-bit")
    comparing.view.head.options.chooser.close()
    comparing.run()
    comparing.done()
    (kept,) = window.compare.past
    window.compare.choose(("starter-12m",))
    window.compare_sidebar.opened.emit(kept.id)
    assert window.compare.contenders.chosen == ("starter-3m", "starter-3m@8-bit")
    assert comparing.view.head.options.chooser.chosen() == ("starter-3m", "starter-3m@8-bit")
