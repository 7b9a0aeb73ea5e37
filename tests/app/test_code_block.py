"""The box of code: what it shows, copies, colours and scrolls."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QGuiApplication, QTextBlock, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from app.theme import theme
from app.widgets import code_block
from app.widgets.code_block import CodeBlock
from app.widgets.idle import idle

PYTHON = """class A:
    '''Doc.'''

    def f(self):  # 日本 🐍 why
        return "𝛼" if self else None
"""


@pytest.fixture
def host(qtbot: QtBot) -> QWidget:
    made = QWidget()
    qtbot.addWidget(made)
    made.resize(800, 600)
    made.show()
    return made


def box_of(qtbot: QtBot, host: QWidget, code: str, language: str = "python") -> CodeBlock:
    box = CodeBlock(language, host)
    box.set_width(648)
    box.show()
    box.add(code)
    box.close_block()
    qtbot.waitUntil(idle().is_done)
    return box


def coloured(block: QTextBlock) -> dict[str, str]:
    """The parts of a line that have a colour."""
    units = block.text().encode("utf-16-le")
    return {
        units[2 * r.start : 2 * (r.start + r.length)].decode("utf-16-le"): (  # type: ignore[attr-defined]
            r.format.foreground().color().name()  # type: ignore[attr-defined]
        )
        for r in block.layout().formats()
    }


def test_keywords_strings_and_comments_have_their_colours(qtbot: QtBot, host: QWidget) -> None:
    document = box_of(qtbot, host, PYTHON).text.document()
    accent, string, comment = (theme().color(n).name() for n in ("accent", "string", "text3"))
    lines = [coloured(document.findBlockByNumber(number)) for number in range(5)]
    assert lines[0] == {"class": accent}
    assert lines[1] == {"'''Doc.'''": string}
    assert lines[2] == {}
    assert lines[3] == {"def": accent, "# 日本 🐍 why": comment}
    assert {text: lines[4][text] for text in ("return", "if", "else")} == dict.fromkeys(
        ("return", "if", "else"), accent
    )
    assert string in lines[4].values()


@pytest.mark.parametrize("language", ["", "no-such-language", "<b>", "text"])
def test_code_of_an_unknown_language_stays_plain(
    qtbot: QtBot, host: QWidget, language: str
) -> None:
    box = box_of(qtbot, host, PYTHON, language)
    assert coloured(box.text.document().begin()) == {}
    assert box.text.toPlainText() == PYTHON.rstrip("\n")


def test_copy_gives_the_code_and_shows_a_tick_for_a_moment(
    qtbot: QtBot, host: QWidget, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert code_block.TICK_MS == 1_500
    monkeypatch.setattr(code_block, "TICK_MS", 20)
    code = "x = 1\n\n\ty = 2\n" + "z" * 5_000 + "\n"
    box = box_of(qtbot, host, code)
    QTest.mouseClick(box.copy_button, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == code.rstrip("\n")
    assert box.copy_button.is_ticked()
    qtbot.waitUntil(lambda: not box.copy_button.is_ticked())


def test_a_long_line_scrolls_sideways_and_does_not_wrap(qtbot: QtBot, host: QWidget) -> None:
    short, long = box_of(qtbot, host, "x\n"), box_of(qtbot, host, "word " * 200)
    assert long.height() == short.height() == 30 + 10 + 18 + 12
    assert short.text.horizontalScrollBar().maximum() == 0
    bar = long.text.horizontalScrollBar()
    assert bar.maximum() > 0
    assert not wheel(long, QPoint(0, -120))
    assert bar.value() == 0
    assert wheel(long, QPoint(-120, 0))
    assert bar.value() > 0


def wheel(box: CodeBlock, turn: QPoint) -> bool:
    """Turn the wheel over the code; whether it took it."""
    view = box.text.viewport()
    at = QPointF(20, 5)
    event = QWheelEvent(
        at,
        QPointF(view.mapToGlobal(at.toPoint())),
        QPoint(),
        turn,
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    event.ignore()
    box.text.wheelEvent(event)
    QApplication.processEvents()
    return event.isAccepted()


def test_the_language_is_written_as_people_write_it(qtbot: QtBot, host: QWidget) -> None:
    names = {word: box_of(qtbot, host, "x", word).title for word in ("js", "c++", "zig", "")}
    assert names == {"js": "JavaScript", "c++": "C++", "zig": "zig", "": "Code"}


def test_hundreds_of_lines_stand_one_under_the_other(qtbot: QtBot, host: QWidget) -> None:
    box = box_of(qtbot, host, "x = 1\n" * 700)
    assert box.height() == 30 + 10 + 700 * 18 + 12
    assert box.text.verticalScrollBar().maximum() == 0
