"""A conversation in the real window with a real model, driven by keys and clicks."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.main_window import MainWindow
from app.store import Store
from engine import paths
from engine.api import Sampling

Say = Callable[[MainWindow, str], None]
Answered = Callable[[MainWindow], None]
Open = Callable[..., MainWindow]
# Any token is as likely as any other, so that an end token is rare.
ENDLESS = Sampling(temperature=100.0, top_p=1.0, max_tokens=100_000, seed=1)
LONG_MS = 60_000


def _write_without_end(qtbot: QtBot, window: MainWindow, say: Say, text: str = "Hello") -> str:
    """Have an endless answer begin in the open chat; the chat's id."""
    window.chats.sampling = ENDLESS
    say(window, text)
    live = window.chats.live
    assert live is not None
    qtbot.waitUntil(lambda: live.tokens > 3, timeout=LONG_MS)
    return live.chat


def _shown(window: MainWindow) -> list[str]:
    """The texts of the transcript's messages, as they are shown."""
    return [item.row.text for item in window.page.transcript.column.items]


def test_a_message_typed_is_answered_shown_and_stored(
    window: MainWindow, say: Say, answered: Answered
) -> None:
    assert window.page.transcript.first_run.isVisible()
    say(window, "What sound does a cow make?")
    assert window.page.composer.draft() == ""
    assert window.page.composer.stop.isVisible()
    answered(window)
    question, answer = _shown(window)
    assert question == "What sound does a cow make?"
    assert answer.strip()
    store = Store(paths.database())
    (chat,) = store.chats()
    asked, answered = store.path(chat.id)
    store.close()
    assert chat.title == question == asked.row.text
    assert (answered.row.text, answered.row.status) == (answer, "done")
    assert answered.row.model == "starter-3m"
    assert answered.row.stats is not None
    assert asked.ids
    assert answered.ids
    assert len(answered.ids) == answered.row.stats.new_tokens
    assert [row.title for row in window.sidebar.view.chats()] == [question]
    assert window.page.strip.figures().position == answered.row.stats.position
    assert window.page.composer.send.isVisible()


def test_the_second_question_reads_only_what_is_new(
    window: MainWindow, say: Say, answered: Answered
) -> None:
    say(window, "Hello! How are you?")
    answered(window)
    first = window.chats.last
    say(window, "Thank you.")
    answered(window)
    second = window.chats.last
    assert first is not None
    assert second is not None
    assert first.stats is not None
    assert second.stats is not None
    assert second.stats.prompt_tokens < first.stats.position
    assert second.stats.position > first.stats.position


@pytest.mark.parametrize("text", ["", "   ", "\n\t\n"])
def test_an_empty_message_does_nothing(window: MainWindow, qtbot: QtBot, text: str) -> None:
    window.page.composer.editor.set_text(text)
    qtbot.keyClick(window.page.composer.editor, Qt.Key.Key_Return)
    window.page.composer.submitted.emit(text)
    assert window.chats.current is None
    assert window.chats.live is None


def test_return_while_an_input_method_composes_sends_nothing(
    window: MainWindow, qtbot: QtBot, answered: Answered
) -> None:
    editor = window.page.composer.editor
    QApplication.sendEvent(editor, QInputMethodEvent("かんじ", []))
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    assert window.chats.current is None
    commit = QInputMethodEvent("", [])
    commit.setCommitString("漢字")
    QApplication.sendEvent(editor, commit)
    assert window.chats.current is None
    assert window.page.composer.draft() == "漢字"
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    assert window.chats.last is not None
    assert _shown(window)[0] == "漢字"
    answered(window)


@pytest.mark.parametrize("by", ["button", "escape", "menu"])
def test_stop_keeps_what_was_written_and_the_next_message_works(
    window: MainWindow, qtbot: QtBot, say: Say, by: str, answered: Answered
) -> None:
    _write_without_end(qtbot, window, say)
    qtbot.keyClicks(window.page.composer.editor, "my next thought")
    if by == "button":
        qtbot.mouseClick(window.page.composer.stop, Qt.MouseButton.LeftButton)
    elif by == "escape":
        qtbot.keyClick(window.page.composer.editor, Qt.Key.Key_Escape)
    else:
        window.menus.actions["stop"].trigger()
    answered(window)
    stopped = window.chats.last
    assert stopped is not None
    assert stopped.status == "stopped"
    assert stopped.text == _shown(window)[-1] != ""
    assert window.page.composer.draft() == "my next thought"
    window.chats.sampling = Sampling(temperature=0.0, max_tokens=5)
    qtbot.keyClick(window.page.composer.editor, Qt.Key.Key_Return)
    answered(window)
    assert window.chats.last is not None
    assert window.chats.last.status in ("done", "length")
    assert len(_shown(window)) == 4


def test_return_while_an_answer_is_written_keeps_the_draft(
    window: MainWindow, qtbot: QtBot, say: Say, answered: Answered
) -> None:
    _write_without_end(qtbot, window, say)
    say(window, "not yet")
    assert len(_shown(window)) == 2
    assert window.page.composer.draft() == "not yet"
    window.chats.stop()
    answered(window)


def test_regenerate_shows_another_answer_and_deletes_nothing(
    window: MainWindow, say: Say, answered: Answered
) -> None:
    window.chats.sampling = Sampling(temperature=1.0, max_tokens=20, seed=1)
    say(window, "Tell me a story.")
    answered(window)
    first = window.chats.last
    window.chats.sampling = Sampling(temperature=1.0, max_tokens=20, seed=2)
    window.menus.actions["regenerate"].trigger()
    answered(window)
    second = window.chats.last
    assert first is not None
    assert second is not None
    assert first.id != second.id
    assert first.text != second.text
    assert _shown(window) == ["Tell me a story.", second.text]
    store = Store(paths.database())
    assert store.message(first.id).row == first
    store.close()
    assert second.stats is not None
    assert second.stats.prompt_tokens == 1  # it starts from the state before the last token


def test_another_chat_is_read_while_one_is_written_and_both_are_right(
    window: MainWindow, qtbot: QtBot, say: Say, answered: Answered
) -> None:
    chat = _write_without_end(qtbot, window, say, "The first chat")
    window.new_chat()
    assert window.page.transcript.first_run.isVisible()
    assert window.page.composer.send.isVisible()
    say(window, "The second chat")  # waits for its turn
    other = window.chats.current
    assert other is not None
    assert window.replies.chats == {chat, other}
    live = window.replies.of(chat)
    assert live is not None
    before = live.tokens
    qtbot.waitUntil(lambda: live.tokens > before + 3, timeout=LONG_MS)
    assert _shown(window) == ["The second chat", ""]
    window.sidebar.chat_selected.emit(chat)
    assert _shown(window)[0] == "The first chat"
    qtbot.waitUntil(lambda: live.tokens > before + 10, timeout=LONG_MS)
    assert window.page.transcript.column.items[-1].row.text in live.text
    window.replies.stop(other)  # stopped before it began
    assert window.replies.chats == {chat}
    window.chats.stop()
    answered(window)
    assert _shown(window) == ["The first chat", live.text]
    window.sidebar.chat_selected.emit(other)
    assert _shown(window) == ["The second chat", ""]


def test_each_chat_keeps_its_draft(
    window: MainWindow, qtbot: QtBot, say: Say, answered: Answered
) -> None:
    say(window, "Hello")
    answered(window)
    chat = window.chats.current
    editor = window.page.composer.editor
    qtbot.keyClicks(editor, "for the first")
    window.new_chat()
    assert window.page.composer.draft() == ""
    qtbot.keyClicks(editor, "for a new one")
    window.chats.open(chat)
    assert window.page.composer.draft() == "for the first"
    window.new_chat()
    assert window.page.composer.draft() == "for a new one"


def test_deleting_the_chat_that_is_written_stops_it_and_undo_brings_it_back(
    window: MainWindow, qtbot: QtBot, say: Say, answered: Answered
) -> None:
    chat = _write_without_end(qtbot, window, say)
    window.menus.actions["delete"].trigger()
    assert window.sidebar.view.chats() == []
    assert window.chats.current is None
    assert window.page.toast.isVisible()
    answered(window)
    qtbot.mouseClick(window.page.toast.button, Qt.MouseButton.LeftButton)
    assert window.chats.current == chat
    assert [row.id for row in window.sidebar.view.chats()] == [chat]
    assert len(_shown(window)) == 2
    assert window.chats.last is not None
    assert window.chats.last.status == "stopped"


def test_renaming_and_searching_chats(
    window: MainWindow, qtbot: QtBot, say: Say, answered: Answered
) -> None:
    say(window, "Hello")
    answered(window)
    assert window.chats.current is not None
    window.sidebar.rename_chat.emit(window.chats.current, "A goat’s lighthouse")
    assert window.windowTitle().startswith("A goat’s lighthouse")
    qtbot.keyClicks(window.sidebar.search, "LIGHTH")
    assert len(window.sidebar.view.chats()) == 1
    qtbot.keyClicks(window.sidebar.search, "xyz")
    assert window.sidebar.view.chats() == []
    assert "LIGHTHxyz" in window.sidebar.empty_text()


def test_a_reopened_chat_shows_its_figures_and_goes_on(
    open_window: Open, qtbot: QtBot, say: Say, answered: Answered
) -> None:
    window = open_window()
    say(window, "Hello! How are you?")
    answered(window)
    qtbot.keyClicks(window.page.composer.editor, "half a thought")
    chat, shown, figures = window.chats.current, _shown(window), window.page.strip.figures()
    window = open_window()
    window.chats.open(chat)
    assert _shown(window) == shown
    assert window.page.strip.figures().ms_per_token == figures.ms_per_token
    assert window.chats.trace().points
    assert window.page.composer.draft() == "half a thought"
    qtbot.keyClick(window.page.composer.editor, Qt.Key.Key_Return)
    answered(window)
    last = window.chats.last
    assert last is not None
    assert last.stats is not None
    assert last.stats.position > figures.position
