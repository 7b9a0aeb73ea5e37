"""A line too long to lay out at once is cut between words, and nothing is lost by it."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from app.panels.composer_text import ComposerText
from app.widgets.long_lines import fitting
from app.widgets.text_view import LONG_LINE, TextView

WORDS = "lighthouse keeper walked along the shore " * 400


def cut(text: str, limit: int, step: int) -> list[str]:
    """The lines of a text that comes `step` characters at a time."""
    lines, used = [""], 0
    for start in range(0, len(text), step):
        part = text[start : start + step]
        while part:
            if used >= limit:
                lines.append("")
                used = 0
            count, full = fitting(part, used, limit)
            lines[-1] += part[:count]
            used = limit if full else used + count
            part = part[count:]
    return lines


@pytest.mark.parametrize("text", [WORDS, "x" * 9_000, "日本語" * 3_000])
def test_lines_are_cut_alike_however_the_text_comes(text: str) -> None:
    whole = cut(text, 500, len(text))
    assert all(cut(text, 500, step) == whole for step in (1, 7, 499, 500, 501, 3_000))
    assert "".join(whole) == text
    assert max(map(len, whole)) <= 500
    if " " in text:
        assert all(line.endswith(" ") for line in whole[:-1])


def test_words_of_a_long_message_stay_whole_on_screen(qtbot: QtBot) -> None:
    view = TextView("message")
    qtbot.addWidget(view)
    for start in range(0, len(WORDS), LONG_LINE):
        view.add_plain(WORDS[start : start + LONG_LINE])
    lines = view.document().toPlainText().split("\n")
    assert len(lines) > 3
    assert all(set(line.split()) <= set(WORDS.split()) for line in lines)


def test_words_of_a_long_draft_stay_whole_and_the_draft_is_what_was_given(qtbot: QtBot) -> None:
    composer = ComposerText()
    qtbot.addWidget(composer)
    composer.set_text("before\n" + WORDS)
    assert composer.text() == "before\n" + WORDS
    block = composer.document().firstBlock()
    while block.isValid():
        assert set(block.text().split()) <= {*WORDS.split(), "before"}
        block = block.next()
