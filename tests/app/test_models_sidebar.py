"""The sidebar of the Models view, driven by real clicks and keys."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QAccessible, QColor
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from app.panels.models_sidebar import ModelsSidebar
from app.panels.models_view import ModelsView
from app.panels.sidebar_row import SidebarRow
from app.screenshot_models import sample
from app.theme import Theme

pytestmark = pytest.mark.usefixtures("look")
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def sidebar(qtbot: QtBot) -> ModelsSidebar:
    """A sidebar of a library with four downloads."""
    it = ModelsSidebar()
    qtbot.addWidget(it)
    it.resize(248, 800)
    it.set_rows(sample("en"))
    it.set_section(0)
    with qtbot.waitActive(it):
        it.show()
        it.activateWindow()
    return it


def chosen(rows: list[SidebarRow]) -> list[str]:
    """The names of the rows that are chosen."""
    return [row.text() for row in rows if row.isChecked()]


def picture(sidebar: ModelsSidebar, row: SidebarRow) -> set[str]:
    """The colours of a row as it is seen."""
    corner = row.mapTo(sidebar, row.rect().topLeft())
    image = sidebar.grab(QRect(corner, row.size())).toImage()
    places = ((x, y) for x in range(image.width()) for y in range(image.height()))
    return {image.pixelColor(x, y).name() for x, y in places}


def test_the_tables_stand_there_with_their_counts(sidebar: ModelsSidebar) -> None:
    assert [(row.text(), row.note()) for row in sidebar.sections] == [
        ("Downloads", "4"),
        ("Installed", "4"),
        ("Catalogue", "7"),
    ]


def test_a_click_tells_which_table_and_showing_one_does_not(
    qtbot: QtBot, sidebar: ModelsSidebar
) -> None:
    with qtbot.waitSignal(sidebar.section_chosen, timeout=1000) as seen:
        qtbot.mouseClick(sidebar.sections[2], LEFT)
    assert seen.args == [2]
    with qtbot.assertNotEmitted(sidebar.section_chosen):
        sidebar.set_section(1)
    assert chosen(sidebar.sections) == ["Installed"]
    sidebar.set_section(-1)
    assert chosen(sidebar.sections) == []


def test_without_downloads_their_row_can_not_be_chosen(
    qtbot: QtBot, sidebar: ModelsSidebar
) -> None:
    sidebar.set_rows(replace(sample("en"), downloads=()))
    assert sidebar.sections[0].note() == ""
    with qtbot.assertNotEmitted(sidebar.section_chosen):
        qtbot.mouseClick(sidebar.sections[0], LEFT)


def test_one_of_four_kinds_is_shown(qtbot: QtBot, sidebar: ModelsSidebar) -> None:
    assert chosen(sidebar.shown) == ["All models"]
    for row, show in zip(sidebar.shown[::-1], ("base", "chat", "fits", "all"), strict=True):
        with qtbot.waitSignal(sidebar.show_changed, timeout=1000) as seen:
            qtbot.mouseClick(row, LEFT)
        assert seen.args == [show]
        assert sidebar.show_choice() == show
        assert chosen(sidebar.shown) == [row.text()]


def test_the_arrows_move_the_choice_within_its_group(qtbot: QtBot, sidebar: ModelsSidebar) -> None:
    sidebar.shown[0].setFocus(Qt.FocusReason.TabFocusReason)
    with qtbot.waitSignal(sidebar.show_changed, timeout=1000) as seen:
        qtbot.keyClick(sidebar.shown[0], Qt.Key.Key_Down)
    assert seen.args == ["fits"]
    assert QApplication.focusWidget() is sidebar.shown[1]
    assert chosen(sidebar.sections) == ["Downloads"]


def test_a_group_is_one_stop_for_tab_and_one_choice_for_a_screen_reader(
    qtbot: QtBot, sidebar: ModelsSidebar
) -> None:
    sidebar.set_section(2)
    sidebar.filter.setFocus(Qt.FocusReason.TabFocusReason)
    stops: list[QWidget | None] = []
    for _ in range(2):
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
        stops.append(QApplication.focusWidget())
    assert stops == [sidebar.sections[2], sidebar.shown[0]]
    spoken = QAccessible.queryAccessibleInterface(sidebar.shown[0])
    assert spoken is not None
    assert spoken.role() == QAccessible.Role.RadioButton
    assert spoken.state().checked


def test_what_is_typed_is_told_and_esc_clears_it(qtbot: QtBot, sidebar: ModelsSidebar) -> None:
    heard: list[str] = []
    sidebar.filter_changed.connect(heard.append)
    qtbot.keyClicks(sidebar.filter, "2.8")
    assert heard == ["2", "2.", "2.8"]
    qtbot.keyClick(sidebar.filter, Qt.Key.Key_Escape)
    assert heard[-1] == ""


def test_the_machine_stands_at_the_bottom_once_it_is_known(sidebar: ModelsSidebar) -> None:
    assert "Used by models 4.7 GB" in sidebar.facts.text()
    assert sidebar.facts.geometry().bottom() == sidebar.height() - 1
    sidebar.set_rows(replace(sample("en"), machine=()))
    assert not sidebar.facts.isVisible()


def test_the_chosen_table_stands_on_the_tint(sidebar: ModelsSidebar, look: Theme) -> None:
    assert look.color("tint").name() in picture(sidebar, sidebar.sections[0])
    assert look.color("tint").name() not in picture(sidebar, sidebar.sections[1])
    marked = picture(sidebar, sidebar.shown[0]) - picture(sidebar, sidebar.shown[1])
    assert any(QColor(name).hue() == look.color("accent").hue() for name in marked)


def test_the_buttons_of_the_bar_ask_to_hide_and_for_a_new_chat(
    qtbot: QtBot, sidebar: ModelsSidebar
) -> None:
    with qtbot.waitSignal(sidebar.toggle, timeout=1000):
        qtbot.mouseClick(sidebar.bar.hide_button, LEFT)
    with qtbot.waitSignal(sidebar.new_chat, timeout=1000):
        qtbot.mouseClick(sidebar.bar.new_button, LEFT)


def test_rows_grow_with_the_text(sidebar: ModelsSidebar, look: Theme) -> None:
    look.set_zoom(1.5)
    assert sidebar.sections[0].height() == 45
    assert sidebar.facts.height() > 5 * 27


def test_the_sidebar_and_the_view_drive_each_other(qtbot: QtBot, sidebar: ModelsSidebar) -> None:
    view = ModelsView()
    qtbot.addWidget(view)
    view.resize(1032, 300)
    view.section_changed.connect(sidebar.set_section)
    sidebar.section_chosen.connect(view.scroll_to)
    sidebar.filter_changed.connect(lambda text: view.set_filter(text, sidebar.show_choice()))
    view.set_rows(sample("en"))
    view.show()
    qtbot.mouseClick(sidebar.sections[1], LEFT)
    assert view.table.verticalScrollBar().value() == view.table.sections["installed"].y()
    view.table.verticalScrollBar().setValue(0)
    assert chosen(sidebar.sections) == ["Downloads"]
    qtbot.keyClicks(sidebar.filter, "starter")
    assert [r.row.name for r in view.table.rows()] == ["starter-12m", "starter-3m"]
    assert chosen(sidebar.sections) == ["Installed"]
