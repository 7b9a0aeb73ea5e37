"""The model in use in the real window: chosen, broken, missing, failing."""

from __future__ import annotations

import gc
from collections.abc import Callable
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.main_window import MainWindow
from app.settings import Settings
from app.store import Store
from engine import paths

Say = Callable[[MainWindow, str], None]
Answered = Callable[[MainWindow], None]
Open = Callable[..., MainWindow]
LONG_MS = 60_000


def _shown(window: MainWindow) -> list[str]:
    """The texts of the transcript's messages, as they are shown."""
    return [item.row.text for item in window.page.transcript.column.items]


def test_a_broken_model_is_one_sentence_and_the_earlier_one_still_answers(
    window: MainWindow, qtbot: QtBot, say: Say, tmp_path: Path, answered: Answered
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
    answered(window)
    assert window.chats.last is not None
    assert window.chats.last.status == "done"
    window.settings.sync()
    assert window.settings.model.endswith("starter-3m")


def test_of_models_chosen_in_a_hurry_the_last_one_answers(
    window: MainWindow, qtbot: QtBot, say: Say, answered: Answered
) -> None:
    qtbot.waitUntil(lambda: len(window.models.models) >= 2, timeout=LONG_MS)
    for name in ("starter-12m", "starter-3m") * 4 + ("starter-12m",):
        window.toolbar.picker.model_chosen.emit(name)
    assert window.toolbar.picker.headline() == "Loading starter-12m"
    say(window, "Hello")
    answered(window)
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
    window: MainWindow, say: Say, monkeypatch: pytest.MonkeyPatch, answered: Answered
) -> None:
    from engine.errors import EngineError
    from engine.session import Session

    def out_of_memory(*_: object) -> object:
        raise EngineError("out_of_memory", position=212)

    with monkeypatch.context() as patch:
        patch.setattr(Session, "reply", out_of_memory)
        say(window, "Hello")
        answered(window)
    failed = window.chats.last
    assert failed is not None
    assert failed.status == "failed"
    assert "token 212" in failed.error
    window.page.transcript.retry_requested.emit(failed.id)
    answered(window)
    assert window.chats.last is not None
    assert window.chats.last.status == "done"
    assert len(_shown(window)) == 2


def test_a_chat_of_a_model_that_is_gone_can_be_read(
    open_window: Open, qtbot: QtBot, say: Say, answered: Answered
) -> None:
    window = open_window()
    say(window, "Hello")
    answered(window)
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


def test_the_hint_says_what_the_model_has_read_of_the_chat(
    open_window: Open, say: Say, answered: Answered
) -> None:
    window = open_window()
    assert window.page.composer.hint.text() == ""
    say(window, "Hello")
    answered(window)
    chat, count = window.chats.current, window.chats.figures().position
    assert window.page.composer.hint.text() == f"{count} tokens in state"
    window = open_window()
    window.chats.open(chat)
    unread = f"starter-3m has not read this chat yet: {count} tokens"
    assert window.page.composer.hint.text() == unread
    say(window, "Thank you")
    answered(window)
    assert window.page.composer.hint.text().endswith("tokens in state")


@pytest.mark.parametrize(
    ("last", "loaded"),
    [
        ("elsewhere/starter-3m", "starter-3m"),  # the app was moved
        ("elsewhere/removed", "starter-12m"),
    ],
)
def test_a_last_model_that_is_gone_gives_way_to_one_that_came_with_the_app(
    open_window: Open, home: Path, last: str, loaded: str
) -> None:
    settings = Settings()
    settings.model = str(home / last)
    settings.sync()
    window = open_window()
    assert window.models.loaded is not None
    assert window.models.loaded.name == loaded
    assert not window.page.banner.isVisible()


def test_a_last_model_that_broke_is_told_and_the_app_can_still_chat(
    open_window: Open, home: Path
) -> None:
    broken = home / "models" / "broken"
    broken.mkdir(parents=True)
    (broken / "config.json").write_text("{")
    settings = Settings()
    settings.model = str(broken)
    settings.sync()
    window = open_window()
    assert window.models.loaded is not None
    assert window.models.loaded.name == "starter-12m"
    assert "config.json" in window.page.banner.sentence()
    assert window.page.banner.isVisible()


def test_the_collector_passes_over_what_a_loaded_window_is_made_of(window: MainWindow) -> None:
    """Its rounds take as long as there are objects, and the window waits meanwhile."""
    assert gc.get_freeze_count() > 10 * len(gc.get_objects())
