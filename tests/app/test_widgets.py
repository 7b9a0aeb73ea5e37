"""The generic controls, driven by real clicks and keys."""

from __future__ import annotations

import sys
from collections.abc import Callable

import pytest
from PySide6.QtCore import (
    QCoreApplication,
    QEvent,
    QObject,
    QPoint,
    QPointF,
    Qt,
    Signal,
)
from PySide6.QtGui import QEnterEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QLineEdit,
    QPlainTextEdit,
    QScrollBar,
    QWidget,
)
from pytestqt.qtbot import QtBot

from app.panels.composer import Composer
from app.panels.sidebar import Sidebar
from app.panels.strip import Strip
from app.panels.toolbar import Toolbar
from app.theme import Theme
from app.widgets.focus_ring import FocusRing
from app.widgets.icon_button import IconButton
from app.widgets.push_button import PushButton
from app.widgets.search_field import SearchField
from app.widgets.view_switch import ViewSwitch

pytestmark = pytest.mark.usefixtures("look")


class Emitter(QObject):
    """A signal that carries a truth value."""

    told = Signal(bool)


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="True never dies from Python 3.12 on")
def test_a_signal_survives_20_000_emits_of_true(qapp: QApplication) -> None:
    emitter = Emitter()
    heard: list[bool] = []
    emitter.told.connect(heard.append)
    emitter.told.connect(heard.append, Qt.ConnectionType.QueuedConnection)
    before = sys.getrefcount(True)
    for _ in range(20_000):
        emitter.told.emit(True)
    QCoreApplication.processEvents()
    assert len(heard) == 40_000
    heard.clear()
    assert sys.getrefcount(True) > before - 1_000


@pytest.mark.parametrize("make", [Sidebar, Toolbar, Composer, Strip])
def test_every_control_has_a_name_for_a_screen_reader(qtbot: QtBot, make: type[QWidget]) -> None:
    panel = make()
    qtbot.addWidget(panel)
    kinds = (
        QAbstractButton,
        QLineEdit,
        QPlainTextEdit,
        QAbstractItemView,
        QAbstractSlider,
        QAbstractSpinBox,
    )
    controls = [w for kind in kinds for w in panel.findChildren(kind)]
    # A field within a number field, and scroll bars, speak through what they belong to.
    controls = [
        w
        for w in controls
        if not isinstance(w, QScrollBar) and not isinstance(w.parent(), QAbstractSpinBox)
    ]
    nameless = [w.metaObject().className() for w in controls if not w.accessibleName()]
    assert panel.accessibleName()
    assert nameless == []


@pytest.mark.parametrize("make", [Sidebar, Toolbar, Composer])
def test_every_icon_button_has_a_tooltip(qtbot: QtBot, make: type[QWidget]) -> None:
    panel = make()
    qtbot.addWidget(panel)
    assert [b for b in panel.findChildren(IconButton) if not b.toolTip()] == []


Row = Callable[..., QWidget]


def _colour(widget: QWidget, at: QPoint) -> str:
    return widget.grab().toImage().pixelColor(at).name()


@pytest.mark.parametrize("key", [Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter])
def test_a_button_is_pressed_by_mouse_space_and_return(qtbot: QtBot, key: Qt.Key, row: Row) -> None:
    button = PushButton("Load")
    row(button)
    with qtbot.waitSignal(button.clicked, timeout=1000):
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    with qtbot.waitSignal(button.clicked, timeout=1000):
        qtbot.keyClick(button, key)


def test_a_disabled_button_does_nothing(qtbot: QtBot, row: Row) -> None:
    button = PushButton("Load")
    button.setEnabled(False)
    row(button)
    with qtbot.assertNotEmitted(button.clicked):
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
        qtbot.keyClick(button, Qt.Key.Key_Return)


def test_a_click_leaves_the_focus_where_it_is(qtbot: QtBot, row: Row) -> None:
    field, button = QLineEdit(), PushButton("Load")
    row(field, button)
    field.setFocus()
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert field.hasFocus()


def test_the_ring_comes_with_the_tab_key_and_not_otherwise(qtbot: QtBot, row: Row) -> None:
    first, second = PushButton("One"), PushButton("Two")
    host = row(first, second)
    first.setFocus(Qt.FocusReason.OtherFocusReason)
    assert host.findChildren(FocusRing) == []
    qtbot.keyClick(first, Qt.Key.Key_Tab)
    assert second.hasFocus()
    (ring,) = host.findChildren(FocusRing)
    assert ring.geometry() == second.geometry().adjusted(-4, -4, 4, 4)
    second.move(second.x() + 3, second.y())
    assert ring.geometry() == second.geometry().adjusted(-4, -4, 4, 4)
    qtbot.keyClick(second, Qt.Key.Key_Tab)
    assert first.hasFocus()
    assert not ring.isVisible()


def test_a_button_warms_under_the_pointer_and_cools_after_it(
    qtbot: QtBot, look: Theme, row: Row
) -> None:
    button = IconButton("regenerate", "Regenerate")
    row(button)
    at = QPointF(5, 5)
    QApplication.sendEvent(button, QEnterEvent(at, at, at))
    assert button.warmth == 1
    assert _colour(button, QPoint(14, 3)) == look.color("hover").name()
    QApplication.sendEvent(button, QEvent(QEvent.Type.Leave))
    qtbot.waitUntil(lambda: button.warmth == 0, timeout=5000)
    assert _colour(button, QPoint(14, 3)) == look.color("content").name()


def test_a_primary_button_changes_its_ground_with_the_scheme(
    qtbot: QtBot, look: Theme, row: Row
) -> None:
    button = PushButton("Run", primary=True)
    row(button)
    middle = QPoint(4, button.height() // 2)
    assert _colour(button, middle) == look.color("accent").name()
    light = look.color("accent")
    look.set_scheme("dark")
    assert look.color("accent") != light
    assert _colour(button, middle) == look.color("accent").name()


def test_a_push_button_is_26_high_and_grows_with_the_text(look: Theme) -> None:
    button = PushButton("Load")
    assert button.sizeHint().height() == 26
    wide = button.sizeHint().width()
    look.set_zoom(1.5)
    assert button.sizeHint().height() == 39
    assert button.sizeHint().width() > wide


def test_the_view_switch_is_one_tab_stop_and_moves_by_arrows(qtbot: QtBot, row: Row) -> None:
    switch = ViewSwitch(["Chat", "Models", "Compare"])
    row(switch)
    stops = [s for s in switch.segments() if s.focusPolicy() & Qt.FocusPolicy.TabFocus]
    assert [s.text() for s in stops] == ["Chat"]
    with qtbot.waitSignal(switch.chosen, timeout=1000) as seen:
        qtbot.keyClick(stops[0], Qt.Key.Key_Right)
    assert seen.args == [1]
    assert switch.segments()[1].hasFocus()
    with qtbot.waitSignal(switch.chosen, timeout=1000) as seen:
        qtbot.mouseClick(switch.segments()[2], Qt.MouseButton.LeftButton)
    assert seen.args == [2]
    with qtbot.assertNotEmitted(switch.chosen):
        qtbot.keyClick(switch.segments()[2], Qt.Key.Key_Right)
        switch.set_current(0)
    assert switch.current() == 0


def test_the_view_switch_has_segments_of_76_at_least_and_is_28_high(qtbot: QtBot) -> None:
    switch = ViewSwitch(["Chat", "Models", "Compare"])
    qtbot.addWidget(switch)
    assert switch.sizeHint().height() == 28
    assert min(s.sizeHint().width() for s in switch.segments()) == 76


def test_esc_clears_a_search_field(qtbot: QtBot, row: Row) -> None:
    field = SearchField("Search")
    row(field)
    assert field.height() == 28
    qtbot.keyClicks(field, "kyoto")
    assert field.text() == "kyoto"
    qtbot.keyClick(field, Qt.Key.Key_Escape)
    assert field.text() == ""
