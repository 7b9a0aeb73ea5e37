"""A conversation in the real window with a real model, driven by keys and clicks."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QInputMethodEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.main_window import MainWindow
from app.store import Store
from engine import paths
from engine.api import Sampling

Say = Callable[[MainWindow, str], None]
Open = Callable[..., MainWindow]
# Any token is as likely as any other, so that an end token is rare.
ENDLESS = Sampling(temperature=100.0, top_p=1.0, max_tokens=100_000, seed=1)
LONG_MS = 60_000


def _wait_for_answer(qtbot: QtBot, window: MainWindow) -> None:
    qtbot.waitUntil(lambda: not window.replies.chats, timeout=LONG_MS)


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
    window: MainWindow, qtbot: QtBot, say: Say
) -> None:
    assert window.page.transcript.first_run.isVisible()
    say(window, "What sound does a cow make?")
    assert window.page.composer.draft() == ""
    assert window.page.composer.stop.isVisible()
    _wait_for_answer(qtbot, window)
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
    window: MainWindow, qtbot: QtBot, say: Say
) -> None:
    say(window, "Hello! How are you?")
    _wait_for_answer(qtbot, window)
    first = window.chats.last
    say(window, "Thank you.")
    _wait_for_answer(qtbot, window)
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
    window: MainWindow, qtbot: QtBot
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
    _wait_for_answer(qtbot, window)


@pytest.mark.parametrize("by", ["button", "escape", "menu"])
def test_stop_keeps_what_was_written_and_the_next_message_works(
    window: MainWindow, qtbot: QtBot, say: Say, by: str
) -> None:
    _write_without_end(qtbot, window, say)
    qtbot.keyClicks(window.page.composer.editor, "my next thought")
    if by == "button":
        qtbot.mouseClick(window.page.composer.stop, Qt.MouseButton.LeftButton)
    elif by == "escape":
        qtbot.keyClick(window.page.composer.editor, Qt.Key.Key_Escape)
    else:
        window.menus.actions["stop"].trigger()
    _wait_for_answer(qtbot, window)
    stopped = window.chats.last
    assert stopped is not None
    assert stopped.status == "stopped"
    assert stopped.text == _shown(window)[-1] != ""
    assert window.page.composer.draft() == "my next thought"
    window.chats.sampling = Sampling(temperature=0.0, max_tokens=5)
    qtbot.keyClick(window.page.composer.editor, Qt.Key.Key_Return)
    _wait_for_answer(qtbot, window)
    assert window.chats.last is not None
    assert window.chats.last.status in ("done", "length")
    assert len(_shown(window)) == 4


def test_return_while_an_answer_is_written_keeps_the_draft(
    window: MainWindow, qtbot: QtBot, say: Say
) -> None:
    _write_without_end(qtbot, window, say)
    say(window, "not yet")
    assert len(_shown(window)) == 2
    assert window.page.composer.draft() == "not yet"
    window.chats.stop()
    _wait_for_answer(qtbot, window)


def test_regenerate_shows_another_answer_and_deletes_nothing(
    window: MainWindow, qtbot: QtBot, say: Say
) -> None:
    window.chats.sampling = Sampling(temperature=1.0, max_tokens=20, seed=1)
    say(window, "Tell me a story.")
    _wait_for_answer(qtbot, window)
    first = window.chats.last
    window.chats.sampling = Sampling(temperature=1.0, max_tokens=20, seed=2)
    window.menus.actions["regenerate"].trigger()
    _wait_for_answer(qtbot, window)
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
    window: MainWindow, qtbot: QtBot, say: Say
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
    _wait_for_answer(qtbot, window)
    assert _shown(window) == ["The first chat", live.text]
    window.sidebar.chat_selected.emit(other)
    assert _shown(window) == ["The second chat", ""]


def test_each_chat_keeps_its_draft(window: MainWindow, qtbot: QtBot, say: Say) -> None:
    say(window, "Hello")
    _wait_for_answer(qtbot, window)
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
    window: MainWindow, qtbot: QtBot, say: Say
) -> None:
    chat = _write_without_end(qtbot, window, say)
    window.menus.actions["delete"].trigger()
    assert window.sidebar.view.chats() == []
    assert window.chats.current is None
    assert window.page.toast.isVisible()
    _wait_for_answer(qtbot, window)
    qtbot.mouseClick(window.page.toast.button, Qt.MouseButton.LeftButton)
    assert window.chats.current == chat
    assert [row.id for row in window.sidebar.view.chats()] == [chat]
    assert len(_shown(window)) == 2
    assert window.chats.last is not None
    assert window.chats.last.status == "stopped"


def test_renaming_and_searching_chats(window: MainWindow, qtbot: QtBot, say: Say) -> None:
    say(window, "Hello")
    _wait_for_answer(qtbot, window)
    assert window.chats.current is not None
    window.sidebar.rename_chat.emit(window.chats.current, "A goat’s lighthouse")
    assert window.windowTitle().startswith("A goat’s lighthouse")
    qtbot.keyClicks(window.sidebar.search, "LIGHTH")
    assert len(window.sidebar.view.chats()) == 1
    qtbot.keyClicks(window.sidebar.search, "xyz")
    assert window.sidebar.view.chats() == []
    assert "LIGHTHxyz" in window.sidebar.empty_text()


def test_a_broken_model_is_one_sentence_and_the_earlier_one_still_answers(
    window: MainWindow, qtbot: QtBot, say: Say, tmp_path: Path
) -> None:
    broken = tmp_path / "broken"
    broken.mkdir()
    (broken / "config.json").write_text("{")
    window.models.load(broken)
    assert window.toolbar.picker.headline() == "Loading broken"
    qtbot.waitUntil(lambda: window.page.banner.isVisible())
    sentence = window.page.banner.sentence()
    assert "config.json" in sentence
    assert "Traceback" not in sentence
    assert "\n" not in sentence
    assert window.toolbar.picker.headline() == "starter-3m"
    say(window, "Hello")
    assert not window.page.banner.isVisible()
    _wait_for_answer(qtbot, window)
    assert window.chats.last is not None
    assert window.chats.last.status == "done"
    window.settings.sync()
    assert window.settings.model.endswith("starter-3m")


def test_of_models_chosen_in_a_hurry_the_last_one_answers(
    window: MainWindow, qtbot: QtBot, say: Say
) -> None:
    qtbot.waitUntil(lambda: len(window.models.models) >= 2, timeout=LONG_MS)
    for name in ("starter-12m", "starter-3m") * 4 + ("starter-12m",):
        window.toolbar.picker.model_chosen.emit(name)
    assert window.toolbar.picker.headline() == "Loading starter-12m"
    say(window, "Hello")
    _wait_for_answer(qtbot, window)
    assert window.toolbar.picker.headline() == "starter-12m"
    assert window.chats.last is not None
    assert window.chats.last.model == "starter-12m"


def test_without_a_model_nothing_can_be_sent_and_the_draft_stays(
    window: MainWindow, qtbot: QtBot, say: Say
) -> None:
    window.toolbar.picker.unload_requested.emit()
    qtbot.waitUntil(lambda: window.models.loaded is None, timeout=LONG_MS)
    say(window, "Hello")
    assert window.chats.current is None
    assert window.page.composer.draft() == "Hello"
    assert window.toolbar.picker.headline() == "Choose a Model"


def test_a_failed_answer_says_why_and_try_again_answers(
    window: MainWindow, qtbot: QtBot, say: Say, monkeypatch: pytest.MonkeyPatch
) -> None:
    from engine.errors import EngineError
    from engine.session import Session

    def out_of_memory(*_: object) -> object:
        raise EngineError("out_of_memory", position=212)

    with monkeypatch.context() as patch:
        patch.setattr(Session, "reply", out_of_memory)
        say(window, "Hello")
        _wait_for_answer(qtbot, window)
    failed = window.chats.last
    assert failed is not None
    assert failed.status == "failed"
    assert "token 212" in failed.error
    window.page.transcript.retry_requested.emit(failed.id)
    _wait_for_answer(qtbot, window)
    assert window.chats.last is not None
    assert window.chats.last.status == "done"
    assert len(_shown(window)) == 2


def test_a_chat_of_a_model_that_is_gone_can_be_read(
    open_window: Open, qtbot: QtBot, say: Say
) -> None:
    window = open_window()
    say(window, "Hello")
    _wait_for_answer(qtbot, window)
    chat = window.chats.current
    store = Store(paths.database())
    store.start_reply(str(chat), store.path(str(chat))[0].row.id, "a-removed-model")
    store.close()
    window = open_window()
    qtbot.waitUntil(lambda: bool(window.models.models), timeout=LONG_MS)
    window.chats.open(chat)
    assert window.page.banner.isVisible()
    assert "a-removed-model is no longer installed" in window.page.banner.sentence()
    window.new_chat()
    assert not window.page.banner.isVisible()


def test_a_reopened_chat_shows_its_figures_and_goes_on(
    open_window: Open, qtbot: QtBot, say: Say
) -> None:
    window = open_window()
    say(window, "Hello! How are you?")
    _wait_for_answer(qtbot, window)
    qtbot.keyClicks(window.page.composer.editor, "half a thought")
    chat, shown, figures = window.chats.current, _shown(window), window.page.strip.figures()
    window = open_window()
    window.chats.open(chat)
    assert _shown(window) == shown
    assert window.page.strip.figures().ms_per_token == figures.ms_per_token
    assert window.chats.trace().points
    assert window.page.composer.draft() == "half a thought"
    qtbot.keyClick(window.page.composer.editor, Qt.Key.Key_Return)
    _wait_for_answer(qtbot, window)
    last = window.chats.last
    assert last is not None
    assert last.stats is not None
    assert last.stats.position > figures.position


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
    assert window.sidebar.isVisible()
    window.frame.toggle_sidebar()
    qtbot.waitUntil(lambda: not window.sidebar.isVisible())
    window = open_window(load=False)
    assert window.sidebar.isVisible()
    window.show_view(1)
    assert not window.sidebar.isVisible()


def test_the_last_answer_is_copied_as_it_was_written(
    window: MainWindow, qtbot: QtBot, say: Say
) -> None:
    say(window, "Hello")
    _wait_for_answer(qtbot, window)
    window.menus.actions["copy_answer"].trigger()
    assert window.chats.last is not None
    assert QGuiApplication.clipboard().text() == window.chats.last.text


def test_every_menu_action_has_a_role_of_its_own_choosing(window: MainWindow) -> None:
    from PySide6.QtGui import QAction

    roles = {name: action.menuRole() for name, action in window.menus.actions.items()}
    assert roles.pop("quit") == QAction.MenuRole.QuitRole
    assert roles.pop("about") == QAction.MenuRole.AboutRole
    assert set(roles.values()) == {QAction.MenuRole.NoRole}
    for menu in window.menuBar().actions():
        for action in menu.menu().actions():
            assert action.menuRole() != QAction.MenuRole.TextHeuristicRole or action.isSeparator()


def test_importing_the_window_imports_no_mlx() -> None:
    import subprocess
    import sys

    code = "import sys, app.main_window; sys.exit(any(m.startswith('mlx') for m in sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_the_hint_says_what_the_model_has_read_of_the_chat(
    open_window: Open, qtbot: QtBot, say: Say
) -> None:
    window = open_window()
    assert window.page.composer.hint.text() == ""
    say(window, "Hello")
    _wait_for_answer(qtbot, window)
    chat, count = window.chats.current, window.chats.figures().position
    assert window.page.composer.hint.text() == f"{count} tokens in state"
    window = open_window()
    window.chats.open(chat)
    unread = f"starter-3m has not read this chat yet: {count} tokens"
    assert window.page.composer.hint.text() == unread
    say(window, "Thank you")
    _wait_for_answer(qtbot, window)
    assert window.page.composer.hint.text().endswith("tokens in state")


def test_chats_that_cannot_be_read_are_kept_and_spoken_of(open_window: Open, home: Path) -> None:
    home.mkdir()
    (home / "chats.sqlite").write_bytes(b"no database " * 1000)
    window = open_window(load=False)
    (kept,) = home.glob("chats-unreadable-*.sqlite")
    assert window.page.banner.isVisible()
    assert str(kept) in window.page.banner.sentence()


def test_a_chat_deleted_beside_another_view_can_be_brought_back(
    window: MainWindow, qtbot: QtBot, say: Say
) -> None:
    say(window, "Hello")
    _wait_for_answer(qtbot, window)
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
