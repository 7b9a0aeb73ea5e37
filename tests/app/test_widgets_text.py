"""The toast, the banner and lines of text."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import (
    QEvent,
    QPointF,
    QRectF,
    Qt,
    QTimer,
)
from PySide6.QtGui import QEnterEvent, QImage, QPainter
from PySide6.QtWidgets import (
    QApplication,
    QWidget,
)
from pytestqt.qtbot import QtBot

from app.theme import Theme
from app.widgets.banner import Banner
from app.widgets.one_line import draw_line
from app.widgets.text_block import TextBlock
from app.widgets.toast import SECONDS, Toast

pytestmark = pytest.mark.usefixtures("look")


Row = Callable[..., QWidget]


def _toast(qtbot: QtBot) -> Toast:
    host = QWidget()
    host.resize(600, 300)
    qtbot.addWidget(host)
    toast = Toast(host)
    with qtbot.waitExposed(host):
        host.show()
    toast.show_undo("Chat deleted", "Undo")
    return toast


def test_a_toast_stands_at_the_bottom_centre_and_keeps_there(qtbot: QtBot) -> None:
    toast = _toast(qtbot)
    host = toast.parentWidget()
    assert host is not None
    for width in (600, 500):
        host.resize(width, 300)
        assert abs(toast.geometry().center().x() - width // 2) <= 1
    assert toast.height() == 34
    assert toast.geometry().bottom() < 300


def test_undo_takes_it_back_and_only_once(qtbot: QtBot) -> None:
    toast = _toast(qtbot)
    with qtbot.assertNotEmitted(toast.ended), qtbot.waitSignal(toast.undone, timeout=1000):
        qtbot.mouseClick(toast.button, Qt.MouseButton.LeftButton)
    assert not toast.isVisible()
    assert not toast.findChildren(QTimer)[0].isActive()


def test_a_toast_lasts_eight_seconds_but_stays_under_the_pointer(qtbot: QtBot) -> None:
    toast = _toast(qtbot)
    (timer,) = toast.findChildren(QTimer)
    assert SECONDS == 8
    assert timer.isActive()
    assert timer.interval() == 8000
    at = QPointF(5, 5)
    QApplication.sendEvent(toast, QEnterEvent(at, at, at))
    assert not timer.isActive()
    QApplication.sendEvent(toast, QEvent(QEvent.Type.Leave))
    assert timer.isActive()
    with qtbot.waitSignal(toast.ended, timeout=5000):
        timer.start(0)
    assert not toast.isVisible()


def test_the_next_toast_ends_the_one_before(qtbot: QtBot) -> None:
    toast = _toast(qtbot)
    with qtbot.waitSignal(toast.ended, timeout=1000):
        toast.show_undo("Chat deleted", "Undo")
    assert toast.isVisible()


def test_a_banner_says_a_sentence_and_has_one_button_or_none(qtbot: QtBot, row: Row) -> None:
    banner = Banner("The models folder is on “Archive”.", action="Choose Folder…")
    row(banner)
    with qtbot.waitSignal(banner.acted, timeout=1000):
        qtbot.mouseClick(banner.button, Qt.MouseButton.LeftButton)
    banner.set_sentence("<b>not bold</b>")
    assert not banner.button.isVisible()
    assert banner.sentence() == "<b>not bold</b>"


def test_a_text_block_is_as_high_as_its_lines(qtbot: QtBot) -> None:
    block = TextBlock("interface", "text3", px=12, line=18)
    qtbot.addWidget(block)
    block.set_text("Chats appear here once you send a message.")
    assert block.heightForWidth(1000) == 18
    assert block.heightForWidth(200) == 36
    block.set_text("“漢字” " * 40)
    assert block.heightForWidth(200) % 18 == 0


def test_kanji_and_latin_stand_on_one_baseline(qapp: QApplication, look: Theme) -> None:
    def bottom(words: str) -> int:
        image = QImage(200, 40, QImage.Format.Format_RGB32)
        image.fill(Qt.GlobalColor.white)
        painter = QPainter(image)
        painter.setFont(look.font("interface"))
        draw_line(painter, QRectF(0, 0, 200, 40), words)
        painter.end()
        rows = [y for y in range(40) for x in range(9) if image.pixelColor(x, y).lightness() < 128]
        return max(rows)

    assert bottom("Hx") == bottom("H漢")


@pytest.mark.parametrize(("share", "edge"), [(0.0, 0), (0.5, 100), (1.0, 200)])
def test_a_line_begins_stands_or_ends_where_it_is_told(
    qapp: QApplication, look: Theme, share: float, edge: int
) -> None:
    image = QImage(200, 40, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.white)
    painter = QPainter(image)
    painter.setFont(look.font("interface"))
    draw_line(painter, QRectF(0, 0, 200, 40), "mmmm", share=share)
    painter.end()
    inked = [x for x in range(200) for y in range(40) if image.pixelColor(x, y).lightness() < 128]
    place = {0.0: min(inked), 0.5: (min(inked) + max(inked)) / 2, 1.0: max(inked)}[share]
    assert abs(place - edge) <= 3
