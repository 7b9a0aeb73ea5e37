"""A comparison through the engine's thread: it runs, stops, fails in one column, is kept."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from pytestqt.qtbot import QtBot

from app.compare_controller import CompareController
from app.main_window import MainWindow
from app.store import Store
from engine import paths
from engine.api import Piece, Sampling

PATIENCE_MS = 60_000
NAMES = ("starter-3m", "starter-12m")


@pytest.fixture
def compare(window: MainWindow, qtbot: QtBot) -> CompareController:
    """The window's controller, with the two starters chosen."""
    made = window.compare
    qtbot.waitUntil(lambda: len(window.models.models) >= 2, timeout=PATIENCE_MS)
    made.choose(NAMES)
    made.set_prompt("Tell me about the sea.")
    made.set_sampling(Sampling(temperature=0.7, seed=3, max_tokens=24))
    return made


Finished = Callable[[], None]


@pytest.fixture
def finished(compare: CompareController, qtbot: QtBot) -> Finished:
    def wait() -> None:
        qtbot.waitUntil(lambda: not compare.is_running, timeout=PATIENCE_MS)

    return wait


def test_every_model_answers_the_prompt_and_the_run_is_kept(
    compare: CompareController, finished: Finished
) -> None:
    assert compare.can_run
    compare.start()
    assert compare.is_running
    assert not compare.can_run
    finished()
    assert compare.run
    assert [column.name for column in compare.run.columns] == list(NAMES)
    for column in compare.run.columns:
        assert column.text.strip()
        assert column.stats
        assert column.late_ms
    reopened = Store(paths.database())
    (kept,) = reopened.comparisons.kept()
    whole = reopened.comparisons.get(kept.id)
    assert whole
    assert whole.columns == compare.run.columns
    reopened.close()


def test_the_chats_model_comes_back_and_reads_its_chat_anew(
    compare: CompareController, window: MainWindow, finished: Finished, qtbot: QtBot
) -> None:
    def say(text: str) -> None:
        window.page.composer.submitted.emit(text)
        qtbot.waitUntil(lambda: window.chats.live is None, timeout=PATIENCE_MS)

    before = window.models.loaded
    say("Hello")
    assert window.replies.has_read(window.chats.current)
    compare.start()
    finished()
    assert window.models.loaded == before
    assert not window.replies.has_read(window.chats.current)
    say("And now?")
    assert window.chats.last
    assert window.chats.last.stats
    assert window.chats.last.stats.prompt_tokens > 20  # the whole chat


def test_stopped_it_keeps_what_was_written_and_the_rest_says_so(
    compare: CompareController, finished: Finished, qtbot: QtBot
) -> None:
    compare.set_sampling(Sampling(temperature=1.0, seed=1, max_tokens=400))
    compare.start()
    qtbot.waitUntil(lambda: 0 in compare.live and isinstance(compare.live[0].told, Piece),
                    timeout=PATIENCE_MS)  # fmt: skip
    compare.stop()
    finished()
    assert compare.run
    first, second = compare.run.columns
    assert first.stats
    assert second.error == "Stopped before anything was measured"


def test_a_model_that_fails_says_why_and_the_rest_go_on(
    compare: CompareController, finished: Finished
) -> None:
    compare.set_precision("starter-3m", "5-bit")
    compare.start()
    finished()
    assert compare.run
    first, second = compare.run.columns
    assert "precision" in first.error
    assert second.text


def test_a_run_is_opened_voted_for_renamed_and_removed(
    compare: CompareController, finished: Finished
) -> None:
    compare.start()
    finished()
    assert compare.run
    run = compare.run.id
    compare.new()
    assert compare.run is None
    compare.open(run)
    compare.vote(1)
    compare.rename(run, "The sea")
    assert (compare.run.vote, compare.run.title) == (1, "The sea")
    assert [each.title for each in compare.past] == ["The sea"]
    compare.remove(run)
    assert not compare.past
    assert compare.run is None
    compare.restore()
    assert [each.id for each in compare.past] == [run]
    compare.open(run)
    assert compare.run
    assert compare.run.number == 1
    compare.restore()
    assert len(compare.past) == 1


@pytest.mark.parametrize(
    ("names", "prompt"), [(NAMES[:1], "x"), ((), "x"), (NAMES, "  "), (("no", "such"), "x")]
)
def test_it_runs_only_with_two_models_and_something_to_ask(
    compare: CompareController, names: tuple[str, ...], prompt: str
) -> None:
    compare.choose(names)
    compare.set_prompt(prompt)
    assert not compare.can_run
    compare.start()
    assert not compare.is_running
