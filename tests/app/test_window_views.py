"""Views, sidebar, menus and keys of the real window."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app import folders
from app.about import About, Acknowledgements
from app.main_window import MainWindow
from app.widgets.push_button import PushButton
from engine import __version__, paths

Say = Callable[[MainWindow, str], None]
Answered = Callable[[MainWindow], None]
Open = Callable[..., MainWindow]


def test_a_narrow_window_lays_the_sidebar_over_the_chat(window: MainWindow, qtbot: QtBot) -> None:
    window.resize(1280, 800)
    assert window.sidebar.isVisible()
    window.resize(720, 520)
    qtbot.waitUntil(lambda: not window.sidebar.isVisible())
    assert window.toolbar.new_button.isVisible()
    window.menus.actions["sidebar"].trigger()
    qtbot.waitUntil(lambda: window.sidebar.isVisible() and window.sidebar.x() == 0)
    assert window.page.width() == 720
    window.frame.setFocus()
    qtbot.keyClick(window.frame, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not window.sidebar.isVisible())
    window.resize(1280, 800)
    qtbot.waitUntil(lambda: window.sidebar.isVisible())


def test_the_views_are_a_key_away_and_remember_their_sidebar(
    open_window: Open, qtbot: QtBot
) -> None:
    window = open_window(load=False)
    qtbot.keyClick(window, Qt.Key.Key_3, Qt.KeyboardModifier.ControlModifier)
    assert window.view == 2
    assert not window.sidebar.isVisible()
    qtbot.keyClick(window, Qt.Key.Key_2, Qt.KeyboardModifier.ControlModifier)
    assert window.view == 1
    assert window.models_sidebar.isVisible()
    assert not window.sidebar.isVisible()
    window.frame.toggle_sidebar()
    qtbot.waitUntil(lambda: not window.models_sidebar.isVisible())
    window = open_window(load=False)
    assert window.sidebar.isVisible()
    window.show_view(1)
    assert not window.models_sidebar.isVisible()


def test_the_last_answer_is_copied_as_it_was_written(
    window: MainWindow, say: Say, answered: Answered
) -> None:
    say(window, "Hello")
    answered(window)
    window.menus.actions["copy_answer"].trigger()
    assert window.chats.last is not None
    assert QGuiApplication.clipboard().text() == window.chats.last.text


def test_every_menu_action_has_a_role_of_its_own_choosing(window: MainWindow) -> None:
    from PySide6.QtGui import QAction

    roles = {name: action.menuRole() for name, action in window.menus.actions.items()}
    assert roles.pop("quit") == QAction.MenuRole.QuitRole
    assert roles.pop("about") == QAction.MenuRole.AboutRole
    assert roles.pop("settings") == QAction.MenuRole.PreferencesRole
    assert set(roles.values()) == {QAction.MenuRole.NoRole}
    for menu in window.menuBar().actions():
        for action in menu.menu().actions():
            assert action.menuRole() != QAction.MenuRole.TextHeuristicRole or action.isSeparator()


def test_importing_the_window_imports_no_mlx() -> None:
    import subprocess
    import sys

    code = "import sys, app.main_window; sys.exit(any(m.startswith('mlx') for m in sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_chats_that_cannot_be_read_are_kept_and_spoken_of(open_window: Open, home: Path) -> None:
    home.mkdir()
    (home / "chats.sqlite").write_bytes(b"no database " * 1000)
    window = open_window(load=False)
    (kept,) = home.glob("chats-unreadable-*.sqlite")
    assert window.page.banner.isVisible()
    assert str(kept) in window.page.banner.sentence()


def test_a_chat_deleted_beside_another_view_can_be_brought_back(
    window: MainWindow, qtbot: QtBot, say: Say, answered: Answered
) -> None:
    say(window, "Hello")
    answered(window)
    chat = window.chats.current
    window.show_view(1)
    window.menus.actions["delete"].trigger()
    assert window.toast.isVisible()
    qtbot.mouseClick(window.toast.button, Qt.MouseButton.LeftButton)
    assert (window.view, window.chats.current) == (0, chat)


def test_tab_goes_from_the_search_to_the_composer(open_window: Open, qtbot: QtBot) -> None:
    window = open_window(load=False)
    window.sidebar.search.setFocus()
    passed = []
    for _ in range(8):
        focused = QApplication.focusWidget()
        passed.append(focused)
        if focused is window.page.composer.editor:
            break
        qtbot.keyClick(focused, Qt.Key.Key_Tab)
    assert window.page.composer.editor in passed
    assert window.toolbar.picker in passed
    order = [window.sidebar.search, window.toolbar.picker, window.page.composer.editor]
    assert [passed.index(widget) for widget in order] == sorted(map(passed.index, order))


def test_about_tells_the_version_and_the_machine(open_window: Open, qtbot: QtBot) -> None:
    window = open_window()
    window.menus.actions["about"].trigger()
    about = window.findChild(About)
    assert about is not None
    assert about.isVisible()
    assert __version__ in about.details()
    assert window.models.machine is not None
    assert window.models.machine.device in about.details()
    about.close()


def test_the_frozen_app_leads_to_the_licences_of_what_is_in_it(
    open_window: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[Path] = []
    monkeypatch.setattr(folders, "show", shown.append)
    monkeypatch.setattr(paths, "licences", lambda: tmp_path)
    dialog = Acknowledgements(open_window(load=False))
    (button,) = dialog.findChildren(PushButton)
    assert button.text() == "Licences"
    button.click()
    assert shown == [tmp_path]


def test_a_checkout_has_no_such_folder(open_window: Open) -> None:
    assert not Acknowledgements(open_window(load=False)).findChildren(PushButton)
