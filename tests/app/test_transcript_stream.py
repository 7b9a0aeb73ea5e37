"""An answer as it comes: what is seen, what is kept, and that the window stays live."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtGui import QTextCursor
from pytestqt.qtbot import QtBot

from app.panels.transcript import Transcript
from app.theme import theme
from app.values import MessageRow
from app.widgets.answer_view import AnswerView
from app.widgets.code_block import CodeBlock
from app.widgets.idle import idle
from app.widgets.text_view import TextView
from engine.api import Stats

STATS = Stats(
    prompt_tokens=9,
    new_tokens=118,
    load_s=None,
    ttft_ms=210.0,
    prefill_tokens_per_s=None,
    ms_per_token=29.6,
    tokens_per_s=33.8,
    state_bytes=1,
    peak_memory_bytes=1,
    stop_reason="end",
    backend="CPU",
)
QUESTION = MessageRow(id="q", role="user", text="q")
WRITING = MessageRow(id="a", role="assistant", text="", status="writing", model="starter-3m")
PARAGRAPH = "The stars of **January**, night by night, with `code` and enough words to wrap it.\n\n"
ANSWER = (
    "# Title\n\n"
    + 2 * PARAGRAPH
    + "- one\n- two\n\n  more\n\n1. a\n\n   ```py\n   x = 1\n\n   y = 'two'\n   ```\n\n2. b\n\n"
    + "| p | q |\n|---|---|\n| r | `s` |\n\n> quoted\n\n---\n\n"
    + "Last line, with a [link](https://example.org)."
)


def done(text: str) -> MessageRow:
    return replace(WRITING, text=text, status="done", stats=STATS)


@pytest.fixture
def transcript(transcript: Transcript) -> Transcript:
    """One that waits for an answer."""
    transcript.show_chat([QUESTION])
    transcript.add(WRITING)
    return transcript


def reply_of(transcript: Transcript) -> AnswerView:
    item = transcript.column.items[-1]
    assert isinstance(item, AnswerView)
    return item


def drawn(item: AnswerView) -> list[str]:
    """Each part as what is drawn, to compare two answers by."""
    return [
        part.toHtml() if isinstance(part, TextView) else f"{part.language}\n{part.source()}"
        for part in item.parts
    ]


def pieces(text: str, size: int) -> Iterator[str]:
    for start in range(0, len(text), size):
        yield text[start : start + size]


@pytest.mark.parametrize("size", [1, 3, 17, 10_000])
def test_an_answer_looks_the_same_written_and_opened_again(
    qtbot: QtBot, transcript: Transcript, size: int
) -> None:
    for piece in pieces(ANSWER, size):
        transcript.append_text("a", piece)
    transcript.finish(done(ANSWER))
    qtbot.waitUntil(idle().is_done)
    written, height = drawn(reply_of(transcript)), reply_of(transcript).height()
    transcript.show_chat([QUESTION, done(ANSWER)])
    qtbot.waitUntil(idle().is_done)
    assert drawn(reply_of(transcript)) == written
    assert reply_of(transcript).height() == height


def test_text_is_shown_at_once_and_drawn_when_its_block_closes(transcript: Transcript) -> None:
    transcript.append_text("a", "Some **bold")
    view = reply_of(transcript).parts[0]
    assert isinstance(view, TextView)
    assert view.written() == "Some **bold"
    transcript.append_text("a", "** text\n")
    assert view.written() == "Some **bold** text"
    transcript.append_text("a", "\nNext")
    assert view.written() == "Some bold text\nNext"


def test_code_is_shown_line_by_line_and_coloured_at_its_end(
    qtbot: QtBot, transcript: Transcript
) -> None:
    transcript.append_text("a", "Look:\n```python\ndef f():\n    return 'x'")
    box = reply_of(transcript).parts[1]
    assert isinstance(box, CodeBlock)
    assert box.text.written() == "def f():\n    return 'x'"
    assert not box.text.document().begin().layout().formats()
    transcript.append_text("a", "\n```\n")
    qtbot.waitUntil(idle().is_done)
    assert box.text.document().begin().layout().formats()


def test_the_caret_stands_where_text_is_being_written(transcript: Transcript) -> None:
    def carets() -> list[int]:
        views = reply_of(transcript).findChildren(TextView)
        return [at for at, view in enumerate(views) if view.has_caret()]

    assert carets() == [0]
    transcript.append_text("a", "text\n```\ncode")
    assert carets() == [1]
    transcript.append_text("a", "\n```\nmore")
    assert carets() == [2]
    transcript.finish(done("text\n```\ncode\n```\nmore"))
    assert carets() == []


def test_a_selection_survives_what_is_written_after_it(transcript: Transcript) -> None:
    transcript.append_text("a", 3 * PARAGRAPH + "Open paragraph with words ")
    view = reply_of(transcript).parts[0]
    assert isinstance(view, TextView)
    cursor = QTextCursor(view.document())
    cursor.setPosition(4)
    cursor.setPosition(9, QTextCursor.MoveMode.KeepAnchor)
    view.setTextCursor(cursor)
    transcript.append_text("a", "and more\n\n" + 2 * PARAGRAPH)
    assert view.textCursor().selectedText() == "stars"
    transcript.finish(
        done(3 * PARAGRAPH + "Open paragraph with words and more\n\n" + 2 * PARAGRAPH)
    )
    assert view.textCursor().selectedText() == "stars"


def test_a_selection_in_the_block_being_written_survives_its_drawing(
    transcript: Transcript,
) -> None:
    transcript.append_text("a", PARAGRAPH + "Some **bold** words to choose from")
    view = reply_of(transcript).parts[0]
    assert isinstance(view, TextView)
    found = view.document().find("words to choose")
    view.setTextCursor(found)
    transcript.append_text("a", " and others")
    assert view.textCursor().selectedText() == "words to choose"
    transcript.append_text("a", ".\n\nNext")
    assert view.textCursor().selectedText() == "words to choose"


def test_text_for_a_chat_in_the_background_changes_nothing(transcript: Transcript) -> None:
    transcript.append_text("a", "here")
    transcript.append_text("other", "there")
    transcript.finish(replace(done("there"), id="other"))
    view = reply_of(transcript).parts[0]
    assert isinstance(view, TextView)
    assert view.written() == "here"
    assert [item.row.id for item in transcript.column.items] == ["q", "a"]


def test_a_chat_opened_while_it_is_answered_goes_on_from_there(
    qtbot: QtBot, transcript: Transcript
) -> None:
    half = len(ANSWER) // 2
    transcript.show_chat([QUESTION, replace(WRITING, text=ANSWER[:half])])
    transcript.append_text("a", ANSWER[half:])
    transcript.finish(done(ANSWER))
    qtbot.waitUntil(idle().is_done)
    joined = drawn(reply_of(transcript))
    transcript.show_chat([QUESTION, done(ANSWER)])
    qtbot.waitUntil(idle().is_done)
    assert drawn(reply_of(transcript)) == joined


def test_what_is_stored_wins_over_what_was_streamed(qtbot: QtBot, transcript: Transcript) -> None:
    transcript.append_text("a", "Half of")
    transcript.finish(done("Something **else**."))
    qtbot.waitUntil(idle().is_done)
    view = reply_of(transcript).parts[0]
    assert isinstance(view, TextView)
    assert view.written() == "Something else."


def test_another_theme_while_it_is_written_keeps_what_came(
    qtbot: QtBot, transcript: Transcript
) -> None:
    half = len(ANSWER) // 2
    transcript.append_text("a", ANSWER[:half])
    theme().changed.emit()
    transcript.append_text("a", ANSWER[half:])
    theme().changed.emit()
    transcript.finish(done(ANSWER))
    qtbot.waitUntil(idle().is_done)
    written, height = drawn(reply_of(transcript)), reply_of(transcript).height()
    transcript.show_chat([QUESTION, done(ANSWER)])
    qtbot.waitUntil(idle().is_done)
    assert drawn(reply_of(transcript)) == written
    assert reply_of(transcript).height() == height


def test_start_and_end_are_announced_and_single_tokens_are_not(transcript: Transcript) -> None:
    said: list[str] = []
    transcript.announced.connect(said.append)
    for piece in pieces(ANSWER, 5):
        transcript.append_text("a", piece)
    transcript.finish(done(ANSWER))
    assert said == ["Answer started", "Answer finished, 118 tokens"]


BITS = [
    *(
        "word ",
        "**",
        "*",
        "_",
        "`",
        "``",
        "```",
        "```py\n",
        "~~~",
        "~~",
        "\n",
        "\n\n",
        "\r\n",
        "  ",
    ),
    *("    ", "\t", "- ", "1. ", "2) ", "- [x] ", "> ", "# ", "## ", "---\n", "<b>", "&amp;"),
    *("| a | b |\n", "|---|---|\n", "| `x` | y |\n", "[l](http://a.b)", "[x]: http://q\n"),
    *(
        "![i](x.png)",
        "![](y)",
        "http://a.b/c",
        "\\",
        "\\(",
        "$x_1$",
        "!=",
        "->",
        "日本",
        "「",
        "」",
    ),
    *("は**「", "」**で", "。", "🐍", "👩\u200d👧", "e\u0301", "\0", "\u202e", "\u2028", "\u200b"),
    *("\u2e3d", "a\u2e3eb"),
]


@pytest.mark.parametrize(
    "count", [20, pytest.param(1_000, marks=pytest.mark.soak)], ids=["few", "many"]
)
def test_any_text_in_any_pieces_is_drawn_as_when_its_chat_is_opened_again(
    qtbot: QtBot, transcript: Transcript, count: int
) -> None:
    for seed in range(count):
        chance = random.Random(seed)
        text = "".join(chance.choice(BITS) for _ in range(chance.choice([5, 20, 80, 300])))
        transcript.show_chat([QUESTION, WRITING])
        rest = text
        while rest:
            size = chance.choice([1, 2, 5, 30])
            transcript.append_text("a", rest[:size])
            rest = rest[size:]
        transcript.finish(done(text))
        qtbot.waitUntil(idle().is_done)
        item = reply_of(transcript)
        seen, height = drawn(item), item.height()
        for view in item.findChildren(TextView):
            view.selectAll()
            view.createMimeDataFromSelection()
        transcript.show_chat([done(text)])
        qtbot.waitUntil(idle().is_done)
        assert drawn(reply_of(transcript)) == seen, seed
        assert reply_of(transcript).height() == height, seed
