"""The composer's text: its height, long lines, and characters that could do harm."""

from __future__ import annotations

import time
from itertools import pairwise

import pytest
from PySide6.QtCore import QMimeData, Qt
from PySide6.QtGui import QClipboard, QGuiApplication, QInputMethodEvent, QTextCursor
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.panels.composer import Composer
from app.panels.composer_text import PIECE, clean

pytestmark = [
    pytest.mark.usefixtures("look"),
    pytest.mark.qt_log_ignore("does not support grabbing the keyboard"),
]

SHIFT, CONTROL = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier
LONG = "".join(chr(97 + i % 26) for i in range(400_000))


def paste(composer: Composer, text: str) -> None:
    """What a paste does."""
    data = QMimeData()
    data.setText(text)
    composer.editor.insertFromMimeData(data)


def compose(composer: Composer, text: str, commit: str = "") -> None:
    """What an input method does: show `text` as being composed, and enter `commit`."""
    event = QInputMethodEvent(text, [])
    event.setCommitString(commit)
    QApplication.sendEvent(composer.editor, event)


def test_it_grows_from_one_line_to_eight_and_then_scrolls(qtbot: QtBot, composer: Composer) -> None:
    heights = []
    for count in range(1, 12):
        composer.set_draft("\n".join("line" for _ in range(count)))
        heights.append(composer.sizeHint().height())
    assert heights[0] == 74
    assert [b - a for a, b in pairwise(heights)] == [22] * 7 + [0] * 3
    bar = composer.editor.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.value() == bar.maximum() > 0, timeout=1000)
    composer.set_draft("one")
    assert bar.value() == 0


@pytest.mark.parametrize("text", ["漢字かな交じり文", "words " * 12, "한국어 ไทย العربية"])
def test_one_line_of_any_script_is_one_line_high_and_does_not_scroll(
    composer: Composer, text: str
) -> None:
    composer.set_draft(text)
    QApplication.processEvents()
    assert composer.sizeHint().height() == 74
    assert composer.editor.verticalScrollBar().value() == 0
    assert not composer.editor.verticalScrollBar().isVisible()


def test_a_long_line_pasted_is_sent_as_it_was(qtbot: QtBot, composer: Composer) -> None:
    paste(composer, LONG)
    with qtbot.waitSignal(composer.submitted, timeout=5000) as seen:
        qtbot.keyClick(composer.editor, Qt.Key.Key_Return)
    assert seen.args == [LONG]


def test_a_long_line_costs_no_more_than_the_same_text_in_short_lines(
    composer: Composer,
) -> None:
    def seconds(text: str) -> float:
        composer.set_draft("")
        QApplication.processEvents()
        start = time.perf_counter()
        paste(composer, text)
        QApplication.processEvents()
        return time.perf_counter() - start

    short = "\n".join(LONG[i : i + 80] for i in range(0, len(LONG), 80))
    usual = sorted(seconds(short) for _ in range(3))[1]
    assert sorted(seconds(LONG) for _ in range(3))[1] < 3 * usual


def test_typing_into_a_long_line_is_as_quick_as_into_short_ones(
    qtbot: QtBot, composer: Composer
) -> None:
    def seconds(text: str) -> float:
        composer.set_draft(text)
        QApplication.processEvents()
        start = time.perf_counter()
        for _ in range(20):
            qtbot.keyClicks(composer.editor, "x")
            QApplication.processEvents()
        return time.perf_counter() - start

    short = "\n".join(LONG[i : i + 80] for i in range(0, len(LONG), 80))
    usual = seconds(short)
    assert seconds(LONG) < 4 * usual


TEXTS = [
    "a" * (PIECE - 1),
    "a" * PIECE,
    "a" * (PIECE + 1),
    "ab\n" + "漢" * (3 * PIECE) + "\n\ncd",
    "\n" * 5 + "x" * 1200 + "\n",
    "tabs\tand  spaces\u00a0kept",
    "🏳️‍🌈" * 300,
]


@pytest.mark.parametrize("text", TEXTS)
def test_any_text_comes_back_as_it_was_pasted_undone_and_redone(
    qtbot: QtBot, composer: Composer, text: str
) -> None:
    paste(composer, text)
    assert composer.draft() == text
    composer.editor.undo()
    assert composer.draft() == ""
    composer.editor.redo()
    assert composer.draft() == text
    composer.set_draft(text + "!")
    assert composer.draft() == text + "!"


@pytest.mark.parametrize("text", TEXTS)
def test_any_text_is_copied_as_it_was_pasted(composer: Composer, text: str) -> None:
    paste(composer, text)
    composer.editor.selectAll()
    composer.editor.copy()
    clipboard: QClipboard = QGuiApplication.clipboard()
    assert clipboard.text() == text
    paste(composer, text)
    assert composer.draft() == text


def test_a_paste_and_a_break_into_the_middle_of_a_long_line_keep_both_halves(
    qtbot: QtBot, composer: Composer
) -> None:
    paste(composer, "a" * 1200)
    cursor = composer.editor.textCursor()
    cursor.movePosition(QTextCursor.MoveOperation.Start)
    cursor.movePosition(QTextCursor.MoveOperation.Right, n=700)
    composer.editor.setTextCursor(cursor)
    paste(composer, "one\ntwo")
    qtbot.keyClick(composer.editor, Qt.Key.Key_Return, SHIFT)
    text = composer.draft()
    first, second, third = text.split("\n")
    assert first.endswith("aone")
    assert second == "two"
    assert set(third) == {"a"}
    assert text.count("a") == 1200


def test_control_characters_and_direction_overrides_are_made_visible(
    qtbot: QtBot, composer: Composer
) -> None:
    paste(composer, "a\x00b\x1b[31mc\u202egnp.exe\ufdd0\r\nd\re\u2028f\tg")
    text = composer.draft()
    assert text.startswith("a␀b␛[31mc")
    for hidden in ("\x00", "\x1b", "\u202e", "\ufdd0", "\r", "\u2028"):
        assert hidden not in text
    assert "gnp.exe" in text
    assert text.endswith("\nd\ne\nf\tg")
    assert clean(text) == text


def test_half_a_character_becomes_a_sign_that_can_be_stored(composer: Composer) -> None:
    assert clean("a\ud83d!").encode() == "a\ufffd!".encode()
