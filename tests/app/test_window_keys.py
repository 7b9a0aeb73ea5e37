"""The window by keys: where Tab goes, and the shortcuts that mean another place in each view."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from app.main_window import CHAT, COMPARE, MODELS, MainWindow
from app.panels.table_row import TableRow

pytestmark = pytest.mark.qt_log_ignore("does not support grabbing the keyboard")
Say = Callable[[MainWindow, str], None]
Answered = Callable[[MainWindow], None]
Open = Callable[..., MainWindow]
CONTROL = Qt.KeyboardModifier.ControlModifier
LONG_MS = 60_000


def walk(qtbot: QtBot, start: QWidget, key: Qt.Key = Qt.Key.Key_Tab) -> list[QWidget]:
    """What Tab reaches from `start` on, until it is there again."""
    start.setFocus(Qt.FocusReason.TabFocusReason)
    passed = [start]
    while len(passed) < 60:
        qtbot.keyClick(passed[-1], key)
        focused = QApplication.focusWidget()
        assert focused is not None
        if focused is start:
            return passed
        passed.append(focused)
    raise AssertionError("Tab does not come back")


def test_tab_goes_from_the_models_sidebar_over_the_toolbar_to_the_tables(
    window: MainWindow, qtbot: QtBot
) -> None:
    window.show_view(MODELS)
    table, sidebar, bar = window.models_view.table, window.models_sidebar, window.toolbar
    qtbot.waitUntil(lambda: isinstance(table.current, TableRow), timeout=LONG_MS)
    passed = walk(qtbot, sidebar.filter)
    assert table.current is not None
    order = [sidebar.filter, sidebar.sections[1], sidebar.shown[0], bar.switch.segments()[MODELS]]
    order += [bar.models.search, bar.models.open_folder, table.current]
    assert passed[: len(order)] == order
    assert walk(qtbot, sidebar.filter, Qt.Key.Key_Backtab)[1:] == passed[:0:-1]


def test_tab_goes_through_a_chat_and_back(
    window: MainWindow, qtbot: QtBot, say: Say, answered: Answered
) -> None:
    say(window, "Hello")
    answered(window)
    window.page.composer.set_draft("And you?")
    sidebar, composer = window.sidebar, window.page.composer
    passed = walk(qtbot, sidebar.search)
    order = [sidebar.search, sidebar.view, window.toolbar.switch.segments()[CHAT]]
    order += [window.toolbar.picker, window.page.transcript.column]
    order += [composer.editor, composer.options, composer.send]
    assert passed[: len(order)] == order
    assert walk(qtbot, sidebar.search, Qt.Key.Key_Backtab)[1:] == passed[:0:-1]


def test_the_composer_gives_its_focus_to_the_text(open_window: Open) -> None:
    window = open_window(load=False)
    window.sidebar.search.setFocus()
    window.page.composer.setFocus()
    assert window.page.composer.editor.hasFocus()


@pytest.mark.parametrize("view", [CHAT, MODELS, COMPARE])
def test_the_picker_opens_from_every_view(open_window: Open, qtbot: QtBot, view: int) -> None:
    window = open_window(load=False)
    window.show_view(view)
    qtbot.keyClick(window, Qt.Key.Key_L, CONTROL)
    picker = window.toolbar.picker
    assert window.view == CHAT
    assert picker.isVisible()
    assert picker.list.isVisible()
    corner = picker.mapToGlobal(QPoint(picker.width(), picker.height()))
    assert abs(picker.list.geometry().right() - corner.x()) <= 1
    picker.list.close()


def test_find_is_for_the_models_where_they_are_shown(open_window: Open, qtbot: QtBot) -> None:
    window = open_window(load=False)
    find = window.menus.actions["find"]
    window.show_view(MODELS)
    window.frame.set_sidebar_shown(False, animated=False)
    qtbot.keyClick(window, Qt.Key.Key_F, CONTROL)
    assert window.view == MODELS
    assert window.models_sidebar.filter.hasFocus()
    assert window.frame.sidebar_shown
    assert find.text() == "Find in Models"
    for view in (CHAT, COMPARE):
        window.show_view(view)
        assert find.text() == "Find in Chats"
        qtbot.keyClick(window, Qt.Key.Key_F, CONTROL)
        assert window.view == CHAT
        assert window.sidebar.search.hasFocus()
