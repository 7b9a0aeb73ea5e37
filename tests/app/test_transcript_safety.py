"""What an answer must never do: swallow text, read files, reach the network, open a bad link."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt, QUrl
from PySide6.QtGui import QImage, QTextCursor
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.panels.transcript import Transcript
from app.values import MessageRow
from app.widgets.answer_view import AnswerView
from app.widgets.idle import idle
from app.widgets.message_item import MessageItem
from app.widgets.text_view import TextView


def yours(text: str) -> MessageRow:
    return MessageRow(id="q", role="user", text=text)


def answer(text: str) -> MessageRow:
    return MessageRow(id="a", role="assistant", text=text)


def show(qtbot: QtBot, transcript: Transcript, rows: Sequence[MessageRow]) -> None:
    transcript.show_chat(rows)
    qtbot.waitUntil(idle().is_done)


def last_answer(transcript: Transcript) -> AnswerView:
    item = transcript.column.items[-1]
    assert isinstance(item, AnswerView)
    return item


def text_of(item: MessageItem) -> str:
    return "\n".join(part.written() for part in item.findChildren(TextView))


@pytest.mark.parametrize(
    "text", ["<smirk> waffles!", "what is in <channel> here", "`List<String>` and List<String> x"]
)
def test_markup_in_an_answer_is_shown_and_not_swallowed(
    qtbot: QtBot, transcript: Transcript, text: str
) -> None:
    show(qtbot, transcript, [answer(text)])
    assert text_of(last_answer(transcript)) == text.replace("`", "")


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


def test_control_characters_are_made_visible(qtbot: QtBot, transcript: Transcript) -> None:
    text = "a\0b \x1b[31m \u202ec"
    show(qtbot, transcript, [yours(text), answer(text)])
    for item in transcript.column.items:
        assert text_of(item) == "a\u2400b \u241b[31m [U+202E]c"
