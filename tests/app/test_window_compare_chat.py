"""A chat is taken to Compare: what it asks last is the prompt, after what was said before."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot
from test_window_compare import LEFT, Comparing

from app.main_window import CHAT, COMPARE, MainWindow
from engine.api import Message

pytestmark = pytest.mark.qt_log_ignore("does not support grabbing the keyboard")
Say = Callable[[MainWindow, str], None]
Answered = Callable[[MainWindow], None]
Open = Callable[..., MainWindow]


@pytest.fixture
def comparing(
    qtbot: QtBot, window: MainWindow, say: Say, answered: Answered
) -> Iterator[Comparing]:
    """A chat with two questions and their answers is open."""
    made = Comparing(qtbot, window, tokens=8)
    window.show_view(CHAT)
    for text in ("Hello", "Where is the sea?"):
        say(window, text)
        answered(window)
    yield made
    made.view.head.options.before_menu.close()


def taken(comparing: Comparing) -> MainWindow:
    """The window after the entry of the Chat menu."""
    comparing.window.menus.actions["compare"].trigger()
    return comparing.window


def test_its_last_question_is_the_prompt_and_the_rest_stands_before_it(
    comparing: Comparing, qtbot: QtBot
) -> None:
    answer = comparing.window.chats.rows()[1].text
    window = taken(comparing)
    options, editor = comparing.view.head.options, comparing.view.head.prompt.editor
    assert window.view == COMPARE
    assert editor.text() == "Where is the sea?"
    assert editor.hasFocus()
    assert options.after.text() == "After 2 messages"
    assert options.after.isVisible()
    qtbot.keyClicks(editor, "Really")
    assert window.compare.before == (
        Message(role="user", text="Hello"),
        Message(role="assistant", text=answer),
    )
    qtbot.mouseClick(options.after, LEFT)
    heading, _, leave = options.before_menu.actions()
    assert (heading.text(), heading.isEnabled()) == ("Hello", False)
    assert leave.text() == "Leave Them Out"
    qtbot.keyClick(options.before_menu, Qt.Key.Key_Down)
    qtbot.keyClick(options.before_menu, Qt.Key.Key_Return)
    assert not options.after.isVisible()
    assert window.compare.before == ()


def test_only_the_path_that_is_shown_is_taken(comparing: Comparing, answered: Answered) -> None:
    chats = comparing.window.chats
    chats.regenerate(chats.rows()[1].id)
    answered(comparing.window)
    assert len(chats.rows()) == 2
    window = taken(comparing)
    assert (window.compare.prompt, window.compare.before) == ("Hello", ())
    assert not comparing.view.head.options.after.isVisible()


def test_every_model_reads_what_was_said_before(comparing: Comparing) -> None:
    window = taken(comparing)

    def read() -> list[int]:
        comparing.qtbot.mouseClick(comparing.view.head.prompt.run, LEFT)
        comparing.done()
        assert window.compare.run
        return [c.stats.prompt_tokens if c.stats else 0 for c in window.compare.run.columns]

    whole = read()
    window.compare.leave_out()
    alone = read()
    for long, short in zip(whole, alone, strict=True):
        assert long > short + 8 > 8


def test_it_is_there_again_when_the_run_is_opened_and_gone_with_a_new_one(
    comparing: Comparing, open_window: Open, qtbot: QtBot
) -> None:
    window = taken(comparing)
    before = window.compare.before
    qtbot.mouseClick(comparing.view.head.prompt.run, LEFT)
    comparing.done()
    again = open_window()
    again.show_view(COMPARE)
    (kept,) = again.compare.past
    again.compare_sidebar.opened.emit(kept.id)
    options = again.compare_view.head.options
    assert options.after.text() == "After 2 messages"
    assert options.before_menu.actions()[0].text() == "Hello"
    assert again.compare.before == before
    qtbot.mouseClick(again.toolbar.compare.new_button, LEFT)
    assert again.compare.before == ()
    assert not options.after.isVisible()


def test_an_answer_is_gone_on_with_in_a_chat_that_begins_with_what_was_said(
    comparing: Comparing, qtbot: QtBot, say: Say, answered: Answered
) -> None:
    window, first = taken(comparing), comparing.window.chats.current
    qtbot.mouseClick(comparing.view.head.prompt.run, LEFT)
    comparing.done()
    qtbot.mouseClick(comparing.columns()[0].chat_button, LEFT)
    assert window.view == CHAT
    assert window.chats.current != first
    assert [row.text for row in window.chats.rows()] == [m.text for m in window.compare.before]
    assert window.page.composer.editor.text() == "Where is the sea?"
    assert [chat.title for chat in window.sidebar.view.chats()] == ["Hello", "Hello"]
    qtbot.keyClick(window.page.composer.editor, Qt.Key.Key_Return)
    answered(window)
    assert [row.role for row in window.chats.rows()] == ["user", "assistant"] * 2
    assert window.chats.rows()[-1].text


def test_a_chat_is_taken_from_its_row_without_being_opened(comparing: Comparing) -> None:
    window = comparing.window
    chat = window.chats.current
    window.new_chat()
    assert not window.menus.actions["compare"].isEnabled()
    menu = window.sidebar.view.menu_for(str(chat))
    next(a for a in menu.actions() if a.text() == "Compare Models…").trigger()
    menu.deleteLater()
    assert window.view == COMPARE
    assert window.chats.current is None
    assert window.compare.chat == "Hello"
    assert len(window.compare.before) == 2
    assert not any(
        "Compare" in a.text() for a in window.compare_sidebar.view.menu_for("x").actions()
    )
