"""The toolbar in the Models view: searching the Hub, importing a folder, what gives way."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.panels.models_bar import ModelsBar
from app.panels.toolbar import MODELS, Toolbar
from app.theme import Theme

pytestmark = pytest.mark.usefixtures("look")


@pytest.fixture
def bar(qtbot: QtBot) -> ModelsBar:
    """The bar alone."""
    it = ModelsBar()
    qtbot.addWidget(it)
    it.resize(it.sizeHint())
    with qtbot.waitActive(it):
        it.show()
        it.activateWindow()
    return it


@pytest.fixture
def heard(bar: ModelsBar) -> list[str]:
    """What the bar asked for, in order; "" when the search was cleared."""
    said: list[str] = []
    bar.search_submitted.connect(said.append)
    bar.search_cleared.connect(lambda: said.append(""))
    return said


def test_return_searches_at_once_and_only_once(
    qtbot: QtBot, bar: ModelsBar, heard: list[str]
) -> None:
    qtbot.keyClicks(bar.search, " mamba ")
    qtbot.keyClick(bar.search, Qt.Key.Key_Return)
    assert heard == ["mamba"]
    assert not bar.waits()


def test_a_pause_in_typing_searches_too(qtbot: QtBot, bar: ModelsBar, heard: list[str]) -> None:
    with qtbot.waitSignal(bar.search_submitted, timeout=5000):
        qtbot.keyClicks(bar.search, "mamba2")
    assert heard == ["mamba2"]
    qtbot.keyClicks(bar.search, " ")  # which is no other search
    qtbot.waitUntil(lambda: not bar.waits(), timeout=5000)
    assert heard == ["mamba2"]


def test_esc_clears_the_search_and_nothing_follows(
    qtbot: QtBot, bar: ModelsBar, heard: list[str]
) -> None:
    qtbot.keyClicks(bar.search, "mamba")
    qtbot.keyClick(bar.search, Qt.Key.Key_Escape)
    assert heard == [""]
    assert not bar.waits()
    qtbot.keyClick(bar.search, Qt.Key.Key_Return)
    assert heard == [""]


def test_the_folder_button_asks_to_import(qtbot: QtBot, bar: ModelsBar) -> None:
    assert bar.open_folder.accessibleName() == bar.open_folder.toolTip() == "Import Folder"
    with qtbot.waitSignal(bar.import_requested, timeout=1000):
        qtbot.mouseClick(bar.open_folder, Qt.MouseButton.LeftButton)


class Window(QWidget):
    """A window with a sidebar's room at the left and the toolbar beside it."""

    def __init__(self) -> None:
        super().__init__()
        self.bar = Toolbar(self, expanded=True)
        self.bar.set_title("Models", "4 installed, 4.7 GB")
        self.bar.set_view(MODELS)

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


def test_the_models_bar_stands_where_chat_has_the_picker(window: Window) -> None:
    window.show_at(1280, 248)
    bar = window.bar
    assert bar.models.isVisible()
    assert not bar.picker.isVisible()
    assert not bar.export.isVisible()
    assert bar.models.search.width() == 276
    bar.set_view(0)
    assert not bar.models.isVisible()
    assert bar.picker.isVisible()
    assert bar.export.isVisible()


@pytest.mark.parametrize("zoom", [0.85, 1.0, 1.5])
@pytest.mark.parametrize("width", [720, 760, 900, 1000, 1280])
def test_nothing_overlaps_at_any_width(
    window: Window, look: Theme, width: int, zoom: float
) -> None:
    look.set_zoom(zoom)
    window.show_at(width, 248 if width >= 760 else 0)
    bar = window.bar
    pieces = [bar.show_sidebar, bar.new_button, bar.switch, bar.models]
    places = [p.geometry() for p in pieces if p.isVisible()]
    if (title := bar.title_area()).width() > 0:
        places.append(title)
    for index, one in enumerate(places):
        for other in places[index + 1 :]:
            assert not one.intersects(other)
    assert bar.models.rect().contains(bar.models.search.geometry())
    assert bar.models.rect().contains(bar.models.open_folder.geometry())


def test_the_field_shrinks_before_the_switch_moves(window: Window) -> None:
    window.show_at(840, 248)
    bar = window.bar
    assert bar.models.search.width() < 276
    assert abs(bar.switch.geometry().center().x() + 248 - 420) <= 1
