"""The Models view, driven by real clicks: what each piece asks for, and the popups."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QEnterEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QWidget
from pytestqt.qtbot import QtBot

from app.library_rows import Wish
from app.panels.download_row import DownloadRowView
from app.panels.model_row import ModelRowView
from app.panels.models_view import ModelsView
from app.panels.row_menu import RowMenu, TrashSheet
from app.screenshot_models import sample
from app.theme import Theme

pytestmark = [
    pytest.mark.usefixtures("look"),
    pytest.mark.qt_log_ignore("does not support grabbing the keyboard"),
]
LEFT, RIGHT = Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton
NONE = Qt.KeyboardModifier.NoModifier
NAME = QPoint(60, 16)  # on the name of a row


@pytest.fixture
def view(qtbot: QtBot) -> Iterator[ModelsView]:
    """The view as large as in the pictures, with every state that a row can be in."""
    it = ModelsView()
    qtbot.addWidget(it)
    it.resize(1032, 900)
    it.set_rows(sample("en", troubles=True))
    with qtbot.waitActive(it):
        it.show()
        it.activateWindow()
    yield it
    it.card.close()
    for popup in (*it.findChildren(QMenu), *it.findChildren(TrashSheet)):
        popup.close()


def model(view: ModelsView, name: str, section: str = "installed") -> ModelRowView:
    """The row of a model."""
    rows = view.table.sections[section].rows.values()
    return next(r for r in rows if isinstance(r, ModelRowView) and r.row.name == name)


def download(view: ModelsView, name: str) -> DownloadRowView:
    """The row of a download."""
    rows = view.table.sections["downloads"].rows.values()
    return next(r for r in rows if isinstance(r, DownloadRowView) and r.row.name == name)


def hover(widget: QWidget) -> None:
    """The pointer comes over it."""
    at = QPointF(5, 5)
    QApplication.sendEvent(widget, QEnterEvent(at, at, at))


@pytest.mark.parametrize(
    ("name", "wish"),
    [
        ("mamba-790m-hf", "pause"),
        ("mamba-790m-hf", "cancel"),
        ("mamba-1.4b-hf", "resume"),
        ("mamba-2.8b-ultrachat-hf", "retry"),
        ("falcon-mamba-7b-instruct", "page"),
    ],
)
def test_each_button_of_a_download_asks_for_its_wish(
    qtbot: QtBot, view: ModelsView, name: str, wish: Wish
) -> None:
    row = download(view, name)
    button = row.wishes[wish]
    with qtbot.waitSignal(getattr(view, f"{wish}_requested"), timeout=1000) as seen:
        qtbot.mouseClick(button, LEFT)
    assert seen.args == [row.row.id]
    assert row.row.name in button.accessibleName()


def test_a_gated_download_leads_to_the_settings(qtbot: QtBot, view: ModelsView) -> None:
    with qtbot.waitSignal(view.settings_requested, timeout=1000):
        qtbot.mouseClick(download(view, "falcon-mamba-7b-instruct").wishes["settings"], LEFT)


def test_load_and_get_tell_which_model(qtbot: QtBot, view: ModelsView) -> None:
    starter = model(view, "starter-3m")
    with qtbot.waitSignal(view.load_requested, timeout=1000) as seen:
        qtbot.mouseClick(starter.deed, LEFT)
    assert seen.args == [starter.id]
    big = model(view, "mamba-2.8b-hf", "catalogue")
    with qtbot.waitSignal(view.get_requested, timeout=1000) as seen:
        qtbot.mouseClick(big.deed, LEFT)
    assert seen.args == [big.id]


def test_what_does_not_fit_cannot_be_got(qtbot: QtBot, view: ModelsView) -> None:
    rows = view.table.sections["catalogue"].rows.values()
    whole = next(r for r in rows if isinstance(r, ModelRowView) and r.row.fit == "too_big")
    with qtbot.assertNotEmitted(view.get_requested):
        qtbot.mouseClick(whole.deed, LEFT)


def test_the_loaded_model_offers_to_unload_only_under_the_pointer(
    qtbot: QtBot, view: ModelsView
) -> None:
    loaded = model(view, "Falcon3-Mamba-7B-Instruct")
    assert not loaded.deed.isVisible()
    hover(loaded)
    assert loaded.deed.text() == "Unload"
    with qtbot.waitSignal(view.unload_requested, timeout=1000) as seen:
        qtbot.mouseClick(loaded.deed, LEFT)
    assert seen.args == [loaded.id]


def test_a_click_on_a_row_opens_its_card_and_esc_closes_it(qtbot: QtBot, view: ModelsView) -> None:
    row = model(view, "mamba-130m-hf")
    qtbot.mouseClick(row, LEFT, NONE, NAME)
    assert view.card.isVisible()
    assert view.card.title.text() == "mamba-130m-hf"
    assert view.card.facts() == list(row.row.card.facts)
    assert row.marked
    qtbot.keyClick(view.card, Qt.Key.Key_Escape)
    assert not view.card.isVisible()
    assert not row.marked


def test_the_card_leads_to_the_models_page(qtbot: QtBot, view: ModelsView) -> None:
    row = model(view, "mamba-130m-hf")
    qtbot.mouseClick(row, LEFT, NONE, NAME)
    with qtbot.waitSignal(view.page_requested, timeout=1000) as seen:
        qtbot.mouseClick(view.card.page, LEFT)
    assert seen.args == [row.row.card.link]
    assert not view.card.isVisible()


def test_a_card_tells_the_whole_problem_and_without_a_page_offers_none(
    qtbot: QtBot, view: ModelsView
) -> None:
    row = model(view, "mamba-2.8b-hf")
    row.set_row(replace(row.row, card=replace(row.row.card, link="")))
    qtbot.mouseClick(row, LEFT, NONE, NAME)
    assert view.card.problem.text() == row.row.problem
    assert not view.card.page.isVisible()


def test_an_open_card_takes_what_is_new_and_closes_when_its_model_goes(
    qtbot: QtBot, view: ModelsView
) -> None:
    row, rows = model(view, "mamba-130m-hf"), sample("en", troubles=True)
    qtbot.mouseClick(row, LEFT, NONE, NAME)
    new = replace(row.row, card=replace(row.row.card, facts=(("Files", "1.10 GB"),)))
    kept = [new if old.id == row.id else old for old in rows.installed]
    view.set_rows(replace(rows, installed=tuple(kept)))
    assert view.card.isVisible()
    assert view.card.facts() == [("Files", "1.10 GB")]
    view.set_rows(replace(rows, installed=()))
    assert not view.card.isVisible()


def menu_of(view: ModelsView, row: ModelRowView) -> RowMenu | None:
    """The menu that a right click opens."""
    QTest.mouseClick(row, RIGHT, NONE, NAME)
    at = row.mapToGlobal(NAME)
    row.menu_wanted.emit(at)  # the platform turns a right click into this
    menus = [menu for menu in view.findChildren(RowMenu) if menu.isVisible()]
    return menus[0] if menus else None


def test_the_menu_of_an_installed_model_does_what_it_says(qtbot: QtBot, view: ModelsView) -> None:
    loaded = model(view, "Falcon3-Mamba-7B-Instruct")
    menu = menu_of(view, loaded)
    assert menu is not None
    names = [action.text() for action in menu.actions() if action.text()]
    assert names[0] == "Unload"
    assert names[1] in ("Show in Finder", "Show in Folder")
    assert names[2] == "Move to Trash"
    with qtbot.waitSignal(view.reveal_requested, timeout=1000) as seen:
        next(a for a in menu.actions() if a.text() == names[1]).trigger()
    assert seen.args == [loaded.id]


def test_what_came_with_the_app_cannot_be_moved_to_the_trash(view: ModelsView) -> None:
    menu = menu_of(view, model(view, "starter-12m"))
    assert menu is not None
    enabled = {action.text(): action.isEnabled() for action in menu.actions()}
    assert enabled["Load"]
    assert not enabled["Move to Trash"]


def test_only_installed_models_have_a_menu(view: ModelsView) -> None:
    assert menu_of(view, model(view, "mamba-2.8b-hf", "catalogue")) is None


@pytest.mark.parametrize("button", ["move_button", "cancel"])
def test_the_trash_is_asked_for_only_once_it_was_confirmed(
    qtbot: QtBot, view: ModelsView, button: str
) -> None:
    row = model(view, "Falcon3-Mamba-7B-Instruct")
    heard: list[str] = []
    view.trash_requested.connect(heard.append)
    row.remove()
    (sheet,) = view.findChildren(TrashSheet)
    assert sheet.windowModality() == Qt.WindowModality.WindowModal
    assert sheet.text() == "Move Falcon3-Mamba-7B-Instruct to the Trash?"
    assert sheet.informativeText() == "This frees 4.10 GB. Its chats stay."
    assert heard == []
    qtbot.mouseClick(getattr(sheet, button), LEFT)
    assert heard == ([row.id] if button == "move_button" else [])


def test_an_imported_model_leaves_the_list_without_a_question(
    qtbot: QtBot, view: ModelsView
) -> None:
    mine, *others = sample("en").installed
    view.set_rows(replace(sample("en"), installed=(replace(mine, forgets=True), *others)))
    row = model(view, mine.name)
    menu = menu_of(view, row)
    assert menu is not None
    words = [action.text() for action in menu.actions()]
    assert "Move to Trash" not in words
    with qtbot.waitSignal(view.trash_requested, timeout=1000) as seen:
        menu.actions()[words.index("Remove from List")].trigger()
    menu.close()
    assert seen.args == [row.id]
    with qtbot.waitSignal(view.trash_requested, timeout=1000):
        qtbot.keyClick(row, Qt.Key.Key_Delete)
    assert view.findChildren(TrashSheet) == []


def test_a_model_that_went_meanwhile_is_not_moved_to_the_trash(
    qtbot: QtBot, view: ModelsView
) -> None:
    model(view, "Falcon3-Mamba-7B-Instruct").remove()
    (sheet,) = view.findChildren(TrashSheet)
    view.set_rows(replace(sample("en"), installed=()))
    with qtbot.assertNotEmitted(view.trash_requested):
        qtbot.mouseClick(sheet.move_button, LEFT)


def test_another_precision_is_chosen_from_a_menu(qtbot: QtBot, view: ModelsView) -> None:
    row = model(view, "mamba-130m-hf")
    qtbot.mouseClick(row.precision, LEFT)
    menu = row.precision.menu
    assert menu.isVisible()
    assert [(a.text(), a.isChecked()) for a in menu.actions() if a.isChecked()] == [
        ("bfloat16", True)
    ]
    with qtbot.waitSignal(view.precision_chosen, timeout=1000) as seen:
        next(a for a in menu.actions() if a.text() == "4-bit").trigger()
    assert seen.args == [row.id, "4-bit"]
    assert not model(view, "starter-12m").precision.isVisible()


def test_a_missing_folder_is_told_above_all_with_a_way_out(qtbot: QtBot, view: ModelsView) -> None:
    assert "Archive" in view.banner.sentence()
    with qtbot.waitSignal(view.folder_requested, timeout=1000):
        qtbot.mouseClick(view.banner.button, LEFT)
    view.set_rows(sample("en"))
    assert not view.banner.isVisible()


def test_folders_that_are_dropped_are_told(
    qtbot: QtBot, view: ModelsView, look: Theme, tmp_path: Path
) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(tmp_path)), QUrl("https://example.org/x")])
    copy = Qt.DropAction.CopyAction
    enter = QDragEnterEvent(QPoint(9, 9), copy, data, LEFT, NONE)
    QApplication.sendEvent(view, enter)
    assert enter.isAccepted()
    assert view.grab().toImage().pixelColor(1, 300).name() == look.color("accent").name()
    with qtbot.waitSignal(view.dropped, timeout=1000) as seen:
        QApplication.sendEvent(view, QDropEvent(QPointF(9, 9), copy, data, LEFT, NONE))
    assert seen.args == [[tmp_path]]
    assert view.grab().toImage().pixelColor(1, 300).name() == look.color("content").name()


def test_a_text_is_not_a_folder(view: ModelsView) -> None:
    data = QMimeData()
    data.setText("hello")
    enter = QDragEnterEvent(QPoint(9, 9), Qt.DropAction.CopyAction, data, LEFT, NONE)
    QApplication.sendEvent(view, enter)
    assert not enter.isAccepted()
