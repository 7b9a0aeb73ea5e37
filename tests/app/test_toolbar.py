"""The toolbar: where its pieces stand, and what gives way in a narrow window."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.panels.toolbar import COMPARE, MODELS, TITLE_MOST, Toolbar
from engine.api import ModelInfo

pytestmark = pytest.mark.usefixtures("look")

MODEL = ModelInfo(
    name="Falcon3-Mamba 7B Instruct",
    folder=Path("falcon"),
    family="falcon_mamba",
    chat=True,
    parameters=7_000_000_000,
    dtype="bfloat16",
    disk_bytes=4_100_000_000,
    needed_bytes=4_700_000_000,
    state_bytes=39_800_000,
)


class Window(QWidget):
    """A window with a sidebar's room at the left and the toolbar beside it."""

    def __init__(self, *, expanded: bool = True) -> None:
        super().__init__()
        self.bar = Toolbar(self, expanded=expanded)
        self.bar.picker.set_current(MODEL)
        self.bar.set_title("Running mean in one pass", "Today 10:42")

    def show_at(self, width: int, sidebar: int) -> None:
        """Take this size."""
        self.resize(width, 400)
        self.bar.set_sidebar_shown(sidebar > 0)
        self.bar.setGeometry(sidebar, 0, width - sidebar, self.bar.bar_height())
        self.show()


@pytest.fixture
def window(qtbot: QtBot) -> Window:
    """Such a window."""
    it = Window()
    qtbot.addWidget(it)
    return it


def middle_of(window: QWidget, widget: QWidget) -> float:
    """The middle of a widget in its window."""
    return widget.mapTo(window, QPoint(0, 0)).x() + widget.width() / 2


@pytest.mark.parametrize("sidebar", [0, 200, 248, 320])
def test_the_switch_stands_in_the_middle_of_the_window(window: Window, sidebar: int) -> None:
    window.show_at(1280, sidebar)
    assert abs(middle_of(window, window.bar.switch) - 640) <= 0.5


@pytest.mark.parametrize("width", [720, 760, 799, 800, 900, 1000, 1280, 1800])
@pytest.mark.parametrize("sidebar", [0, 248])
def test_nothing_overlaps_at_any_width(window: Window, width: int, sidebar: int) -> None:
    sidebar = sidebar if width >= 760 else 0
    window.show_at(width, sidebar)
    bar = window.bar
    pieces = [bar.show_sidebar, bar.new_button, bar.switch, bar.picker, bar.export]
    places = [p.geometry() for p in pieces if p.isVisible()]
    if (title := bar.title_area()).width() > 0:
        places.append(title)
    for index, one in enumerate(places):
        assert bar.rect().contains(one)
        for other in places[index + 1 :]:
            assert not one.intersects(other)


def test_what_gives_way_in_a_narrow_window(window: Window) -> None:
    window.show_at(1280, 248)
    bar = window.bar
    assert bar.picker.height() == 36
    assert bar.title_area().width() == TITLE_MOST
    window.show_at(1100, 248)
    assert bar.picker.height() == 28
    assert 0 < bar.title_area().width() < TITLE_MOST
    window.show_at(799, 0)
    assert bar.title_area().isEmpty()
    assert not bar.export.isVisible()


def test_beneath_a_system_title_bar_it_is_44_high_and_without_a_title(qtbot: QtBot) -> None:
    window = Window(expanded=False)
    qtbot.addWidget(window)
    window.show_at(1280, 248)
    assert window.bar.height() == 44
    assert window.bar.title_area().isEmpty()


def test_the_sidebars_buttons_stand_here_while_it_is_hidden(window: Window, qtbot: QtBot) -> None:
    window.show_at(1280, 248)
    bar = window.bar
    assert not bar.show_sidebar.isVisible()
    window.show_at(1280, 0)
    bar.set_left_room(90)
    assert bar.show_sidebar.x() == 90
    with qtbot.waitSignal(bar.sidebar_toggled, timeout=1000):
        qtbot.mouseClick(bar.show_sidebar, Qt.MouseButton.LeftButton)
    with qtbot.waitSignal(bar.new_chat, timeout=1000):
        qtbot.mouseClick(bar.new_button, Qt.MouseButton.LeftButton)


@pytest.mark.parametrize("view", [0, MODELS, COMPARE])
def test_once_in_its_place_it_rests(
    window: Window, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, view: int
) -> None:
    window.show_at(1100, 0)
    window.bar.set_view(view)
    qtbot.wait(50)
    place, placed = window.bar._place, []
    monkeypatch.setattr(window.bar, "_place", lambda: (placed.append(view), place()))
    qtbot.wait(100)
    assert placed == []


def test_choosing_a_view_tells_which_and_showing_one_does_not(window: Window, qtbot: QtBot) -> None:
    window.show_at(1280, 248)
    with qtbot.waitSignal(window.bar.view_changed, timeout=1000) as seen:
        qtbot.mouseClick(window.bar.switch.segments()[2], Qt.MouseButton.LeftButton)
    assert seen.args == [2]
    with qtbot.assertNotEmitted(window.bar.view_changed):
        window.bar.set_view(0)
    assert window.bar.switch.current() == 0


def test_export_is_off_until_there_is_something_to_export(window: Window, qtbot: QtBot) -> None:
    window.show_at(1280, 248)
    with qtbot.assertNotEmitted(window.bar.export_requested):
        qtbot.mouseClick(window.bar.export, Qt.MouseButton.LeftButton)
    window.bar.set_export_enabled(True)
    with qtbot.waitSignal(window.bar.export_requested, timeout=1000):
        qtbot.mouseClick(window.bar.export, Qt.MouseButton.LeftButton)


def test_a_longer_model_name_moves_the_picker_and_not_the_switch(
    window: Window, qtbot: QtBot
) -> None:
    window.show_at(1280, 248)
    before = window.bar.picker.x()
    window.bar.picker.set_loading("a-model-with-quite-a-long-name-indeed", 0.2)
    qtbot.waitUntil(lambda: window.bar.picker.x() < before, timeout=1000)
    assert abs(middle_of(window, window.bar.switch) - 640) <= 0.5
