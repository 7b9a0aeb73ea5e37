"""The Compare view by Tab alone: from the top to the bottom, also where the answers came later."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from compared import RUN, benchmark
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app import compare_words
from app.compare_columns import columns
from app.compare_rows import CompareRows
from app.compare_values import Comparison
from app.panels.compare_view import CompareView
from app.widgets.small_switch import SmallSegment

pytestmark = pytest.mark.usefixtures("look")


@pytest.fixture
def view(qtbot: QtBot) -> CompareView:
    made = CompareView()
    qtbot.addWidget(made)
    made.resize(1300, 900)
    made.show()
    return made


def rows(run: Comparison) -> CompareRows:
    return CompareRows(
        columns=columns(run, {}, running=False),
        table=compare_words.rows(run),
        charts=compare_words.charts(run, (benchmark(1), benchmark(2))),
    )


def stops(view: CompareView) -> Iterator[QWidget]:
    """What Tab comes to after the options."""
    last = view.head.options.models
    widget = last.nextInFocusChain()
    while widget is not last:
        if widget.isVisibleTo(view) and widget.focusPolicy() & Qt.FocusPolicy.TabFocus:
            yield widget
        widget = widget.nextInFocusChain()


def test_tab_goes_from_the_answers_to_the_table_and_then_to_the_chart(view: CompareView) -> None:
    two = replace(RUN, columns=RUN.columns[:2], vote=None)
    for run in (two, RUN, benchmark(2)):
        view.set_rows(rows(run))
        found = list(stops(view))
        texts = [each.text for each in view.columns.views.values()]
        segment = next(each for each in found if isinstance(each, SmallSegment))
        places = [found.index(each) for each in (*texts, view.figures.table, segment)]
        assert places == sorted(places)


def test_in_another_order_the_buttons_stay_with_their_answer(view: CompareView) -> None:
    shown = rows(replace(RUN, columns=RUN.columns[:2], vote=None))
    view.set_rows(shown)
    view.set_rows(replace(shown, columns=shown.columns[::-1]))
    found = list(stops(view))
    first, second = view.columns.views.values()
    wanted = [first.text, first.copy_button, first.chat_button, first.vote_button, second.text]
    assert [found.index(each) for each in wanted] == list(range(5))
