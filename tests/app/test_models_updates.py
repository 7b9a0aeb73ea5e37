"""The Models view while downloads move: what stays in place, what is drawn anew, what is kept."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QObject, QPoint, Qt
from PySide6.QtWidgets import QApplication, QMenu, QWidget
from pytestqt.qtbot import QtBot

from app.library_rows import DownloadRow, LibraryRows
from app.panels.models_section import RowView
from app.panels.models_view import ModelsView
from app.panels.row_menu import RowMenu
from app.screenshot_models import sample

pytestmark = [
    pytest.mark.usefixtures("look"),
    pytest.mark.qt_log_ignore("does not support grabbing the keyboard"),
]
TAB = Qt.FocusReason.TabFocusReason


class Painted(QObject):
    """Counts how often widgets are painted."""

    def __init__(self, widgets: list[RowView]) -> None:
        super().__init__()
        self.seen: list[QObject] = []
        for widget in widgets:
            widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        """Take note."""
        if event.type() == QEvent.Type.Paint:
            self.seen.append(watched)
        return False


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
    for popup in it.findChildren(QMenu):
        popup.close()


def moved(rows: LibraryRows, at: int, **news: object) -> LibraryRows:
    """The rows with one download changed."""
    downloads = list(rows.downloads)
    downloads[at] = replace(downloads[at], **news)  # type: ignore[arg-type]
    return replace(rows, downloads=tuple(downloads))


def without(rows: LibraryRows, at: int) -> LibraryRows:
    """The rows with one download done."""
    return replace(rows, downloads=rows.downloads[:at] + rows.downloads[at + 1 :])


def focused(view: ModelsView) -> QWidget:
    """What has the focus."""
    widget = QApplication.focusWidget()
    assert widget is not None
    return widget


def test_a_step_of_a_download_draws_its_row_and_no_other(view: ModelsView) -> None:
    painted = Painted(view.table.rows())
    QCoreApplication.processEvents()
    painted.seen.clear()
    view.set_rows(moved(sample("en"), 0, fraction=0.5, text="1.60 of 3.17 GB"))
    QCoreApplication.processEvents()
    assert set(painted.seen) == {view.table.rows()[0]}


def test_the_same_rows_again_draw_nothing(view: ModelsView) -> None:
    painted = Painted(view.table.rows())
    QCoreApplication.processEvents()
    painted.seen.clear()
    view.set_rows(sample("en"))
    QCoreApplication.processEvents()
    assert painted.seen == []


def test_a_step_keeps_every_row_the_scroll_and_the_focus(view: ModelsView) -> None:
    before = view.table.rows()
    before[6].setFocus(TAB)
    view.table.verticalScrollBar().setValue(120)
    view.set_rows(moved(sample("en"), 0, fraction=0.5))
    assert view.table.rows() == before
    assert view.table.verticalScrollBar().value() == 120
    assert focused(view) is before[6]
    assert before[6].keyboard


def test_a_step_leaves_an_open_menu_open(qtbot: QtBot, view: ModelsView) -> None:
    row = view.table.rows()[4]
    row.menu_wanted.emit(row.mapToGlobal(QPoint(60, 16)))
    (menu,) = view.findChildren(RowMenu)
    view.set_rows(moved(sample("en"), 0, fraction=0.5))
    assert menu.isVisible()
    assert row.marked


def test_a_row_that_goes_takes_its_open_menu_along(qtbot: QtBot, view: ModelsView) -> None:
    row = view.table.rows()[4]
    row.menu_wanted.emit(row.mapToGlobal(QPoint(60, 16)))
    view.set_rows(replace(sample("en"), installed=()))
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    assert view.findChildren(RowMenu) == []


def test_a_new_download_above_does_not_move_what_is_being_looked_at(view: ModelsView) -> None:
    view.table.verticalScrollBar().setValue(150)
    row = view.table.rows()[8]
    at = row.mapTo(view, QPoint(0, 0))
    new = DownloadRow(id="a/b", name="b", owner="a", text="Starting")
    rows = sample("en")
    view.set_rows(replace(rows, downloads=(new, *rows.downloads)))
    assert row.mapTo(view, QPoint(0, 0)) == at


def test_at_the_top_a_new_download_is_seen(view: ModelsView) -> None:
    view.set_rows(replace(sample("en"), downloads=()))
    view.set_rows(sample("en"))
    assert view.table.verticalScrollBar().value() == 0
    assert view.table.rows()[0].visibleRegion().boundingRect() == view.table.rows()[0].rect()


def test_the_focus_goes_to_what_comes_in_the_place_of_a_row_that_went(view: ModelsView) -> None:
    rows = view.table.rows()
    rows[1].setFocus(TAB)
    view.set_rows(without(sample("en"), 1))
    assert focused(view) is rows[2]
    view.set_rows(replace(sample("en"), downloads=(), installed=(), catalogue=()))
    assert view.table.current is None


def test_after_pause_its_counterpart_is_at_hand_and_never_the_cross(view: ModelsView) -> None:
    row = view.table.rows()[0]
    row.setFocus(TAB)
    pause = row.findChildren(QWidget)[0]
    pause.setFocus(TAB)
    view.set_rows(moved(sample("en"), 0, wishes=("resume", "cancel")))
    assert focused(view).property("wish") == "resume"
    view.set_rows(moved(sample("en"), 0, wishes=("cancel",)))
    assert focused(view) is row


def test_a_model_that_begins_to_load_keeps_the_focus_in_its_row(view: ModelsView) -> None:
    row = view.table.rows()[5]
    row.setFocus(TAB)
    row.findChildren(QWidget)[-1].setFocus(TAB)
    rows = sample("en")
    loading = replace(rows.installed[1], deed="loading")
    view.set_rows(replace(rows, installed=(rows.installed[0], loading, *rows.installed[2:])))
    assert focused(view) is row


def test_without_downloads_there_is_no_table_of_them(view: ModelsView) -> None:
    view.set_rows(replace(sample("en"), downloads=()))
    assert view.table.sections["downloads"].isHidden()
    assert view.table.sections["installed"].y() == 0


def test_what_was_found_stands_between_downloads_and_installed(view: ModelsView) -> None:
    assert view.table.sections["found"].isHidden()
    rows = sample("en", troubles=True)
    view.set_rows(rows)
    tops = [section.y() for section in view.table.sections.values()]
    assert tops == sorted(tops)
    view.set_rows(replace(rows, found=(), search_note="Searching…"))
    assert view.table.sections["found"].isVisible()
    assert view.table.sections["found"].note() == "Searching…"


def test_the_section_at_the_top_is_told_as_one_scrolls(qtbot: QtBot, view: ModelsView) -> None:
    heard: list[int] = []
    view.section_changed.connect(heard.append)
    bar = view.table.verticalScrollBar()
    bar.setValue(view.table.sections["installed"].y())
    bar.setValue(0)
    assert heard == [1, 0]


def test_a_chosen_section_is_the_current_one_even_where_all_is_in_view(view: ModelsView) -> None:
    view.resize(1032, 1200)
    heard: list[int] = []
    view.section_changed.connect(heard.append)
    view.scroll_to(2)
    view.set_rows(moved(sample("en"), 0, fraction=0.5))
    assert heard == [2]


@pytest.mark.parametrize(
    ("text", "show", "names"),
    [
        ("130M", "all", {"mamba-130m-hf"}),
        ("comes with", "all", {"starter-12m", "starter-3m"}),
        ("falcon", "fits", {"Falcon3-Mamba-7B-Instruct"}),
        ("", "chat", {"Falcon3-Mamba-7B-Instruct", "starter-12m", "starter-3m"}),
    ],
)
def test_the_filter_shows_only_what_matches(
    view: ModelsView, text: str, show: str, names: set[str]
) -> None:
    view.set_filter(text, show)  # type: ignore[arg-type]
    downloads = view.table.sections["downloads"].rows.values()
    assert {row.row.name for row in view.table.rows() if row not in downloads} == names


def test_base_models_are_all_that_do_not_chat(view: ModelsView) -> None:
    view.set_filter("", "base")
    shown = view.table.sections["catalogue"].rows
    assert [row.row.name for row in shown.values()] == [
        f"mamba-{size}-hf" for size in ("130m", "370m", "790m", "1.4b", "2.8b")
    ]


def test_where_nothing_matches_a_sentence_says_so(view: ModelsView) -> None:
    view.set_filter("zebra", "all")
    assert view.table.rows() == []
    assert view.table.nothing() == "No models match"
    view.set_filter("", "all")
    assert view.table.nothing() == ""
    assert len(view.table.rows()) == 15
