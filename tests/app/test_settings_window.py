"""The frame of the Settings window: its panes, its size, its keys."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QLineEdit,
    QWidget,
)
from pytestqt.qtbot import QtBot

from app.settings_window import GENERAL, GENERATION, MODELS, NETWORK, SettingsWindow
from app.theme import Theme
from app.widgets.focus_ring import FocusRing
from engine.api import Machine, Sampling

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def shown(qtbot: QtBot, look: Theme) -> SettingsWindow:
    """The window alone, on a machine of 16 GB, in front."""
    it = SettingsWindow("starter-12m")
    it.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    qtbot.addWidget(it)
    it.models.set_folder(Path("/models"))
    it.models.memory.set_machine(16 << 30, 12 * 10**9)
    it.advanced.set_machine(
        Machine(backend="Metal", device="Apple M2", memory_bytes=16 << 30, limit_bytes=12 * 10**9)
    )
    it.generation.set_sampling(Sampling(seed=7))
    with qtbot.waitActive(it):
        it.show()
        it.activateWindow()
    return it


def click_tab(qtbot: QtBot, window: SettingsWindow, index: int) -> None:
    """A real click on a tab."""
    qtbot.mouseClick(window.tabs.segments()[index], LEFT)


def test_each_pane_gives_the_window_its_name_and_its_height(
    shown: SettingsWindow, qtbot: QtBot
) -> None:
    heights = []
    for index, name in enumerate(("General", "Models", "Generation", "Network", "Advanced")):
        click_tab(qtbot, shown, index)
        assert shown.windowTitle() == name
        assert [pane.isVisible() for pane in shown.panes].index(True) == index
        assert sum(pane.isVisible() for pane in shown.panes) == 1
        assert shown.width() == 640
        assert shown.panes[index].geometry().bottom() == shown.height() - 1
        heights.append(shown.height())
    assert len(set(heights)) > 3


def test_the_window_grows_with_the_text(shown: SettingsWindow, qtbot: QtBot, look: Theme) -> None:
    shown.show_pane(MODELS)
    low = shown.height()
    look.set_zoom(1.5)
    qtbot.waitUntil(lambda: shown.width() == 960)
    assert shown.height() > low * 1.3
    look.set_zoom(1.0)
    qtbot.waitUntil(lambda: (shown.width(), shown.height()) == (640, low))


def test_the_arrows_walk_the_tabs_and_only_keys_show_a_ring(
    shown: SettingsWindow, qtbot: QtBot
) -> None:
    tabs = shown.tabs.segments()
    assert tabs[GENERAL].hasFocus()
    assert shown.findChildren(FocusRing) == []
    qtbot.keyClick(tabs[GENERAL], Qt.Key.Key_Right)
    assert shown.pane() == MODELS
    assert tabs[MODELS].hasFocus()
    (ring,) = shown.findChildren(FocusRing)
    assert ring.parentWidget().rect().contains(ring.geometry()), "no edge is cut off"
    qtbot.keyClick(tabs[MODELS], Qt.Key.Key_Tab)
    assert shown.models.folder.hasFocus()
    qtbot.keyClick(shown.models.folder, Qt.Key.Key_Backtab)
    assert tabs[MODELS].hasFocus()


def test_a_click_on_a_tab_leaves_no_ring_behind(shown: SettingsWindow, qtbot: QtBot) -> None:
    shown.show_pane(NETWORK)
    shown.network.token.setFocus()
    click_tab(qtbot, shown, GENERATION)
    assert shown.tabs.segments()[GENERATION].hasFocus()
    assert [r for r in shown.findChildren(FocusRing) if r.isVisible()] == []


@pytest.mark.parametrize("pane", range(5))
def test_tab_visits_the_controls_from_top_to_bottom(
    shown: SettingsWindow, qtbot: QtBot, pane: int
) -> None:
    shown.show_pane(pane)
    qtbot.waitUntil(lambda: shown.panes[pane].isVisible())
    passed: list[QWidget] = [shown.tabs.segments()[pane]]
    while True:
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
        if (focused := QApplication.focusWidget()) in passed:
            break
        passed.append(focused)
    places = [(w.mapTo(shown, w.rect().center()).y(), w.mapTo(shown, w.pos()).x()) for w in passed]
    assert len(passed) > 2
    assert [y for y, _ in places] == sorted(y for y, _ in places)
    assert focused is passed[0]


def test_every_control_has_the_name_of_its_row(shown: SettingsWindow) -> None:
    kinds = (QAbstractButton, QAbstractSlider, QAbstractSpinBox, QLineEdit)
    controls = [w for kind in kinds for w in shown.findChildren(kind)]
    controls = [w for w in controls if not isinstance(w.parent(), QAbstractSpinBox)]
    assert len(controls) > 30
    assert [w.metaObject().className() for w in controls if not w.accessibleName()] == []
    assert shown.models.folder.accessibleName() == "Models folder:"
    assert shown.network.proxy.other.accessibleName() == "Proxy: This one:"


def test_closing_gives_back_the_focus_and_opening_begins_at_the_tabs(
    shown: SettingsWindow, qtbot: QtBot
) -> None:
    shown.show_pane(NETWORK)
    shown.network.token.setFocus()
    qtbot.keyClick(shown.network.token, Qt.Key.Key_Escape)
    assert not shown.isVisible()
    with qtbot.waitActive(shown):
        shown.show()
        shown.activateWindow()
    assert shown.tabs.segments()[NETWORK].hasFocus()
    assert [r for r in shown.findChildren(FocusRing) if r.isVisible()] == []
