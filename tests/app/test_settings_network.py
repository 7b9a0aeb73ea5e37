"""The pane Network, driven by real clicks and keys."""

from __future__ import annotations

import sys

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from app.panels.settings_network import NetworkPane

pytestmark = pytest.mark.usefixtures("look")

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def pane(qtbot: QtBot) -> NetworkPane:
    """The pane with everything left to the system, and no token."""
    it = NetworkPane()
    qtbot.addWidget(it)
    it.setFixedWidth(640)
    it.set_values(proxy="", mirror="", bytes_per_s=0)
    with qtbot.waitActive(it):
        it.show()
        it.activateWindow()
    return it


def test_a_token_is_told_once_when_it_is_entered_and_shown_no_more(
    qtbot: QtBot, pane: NetworkPane
) -> None:
    heard: list[str] = []
    pane.token_entered.connect(heard.append)
    assert pane.token.echoMode() == QLineEdit.EchoMode.Password
    pane.token.setFocus()
    qtbot.keyClicks(pane.token, " hf_secret ")
    assert "hf_secret" not in pane.token.displayText()
    assert heard == []
    qtbot.keyClick(pane.token, Qt.Key.Key_Return)
    assert heard == ["hf_secret"]
    assert pane.token.text() == ""
    qtbot.keyClick(pane.token, Qt.Key.Key_Tab)
    assert heard == ["hf_secret"]


def test_leaving_the_field_enters_the_token_too(qtbot: QtBot, pane: NetworkPane) -> None:
    pane.token.setFocus()
    qtbot.keyClicks(pane.token, "hf_secret")
    with qtbot.waitSignal(pane.token_entered, timeout=1000) as seen:
        qtbot.keyClick(pane.token, Qt.Key.Key_Tab)
    assert seen.args == ["hf_secret"]


def test_that_there_is_a_token_is_said_and_it_can_be_removed(
    qtbot: QtBot, pane: NetworkPane
) -> None:
    place = "the Keychain" if sys.platform == "darwin" else "the system’s keyring"
    assert not pane.remove_button.isVisible()
    assert pane.token_note.text() == f"Kept in {place}."
    pane.set_token_state(stored=True)
    assert pane.token.text() == ""
    assert pane.token.placeholderText() == "A token is stored"
    with qtbot.waitSignal(pane.token_removed, timeout=1000):
        qtbot.mouseClick(pane.remove_button, LEFT)
    pane.set_token_state(False, "The token cannot be kept.", wrong=True)
    assert pane.token_note.text() == "The token cannot be kept."
    assert not pane.remove_button.isVisible()


def test_a_proxy_is_applied_when_it_has_been_typed_whole(qtbot: QtBot, pane: NetworkPane) -> None:
    proxy, heard = pane.proxy, []
    pane.proxy_changed.connect(heard.append)
    assert proxy.usual.isChecked()
    assert not proxy.field.isEnabled()
    qtbot.mouseClick(proxy.other, LEFT)
    assert proxy.field.hasFocus()
    qtbot.keyClicks(proxy.field, "proxy.example:8080/")
    assert heard == []
    qtbot.keyClick(proxy.field, Qt.Key.Key_Tab)
    assert heard == ["http://proxy.example:8080"]
    assert proxy.field.text() == "http://proxy.example:8080"
    qtbot.mouseClick(proxy.usual, LEFT)
    assert heard[1:] == [""]
    qtbot.mouseClick(proxy.other, LEFT)
    assert heard[2:] == ["http://proxy.example:8080"], "what was typed is still there"


def test_what_is_no_proxy_is_told_of_and_the_one_before_stays(
    qtbot: QtBot, pane: NetworkPane
) -> None:
    pane.set_values(proxy="http://old:1", mirror="", bytes_per_s=0)
    proxy = pane.proxy
    proxy.field.setFocus()
    proxy.field.selectAll()
    with qtbot.assertNotEmitted(pane.proxy_changed):
        qtbot.keyClicks(proxy.field, "socks5://new:1080")
        qtbot.keyClick(proxy.field, Qt.Key.Key_Return)
    assert proxy.note.isVisible()
    assert proxy.note.text() == "Enter a proxy as http://host:port. SOCKS is not supported."
    assert proxy.field.property("wrong")
    qtbot.keyClicks(proxy.field, "x")
    assert not proxy.note.isVisible(), "it is being mended"
    assert not proxy.field.property("wrong")
    proxy.field.selectAll()
    with qtbot.waitSignal(pane.proxy_changed, timeout=1000) as seen:
        qtbot.keyClicks(proxy.field, "new:1080")
        qtbot.keyClick(proxy.field, Qt.Key.Key_Return)
    assert seen.args == ["http://new:1080"]
    assert not proxy.note.isVisible()


def test_an_address_that_is_cleared_is_the_usual_one(qtbot: QtBot, pane: NetworkPane) -> None:
    pane.set_values(proxy="http://old:1", mirror="", bytes_per_s=0)
    pane.proxy.field.setFocus()
    pane.proxy.field.selectAll()
    qtbot.keyClick(pane.proxy.field, Qt.Key.Key_Delete)
    with qtbot.waitSignal(pane.proxy_changed, timeout=1000) as seen:
        qtbot.keyClick(pane.proxy.field, Qt.Key.Key_Return)
    assert seen.args == [""]
    assert not pane.proxy.note.isVisible()


def test_a_mirror_must_be_encrypted(qtbot: QtBot, pane: NetworkPane) -> None:
    mirror = pane.mirror
    qtbot.mouseClick(mirror.other, LEFT)
    with qtbot.assertNotEmitted(pane.mirror_changed):
        qtbot.keyClicks(mirror.field, "http://mirror.example")
        qtbot.keyClick(mirror.field, Qt.Key.Key_Return)
    assert mirror.note.text() == "Enter the address of a mirror as https://host."
    mirror.field.selectAll()
    with qtbot.waitSignal(pane.mirror_changed, timeout=1000) as seen:
        qtbot.keyClicks(mirror.field, "https://mirror.example/")
        qtbot.keyClick(mirror.field, Qt.Key.Key_Return)
    assert seen.args == ["https://mirror.example"]


def test_the_arrows_move_between_the_two_addresses(qtbot: QtBot, pane: NetworkPane) -> None:
    pane.mirror.usual.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.keyClick(pane.mirror.usual, Qt.Key.Key_Down)
    assert pane.mirror.other.isChecked()
    assert pane.mirror.field.isEnabled()


def test_a_speed_limit_is_told_in_bytes_a_second(qtbot: QtBot, pane: NetworkPane) -> None:
    heard: list[int] = []
    pane.speed_changed.connect(heard.append)
    assert not pane.speed.isEnabled()
    qtbot.mouseClick(pane.limited, LEFT)
    assert heard == [10_000_000]
    pane.speed.selectAll()
    qtbot.keyClicks(pane.speed, "2.5")
    assert heard == [10_000_000]
    qtbot.keyClick(pane.speed, Qt.Key.Key_Return)
    assert heard == [10_000_000, 2_500_000]
    qtbot.mouseClick(pane.limited, LEFT)
    assert heard == [10_000_000, 2_500_000, 0]


def test_showing_what_is_in_use_tells_nothing(qtbot: QtBot, pane: NetworkPane) -> None:
    signals = [pane.proxy_changed, pane.mirror_changed, pane.speed_changed, pane.token_entered]
    with qtbot.waitSignals(signals, timeout=50, raising=False) as seen:
        pane.set_values(proxy="http://p:1", mirror="https://m", bytes_per_s=5_000_000_000)
    assert not seen.all_signals_and_args
    assert pane.proxy.field.text() == "http://p:1"
    assert pane.mirror.other.isChecked()
    assert (pane.limited.isChecked(), pane.speed.value()) == (True, 5000.0)
