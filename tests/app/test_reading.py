"""What stands in an answer's place while its prompt is read or its model is loaded."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from app.panels.transcript import Transcript
from app.values import MessageRow
from app.widgets import answer_view
from app.widgets.answer_view import AnswerView
from app.widgets.reading_bar import ReadingBar
from engine.api import Reading

WRITING = MessageRow(id="a", role="assistant", text="", status="writing")


@pytest.fixture
def transcript(transcript: Transcript) -> Transcript:
    """One that waits for an answer."""
    transcript.show_chat([MessageRow(id="q", role="user", text="q")])
    transcript.add(WRITING)
    return transcript


def reply_of(transcript: Transcript) -> AnswerView:
    item = transcript.column.items[-1]
    assert isinstance(item, AnswerView)
    return item


def bar_of(transcript: Transcript) -> ReadingBar:
    bar = reply_of(transcript).bar
    assert bar is not None
    return bar


def reading(done: int, total: int = 4310, left: float | None = 12.3) -> Reading:
    return Reading(done=done, total=total, start=0, seconds_left=left)


def test_reading_a_long_prompt_shows_how_far_it_is(transcript: Transcript) -> None:
    transcript.set_reading("a", reading(1240))
    bar = bar_of(transcript)
    assert bar.isVisible()
    assert bar.sentence == "Reading 1,240 of 4,310 tokens"
    assert bar.left == "12 s left"
    assert bar.fraction == pytest.approx(1240 / 4310)
    assert bar.accessibleName() == bar.sentence
    assert not reply_of(transcript).parts  # no caret beside it


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.2, "1 s left"), (89.0, "89 s left"), (840.0, "14 min left"), (None, "")],
)
def test_the_time_left_is_in_seconds_then_in_minutes(
    transcript: Transcript, seconds: float | None, text: str
) -> None:
    transcript.set_reading("a", reading(10))
    transcript.set_reading("a", reading(20, left=seconds))
    assert bar_of(transcript).left == text


def test_progress_never_goes_back(transcript: Transcript) -> None:
    transcript.set_reading("a", reading(2000))
    transcript.set_reading("a", reading(1000))
    assert bar_of(transcript).fraction == pytest.approx(2000 / 4310)


def test_the_first_text_takes_the_bars_place(transcript: Transcript) -> None:
    transcript.set_reading("a", reading(4310))
    transcript.append_text("a", "Text")
    assert reply_of(transcript).bar is None
    assert reply_of(transcript).parts
    assert transcript.findChildren(ReadingBar, "") == [] or not any(
        bar.isVisible() for bar in transcript.findChildren(ReadingBar)
    )


def test_reading_that_takes_but_a_moment_shows_no_bar(transcript: Transcript) -> None:
    transcript.set_reading("a", reading(10, 40, 0.1))
    assert reply_of(transcript).bar is None
    transcript.append_text("a", "Text")
    assert reply_of(transcript).bar is None


def test_reading_of_unknown_length_shows_a_bar_after_half_a_second(
    qtbot: QtBot, transcript: Transcript
) -> None:
    assert answer_view.PATIENCE_MS == 500
    transcript.set_reading("a", reading(0, left=None))
    assert reply_of(transcript).bar is None
    qtbot.waitUntil(lambda: reply_of(transcript).bar is not None)
    assert bar_of(transcript).sentence == "Reading 0 of 4,310 tokens"


def test_loading_a_model_is_shown_in_the_answers_place(transcript: Transcript) -> None:
    transcript.set_loading("a", "Mamba 2.8b", 0.6)
    bar = bar_of(transcript)
    assert (bar.sentence, bar.left, bar.fraction) == ("Loading Mamba 2.8b", "", 0.6)
    transcript.set_loading("a", "Mamba 2.8b", None)
    assert reply_of(transcript).bar is None
    transcript.set_loading("a", "Mamba 2.8b", 1.0)
    transcript.set_reading("a", reading(0))
    assert bar_of(transcript).fraction == 0.0


def test_stopped_while_it_was_read_leaves_no_bar(transcript: Transcript) -> None:
    transcript.set_reading("a", reading(100))
    transcript.finish(MessageRow(id="a", role="assistant", text="", status="stopped"))
    item = reply_of(transcript)
    assert item.bar is None
    assert item.parts == []
    assert item.footer.isVisible()
