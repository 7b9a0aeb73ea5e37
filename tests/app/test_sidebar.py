"""The sidebar, driven by real clicks and keys."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime, timedelta

import pytest
from PySide6.QtCore import QLocale, QPoint, QRect, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QLineEdit, QMenu
from pytestqt.qtbot import QtBot

from app.panels.chat_list import group_name, grouped
from app.panels.chat_row import more_area
from app.panels.sidebar import Sidebar
from app.theme import Theme
from app.values import ChatRow

pytestmark = [
    pytest.mark.usefixtures("look"),
    pytest.mark.qt_log_ignore("does not support grabbing the keyboard"),
]
TODAY = date(2026, 11, 20)
TITLES = ["Running mean in one pass", "Haiku for a tape recorder", "走査カーネルが512で遅い理由"]


def chat(number: int, title: str, days: int = 0) -> ChatRow:
    """A chat that was last written `days` ago."""
    return ChatRow(id=f"c{number}", title=title, updated=datetime.now() - timedelta(days=days))


@pytest.fixture
def sidebar(qtbot: QtBot) -> Iterator[Sidebar]:
    """A sidebar with three chats, the first of them open."""
    it = Sidebar()
    qtbot.addWidget(it)
    it.resize(248, 600)
    it.set_chats([chat(n, title, days=n) for n, title in enumerate(TITLES)])
    it.set_current("c0")
    with qtbot.waitActive(it):
        it.show()
        it.activateWindow()
    yield it
    for menu in it.findChildren(QMenu):
        menu.close()


def centre(sidebar: Sidebar, chat_id: str) -> QPoint:
    """The middle of a chat's row, in the list's viewport."""
    return sidebar.view.visualRect(sidebar.view.index_of(chat_id)).center()


def click(qtbot: QtBot, sidebar: Sidebar, chat_id: str) -> None:
    """A real click on a row."""
    where = centre(sidebar, chat_id)
    qtbot.mouseClick(
        sidebar.view.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, where
    )


@pytest.mark.parametrize(
    ("days", "name"),
    [
        (-1, "Today"),
        (0, "Today"),
        (1, "Yesterday"),
        (2, "Previous 7 Days"),
        (7, "Previous 7 Days"),
        (8, "November"),
        (30, "October"),
        (400, "October 2025"),
    ],
)
def test_a_chat_stands_under_the_time_it_was_last_written(days: int, name: str) -> None:
    before = QLocale()
    QLocale.setDefault(QLocale("en_US"))
    try:
        assert group_name(TODAY - timedelta(days=days), TODAY) == name
    finally:
        QLocale.setDefault(before)


def test_each_group_has_one_head_and_keeps_the_order() -> None:
    rows = [chat(1, "a"), chat(2, "b"), chat(3, "c", days=1)]
    entries = grouped(rows, date.today())
    assert entries == ["Today", rows[0], rows[1], "Yesterday", rows[2]]


def test_a_click_chooses_a_chat_and_showing_one_does_not(qtbot: QtBot, sidebar: Sidebar) -> None:
    with qtbot.waitSignal(sidebar.chat_selected, timeout=1000) as seen:
        click(qtbot, sidebar, "c1")
    assert seen.args == ["c1"]
    with qtbot.assertNotEmitted(sidebar.chat_selected):
        sidebar.set_current("c2")
        sidebar.set_current(None)
    assert sidebar.view.current() is None


def test_the_arrow_keys_pass_over_the_heads(qtbot: QtBot, sidebar: Sidebar) -> None:
    sidebar.view.setFocus()
    with qtbot.waitSignal(sidebar.chat_selected, timeout=1000) as seen:
        qtbot.keyClick(sidebar.view, Qt.Key.Key_Down)
    assert seen.args == ["c1"]


def test_new_rows_keep_the_open_chat_chosen_without_a_signal(
    qtbot: QtBot, sidebar: Sidebar
) -> None:
    with qtbot.assertNotEmitted(sidebar.chat_selected):
        sidebar.set_chats([chat(9, "Newest"), chat(0, "Renamed"), chat(1, "b", days=1)])
    assert sidebar.view.current() == "c0"


def test_an_open_chat_that_is_gone_is_no_longer_chosen(qtbot: QtBot, sidebar: Sidebar) -> None:
    with qtbot.assertNotEmitted(sidebar.chat_selected):
        sidebar.set_chats([chat(1, "b")])
    assert sidebar.view.current() is None


def picture(sidebar: Sidebar, chat_id: str) -> QImage:
    """The item of a chat as it is seen, with the ground around it."""
    place = sidebar.view.visualRect(sidebar.view.index_of(chat_id))
    corner = sidebar.view.viewport().mapTo(sidebar, place.topLeft())
    return sidebar.grab(QRect(corner, place.size())).toImage()


def _field(sidebar: Sidebar) -> QLineEdit:
    return next(w for w in sidebar.view.findChildren(QLineEdit) if w.isVisible())


@pytest.mark.parametrize("how", ["double click", "menu", "key"])
def test_a_chat_is_renamed_in_place(qtbot: QtBot, sidebar: Sidebar, how: str) -> None:
    if how == "double click":
        viewport, where = sidebar.view.viewport(), centre(sidebar, "c0")
        none = Qt.KeyboardModifier.NoModifier
        qtbot.mouseClick(viewport, Qt.MouseButton.LeftButton, none, where)
        qtbot.mouseDClick(viewport, Qt.MouseButton.LeftButton, none, where)
    elif how == "menu":
        menu = sidebar.view.menu_for("c0")
        menu.actions()[0].trigger()
        menu.deleteLater()
    else:
        sidebar.view.setFocus()
        qtbot.keyClick(sidebar.view, Qt.Key.Key_F2)
    field = _field(sidebar)
    assert field.text() == TITLES[0]
    assert field.selectedText() == TITLES[0]
    qtbot.keyClicks(field, "  Welford   twice ")
    with qtbot.waitSignal(sidebar.rename_chat, timeout=1000) as seen:
        qtbot.keyClick(field, Qt.Key.Key_Return)
    assert seen.args == ["c0", "Welford twice"]


@pytest.mark.parametrize("typed", ["", "   ", TITLES[0]])
def test_an_empty_or_unchanged_title_changes_nothing(
    qtbot: QtBot, sidebar: Sidebar, typed: str
) -> None:
    sidebar.view.start_rename("c0")
    field = _field(sidebar)
    field.clear()
    qtbot.keyClicks(field, typed)
    with qtbot.assertNotEmitted(sidebar.rename_chat):
        qtbot.keyClick(field, Qt.Key.Key_Return)


def test_esc_leaves_the_title_as_it_was(qtbot: QtBot, sidebar: Sidebar) -> None:
    sidebar.view.start_rename("c0")
    qtbot.keyClicks(_field(sidebar), "something else")
    with qtbot.assertNotEmitted(sidebar.rename_chat):
        qtbot.keyClick(_field(sidebar), Qt.Key.Key_Escape)


def test_rows_that_come_while_a_title_is_typed_wait_until_it_is_done(
    qtbot: QtBot, sidebar: Sidebar
) -> None:
    sidebar.view.start_rename("c0")
    qtbot.keyClicks(_field(sidebar), "Half")
    sidebar.set_chats([chat(9, "Newest"), chat(0, TITLES[0], days=1)])
    assert _field(sidebar).text() == "Half"
    assert len(sidebar.view.chats()) == 3
    qtbot.keyClick(_field(sidebar), Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: [c.id for c in sidebar.view.chats()] == ["c9", "c0"], timeout=1000)


@pytest.mark.parametrize("key", [Qt.Key.Key_Backspace, Qt.Key.Key_Delete])
def test_only_command_delete_deletes(qtbot: QtBot, sidebar: Sidebar, key: Qt.Key) -> None:
    sidebar.view.setFocus()
    with qtbot.assertNotEmitted(sidebar.delete_chat):
        qtbot.keyClick(sidebar.view, key)
    with qtbot.waitSignal(sidebar.delete_chat, timeout=1000) as seen:
        qtbot.keyClick(sidebar.view, key, Qt.KeyboardModifier.ControlModifier)
    assert seen.args == ["c0"]


def test_the_ellipsis_opens_a_menu_and_leaves_the_open_chat_alone(
    qtbot: QtBot, sidebar: Sidebar
) -> None:
    view = sidebar.view
    where = more_area(view.visualRect(view.index_of("c1"))).center()
    with qtbot.assertNotEmitted(sidebar.chat_selected):
        qtbot.mouseClick(
            view.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, where
        )
    (menu,) = view.findChildren(QMenu)
    assert menu.isVisible()
    rename, compare, delete = menu.actions()
    assert [a.text() for a in (rename, compare, delete)] == ["Rename", "Compare Models…", "Delete"]
    with qtbot.waitSignal(sidebar.compare_chat, timeout=1000) as seen:
        compare.trigger()
    assert seen.args == ["c1"]
    with qtbot.waitSignal(sidebar.delete_chat, timeout=1000) as seen:
        delete.trigger()
    assert seen.args == ["c1"]


def test_the_two_buttons_ask_for_a_new_chat_and_to_hide(qtbot: QtBot, sidebar: Sidebar) -> None:
    with qtbot.waitSignal(sidebar.new_chat, timeout=1000):
        qtbot.mouseClick(sidebar.new_button, Qt.MouseButton.LeftButton)
    with qtbot.waitSignal(sidebar.toggle, timeout=1000):
        qtbot.mouseClick(sidebar.hide_button, Qt.MouseButton.LeftButton)


def test_searching_tells_what_for_and_says_when_nothing_is_found(
    qtbot: QtBot, sidebar: Sidebar
) -> None:
    assert sidebar.empty_text() == ""
    with qtbot.waitSignal(sidebar.search_changed, timeout=1000) as seen:
        qtbot.keyClicks(sidebar.search, "z")
    assert seen.args == ["z"]
    sidebar.set_chats([])
    assert sidebar.empty_text() == "No chat contains “z”."
    qtbot.keyClicks(sidebar.search, "{q}")
    assert sidebar.empty_text() == "No chat contains “z{q}”."
    qtbot.keyClick(sidebar.search, Qt.Key.Key_Escape)
    assert sidebar.query() == ""
    assert sidebar.empty_text() == "Chats appear here once you send a message."


def test_down_in_the_search_field_goes_to_the_list(qtbot: QtBot, sidebar: Sidebar) -> None:
    sidebar.search.setFocus()
    qtbot.keyClick(sidebar.search, Qt.Key.Key_Down)
    assert sidebar.view.hasFocus()


def test_a_chat_that_writes_has_a_disc_in_the_accent(sidebar: Sidebar, look: Theme) -> None:
    def disc() -> str:
        image = picture(sidebar, "c2")
        return image.pixelColor(image.width() - 8 - 16, image.height() // 2).name()

    assert disc() == look.color("sidebar").name()
    sidebar.set_writing({"c2"})
    assert disc() == look.color("accent").name()
    sidebar.set_writing(set())
    assert disc() == look.color("sidebar").name()


def test_a_long_title_is_cut_with_an_ellipsis_and_stays_in_its_row(
    sidebar: Sidebar, look: Theme
) -> None:
    sidebar.set_chats([chat(1, "漢字とかな" * 60), chat(2, "x" * 400)])
    for name in ("c1", "c2"):
        image = picture(sidebar, name)
        margin = {
            image.pixelColor(x, y).name()
            for x in range(image.width() - 8 - 10, image.width())
            for y in range(image.height())
        }
        assert margin == {look.color("sidebar").name()}


def test_rows_grow_with_the_zoom(sidebar: Sidebar, look: Theme) -> None:
    view = sidebar.view
    before = view.visualRect(view.index_of("c0")).height()
    look.set_zoom(1.5)
    QApplication.processEvents()
    assert view.visualRect(view.index_of("c0")).height() == round(before * 1.5) == 45
