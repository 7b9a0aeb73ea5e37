"""What the transcript shows, and what it keeps from happening."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.panels.transcript import Transcript
from app.theme import theme
from app.values import MessageRow
from app.widgets.answer_view import AnswerView
from app.widgets.code_block import CodeBlock
from app.widgets.idle import idle
from app.widgets.message_item import MessageItem
from app.widgets.text_view import TextView
from app.widgets.user_message import UserMessage
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


def yours(text: str, name: str = "q") -> MessageRow:
    return MessageRow(id=name, role="user", text=text)


def answer(text: str, name: str = "a") -> MessageRow:
    return MessageRow(id=name, role="assistant", text=text, model="starter-3m", stats=STATS)


def writing(name: str = "a", text: str = "") -> MessageRow:
    return MessageRow(id=name, role="assistant", text=text, status="writing", model="starter-3m")


def show(qtbot: QtBot, transcript: Transcript, rows: Sequence[MessageRow]) -> None:
    transcript.show_chat(rows)
    qtbot.waitUntil(idle().is_done)


def last_answer(transcript: Transcript) -> AnswerView:
    item = transcript.column.items[-1]
    assert isinstance(item, AnswerView)
    return item


def text_of(item: MessageItem) -> str:
    return "\n".join(part.written() for part in item.findChildren(TextView))


def drawn(item: AnswerView) -> list[str]:
    """Each part as (HTML of) what is drawn, to compare two answers by."""
    return [
        part.toHtml() if isinstance(part, TextView) else part.language + "\n" + part.source()
        for part in item.parts
    ]


@pytest.mark.parametrize(
    "text",
    [
        "<smirk> waffles!",
        "List<String> x = new <b>Y</b>();",
        "*not* **bold** `code` # no",
        "a  b\n\n c",
    ],
)
def test_your_message_is_shown_as_it_was_typed(
    qtbot: QtBot, transcript: Transcript, text: str
) -> None:
    show(qtbot, transcript, [yours(text)])
    assert text_of(transcript.column.items[0]) == text


def test_markdown_is_drawn(qtbot: QtBot, transcript: Transcript) -> None:
    show(
        qtbot,
        transcript,
        [answer("# H\nA **b** `c`\n\n1. x\n2. y\n\n| p | q |\n|---|---|\n| r | s |")],
    )
    text = text_of(last_answer(transcript))
    assert text.split() == ["H", "A", "b", "c", "x", "y", "p", "q", "r", "s"]


def test_a_lone_line_end_in_an_answer_is_kept(qtbot: QtBot, transcript: Transcript) -> None:
    show(qtbot, transcript, [answer("Roses are red,\nviolets are blue.\n\nEnd")])
    assert text_of(last_answer(transcript)) == "Roses are red,\nviolets are blue.\nEnd"


def bold_of(view: TextView) -> list[str]:
    found = []
    block = view.document().begin()
    while block.isValid():
        at = block.begin()
        while not at.atEnd():
            if at.fragment().charFormat().fontWeight() >= 600:
                found.append(at.fragment().text())
            at += 1
        block = block.next()
    return found


def test_emphasis_works_inside_a_japanese_sentence(qtbot: QtBot, transcript: Transcript) -> None:
    show(qtbot, transcript, [answer("これは**「重要」**です。次は**注意：**見て。")])
    part = last_answer(transcript).parts[0]
    assert isinstance(part, TextView)
    assert part.written() == "これは「重要」です。次は注意：見て。"
    assert bold_of(part) == ["「重要」", "注意："]


@pytest.mark.parametrize(
    "text",
    [
        "Some **bold** and `code`.",
        "`code` first",
        "これは`code`です。`code`も。",
        "(`f`)",
        "🐍`🐍 -> 👩‍👩‍👧`🐍 `e\u0301`",
    ],
)
def test_a_selection_is_copied_as_plain_text(
    qtbot: QtBot, transcript: Transcript, text: str
) -> None:
    show(qtbot, transcript, [answer(text)])
    view = last_answer(transcript).parts[0]
    assert isinstance(view, TextView)
    view.selectAll()
    data = view.createMimeDataFromSelection()
    assert data.formats() == ["text/plain"]
    assert data.text() == text.replace("*", "").replace("`", "")


def test_copy_gives_what_is_stored(qtbot: QtBot, transcript: Transcript) -> None:
    source = "Some **bold**\n\n```py\nx = 1\n```\n"
    show(qtbot, transcript, [yours("<a> **q**"), answer(source)])
    last_answer(transcript).footer.copy_button.click()
    assert QGuiApplication.clipboard().text() == source
    question = transcript.column.items[0]
    assert isinstance(question, UserMessage)
    question.copy_button.click()
    assert QGuiApplication.clipboard().text() == "<a> **q**"
    transcript.copy_last_answer()
    assert QGuiApplication.clipboard().text() == source


def test_the_last_answer_can_be_asked_for_again(qtbot: QtBot, transcript: Transcript) -> None:
    show(qtbot, transcript, [yours("q"), answer("one", "1"), yours("r", "r"), answer("two", "2")])
    old = transcript.column.items[1]
    assert isinstance(old, AnswerView)
    assert not old.footer.copy_button.isVisible()
    assert not old.footer.regenerate_button.isVisible()
    button = last_answer(transcript).footer.regenerate_button
    assert button.isVisible()
    with qtbot.waitSignal(transcript.regenerate_requested) as asked:
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert asked.args == ["2"]
    transcript.remove("2")
    assert [item.row.id for item in transcript.column.items] == ["q", "1", "r"]


@pytest.mark.parametrize(
    ("row", "text"),
    [
        (answer("x"), "starter-3m  ·  29.6 ms/token  ·  33.8 tok/s  ·  first token 0.21 s"),
        (
            replace(answer("x"), status="stopped"),
            "starter-3m  ·  29.6 ms/token  ·  stopped at 118 tokens",
        ),
        (
            replace(answer("x"), status="length", stats=replace(STATS, new_tokens=1024)),
            "starter-3m  ·  29.6 ms/token  ·  reached 1,024 tokens",
        ),
        (
            replace(
                answer("x"),
                stats=replace(STATS, ms_per_token=None, tokens_per_s=None, ttft_ms=None),
            ),
            "starter-3m  ·  – ms/token  ·  – tok/s  ·  first token – s",
        ),
    ],
)
def test_the_footer_says_how_the_answer_went(
    qtbot: QtBot, transcript: Transcript, row: MessageRow, text: str
) -> None:
    show(qtbot, transcript, [row])
    footer = last_answer(transcript).footer
    assert footer.text() == text
    assert footer.accessibleName() == text


def test_a_failed_answer_says_why_and_can_be_tried_again(
    qtbot: QtBot, transcript: Transcript
) -> None:
    show(qtbot, transcript, [yours("q"), writing()])
    transcript.append_text("a", "It wrote this")
    transcript.fail(writing(text="It wrote this"), "The model ran out of memory at token 212.")
    item = last_answer(transcript)
    assert item.card is not None
    assert item.card.sentence() == "The model ran out of memory at token 212."
    assert text_of(item) == "It wrote this"
    assert not item.footer.isVisible()
    with qtbot.waitSignal(transcript.retry_requested) as asked:
        QTest.mouseClick(item.card.button, Qt.MouseButton.LeftButton)
    assert asked.args == ["a"]


def test_a_long_unbroken_text_wraps_in_the_column(qtbot: QtBot, transcript: Transcript) -> None:
    show(qtbot, transcript, [yours("unbroken" * 200), answer("unbroken" * 200)])
    for item in transcript.column.items:
        view = item.findChildren(TextView)[0]
        assert view.document().idealWidth() <= 648
        assert view.height() > 5 * 21


def test_another_theme_draws_the_same_text_anew(qtbot: QtBot, transcript: Transcript) -> None:
    show(qtbot, transcript, [yours("q"), answer("A [link](https://a.org)\n\n```py\nx\n```")])
    item = last_answer(transcript)
    before, height = text_of(item), item.height()
    colour = theme().color("accent")
    theme().set_scheme("dark")
    try:
        qtbot.waitUntil(idle().is_done)
        assert theme().color("accent") != colour
        assert text_of(item) == before
        assert item.height() == height
        html = drawn(item)[0]
        assert theme().color("accent").name() in html
        assert colour.name() not in html
    finally:
        theme().set_scheme("light")


def test_parts_have_names_for_a_screen_reader(qtbot: QtBot, transcript: Transcript) -> None:
    show(qtbot, transcript, [yours("q"), answer("text\n\n```py\nx\n```")])
    question, reply = transcript.column.items
    names = [
        view.accessibleName()
        for view in (*question.findChildren(TextView), *reply.findChildren(TextView))
    ]
    assert names == ["Your message", "Answer", "Python code"]
    code = reply.findChildren(CodeBlock)[0]
    assert code.copy_button.accessibleName()
    assert transcript.column.accessibleName()
