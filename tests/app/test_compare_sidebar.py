"""The sidebar of the Compare view and its part of the toolbar, by real clicks and keys."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from compare_samples import blind, empty, sample
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtWidgets import QApplication, QLineEdit, QMenu, QWidget
from pytestqt.qtbot import QtBot

from app.panels.chat_row import more_area
from app.panels.compare_bar import CompareBar
from app.panels.compare_sidebar import CompareSidebar
from app.panels.toolbar import COMPARE, Toolbar
from app.theme import Theme

pytestmark = [
    pytest.mark.usefixtures("look"),
    pytest.mark.qt_log_ignore("does not support grabbing the keyboard"),
]
LEFT, NONE = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier


@pytest.fixture
def sidebar(qtbot: QtBot) -> Iterator[CompareSidebar]:
    """A sidebar with five comparisons, the newest of them shown."""
    it = CompareSidebar()
    qtbot.addWidget(it)
    it.resize(248, 700)
    it.set_rows(sample("en"))
    with qtbot.waitActive(it):
        it.show()
        it.activateWindow()
    yield it
    for menu in it.findChildren(QMenu):
        menu.close()


def area(sidebar: CompareSidebar, run: str) -> QRect:
    """The row of a comparison, in the list's viewport."""
    return sidebar.view.visualRect(sidebar.view.index_of(run))


def field(sidebar: CompareSidebar) -> QLineEdit:
    """The field over the title that is being typed."""
    return next(f for f in sidebar.view.findChildren(QLineEdit) if f.isVisible())


def test_comparisons_stand_by_date_with_what_they_compared(sidebar: CompareSidebar) -> None:
    model = sidebar.view.model()
    told = [model.index(row, 0).data() for row in range(model.rowCount())]
    assert told[0] == "Today"
    assert told[3:5] == ["Yesterday", "Haiku for a tape recorder"]
    index = sidebar.view.index_of("run-13")
    assert index.data(Qt.ItemDataRole.AccessibleDescriptionRole) == "5 models, 160 tokens"
    assert sidebar.view.current() == "run-14"
    assert area(sidebar, "run-13").height() == 46


def test_a_click_opens_a_comparison_and_showing_one_does_not(
    qtbot: QtBot, sidebar: CompareSidebar
) -> None:
    with qtbot.waitSignal(sidebar.opened, timeout=1000) as seen:
        where = area(sidebar, "run-12").center()
        qtbot.mouseClick(sidebar.view.viewport(), LEFT, NONE, where)
    assert seen.args == ["run-12"]
    with qtbot.assertNotEmitted(sidebar.opened):
        sidebar.set_rows(replace(sample("en"), current="run-11"))
        sidebar.set_rows(replace(sample("en"), current=""))
    assert sidebar.view.current() is None


@pytest.mark.parametrize("by", ["double click", "Return"])
def test_a_title_is_typed_over_in_its_row(qtbot: QtBot, sidebar: CompareSidebar, by: str) -> None:
    if by == "Return":
        sidebar.view.setFocus()
        qtbot.keyClick(sidebar.view, Qt.Key.Key_Return)
    else:
        where = area(sidebar, "run-14").center()
        qtbot.mouseClick(sidebar.view.viewport(), LEFT, NONE, where)
        qtbot.mouseDClick(sidebar.view.viewport(), LEFT, NONE, where)
    editor = field(sidebar)
    assert editor.accessibleName() == "Title of the comparison"
    assert area(sidebar, "run-14").contains(editor.geometry())
    qtbot.keyClicks(editor, "Moons")
    with qtbot.waitSignal(sidebar.renamed, timeout=1000) as seen:
        qtbot.keyClick(editor, Qt.Key.Key_Return)
    assert seen.args == ["run-14", "Moons"]


def test_rows_that_come_while_a_title_is_typed_wait(qtbot: QtBot, sidebar: CompareSidebar) -> None:
    sidebar.view.start_rename("run-14")
    qtbot.keyClicks(field(sidebar), "Moo")
    rows = sample("en")
    sidebar.set_rows(replace(rows, past=rows.past[:2]))
    assert field(sidebar).text() == "Moo"
    qtbot.keyClick(field(sidebar), Qt.Key.Key_Escape)
    assert [chat.id for chat in sidebar.view.chats()] == ["run-14", "run-13"]


def test_a_comparison_is_deleted_by_its_menu_and_by_key(
    qtbot: QtBot, sidebar: CompareSidebar
) -> None:
    where = more_area(area(sidebar, "run-13")).center()
    qtbot.mouseClick(sidebar.view.viewport(), LEFT, NONE, where)
    (menu,) = (m for m in sidebar.view.findChildren(QMenu) if m.isVisible())
    with qtbot.waitSignal(sidebar.removed, timeout=1000) as seen:
        next(a for a in menu.actions() if a.text() == "Delete").trigger()
    assert seen.args == ["run-13"]
    menu.close()
    with qtbot.waitSignal(sidebar.removed, timeout=1000) as seen:
        qtbot.keyClick(sidebar.view, Qt.Key.Key_Delete, Qt.KeyboardModifier.ControlModifier)
    assert seen.args == ["run-14"]


def test_without_comparisons_a_sentence_says_where_they_come_from(
    sidebar: CompareSidebar,
) -> None:
    assert sidebar.empty_text() == ""
    sidebar.set_rows(replace(empty("en"), past=()))
    assert sidebar.empty_text() == "Comparisons appear here once you press Run."


def test_the_note_is_drawn_under_the_title(sidebar: CompareSidebar, look: Theme) -> None:
    QApplication.processEvents()
    image, place = sidebar.grab().toImage(), area(sidebar, "run-13")
    scale = image.devicePixelRatio()
    place.moveTopLeft(sidebar.view.viewport().mapTo(sidebar, place.topLeft()))

    def inked(top: int, bottom: int) -> bool:
        ground = look.color("sidebar")
        xs, ys = range(round(20 * scale), round(120 * scale)), range(top, bottom)
        return any(image.pixelColor(x, round(y * scale)) != ground for x in xs for y in ys)

    assert inked(place.top() + 10, place.top() + 22)
    assert inked(place.top() + 28, place.top() + 38)
    assert not inked(place.top() + 40, place.top() + 46)


def test_the_bar_asks_to_hide_and_for_a_new_chat(qtbot: QtBot, sidebar: CompareSidebar) -> None:
    with qtbot.waitSignal(sidebar.toggle, timeout=1000):
        qtbot.mouseClick(sidebar.bar.hide_button, LEFT)
    with qtbot.waitSignal(sidebar.new_chat, timeout=1000):
        qtbot.mouseClick(sidebar.bar.new_button, LEFT)


@pytest.fixture
def toolbar(qtbot: QtBot) -> Iterator[Toolbar]:
    """A toolbar over the Compare view."""
    window = QWidget()
    qtbot.addWidget(window)
    it = Toolbar(window, expanded=True)
    it.set_title("Compare", "Sun 29 Nov, run 14")
    it.set_view(COMPARE)
    window.resize(1280, 400)
    it.setGeometry(0, 0, 1280, it.bar_height())
    window.show()
    yield it
    it.compare.menu.close()


@pytest.mark.parametrize("kind", ["csv", "json", "markdown", "png"])
def test_what_is_exported_is_chosen_from_a_menu(qtbot: QtBot, toolbar: Toolbar, kind: str) -> None:
    bar = toolbar.compare
    bar.set_rows(sample("en"))
    qtbot.mouseClick(bar.export, LEFT)
    assert bar.menu.isVisible()
    with qtbot.waitSignal(bar.export_requested, timeout=1000) as seen:
        next(a for a in bar.menu.actions() if a.data() == kind).trigger()
    assert seen.args == [kind]


def test_there_is_something_to_export_and_to_begin_anew_once_there_is_a_comparison(
    qtbot: QtBot, toolbar: Toolbar
) -> None:
    bar: CompareBar = toolbar.compare
    bar.set_rows(empty("en"))
    assert not bar.export.isEnabled()
    with qtbot.assertNotEmitted(bar.new_requested):
        qtbot.mouseClick(bar.new_button, LEFT)
    bar.set_rows(sample("en"))
    assert bar.export.isEnabled()
    with qtbot.waitSignal(bar.new_requested, timeout=1000):
        qtbot.mouseClick(bar.new_button, LEFT)
    bar.set_rows(sample("en", running=True))
    assert not bar.new_button.isEnabled()
    bar.set_rows(blind("en"))
    assert not bar.export.isEnabled()
    bar.set_rows(blind("en", voted=True))
    assert bar.export.isEnabled()


@pytest.mark.parametrize("width", [720, 800, 1280])
@pytest.mark.parametrize("zoom", [1.0, 1.5])
def test_in_the_toolbar_the_bar_stands_in_the_place_of_the_picker(
    toolbar: Toolbar, look: Theme, width: int, zoom: float
) -> None:
    look.set_zoom(zoom)
    toolbar.set_sidebar_shown(False)
    toolbar.setGeometry(0, 0, width, toolbar.bar_height())
    assert not toolbar.picker.isVisible()
    assert not toolbar.export.isVisible()
    assert not toolbar.models.isVisible()
    assert not toolbar.new_button.isVisible()  # a new comparison is another thing
    pieces = [toolbar.show_sidebar, toolbar.switch, toolbar.compare]
    places = [piece.geometry() for piece in pieces if piece.isVisible()]
    if not (title := toolbar.title_area()).isEmpty():
        places.append(title)
    for index, one in enumerate(places):
        assert toolbar.rect().contains(one)
        assert not any(one.intersects(other) for other in places[index + 1 :])
    toolbar.set_view(0)
    assert toolbar.picker.isVisible()
    assert toolbar.new_button.isVisible()
    assert not toolbar.compare.isVisible()


def test_the_button_for_the_menu_ends_where_the_menu_does(qtbot: QtBot, toolbar: Toolbar) -> None:
    bar = toolbar.compare
    bar.set_rows(sample("en"))
    qtbot.mouseClick(bar.export, LEFT)
    right = bar.export.mapToGlobal(QPoint(bar.export.width(), 0)).x()
    assert bar.menu.geometry().right() + 1 <= right + 1
