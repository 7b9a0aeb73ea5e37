"""The Models view by keyboard and for a screen reader."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QApplication, QMenu, QWidget
from pytestqt.qtbot import QtBot

from app.panels.models_section import RowView
from app.panels.models_view import ModelsView
from app.panels.row_menu import RowMenu, TrashSheet
from app.screenshot_models import sample
from app.theme import Theme

pytestmark = [
    pytest.mark.usefixtures("look"),
    pytest.mark.qt_log_ignore("does not support grabbing the keyboard"),
]
KEY, TAB = Qt.Key, Qt.FocusReason.TabFocusReason
SHIFT = Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def view(qtbot: QtBot) -> Iterator[ModelsView]:
    """The view, too low for all of its rows."""
    it = ModelsView()
    qtbot.addWidget(it)
    it.resize(1032, 400)
    it.set_rows(sample("en"))
    with qtbot.waitActive(it):
        it.show()
        it.activateWindow()
    yield it
    it.card.close()
    for popup in (*it.findChildren(QMenu), *it.findChildren(TrashSheet)):
        popup.close()


def reach(view: ModelsView, at: int) -> RowView:
    """A row, with the focus by keys."""
    row = view.table.rows()[at]
    row.setFocus(TAB)
    return row


def focused() -> QWidget:
    """What has the focus."""
    widget = QApplication.focusWidget()
    assert widget is not None
    return widget


def spoken(widget: QWidget) -> tuple[QAccessible.Role, str]:
    """What a screen reader is told: the role and the name."""
    it = QAccessible.queryAccessibleInterface(widget)
    assert it is not None
    return it.role(), it.text(QAccessible.Text.Name)


def test_the_arrows_walk_through_all_tables_and_keep_the_row_in_view(
    qtbot: QtBot, view: ModelsView
) -> None:
    rows = view.table.rows()
    reach(view, 0)
    for row in rows[1:]:
        qtbot.keyClick(focused(), KEY.Key_Down)
        assert focused() is row
        assert row.visibleRegion().boundingRect() == row.rect()
    qtbot.keyClick(focused(), KEY.Key_Down)
    assert focused() is rows[-1]
    qtbot.keyClick(focused(), KEY.Key_Home)
    assert focused() is rows[0]
    assert view.table.verticalScrollBar().value() == 0
    qtbot.keyClick(focused(), KEY.Key_End)
    assert focused() is rows[-1]
    qtbot.keyClick(focused(), KEY.Key_PageUp)
    qtbot.keyClick(focused(), KEY.Key_Up)
    assert 0 < rows.index(view.table.current) < len(rows) - 3  # type: ignore[arg-type]


def test_tab_goes_through_one_row_and_its_buttons_and_on(qtbot: QtBot, view: ModelsView) -> None:
    row = reach(view, 5)
    stops = []
    for _ in range(3):
        qtbot.keyClick(focused(), KEY.Key_Tab)
        stops.append(focused())
    assert [spoken(stop)[1] for stop in stops[:2]] == [
        "Precision of mamba-130m-hf: bfloat16",
        "Load mamba-130m-hf",
    ]
    assert not view.table.isAncestorOf(stops[2]) or stops[2] is row
    row.setFocus(TAB)
    qtbot.keyClick(focused(), KEY.Key_Tab)
    qtbot.keyClick(focused(), KEY.Key_Down)
    assert focused() is view.table.rows()[6]


@pytest.mark.parametrize(("at", "signal"), [(5, "load"), (12, "get"), (0, "pause"), (2, "resume")])
def test_return_does_the_deed_of_the_row(
    qtbot: QtBot, view: ModelsView, at: int, signal: str
) -> None:
    row = reach(view, at)
    with qtbot.waitSignal(getattr(view, f"{signal}_requested"), timeout=1000) as seen:
        qtbot.keyClick(row, KEY.Key_Return)
    assert seen.args == [row.id]
    assert not view.card.isVisible()


@pytest.mark.parametrize(("at", "key"), [(5, KEY.Key_Space), (4, KEY.Key_Return)])
def test_space_and_return_without_a_deed_open_the_card(
    qtbot: QtBot, view: ModelsView, at: int, key: Qt.Key
) -> None:
    row = reach(view, at)
    qtbot.keyClick(row, key)
    assert view.card.title.text() == row.row.name
    qtbot.keyClick(view.card, KEY.Key_Escape)
    assert not view.card.isVisible()


def test_return_never_gives_up_a_download(qtbot: QtBot, view: ModelsView) -> None:
    row = reach(view, 1)  # it is checked, and can only be given up
    with qtbot.assertNotEmitted(view.cancel_requested):
        qtbot.keyClick(row, KEY.Key_Return)


@pytest.mark.parametrize("key", [KEY.Key_Delete, KEY.Key_Backspace])
def test_delete_asks_whether_to_move_to_the_trash(
    qtbot: QtBot, view: ModelsView, key: Qt.Key
) -> None:
    row = reach(view, 5)
    qtbot.keyClick(row, key)
    (sheet,) = view.findChildren(TrashSheet)
    with qtbot.waitSignal(view.trash_requested, timeout=1000) as seen:
        qtbot.keyClick(sheet, KEY.Key_Return)
    assert seen.args == [row.id]


@pytest.mark.parametrize("at", [0, 6, 9])
def test_delete_does_nothing_where_nothing_can_be_moved(
    qtbot: QtBot, view: ModelsView, at: int
) -> None:
    qtbot.keyClick(reach(view, at), KEY.Key_Delete)
    assert view.findChildren(TrashSheet) == []


@pytest.mark.parametrize("by_f10", [False, True])
def test_the_menu_opens_by_key(qtbot: QtBot, view: ModelsView, by_f10: bool) -> None:
    row = reach(view, 5)
    if by_f10:
        qtbot.keyClick(row, KEY.Key_F10, SHIFT)
    else:
        qtbot.keyClick(row, KEY.Key_Menu)
    (menu,) = view.findChildren(RowMenu)
    assert menu.isVisible()
    assert menu.pos().y() >= row.mapToGlobal(QPoint(0, 0)).y()


def test_the_ring_is_for_the_keyboard_alone(qtbot: QtBot, view: ModelsView, look: Theme) -> None:
    def edge(row: RowView) -> str:
        image = row.grab().toImage()
        return image.pixelColor(image.width() // 2, 1).name()

    row, ring = view.table.rows()[5], look.color("ring").name()
    row.setFocus(Qt.FocusReason.MouseFocusReason)
    assert edge(row) != ring
    reach(view, 4)
    qtbot.keyClick(focused(), KEY.Key_Down)
    assert edge(row) == ring
    row.click()
    view.card.close()
    assert edge(row) == ring  # the focus came back as it was


def test_every_row_is_read_as_a_whole(view: ModelsView) -> None:
    rows = view.table.rows()
    assert spoken(rows[0]) == (
        QAccessible.Role.Button,
        "mamba-790m-hf, state-spaces, 1.34 of 3.17 GB, 38.4 MB/s, 48 s left, 42 %",
    )
    assert spoken(rows[4]) == (
        QAccessible.Role.Button,
        "Falcon3-Mamba-7B-Instruct, mlx-community, Chat, Falcon LLM 2.0, 4-bit, "
        "4.10 GB on disk, needs 4.7 GB, fits",
    )
    view.set_rows(sample("en", troubles=True))
    broken = next(row for row in view.table.rows() if "incomplete" in spoken(row)[1])
    assert "fits" not in spoken(broken)[1]


def test_a_heading_is_read_with_the_number_of_downloads(view: ModelsView) -> None:
    heads = [spoken(section.head) for section in view.table.sections.values()]
    assert heads[0] == (QAccessible.Role.StaticText, "Downloads 4")
    assert [name for _, name in heads[2:]] == ["Installed", "Catalogue"]
