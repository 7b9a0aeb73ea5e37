"""The model picker and its list, driven by real clicks and keys."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QModelIndex, QPoint, Qt
from pytestqt.qtbot import QtBot

from app.panels.picker import ModelPicker
from app.panels.picker_list import NOTE
from app.theme import Theme
from engine.api import ModelInfo

pytestmark = [
    pytest.mark.usefixtures("look"),
    pytest.mark.qt_log_ignore("does not support grabbing the keyboard"),
]

STARTER = ModelInfo(
    name="starter-12m",
    folder=Path("starter-12m"),
    family="mamba",
    chat=True,
    parameters=12_000_000,
    dtype="float16",
    disk_bytes=24_000_000,
    needed_bytes=60_000_000,
    state_bytes=680_000,
)
BASE = replace(STARTER, name="mamba-130m", chat=False, dtype="float32", needed_bytes=400_000_000)
BIG = replace(BASE, name="mamba-2.8b", needed_bytes=11_500_000_000, fit="too_big")
BROKEN = replace(STARTER, name="broken", problem="model.safetensors is incomplete.")


@pytest.fixture
def picker(qtbot: QtBot) -> Iterator[ModelPicker]:
    """A picker that shows starter-12m, with four models to choose from."""
    it = ModelPicker()
    qtbot.addWidget(it)
    it.set_models([STARTER, BASE, BIG, BROKEN])
    it.set_current(STARTER)
    with qtbot.waitActive(it):
        it.show()
        it.activateWindow()
    yield it
    it.list.close()


def rows(picker: ModelPicker) -> list[str]:
    """The names in the list."""
    model = picker.list.view.model()
    names = [str(model.index(r, 0).data()) for r in range(model.rowCount())]
    return [name for name in names if name]


def row(picker: ModelPicker, name: str) -> QModelIndex:
    """The row with this name."""
    model = picker.list.view.model()
    return next(
        model.index(r, 0) for r in range(model.rowCount()) if model.index(r, 0).data() == name
    )


def click_row(qtbot: QtBot, picker: ModelPicker, name: str) -> None:
    """A real click on a row of the open list."""
    where: QPoint = picker.list.view.visualRect(row(picker, name)).center()
    none = Qt.KeyboardModifier.NoModifier
    qtbot.mouseClick(picker.list.view.viewport(), Qt.MouseButton.LeftButton, none, where)


def test_a_click_opens_the_list_with_the_model_in_use_marked(
    qtbot: QtBot, picker: ModelPicker
) -> None:
    qtbot.mouseClick(picker, Qt.MouseButton.LeftButton)
    assert picker.list.isVisible()
    assert picker.list.width() == 336
    assert rows(picker) == [
        "starter-12m",
        "mamba-130m",
        "mamba-2.8b",
        "broken",
        "Unload",
        "Get More Models…",
    ]
    assert picker.list.view.currentIndex().data() == "starter-12m"


def test_a_row_says_what_the_model_is_and_needs(picker: ModelPicker) -> None:
    picker.open_list()
    assert row(picker, "starter-12m").data(NOTE) == "Chat, float16, needs 60 MB"
    assert row(picker, "mamba-2.8b").data(NOTE) == "Base, float32, needs 11.5 GB"
    assert row(picker, "Unload").data(NOTE) == "frees 60 MB"
    spoken = row(picker, "mamba-2.8b").data(Qt.ItemDataRole.AccessibleDescriptionRole)
    assert spoken == "Base, float32, needs 11.5 GB does not fit"


def test_a_click_on_a_row_chooses_the_model_and_closes_the_list(
    qtbot: QtBot, picker: ModelPicker
) -> None:
    picker.open_list()
    with qtbot.waitSignal(picker.model_chosen, timeout=1000) as seen:
        click_row(qtbot, picker, "mamba-130m")
    assert seen.args == ["mamba-130m"]
    assert not picker.list.isVisible()


def test_a_model_that_is_too_big_can_be_chosen_so_that_the_app_can_explain(
    qtbot: QtBot, picker: ModelPicker
) -> None:
    picker.open_list()
    with qtbot.waitSignal(picker.model_chosen, timeout=1000) as seen:
        click_row(qtbot, picker, "mamba-2.8b")
    assert seen.args == ["mamba-2.8b"]


def test_a_model_that_cannot_be_loaded_says_why_and_cannot_be_chosen(
    qtbot: QtBot, picker: ModelPicker
) -> None:
    picker.open_list()
    assert row(picker, "broken").data(NOTE) == BROKEN.problem
    assert row(picker, "broken").data(Qt.ItemDataRole.ToolTipRole) == BROKEN.problem
    with qtbot.assertNotEmitted(picker.model_chosen):
        click_row(qtbot, picker, "broken")
    assert picker.list.isVisible()


def test_typing_filters_and_the_keys_choose(qtbot: QtBot, picker: ModelPicker) -> None:
    picker.open_list()
    field = picker.list.filter
    qtbot.keyClicks(field, "MAMBA")
    assert rows(picker)[:2] == ["mamba-130m", "mamba-2.8b"]
    qtbot.keyClick(field, Qt.Key.Key_Down)
    with qtbot.waitSignal(picker.model_chosen, timeout=1000) as seen:
        qtbot.keyClick(field, Qt.Key.Key_Return)
    assert seen.args == ["mamba-2.8b"]


def test_the_arrows_pass_over_what_cannot_be_chosen(qtbot: QtBot, picker: ModelPicker) -> None:
    picker.open_list()
    field, seen = picker.list.filter, []
    for _ in range(6):
        seen.append(picker.list.view.currentIndex().data())
        qtbot.keyClick(field, Qt.Key.Key_Down)
    assert seen == [
        "starter-12m",
        "mamba-130m",
        "mamba-2.8b",
        "Unload",
        "Get More Models…",
        "Get More Models…",
    ]


def test_esc_clears_the_filter_and_then_closes(qtbot: QtBot, picker: ModelPicker) -> None:
    picker.open_list()
    qtbot.keyClicks(picker.list.filter, "zzz")
    assert rows(picker) == ["Unload", "Get More Models…"]
    qtbot.keyClick(picker.list.filter, Qt.Key.Key_Escape)
    assert picker.list.isVisible()
    assert len(rows(picker)) == 6
    qtbot.keyClick(picker.list.filter, Qt.Key.Key_Escape)
    assert not picker.list.isVisible()


def test_unload_and_more_ask_for_it(qtbot: QtBot, picker: ModelPicker) -> None:
    picker.open_list()
    with qtbot.waitSignal(picker.unload_requested, timeout=1000):
        click_row(qtbot, picker, "Unload")
    picker.open_list()
    with qtbot.waitSignal(picker.more_requested, timeout=1000):
        click_row(qtbot, picker, "Get More Models…")


def test_without_a_model_it_invites_to_choose_one_and_cannot_unload(picker: ModelPicker) -> None:
    picker.set_current(None)
    assert picker.headline() == "Choose a Model"
    assert picker.accessibleName() == "Model: Choose a Model"
    picker.open_list()
    assert "Unload" not in rows(picker)


def test_loading_shows_its_part_never_goes_back_and_can_be_stopped(
    qtbot: QtBot, picker: ModelPicker
) -> None:
    assert not picker.cancel.isVisible()
    picker.set_loading("mamba-130m", 0.5)
    assert picker.headline() == "Loading mamba-130m"
    assert picker.accessibleDescription() == "50 %"
    picker.set_loading("mamba-130m", 0.2)
    assert picker.accessibleDescription() == "50 %"
    with (
        qtbot.assertNotEmitted(picker.clicked),
        qtbot.waitSignal(picker.cancel_requested, timeout=1000),
    ):
        qtbot.mouseClick(picker.cancel, Qt.MouseButton.LeftButton)
    picker.set_loading("mamba-2.8b", 0.1)
    assert picker.accessibleDescription() == "10 %"
    picker.set_loaded()
    assert picker.headline() == "starter-12m"
    assert not picker.cancel.isVisible()


def test_the_bar_moves_ten_times_a_second_at_most_and_ends_at_once(
    picker: ModelPicker,
) -> None:
    seen = set()
    for step in range(1, 101):
        picker.set_loading("mamba-130m", step / 100)
        seen.add(picker.accessibleDescription())
    assert len(seen) < 50
    assert picker.accessibleDescription() == "100 %"


def test_the_bar_is_as_long_as_what_is_loaded(picker: ModelPicker, look: Theme) -> None:
    picker.resize(picker.sizeHint())
    picker.set_loading("mamba-130m", 0.5)
    image = picker.grab().toImage()
    colours = [image.pixelColor(x, 28).name() for x in range(image.width())]
    done, left = (colours.count(look.color(name).name()) for name in ("accent", "track"))
    assert done == pytest.approx(left, abs=6)
    assert done > 40


@pytest.mark.parametrize("name", ["x", "名前" * 60, "a" * 300])
def test_a_name_of_any_length_keeps_the_picker_in_bounds(picker: ModelPicker, name: str) -> None:
    picker.set_current(replace(STARTER, name=name))
    assert 212 <= picker.sizeHint().width() <= 280
    assert picker.sizeHint().height() == 36
    picker.set_compact(True)
    assert 120 <= picker.sizeHint().width() <= 150
    assert picker.sizeHint().height() == 28
