"""The controls of the Settings window: check box, radio, popup, fields, progress."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication, QKeySequence
from PySide6.QtWidgets import QButtonGroup, QLineEdit, QMenu, QWidget
from pytestqt.qtbot import QtBot

from app.theme import Theme
from app.widgets.check_box import CheckBox
from app.widgets.focus_ring import FocusRing
from app.widgets.path_field import PathField
from app.widgets.popup_button import PopupButton
from app.widgets.progress_line import ProgressLine
from app.widgets.radio_button import RadioButton
from app.widgets.slider_field import NumberField
from app.widgets.text_field import TextField

pytestmark = [
    pytest.mark.usefixtures("look"),
    pytest.mark.qt_log_ignore("does not support grabbing the keyboard", "does not support raise"),
]

Row = Callable[..., QWidget]
LEFT = Qt.MouseButton.LeftButton


def _colour(widget: QWidget, at: QPoint) -> str:
    return widget.grab().toImage().pixelColor(at).name()


@pytest.fixture
def popup(qtbot: QtBot, row: Row) -> PopupButton:
    """A popup of three numbers that shows the second."""
    it = PopupButton("Unload when idle:")
    it.set_choices([(0, "Never"), (10, "After 10 minutes"), (30, "After 30 minutes")])
    it.set_value(10)
    row(it)
    return it


def _menu(popup: PopupButton) -> QMenu:
    (menu,) = popup.findChildren(QMenu)
    return menu


def test_a_check_box_is_turned_by_the_mouse_and_by_space(
    qtbot: QtBot, row: Row, look: Theme
) -> None:
    box = CheckBox("Also this", label="Models:")
    row(box)
    assert box.accessibleName() == "Models: Also this"
    corner = QPoint(3, box.shape().top() + 3)
    assert _colour(box, corner) == look.color("raised").name()
    qtbot.mouseClick(box, LEFT)
    assert box.isChecked()
    qtbot.keyClick(box, Qt.Key.Key_Space)
    assert not box.isChecked()
    box.setChecked(True)
    look.set_scheme("dark")
    assert _colour(box, corner) == look.color("accent").name()


def test_the_ring_goes_around_the_mark_and_not_the_words(qtbot: QtBot, row: Row) -> None:
    field, box = QLineEdit(), CheckBox("A long sentence beside the mark")
    host = row(field, box)
    field.setFocus()
    qtbot.keyClick(field, Qt.Key.Key_Tab)
    assert box.hasFocus()
    (ring,) = host.findChildren(FocusRing)
    assert ring.width() == ring.height() == 15 + 8
    assert ring.geometry().center() == box.mapToParent(box.shape().center())


def test_the_arrows_choose_among_radio_buttons_and_tab_leaves_them(qtbot: QtBot, row: Row) -> None:
    one, two, after = RadioButton("One"), RadioButton("Two"), QLineEdit()
    row(one, two, after)
    group = QButtonGroup(one)
    for button in (one, two):
        group.addButton(button)
    one.setChecked(True)
    one.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.keyClick(one, Qt.Key.Key_Right)
    assert two.hasFocus()
    assert (one.isChecked(), two.isChecked()) == (False, True)
    qtbot.keyClick(two, Qt.Key.Key_Tab)
    assert after.hasFocus()


def test_a_popup_opens_by_mouse_and_keys_with_its_choice_ticked(
    qtbot: QtBot, popup: PopupButton
) -> None:
    for key in (None, Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Down, Qt.Key.Key_Up):
        if key is None:
            qtbot.mouseClick(popup, LEFT)
        else:
            qtbot.keyClick(popup, key)
        menu = _menu(popup)
        assert menu.isVisible()
        assert [a.text() for a in menu.actions() if a.isChecked()] == ["After 10 minutes"]
        with qtbot.assertNotEmitted(popup.chosen):
            qtbot.keyClick(menu, Qt.Key.Key_Escape)
            qtbot.waitUntil(lambda: not popup.findChildren(QMenu))


def test_a_choice_is_told_with_its_value_and_shown(qtbot: QtBot, popup: PopupButton) -> None:
    qtbot.keyClick(popup, Qt.Key.Key_Space)
    with qtbot.waitSignal(popup.chosen, timeout=1000) as seen:
        qtbot.keyClick(_menu(popup), Qt.Key.Key_Down)
        qtbot.keyClick(_menu(popup), Qt.Key.Key_Return)
    assert seen.args == [30]
    assert popup.words() == popup.accessibleDescription() == "After 30 minutes"


def test_the_same_choice_again_is_no_change(qtbot: QtBot, popup: PopupButton) -> None:
    popup.click()
    with qtbot.assertNotEmitted(popup.chosen):
        _menu(popup).actions()[1].trigger()
    assert popup.value() == 10


def test_a_popup_is_24_high_and_never_narrower_than_its_longest_choice(
    popup: PopupButton, look: Theme
) -> None:
    assert (popup.sizeHint().width(), popup.sizeHint().height()) == (232, 24)
    popup.set_choices([(0, "x" * 80)])
    assert popup.sizeHint().width() > 400
    look.set_zoom(1.5)
    assert popup.sizeHint().height() == 36


def test_what_is_wrong_has_a_border_in_the_colour_of_errors(row: Row, look: Theme) -> None:
    field = TextField("Proxy:")
    row(field)
    field.clearFocus()

    def border() -> str:
        return _colour(field, QPoint(field.width() // 2, 0))

    assert field.height() == 24
    assert border() == look.color("edge").name()
    field.set_wrong(True)
    assert border() == look.color("errorMark").name()
    field.set_wrong(False)
    assert border() == look.color("edge").name()


def test_a_path_says_home_as_a_tilde_and_leaves_out_its_middle(row: Row) -> None:
    field = PathField("Models folder:")
    row(field)
    field.set_path(Path.home() / "models")
    assert field.text() == "~/models"
    field.set_path(Path.home())
    assert field.text() == "~"
    long = Path("/Volumes") / ("a" * 100) / "the-end"
    field.set_path(long)
    assert field.text().startswith("/Vol")
    assert field.text().endswith("-end")
    assert len(field.text()) < len(str(long))
    assert field.toolTip() == field.accessibleDescription() == str(long)


def test_a_path_is_copied_whole(qtbot: QtBot, row: Row) -> None:
    before, field = QLineEdit(), PathField("Models folder:")
    row(before, field)
    long = Path("/Volumes") / ("b" * 100) / "the-end"
    field.set_path(long)
    before.setFocus()
    qtbot.keyClick(before, Qt.Key.Key_Tab)
    qtbot.keySequence(field, QKeySequence(QKeySequence.StandardKey.SelectAll))
    qtbot.keySequence(field, QKeySequence(QKeySequence.StandardKey.Copy))
    assert QGuiApplication.clipboard().text() == str(long)
    qtbot.keyClick(field, Qt.Key.Key_Backtab)
    assert len(field.text()) < len(str(long))


def test_the_figures_of_a_field_grow_with_the_text(row: Row, look: Theme) -> None:
    field = NumberField("Seed:", 0, 99, 0, None, unit="GB", width=72)  # type: ignore[arg-type]
    row(field)
    assert (field.width(), field.height(), field.text()) == (72, 24, "0 GB")
    small = field.lineEdit().font().pixelSize()
    look.set_zoom(1.5)
    assert field.lineEdit().font().pixelSize() > small
    assert (field.width(), field.height()) == (108, 36)


def test_a_progress_line_is_as_full_as_it_is_told_and_can_be_cancelled(
    qtbot: QtBot, row: Row, look: Theme
) -> None:
    line = ProgressLine("Cancel")
    line.set_progress(0.5, "Moving 1.2 of 4.7 GB")
    row(line).resize(400, 60)
    assert (line.fraction(), line.words()) == (0.5, "Moving 1.2 of 4.7 GB")
    bar = line.findChildren(QWidget)[0]
    image = bar.grab().toImage()
    colours = [image.pixelColor(x, 2).name() for x in range(image.width())]
    done, left = (colours.count(look.color(name).name()) for name in ("accent", "track"))
    assert done == pytest.approx(left, abs=6)
    line.set_progress(None, "Moving")
    assert line.fraction() == 0
    with qtbot.waitSignal(line.cancelled, timeout=1000):
        qtbot.mouseClick(line.cancel, LEFT)
