"""The composer, driven by real keys, pastes and input methods."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QMimeData, Qt
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.panels.composer import Composer
from app.theme import Theme
from engine.api import Sampling

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


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Enter])
@pytest.mark.parametrize("held", [Qt.KeyboardModifier.NoModifier, CONTROL])
def test_return_sends(
    qtbot: QtBot, composer: Composer, key: Qt.Key, held: Qt.KeyboardModifier
) -> None:
    qtbot.keyClicks(composer.editor, "Hello")
    with qtbot.waitSignal(composer.submitted, timeout=1000) as seen:
        qtbot.keyClick(composer.editor, key, held)
    assert seen.args == ["Hello"]


def test_what_was_sent_stays_until_it_is_taken(qtbot: QtBot, composer: Composer) -> None:
    qtbot.keyClicks(composer.editor, "Hello")
    qtbot.keyClick(composer.editor, Qt.Key.Key_Return)
    assert composer.draft() == "Hello"
    composer.set_draft("")
    assert composer.draft() == ""


def test_shift_return_breaks_the_line(qtbot: QtBot, composer: Composer) -> None:
    editor = composer.editor
    with qtbot.assertNotEmitted(composer.submitted):
        qtbot.keyClicks(editor, "one")
        qtbot.keyClick(editor, Qt.Key.Key_Return, SHIFT)
        qtbot.keyClicks(editor, "two")
    with qtbot.waitSignal(composer.submitted, timeout=1000) as seen:
        qtbot.keyClick(editor, Qt.Key.Key_Return)
    assert seen.args == ["one\ntwo"]


@pytest.mark.parametrize("text", ["", "   ", "\n\n", " \t\n\u3000"])
def test_an_empty_message_does_nothing(qtbot: QtBot, composer: Composer, text: str) -> None:
    composer.set_draft(text)
    assert not composer.send.isEnabled()
    with qtbot.assertNotEmitted(composer.submitted):
        qtbot.keyClick(composer.editor, Qt.Key.Key_Return)
        qtbot.keyClick(composer.editor, Qt.Key.Key_Return, CONTROL)
        qtbot.mouseClick(composer.send, Qt.MouseButton.LeftButton)


def test_send_is_a_click_away_once_there_is_something(qtbot: QtBot, composer: Composer) -> None:
    qtbot.keyClicks(composer.editor, "x")
    with qtbot.waitSignal(composer.submitted, timeout=1000):
        qtbot.mouseClick(composer.send, Qt.MouseButton.LeftButton)
    assert composer.editor.hasFocus()


@pytest.mark.parametrize("held", [Qt.KeyboardModifier.NoModifier, CONTROL, SHIFT])
def test_return_never_sends_while_an_input_method_composes(
    qtbot: QtBot, composer: Composer, held: Qt.KeyboardModifier
) -> None:
    compose(composer, "", commit="二つの結果を")
    compose(composer, "あわせる")
    assert composer.hint.text() == "Return confirms the text first"
    assert not composer.send.isEnabled()
    with qtbot.assertNotEmitted(composer.submitted):
        qtbot.keyClick(composer.editor, Qt.Key.Key_Return, held)
    assert composer.draft() == "二つの結果を"
    compose(composer, "", commit="合わせる")
    assert composer.hint.text() == ""
    with qtbot.waitSignal(composer.submitted, timeout=1000) as seen:
        qtbot.keyClick(composer.editor, Qt.Key.Key_Return)
    assert seen.args == ["二つの結果を合わせる"]


def test_composing_that_is_given_up_leaves_the_text_as_it_was(composer: Composer) -> None:
    composer.set_draft("前")
    compose(composer, "あと")
    compose(composer, "")
    assert composer.draft() == "前"
    assert composer.send.isEnabled()


def test_up_in_an_empty_composer_wants_the_last_message(qtbot: QtBot, composer: Composer) -> None:
    with qtbot.waitSignal(composer.edit_last_requested, timeout=1000):
        qtbot.keyClick(composer.editor, Qt.Key.Key_Up)
    qtbot.keyClicks(composer.editor, "x")
    with qtbot.assertNotEmitted(composer.edit_last_requested):
        qtbot.keyClick(composer.editor, Qt.Key.Key_Up)


def test_stop_stands_in_the_place_of_send_and_the_draft_stays(
    qtbot: QtBot, composer: Composer
) -> None:
    composer.set_busy(True)
    assert composer.stop.isVisible()
    assert not composer.send.isVisible()
    qtbot.keyClicks(composer.editor, "the next one")
    with qtbot.assertNotEmitted(composer.submitted):
        qtbot.keyClick(composer.editor, Qt.Key.Key_Return)
    with qtbot.waitSignal(composer.stop_requested, timeout=1000):
        qtbot.mouseClick(composer.stop, Qt.MouseButton.LeftButton)
    with qtbot.waitSignal(composer.stop_requested, timeout=1000):
        qtbot.keyClick(composer.editor, Qt.Key.Key_Escape)
    composer.set_busy(False)
    assert composer.draft() == "the next one"
    assert composer.send.isVisible()
    assert composer.send.isEnabled()


def test_without_a_model_nothing_can_be_sent(qtbot: QtBot, composer: Composer) -> None:
    composer.set_ready(False)
    qtbot.keyClicks(composer.editor, "x")
    with qtbot.assertNotEmitted(composer.submitted):
        qtbot.keyClick(composer.editor, Qt.Key.Key_Return)
    composer.set_ready(True)
    assert composer.send.isEnabled()


def test_typing_tells_the_draft_and_showing_one_does_not(qtbot: QtBot, composer: Composer) -> None:
    with qtbot.assertNotEmitted(composer.draft_changed):
        composer.set_draft("kept\nfrom before")
    assert composer.draft() == "kept\nfrom before"
    with qtbot.waitSignal(composer.draft_changed, timeout=1000) as seen:
        qtbot.keyClicks(composer.editor, "!")
    assert seen.args == ["kept\nfrom before!"]


def test_the_same_draft_again_leaves_the_caret_where_it_is(
    qtbot: QtBot, composer: Composer
) -> None:
    composer.set_draft("abc")
    qtbot.keyClick(composer.editor, Qt.Key.Key_Home)
    composer.set_draft("abc")
    qtbot.keyClicks(composer.editor, "x")
    assert composer.draft() == "xabc"


def test_the_border_and_the_caret_are_in_the_accent_with_the_focus(
    composer: Composer, look: Theme
) -> None:
    def border() -> str:
        image = composer.grab().toImage()
        return image.pixelColor(image.width() // 2, 0).name()

    assert border() == look.color("accent").name()
    caret = composer.editor.cursorRect().center()
    at = composer.editor.viewport().mapTo(composer, caret)
    assert composer.grab().toImage().pixelColor(at).name() == look.color("accent").name()
    composer.editor.clearFocus()
    assert border() == look.color("edge").name()


def test_the_options_open_and_every_change_is_told(qtbot: QtBot, composer: Composer) -> None:
    composer.set_sampling(Sampling(temperature=0.25))
    assert composer.options.text() == "Temperature 0.25"
    qtbot.mouseClick(composer.options, Qt.MouseButton.LeftButton)
    assert composer.popover.isVisible()
    field = composer.popover.rows.sliders["temperature"].field
    field.selectAll()
    qtbot.keyClicks(field, "1.2")
    with qtbot.waitSignal(composer.sampling_changed, timeout=1000) as seen:
        qtbot.keyClick(field, Qt.Key.Key_Return)
    assert seen.args == [Sampling(temperature=1.2)]
    assert composer.options.text() == "Temperature 1.2"
    assert composer.popover.rows.sliders["temperature"].slider.value() == 120


def test_a_slider_moves_its_field(qtbot: QtBot, composer: Composer) -> None:
    row = composer.popover.rows.sliders["top_k"]
    assert row.field.text() == "Off"
    with qtbot.waitSignal(composer.sampling_changed, timeout=1000) as seen:
        row.slider.setValue(40)
    assert row.field.value() == 40
    assert seen.args == [Sampling(top_k=40)]


def test_a_seed_is_kept_only_when_it_is_asked_for(qtbot: QtBot, composer: Composer) -> None:
    popover = composer.popover
    composer.open_options()
    assert not popover.rows.seed.isEnabled()
    with qtbot.waitSignal(composer.sampling_changed, timeout=1000) as seen:
        qtbot.mouseClick(popover.rows.fixed, Qt.MouseButton.LeftButton)
    assert seen.args == [Sampling(seed=42)]
    with qtbot.waitSignal(composer.sampling_changed, timeout=1000) as seen:
        qtbot.mouseClick(popover.rows.fresh, Qt.MouseButton.LeftButton)
    assert seen.args == [Sampling()]


def test_defaults_come_back_and_what_has_no_control_is_kept(
    qtbot: QtBot, composer: Composer
) -> None:
    mine = Sampling(temperature=0.1, top_k=7, max_tokens=64, seed=9, stop=("###",))
    with qtbot.assertNotEmitted(composer.sampling_changed):
        composer.set_sampling(mine)
    assert composer.sampling() == mine
    with qtbot.waitSignal(composer.sampling_changed, timeout=1000) as seen:
        composer.popover.rows.length.setValue(32)
    assert seen.args == [replace(mine, max_tokens=32)]
    composer.open_options()
    with qtbot.waitSignal(composer.sampling_changed, timeout=1000) as seen:
        qtbot.mouseClick(composer.popover.restore, Qt.MouseButton.LeftButton)
    assert seen.args == [Sampling()]
