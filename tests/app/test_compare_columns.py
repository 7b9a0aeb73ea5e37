"""The compared answers: their text while it streams, their states, votes and widths."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

import pytest
from compare_samples import blind, sample, states
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication, QTextCursor
from PySide6.QtWidgets import QApplication, QScrollBar
from pytestqt.qtbot import QtBot

from app.compare_rows import Column, CompareRows
from app.panels.compare_column import CompareColumn
from app.panels.compare_view import CompareView
from app.theme import Theme
from app.widgets.focus_ring import FocusRing

pytestmark = [
    pytest.mark.usefixtures("look"),
    pytest.mark.qt_log_ignore("does not support grabbing the keyboard"),
]
LEFT = Qt.MouseButton.LeftButton
LONG = "and the moon was seen again by the telescope. " * 40


@pytest.fixture
def view(qtbot: QtBot) -> CompareView:
    """The view as large as in the pictures; the last of three models writes."""
    it = CompareView()
    qtbot.addWidget(it)
    it.resize(1280, 748)
    it.set_rows(sample("en", running=True))
    with qtbot.waitActive(it):
        it.show()
        it.activateWindow()
    return it


@pytest.fixture
def write(view: CompareView) -> Callable[[str], None]:
    """Adds to the answer that is being written."""

    def add(text: str) -> None:
        rows = sample("en", running=True)
        at = columns(view)[-1].column
        view.set_rows(replace(rows, columns=(*rows.columns[:-1], replace(at, text=at.text + text))))

    return add


def columns(view: CompareView) -> list[CompareColumn]:
    """The columns from left to right."""
    return list(view.columns.views.values())


def with_last(rows: CompareRows, **values: object) -> CompareRows:
    """These rows with other values in the last column."""
    return replace(rows, columns=(*rows.columns[:-1], replace(rows.columns[-1], **values)))  # type: ignore[arg-type]


def bar(view: CompareView) -> QScrollBar:
    """The scroll bar of the last answer."""
    return columns(view)[-1].text.verticalScrollBar()


def test_the_columns_are_equal_and_fill_the_width(view: CompareView) -> None:
    texts = [column.text.view for column in columns(view)]
    assert {text.width() for text in texts} == {370}
    assert [text.mapTo(view, QPoint(0, 0)).x() for text in texts] == [36, 455, 874]
    assert not view.columns.horizontalScrollBar().isVisible()


@pytest.mark.parametrize(("width", "count"), [(720, 3), (1280, 5)])
def test_without_room_for_280_pixels_each_they_scroll_sideways(
    view: CompareView, width: int, count: int
) -> None:
    view.resize(width, 748)
    view.set_rows(sample("en", count))
    QApplication.processEvents()
    assert view.columns.horizontalScrollBar().maximum() > 0
    lefts = [c.text.view.mapTo(view, QPoint(0, 0)).x() for c in columns(view)]
    assert {b - a for a, b in pairwise(lefts)} == {280}


def test_text_is_appended_and_what_is_selected_stays(
    view: CompareView, write: Callable[[str], None]
) -> None:
    text = columns(view)[-1].text.view
    before = text.written()
    document = text.document()
    cursor = text.textCursor()
    cursor.setPosition(0)
    cursor.setPosition(11, QTextCursor.MoveMode.KeepAnchor)
    text.setTextCursor(cursor)
    write(" more.\nAnd more")
    assert text.written() == before + " more.\nAnd more"
    assert text.document() is document
    assert text.textCursor().selectedText() == "three small"
    assert not text.written().startswith(" ")  # the space before the first word


def test_the_end_is_followed_only_by_those_who_are_there(
    view: CompareView, write: Callable[[str], None]
) -> None:
    write(LONG)
    assert bar(view).value() == bar(view).maximum() > 0
    bar(view).setValue(40)
    write(LONG)
    assert bar(view).value() == 40
    bar(view).setValue(bar(view).maximum())
    write(LONG)
    assert bar(view).value() == bar(view).maximum()


def test_an_answer_that_is_done_is_read_from_its_start(view: CompareView) -> None:
    view.set_rows(with_last(sample("en"), text=LONG * 2, id="another"))
    assert bar(view).maximum() > 0
    assert bar(view).value() == 0


def test_the_caret_stands_where_text_is_written(view: CompareView) -> None:
    assert [c.text.view.has_caret() for c in columns(view)] == [False, False, True]
    view.set_rows(sample("en"))
    assert not columns(view)[-1].text.view.has_caret()


def test_another_text_takes_the_place_of_the_old_one(view: CompareView) -> None:
    view.set_rows(with_last(sample("en", running=True), text=" Something else"))
    assert columns(view)[-1].text.view.written() == "Something else"


def test_only_the_column_that_writes_is_touched(
    view: CompareView, write: Callable[[str], None]
) -> None:
    QApplication.processEvents()
    painted: list[str] = []
    for column in columns(view):
        name, plain = column.column.id, column.text.view.paintEvent
        column.text.view.paintEvent = (  # type: ignore[method-assign]
            lambda event, name=name, plain=plain: (painted.append(name), plain(event))[1]
        )
    write(" moons")
    QApplication.processEvents()
    assert set(painted) == {columns(view)[-1].column.id}


def test_each_button_is_there_in_its_state_and_tells_its_column(
    qtbot: QtBot, view: CompareView
) -> None:
    done, _, writing = columns(view)
    assert not writing.copy_button.isVisible()
    assert not done.stop_button.isVisible()
    with qtbot.waitSignal(view.stop_column, timeout=1000) as seen:
        qtbot.mouseClick(writing.stop_button, LEFT)
    assert seen.args == [writing.column.id]
    with qtbot.waitSignal(view.continue_requested, timeout=1000) as seen:
        qtbot.mouseClick(done.chat_button, LEFT)
    assert seen.args == [done.column.id]
    qtbot.mouseClick(done.copy_button, LEFT)
    assert QGuiApplication.clipboard().text() == done.column.text
    assert done.name() in done.copy_button.accessibleName()


def test_tab_goes_from_answer_to_answer_and_its_buttons_with_a_ring(
    qtbot: QtBot, view: CompareView
) -> None:
    first, second, _ = columns(view)
    first.text.setFocus(Qt.FocusReason.TabFocusReason)
    assert [ring.isVisible() for ring in first.findChildren(FocusRing)] == [True]
    stops = []
    for _ in range(3):
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
        stops.append(QApplication.focusWidget())
    assert stops == [first.copy_button, first.chat_button, second.text]


def test_every_state_says_how_it_stands(view: CompareView) -> None:
    view.set_rows(states("en"))
    failed, waiting, loading, _, skipped = columns(view)
    assert failed.status() == "Failed"
    assert failed.text.card.isVisible()
    assert failed.text.card.sentence().startswith("The model ran out of memory")
    assert failed.text.card.y() > failed.text.view.geometry().bottom()
    assert failed.copy_button.isVisible()
    assert not failed.chat_button.isVisible()
    assert waiting.figure() == "–"
    assert loading.accessibleDescription() == "Loading, 62 %"
    assert skipped.status() == "does not fit, skipped"
    assert not skipped.text.view.written()


def test_where_nothing_was_written_the_error_stands_at_the_top(view: CompareView) -> None:
    view.set_rows(with_last(sample("en"), state="failed", status="It is gone.", text=""))
    failed = columns(view)[-1]
    assert failed.text.card.y() == 0
    view.set_rows(sample("en"))
    assert not failed.text.card.isVisible()


def test_a_bar_shows_how_much_is_loaded(view: CompareView, look: Theme) -> None:
    def accents(fraction: float) -> int:
        column = Column(id="x", name="X", short="x", rank=0, state="loading", status="Loading",
                        fraction=fraction)  # fmt: skip
        view.set_rows(replace(sample("en", running=True), columns=(column,)))
        image = columns(view)[0].grab().toImage()
        accent, y = look.color("accent"), round(51 * image.devicePixelRatio())
        return sum(image.pixelColor(x, y) == accent for x in range(image.width()))

    assert 0 < accents(0.25) < accents(0.75)


def test_the_better_answer_is_chosen_once_all_are_done(qtbot: QtBot, view: CompareView) -> None:
    assert not any(c.vote_button.isVisible() for c in columns(view))
    view.set_rows(sample("en"))
    assert all(c.vote_button.isVisible() for c in columns(view))
    with qtbot.waitSignal(view.voted, timeout=1000) as seen:
        qtbot.mouseClick(columns(view)[1].vote_button, LEFT)
    assert seen.args == [columns(view)[1].column.id]
    view.set_rows(with_last(sample("en"), vote=True))
    with qtbot.assertNotEmitted(view.voted):
        qtbot.mouseClick(columns(view)[2].vote_button, LEFT)


def test_one_answer_alone_cannot_be_the_better(view: CompareView) -> None:
    rows = sample("en", 2)
    view.set_rows(with_last(rows, state="failed", status="It is gone."))
    assert not any(c.vote_button.isVisible() for c in columns(view))


def test_blind_names_and_figures_are_hidden_until_a_vote(qtbot: QtBot, view: CompareView) -> None:
    view.set_rows(blind("en"))
    shown = columns(view)
    assert [c.name() for c in shown] == ["A", "B"]
    assert [c.figure() for c in shown] == ["", ""]
    for column in shown:
        assert not column.chat_button.isVisible()
        told = column.accessibleName() + column.copy_button.accessibleName()
        assert "Mamba" not in told
    assert not view.figures.table.isVisible()
    assert not view.figures.chart.isVisible()
    assert view.figures.hidden_note.isVisible()
    with qtbot.waitSignal(view.voted, timeout=1000):
        qtbot.mouseClick(shown[0].vote_button, LEFT)
    view.set_rows(blind("en", voted=True))
    assert [c.name() for c in shown] == ["Mamba 2.8b", "Mamba 130m"]
    assert [c.figure() for c in shown] == ["37.6", "3.4"]
    assert [c.vote_button.isVisible() for c in shown] == [True, False]
    assert view.figures.table.isVisible()


def test_text_and_columns_grow_with_the_zoom(view: CompareView, look: Theme) -> None:
    column = columns(view)[-1]
    before, written = column.text.view.height(), column.text.view.written()
    look.set_zoom(1.5)
    assert column.text.view.written() == written
    assert column.text.view.height() > 1.4 * before
    assert column.text.view.has_caret()
