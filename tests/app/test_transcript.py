"""What the transcript shows, and what it keeps from happening."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt, QUrl
from PySide6.QtGui import QGuiApplication, QImage, QTextCursor
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


@pytest.fixture
def transcript(qtbot: QtBot) -> Transcript:
    made = Transcript()
    qtbot.addWidget(made)
    made.resize(1032, 586)
    made.show()
    return made


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


@pytest.mark.parametrize(
    "text", ["<smirk> waffles!", "what is in <channel> here", "`List<String>` and List<String> x"]
)
def test_markup_in_an_answer_is_shown_and_not_swallowed(
    qtbot: QtBot, transcript: Transcript, text: str
) -> None:
    show(qtbot, transcript, [answer(text)])
    assert text_of(last_answer(transcript)) == text.replace("`", "")


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


def test_an_image_named_in_an_answer_is_neither_read_nor_fetched(
    qtbot: QtBot, transcript: Transcript, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    picture = QImage(400, 300, QImage.Format.Format_RGB32)
    picture.fill(Qt.GlobalColor.red)
    assert picture.save(str(tmp_path / "red.png"))
    monkeypatch.chdir(tmp_path)
    local = QUrl.fromLocalFile(str(tmp_path / "red.png")).toString()
    source = f"![one](red.png) ![two]({local}) ![three](https://example.org/x.png)\n\n![](red.png)"
    show(qtbot, transcript, [answer(source)])
    part = last_answer(transcript).parts[0]
    assert isinstance(part, TextView)
    assert "\ufffc" not in part.written()
    assert part.written().split() == ["one", "two", "three", "red.png"]
    assert part.height() < 100
    grabbed = part.grab().toImage()
    red = [
        (x, y)
        for x in range(0, grabbed.width(), 4)
        for y in range(0, grabbed.height(), 4)
        if grabbed.pixelColor(x, y) == Qt.GlobalColor.red
    ]
    assert not red


def anchors(view: TextView) -> dict[str, QPoint]:
    """Where each link of `view` can be clicked."""
    found: dict[str, QPoint] = {}
    cursor = QTextCursor(view.document())
    while not cursor.atEnd():
        cursor.movePosition(QTextCursor.MoveOperation.NextCharacter)
        if href := cursor.charFormat().anchorHref():
            found.setdefault(href, view.cursorRect(cursor).center())
    return found


def test_only_web_and_mail_links_open_and_only_on_a_click(
    qtbot: QtBot, transcript: Transcript
) -> None:
    source = (
        "[web](https://example.org/a) [mail](mailto:a@b.org) [js](javascript:alert(1)) "
        "[file](file:///etc/hosts) [data](data:text/html,x) [rel](notes.txt)"
    )
    opened: list[str] = []
    transcript.link_opened.connect(opened.append)
    show(qtbot, transcript, [answer(source)])
    view = last_answer(transcript).parts[0]
    assert isinstance(view, TextView)
    assert opened == []
    places = anchors(view)
    assert set(places) == {"https://example.org/a", "mailto:a@b.org"}
    for place in places.values():
        QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert opened == ["https://example.org/a", "mailto:a@b.org"]
    view.anchorClicked.emit(QUrl("file:///etc/hosts"))
    view.anchorClicked.emit(QUrl("javascript:alert(1)"))
    assert len(opened) == 2
    assert "web mail js file data rel" in view.written()


def test_a_link_under_the_pointer_says_where_it_leads(qtbot: QtBot, transcript: Transcript) -> None:
    show(qtbot, transcript, [answer("Read [this](https://example.org/a) and on.")])
    view = last_answer(transcript).parts[0]
    assert isinstance(view, TextView)
    QTest.mouseMove(view.viewport(), anchors(view)["https://example.org/a"])
    qtbot.waitUntil(lambda: view.viewport().toolTip() == "https://example.org/a")
    underlined = [each.cursor.selectedText() for each in view.extraSelections()]  # type: ignore[attr-defined]
    assert underlined == ["this"]
    QTest.mouseMove(view.viewport(), QPoint(view.width() - 4, 4))
    qtbot.waitUntil(lambda: not view.extraSelections())


def test_a_selection_is_copied_as_plain_text(qtbot: QtBot, transcript: Transcript) -> None:
    show(qtbot, transcript, [answer("Some **bold** and `code`.")])
    view = last_answer(transcript).parts[0]
    assert isinstance(view, TextView)
    view.selectAll()
    data = view.createMimeDataFromSelection()
    assert data.formats() == ["text/plain"]
    assert data.text() == "Some bold and code."


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


def test_control_characters_are_made_visible(qtbot: QtBot, transcript: Transcript) -> None:
    text = "a\0b \x1b[31m \u202ec"
    show(qtbot, transcript, [yours(text), answer(text)])
    for item in transcript.column.items:
        assert text_of(item) == "a\u2400b \u241b[31m [U+202E]c"


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
