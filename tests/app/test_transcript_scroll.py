"""Where the transcript stands: at the end only if it was there, and steady while it grows."""

from __future__ import annotations

import gc
import weakref
from dataclasses import replace
from itertools import pairwise

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.panels.transcript import FIRST, KEPT_READY, Transcript
from app.theme import theme
from app.values import MessageRow
from app.widgets.answer_view import AnswerView
from app.widgets.idle import idle
from app.widgets.message_column import box_column
from app.widgets.message_item import MessageItem
from app.widgets.text_view import TextView

WORDS = "A paragraph of an answer, long enough to take two lines of the column when drawn. " * 2


def row(number: int, text: str = WORDS) -> MessageRow:
    role = "assistant" if number % 2 else "user"
    return MessageRow(id=str(number), role=role, text=text, model="m")  # type: ignore[arg-type]


def chat(count: int) -> list[MessageRow]:
    return [row(number) for number in range(count)]


WRITING = MessageRow(id="new", role="assistant", text="", status="writing", model="m")


@pytest.fixture
def transcript(qtbot: QtBot) -> Transcript:
    made = Transcript()
    qtbot.addWidget(made)
    made.resize(1032, 500)
    made.show()
    return made


def open_chat(qtbot: QtBot, transcript: Transcript, rows: list[MessageRow]) -> None:
    transcript.show_chat(rows)
    qtbot.waitUntil(idle().is_done)


def top_of(transcript: Transcript, item: MessageItem) -> int:
    """Where `item` stands in the view."""
    return item.mapTo(transcript, QPoint(0, 0)).y()


def scroll_to(transcript: Transcript, value: int) -> None:
    transcript.column.verticalScrollBar().setValue(value)


def write(transcript: Transcript, times: int = 30) -> None:
    for _ in range(times):
        transcript.append_text("new", WORDS + "\n\n")


def test_a_chat_opens_at_its_end(qtbot: QtBot, transcript: Transcript) -> None:
    open_chat(qtbot, transcript, chat(30))
    assert transcript.column.distance() == 0
    assert len(transcript.column.items) == 30
    assert not transcript.jump.isVisible()


def test_at_the_end_the_view_follows_what_is_written(qtbot: QtBot, transcript: Transcript) -> None:
    open_chat(qtbot, transcript, chat(4))
    transcript.add(WRITING)
    for _ in range(30):
        transcript.append_text("new", WORDS + "\n\n")
        assert transcript.column.distance() == 0


def test_scrolled_up_the_view_stays_and_offers_to_jump(
    qtbot: QtBot, transcript: Transcript
) -> None:
    open_chat(qtbot, transcript, chat(20))
    transcript.add(WRITING)
    scroll_to(transcript, 300)
    item = transcript.column.visible_items()[1]
    before = top_of(transcript, item)
    write(transcript)
    assert top_of(transcript, item) == before
    assert transcript.jump.isVisible()
    assert transcript.jump.geometry().bottom() + 1 == transcript.height() - 6
    QTest.mouseClick(transcript.jump, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: transcript.column.distance() == 0)
    assert not transcript.jump.isVisible()
    write(transcript, 3)
    qtbot.waitUntil(lambda: transcript.column.distance() == 0)


def test_the_way_to_jump_is_offered_from_48_pixels_on(qtbot: QtBot, transcript: Transcript) -> None:
    open_chat(qtbot, transcript, chat(20))
    end = transcript.column.verticalScrollBar().maximum()
    scroll_to(transcript, end - 48)
    assert not transcript.jump.isVisible()
    scroll_to(transcript, end - 49)
    assert transcript.jump.isVisible()


def test_a_jump_takes_no_time_with_reduced_motion(
    qtbot: QtBot, transcript: Transcript, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_chat(qtbot, transcript, chat(20))
    scroll_to(transcript, 0)
    monkeypatch.setattr(theme(), "reduce_motion", True)
    transcript.jump.click()
    assert transcript.column.distance() == 0


def test_scrolling_back_to_the_end_follows_again(qtbot: QtBot, transcript: Transcript) -> None:
    open_chat(qtbot, transcript, chat(20))
    transcript.add(WRITING)
    scroll_to(transcript, 100)
    write(transcript, 2)
    assert transcript.column.distance() > 48
    scroll_to(transcript, transcript.column.verticalScrollBar().maximum())
    write(transcript, 2)
    assert transcript.column.distance() == 0


def test_a_message_of_yours_brings_the_end_into_view(qtbot: QtBot, transcript: Transcript) -> None:
    open_chat(qtbot, transcript, chat(20))
    scroll_to(transcript, 0)
    transcript.add(row(100, "hello"))
    assert transcript.column.distance() == 0


def test_a_long_chat_shows_its_end_first_and_grows_above_it_unseen(
    qtbot: QtBot, transcript: Transcript
) -> None:
    transcript.show_chat(chat(300))
    made = len(transcript.column.items)
    assert 4 <= made <= FIRST
    last = transcript.column.items[-1]
    scroll_to(transcript, transcript.column.verticalScrollBar().maximum() - 150)
    before = top_of(transcript, last)
    qtbot.waitUntil(idle().is_done, timeout=60_000)
    assert KEPT_READY <= len(transcript.column.items) < 300
    assert top_of(transcript, last) == before
    while len(transcript.column.items) < 300:  # the rest is made for who scrolls there
        ready = len(transcript.column.items)
        first = transcript.column.items[0]
        scroll_to(transcript, 0)
        seen = top_of(transcript, first)
        qtbot.waitUntil(idle().is_done, timeout=60_000)
        assert len(transcript.column.items) > ready
        assert top_of(transcript, first) == seen
    assert [item.row.id for item in transcript.column.items] == [str(n) for n in range(300)]
    tops = [item.y() for item in transcript.column.items]
    assert tops == sorted(tops)


def test_messages_stand_apart_as_the_look_says(qtbot: QtBot, transcript: Transcript) -> None:
    open_chat(qtbot, transcript, chat(4))
    items = transcript.column.items
    assert items[0].y() == 16
    gaps = [b.y() - a.geometry().bottom() - 1 for a, b in pairwise(items)]
    assert gaps == [16, 14, 16]
    assert [item.x() for item in items] == [192] * 4


@pytest.mark.parametrize(
    ("width", "column"),
    [(1032, (192, 648)), (800, (76, 648)), (724, (52, 648)), (720, (52, 644)), (472, (52, 396))],
)
def test_the_column_is_centred_and_leaves_the_gutter_free(
    width: int, column: tuple[int, int]
) -> None:
    assert box_column(width) == column


def test_another_width_keeps_the_place_of_what_is_read(
    qtbot: QtBot, transcript: Transcript
) -> None:
    open_chat(qtbot, transcript, chat(40))
    scroll_to(transcript, 1_500)
    item = transcript.column.visible_items()[0]
    before = top_of(transcript, item)
    transcript.resize(500, 500)
    qtbot.waitUntil(idle().is_done)
    assert top_of(transcript, item) == before
    for each in transcript.column.items:
        assert each.column == 424
    scroll_to(transcript, transcript.column.verticalScrollBar().maximum())
    transcript.resize(1032, 420)
    qtbot.waitUntil(idle().is_done)
    assert transcript.column.distance() == 0


def test_keys_scroll_also_while_a_text_has_the_focus(qtbot: QtBot, transcript: Transcript) -> None:
    open_chat(qtbot, transcript, chat(30))
    view = transcript.column.visible_items()[-1].findChildren(TextView)[0]
    bar = transcript.column.verticalScrollBar()
    for target in (transcript.column, view):
        target.setFocus()
        bar.setValue(bar.maximum())
        QTest.keyClick(target, Qt.Key.Key_PageUp)
        page = bar.maximum() - bar.value()
        assert page > 300
        QTest.keyClick(target, Qt.Key.Key_Up)
        assert bar.maximum() - bar.value() > page
        QTest.keyClick(target, Qt.Key.Key_Home)
        assert bar.value() == 0
        QTest.keyClick(target, Qt.Key.Key_Space)
        assert bar.value() > 300
        QTest.keyClick(target, Qt.Key.Key_End)
        assert transcript.column.distance() == 0


def test_selecting_past_the_edge_scrolls(qtbot: QtBot, transcript: Transcript) -> None:
    open_chat(qtbot, transcript, [row(1, (WORDS + "\n\n") * 40)])
    scroll_to(transcript, 0)
    view = transcript.column.items[0].findChildren(TextView)[0].viewport()
    QTest.mousePress(view, Qt.MouseButton.LeftButton, pos=QPoint(20, 20))
    for y in range(20, 900, 40):
        move = QMouseEvent(
            QEvent.Type.MouseMove,
            QPointF(200, y),
            QPointF(view.mapToGlobal(QPoint(200, y))),
            Qt.MouseButton.NoButton,
            Qt.MouseButton.LeftButton,
            Qt.KeyboardModifier.NoModifier,
        )
        QCoreApplication.sendEvent(view, move)
    assert transcript.column.verticalScrollBar().value() > 300
    text = transcript.column.items[0].findChildren(TextView)[0].textCursor().selectedText()
    assert text.count("A paragraph") > 10


def test_the_transcript_is_one_tab_stop_and_its_texts_are_none(
    qtbot: QtBot, transcript: Transcript
) -> None:
    open_chat(qtbot, transcript, chat(10))
    stops = [
        widget
        for widget in transcript.findChildren(QWidget)
        if widget.focusPolicy() & Qt.FocusPolicy.TabFocus and widget.isVisible()
    ]
    last = transcript.column.items[-1]
    assert isinstance(last, AnswerView)
    footer = last.footer
    assert stops == [transcript.column, footer.copy_button, footer.regenerate_button]


def test_switching_chats_leaves_nothing_behind(qtbot: QtBot, transcript: Transcript) -> None:
    open_chat(qtbot, transcript, chat(30))
    gone = [weakref.ref(item) for item in transcript.column.items]
    for count in (200, 3, 0):
        transcript.show_chat(chat(count))  # the 200 are left while they are still being made
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    qtbot.waitUntil(idle().is_done)
    gc.collect()
    assert transcript.column.canvas.findChildren(MessageItem) == []
    assert [ref for ref in gone if ref() is not None] == []


def test_a_very_long_message_of_yours_does_not_hold_the_window_up(
    qtbot: QtBot, transcript: Transcript
) -> None:
    text = "one line without an end " * 16_000
    transcript.show_chat([])
    transcript.add(replace(row(0), text=text))
    assert not idle().is_done()  # what is not in view yet is done in slices
    qtbot.waitUntil(idle().is_done, timeout=60_000)
    view = transcript.column.items[0].findChildren(TextView)[0]
    assert view.toPlainText().replace("\n", "") == text
    assert view.height() > 16_000
