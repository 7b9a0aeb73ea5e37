"""The pane Models, driven by real clicks and keys."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QLineEdit, QMenu, QWidget
from pytestqt.qtbot import QtBot

from app import wording
from app.panels.settings_models import ModelsPane
from app.theme import Theme

pytestmark = [
    pytest.mark.usefixtures("look"),
    pytest.mark.qt_log_ignore("does not support grabbing the keyboard", "does not support raise"),
]

LEFT = Qt.MouseButton.LeftButton
GB = 10**9


@pytest.fixture
def pane(qtbot: QtBot) -> ModelsPane:
    """The pane on a machine of 16 GB that gives 11.8 to models."""
    it = ModelsPane("starter-12m")
    qtbot.addWidget(it)
    it.setFixedWidth(640)
    it.set_values(share_cache=True, at_launch="last", unload_after=30, memory_bytes=0)
    it.memory.set_machine(16 << 30, 118 * GB // 10)
    with qtbot.waitActive(it):
        it.show()
        it.activateWindow()
    return it


def _choose(qtbot: QtBot, popup: QWidget, words: str) -> None:
    qtbot.mouseClick(popup, LEFT)
    (menu,) = popup.findChildren(QMenu)
    action = next(action for action in menu.actions() if action.text() == words)
    qtbot.mouseClick(menu, LEFT, pos=menu.actionGeometry(action).center())


def test_move_asks_for_a_folder_and_tells_which(
    qtbot: QtBot, pane: ModelsPane, tmp_path: Path
) -> None:
    pane.set_folder(tmp_path / "old")
    (tmp_path / "new models").mkdir()
    qtbot.mouseClick(pane.move_button, LEFT)
    dialog = pane.findChild(QFileDialog)
    assert dialog.isVisible()
    name = dialog.findChild(QLineEdit)
    name.setText(str(tmp_path / "new models"))
    with qtbot.waitSignal(pane.folder_chosen, timeout=5000) as seen:
        qtbot.keyClick(name, Qt.Key.Key_Return)
    assert seen.args == [tmp_path / "new models"]


def test_a_dialog_that_is_left_moves_nothing(
    qtbot: QtBot, pane: ModelsPane, tmp_path: Path
) -> None:
    pane.set_folder(tmp_path)
    qtbot.mouseClick(pane.move_button, LEFT)
    dialog = pane.findChild(QFileDialog)
    with qtbot.assertNotEmitted(pane.folder_chosen):
        qtbot.keyClick(dialog, Qt.Key.Key_Escape)
        qtbot.waitUntil(lambda: pane.findChild(QFileDialog) is None)


def test_while_models_move_it_says_how_far_and_can_be_cancelled(
    qtbot: QtBot, pane: ModelsPane
) -> None:
    pane.adjustSize()
    low = pane.height()
    assert not pane.progress.isVisible()
    pane.set_moving(0.25, "Moving 1.2 of 4.7 GB")
    assert pane.progress.isVisible()
    assert (pane.progress.fraction(), pane.progress.words()) == (0.25, "Moving 1.2 of 4.7 GB")
    assert not pane.move_button.isEnabled()
    pane.adjustSize()
    assert pane.height() > low
    with qtbot.waitSignal(pane.cancel_requested, timeout=1000):
        qtbot.mouseClick(pane.progress.cancel, LEFT)
    pane.set_moving(None, "")
    assert not pane.progress.isVisible()
    assert pane.move_button.isEnabled()
    qtbot.waitUntil(lambda: pane.sizeHint().height() == low)


def test_how_far_a_move_is_names_a_unit_once() -> None:
    assert wording.moving(1_200_000_000, 4_700_000_000) == "Moving 1.2 of 4.7 GB"
    assert wording.moving(24_000_000, 4_700_000_000) == "Moving 24 MB of 4.7 GB"


def test_why_a_move_failed_stands_under_the_folder(pane: ModelsPane, look: Theme) -> None:
    assert not pane.folder_note.isVisible()
    pane.set_folder_error("Needs 3.2 GB more disk space.")
    assert pane.folder_note.isVisible()
    assert pane.folder_note.text() == "Needs 3.2 GB more disk space."
    image = pane.folder_note.grab().toImage()
    seen = {image.pixelColor(x, y).name() for x in range(200) for y in range(image.height())}
    assert look.color("error").name() in seen
    pane.set_folder_error("")
    assert not pane.folder_note.isVisible()


def test_the_popups_and_the_check_tell_what_is_chosen(qtbot: QtBot, pane: ModelsPane) -> None:
    assert pane.at_launch.words() == "The last model used"
    assert pane.unload_after.words() == "After 30 minutes"
    with qtbot.waitSignal(pane.at_launch_chosen, timeout=1000) as seen:
        _choose(qtbot, pane.at_launch, "starter-12m")
    assert seen.args == ["starter"]
    with qtbot.waitSignal(pane.unload_after_chosen, timeout=1000) as seen:
        _choose(qtbot, pane.unload_after, "After 2 hours")
    assert seen.args == [120]
    with qtbot.waitSignal(pane.share_cache_changed, timeout=1000) as seen:
        qtbot.mouseClick(pane.share_cache, LEFT)
    assert seen.args == [False]
    with qtbot.waitSignal(pane.show_requested, timeout=1000):
        qtbot.mouseClick(pane.show_button, LEFT)


def test_memory_begins_at_what_the_machine_gives(pane: ModelsPane) -> None:
    memory = pane.memory
    assert memory.field.text() == "11.8 GB"
    assert (memory.slider.minimum(), memory.slider.maximum()) == (20, 160)
    assert memory.note.text() == (
        "Of 16 GB. A model that needs more than 90 % of this is not loaded."
    )


def test_memory_is_entered_or_slid_and_told_once(qtbot: QtBot, pane: ModelsPane) -> None:
    field, slider = pane.memory.field, pane.memory.slider
    field.selectAll()
    qtbot.keyClicks(field, "8.5")
    with qtbot.waitSignal(pane.memory_changed, timeout=1000) as seen:
        qtbot.keyClick(field, Qt.Key.Key_Return)
    assert seen.args == [85 * GB // 10]
    assert slider.value() == 85
    heard: list[int] = []
    pane.memory_changed.connect(heard.append)
    slider.setSliderDown(True)
    for at in range(90, 121, 5):
        slider.setSliderPosition(at)
        assert field.value() == at / 10
    assert heard == []
    slider.setSliderDown(False)
    assert heard == [12 * GB]
    slider.setFocus()
    qtbot.keyClick(slider, Qt.Key.Key_Left)
    assert heard == [12 * GB, 119 * GB // 10]
    qtbot.keyClick(slider, Qt.Key.Key_Left)
    assert heard[-1] == 0, "what the machine gives is left to it"


def test_memory_of_hundreds_of_gigabytes_is_told_whole(qtbot: QtBot, pane: ModelsPane) -> None:
    pane.memory.set_machine(512 << 30, 400 * GB)
    with qtbot.waitSignal(pane.memory_changed, timeout=1000) as seen:
        pane.memory.slider.setValue(5000)
    assert seen.args == [500 * GB]


@pytest.mark.parametrize("memory_bytes", [10**9, 3 << 30, 36 << 30])
def test_memory_never_offers_more_than_there_is(pane: ModelsPane, memory_bytes: int) -> None:
    limit = memory_bytes * 3 // 4
    pane.memory.set_machine(memory_bytes, limit)
    assert pane.memory.slider.maximum() * GB / 10 <= memory_bytes + GB / 20
    assert pane.memory.slider.minimum() < pane.memory.slider.maximum()
    assert pane.memory.field.value() == pytest.approx(limit / GB, abs=0.051)


def test_before_the_machine_is_known_memory_is_a_dash(qtbot: QtBot) -> None:
    pane = ModelsPane("starter-12m")
    qtbot.addWidget(pane)
    pane.set_values(share_cache=True, at_launch="last", unload_after=0, memory_bytes=8 * GB)
    assert pane.memory.field.text() == "–"
    assert not pane.memory.slider.isEnabled()
    with qtbot.assertNotEmitted(pane.memory_changed):
        pane.memory.set_machine(16 << 30, 12 * GB)
    assert pane.memory.field.text() == "8.0 GB"
    assert pane.memory.slider.isEnabled()
