"""The Compare view by real clicks and keys: the prompt, its options, the choice of models."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from compare_samples import blind, empty, sample
from PySide6.QtCore import Qt
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from app.panels.compare_choice import CompareChoice
from app.panels.compare_view import CompareView
from app.theme import Theme
from app.widgets.popover import Popover
from engine.api import Sampling

pytestmark = [
    pytest.mark.usefixtures("look"),
    pytest.mark.qt_log_ignore("does not support grabbing the keyboard"),
]
LEFT, SHIFT = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ShiftModifier
RETURN = Qt.Key.Key_Return


@pytest.fixture
def view(compare_view: CompareView) -> Iterator[CompareView]:
    """The view as large as in the pictures, with three models that are done."""
    compare_view.setFocus()
    yield compare_view
    for popup in (*compare_view.findChildren(QMenu), *compare_view.findChildren(Popover)):
        popup.close()


def choice(view: CompareView, model: str) -> CompareChoice:
    """The row of a model in the chooser."""
    rows = view.head.options.chooser.rows
    return next(row for row in rows if row.choice.id == model)


def test_return_runs_and_shift_return_breaks_the_line(qtbot: QtBot, view: CompareView) -> None:
    editor = view.head.prompt.editor
    before = editor.text()
    with qtbot.assertNotEmitted(view.run_requested):
        qtbot.keyClick(editor, RETURN, SHIFT)
    assert editor.text() == before + "\n"
    with qtbot.waitSignal(view.run_requested, timeout=1000):
        qtbot.keyClick(editor, RETURN)


def test_return_confirms_what_an_input_method_composes_and_does_not_run(
    qtbot: QtBot, view: CompareView
) -> None:
    editor = view.head.prompt.editor
    QApplication.sendEvent(editor, QInputMethodEvent("もくせい", []))
    assert not view.head.prompt.run.isEnabled()
    with qtbot.assertNotEmitted(view.run_requested):
        qtbot.keyClick(editor, RETURN)
    QApplication.sendEvent(editor, QInputMethodEvent("", []))
    with qtbot.waitSignal(view.run_requested, timeout=1000):
        qtbot.keyClick(editor, RETURN)


def test_run_and_stop_stand_in_one_place(qtbot: QtBot, view: CompareView) -> None:
    prompt = view.head.prompt
    width = prompt.box.width()
    with qtbot.waitSignal(view.run_requested, timeout=1000):
        qtbot.mouseClick(prompt.run, LEFT)
    view.set_rows(sample("en", running=True))
    assert not prompt.run.isVisible()
    assert prompt.box.width() == width
    with qtbot.waitSignal(view.stop_requested, timeout=1000):
        qtbot.mouseClick(prompt.stop, LEFT)
    with qtbot.waitSignal(view.stop_requested, timeout=1000):
        qtbot.keyClick(prompt.editor, Qt.Key.Key_Escape)
    with qtbot.assertNotEmitted(view.run_requested):
        qtbot.keyClick(prompt.editor, RETURN)


def test_without_a_prompt_or_enough_models_it_does_not_run(qtbot: QtBot, view: CompareView) -> None:
    prompt = view.head.prompt
    view.set_rows(replace(sample("en"), can_run=False))
    assert not prompt.run.isEnabled()
    view.set_rows(sample("en"))
    assert prompt.run.isEnabled()
    prompt.editor.selectAll()
    qtbot.keyClick(prompt.editor, Qt.Key.Key_Space)
    assert not prompt.run.isEnabled()
    with qtbot.assertNotEmitted(view.run_requested):
        qtbot.keyClick(prompt.editor, RETURN)


def test_what_is_typed_is_told_and_rows_that_come_meanwhile_leave_it_alone(
    qtbot: QtBot, view: CompareView
) -> None:
    editor, heard = view.head.prompt.editor, list[str]()
    view.prompt_changed.connect(heard.append)
    qtbot.keyClicks(editor, " x")
    prompt = sample("en").prompt
    assert heard == [prompt + " ", prompt + " x"]
    cursor = editor.textCursor().position()
    view.set_rows(replace(sample("en", running=True), prompt=prompt + " x"))
    assert (editor.text(), editor.textCursor().position()) == (prompt + " x", cursor)
    view.set_rows(replace(sample("en"), prompt="Another"))
    assert editor.text() == "Another"
    assert heard[-1] == prompt + " x"


def test_the_field_grows_to_three_lines_and_the_button_does_not(
    qtbot: QtBot, view: CompareView
) -> None:
    prompt = view.head.prompt
    for count, high in enumerate((40, 62, 84, 84), 1):
        prompt.editor.set_text("\n".join("line" for _ in range(count)))
        qtbot.waitUntil(lambda high=high: prompt.box.height() == high, timeout=1000)
        assert prompt.run.height() == 40
    assert view.head.height() == 93 + 2 * 22


@pytest.mark.parametrize(
    ("name", "typed", "field", "value"),
    [
        ("seed", "7", "seed", 7),
        ("temperature", "1.2", "temperature", 1.2),
        ("length", "300", "max_tokens", 300),
    ],
)
def test_a_number_is_typed_into_the_popover_of_its_button(
    qtbot: QtBot, view: CompareView, name: str, typed: str, field: str, value: float
) -> None:
    options = view.head.options
    button, popover = getattr(options, name), getattr(options, f"{name}_popover")
    qtbot.mouseClick(button, LEFT)
    assert popover.isVisible()
    with qtbot.waitSignal(view.sampling_changed, timeout=1000) as seen:
        qtbot.keyClicks(popover.field, typed)  # all of the old number is chosen
        qtbot.keyClick(popover.field, RETURN)
    assert seen.args == [replace(sample("en").sampling, **{field: value})]
    assert not popover.isVisible()
    assert button.value() == typed
    assert typed in button.accessibleName()


def test_a_number_that_was_typed_counts_when_its_popover_is_closed(
    qtbot: QtBot, view: CompareView
) -> None:
    options = view.head.options
    qtbot.mouseClick(options.seed, LEFT)
    qtbot.keyClicks(options.seed_popover.field, "9")
    with qtbot.waitSignal(view.sampling_changed, timeout=1000) as seen:
        qtbot.keyClick(options.seed_popover, Qt.Key.Key_Escape)
    assert seen.args == [replace(sample("en").sampling, seed=9)]


def test_showing_a_sampling_tells_nothing(qtbot: QtBot, view: CompareView) -> None:
    with qtbot.assertNotEmitted(view.sampling_changed):
        view.set_rows(replace(sample("en"), sampling=Sampling(temperature=0.25, max_tokens=2000)))
    shown = [button.text() for button in view.head.options.buttons if button.isVisible()]
    assert shown == [
        "Seed any", "Temperature 0.25", "Up to 2,000 tokens", "Run one at a time", "Models 3",
    ]  # fmt: skip


def test_turns_and_blindness_are_chosen_from_a_menu(qtbot: QtBot, view: CompareView) -> None:
    options = view.head.options
    qtbot.mouseClick(options.turns, LEFT)
    assert options.menu.isVisible()
    with qtbot.waitSignal(view.interleaved_changed, timeout=1000) as seen:
        options.in_turns.trigger()
    assert seen.args == [True]
    with qtbot.waitSignal(view.blind_changed, timeout=1000) as seen:
        options.blind.trigger()
    assert seen.args == [True]
    assert options.turns.text() == "Run interleaved, blind"
    with qtbot.assertNotEmitted(view.interleaved_changed):
        view.set_rows(blind("en"))
    assert options.turns.text() == "Run one at a time, blind"


def test_models_are_chosen_by_their_boxes_and_anywhere_on_their_rows(
    qtbot: QtBot, view: CompareView
) -> None:
    qtbot.mouseClick(view.head.options.models, LEFT)
    assert view.head.options.chooser.isVisible()
    small, large = choice(view, "mamba-130m-hf"), choice(view, "mamba-1.4b-hf")
    with qtbot.waitSignal(view.choose, timeout=1000) as seen:
        qtbot.mouseClick(large, LEFT)
    assert seen.args == [("mamba-130m-hf", "mamba-790m-hf", "mamba-1.4b-hf", "mamba-2.8b-hf")]
    with qtbot.waitSignal(view.choose, timeout=1000) as seen:
        qtbot.mouseClick(small.box, LEFT)
    assert seen.args == [("mamba-790m-hf", "mamba-1.4b-hf", "mamba-2.8b-hf")]
    large.box.setFocus(Qt.FocusReason.TabFocusReason)
    with qtbot.waitSignal(view.choose, timeout=1000) as seen:
        qtbot.keyClick(large.box, Qt.Key.Key_Space)
    assert seen.args == [("mamba-790m-hf", "mamba-2.8b-hf")]


def test_a_model_that_is_missing_offers_its_download(qtbot: QtBot, view: CompareView) -> None:
    view.head.options.open_chooser()
    missing = choice(view, "mamba-370m-hf")
    assert not missing.box.isVisible()
    with qtbot.waitSignal(view.get_requested, timeout=1000) as seen:
        qtbot.mouseClick(missing.get, LEFT)
    assert seen.args == ["mamba-370m-hf"]
    with qtbot.assertNotEmitted(view.choose):
        qtbot.mouseClick(missing, LEFT)
    with qtbot.assertNotEmitted(view.get_requested):
        qtbot.mouseClick(choice(view, "pythia-2.8b").get, LEFT)  # it does not fit


def test_no_more_than_five_can_be_chosen(qtbot: QtBot, view: CompareView) -> None:
    rows = sample("en")
    six = [replace(rows.choices[0], id=f"m{n}", name=f"M{n}") for n in range(6)]
    view.set_rows(replace(rows, choices=tuple(six), chosen=("m0", "m1", "m2", "m3", "m4")))
    view.head.options.open_chooser()
    with qtbot.assertNotEmitted(view.choose):
        qtbot.mouseClick(choice(view, "m5"), LEFT)
    assert "Five" in view.head.options.chooser.hint.text()
    qtbot.mouseClick(choice(view, "m0"), LEFT)
    with qtbot.waitSignal(view.choose, timeout=1000) as seen:
        qtbot.mouseClick(choice(view, "m5"), LEFT)
    assert seen.args == [("m1", "m2", "m3", "m4", "m5")]


def test_a_model_is_compared_in_another_precision(qtbot: QtBot, view: CompareView) -> None:
    view.head.options.open_chooser()
    row = choice(view, "mamba-2.8b-hf")
    qtbot.mouseClick(row.precision, LEFT)
    with qtbot.waitSignal(view.precision_chosen, timeout=1000) as seen:
        next(a for a in row.precision.menu.actions() if a.text() == "4-bit").trigger()
    assert seen.args == ["mamba-2.8b-hf", "4-bit"]


def test_a_model_with_a_problem_says_so_and_cannot_be_chosen(
    qtbot: QtBot, view: CompareView
) -> None:
    rows = sample("en")
    broken = replace(rows.choices[3], problem="config.json is missing.")
    view.set_rows(replace(rows, choices=(*rows.choices[:3], broken)))
    view.head.options.open_chooser()
    row = choice(view, broken.id)
    assert "config.json is missing." in row.box.accessibleDescription()
    with qtbot.assertNotEmitted(view.choose):
        qtbot.mouseClick(row, LEFT)


def test_before_the_first_run_a_sentence_says_what_to_do(qtbot: QtBot, view: CompareView) -> None:
    view.set_rows(empty("en"))
    page = view.empty
    assert page.sentence.text() == (
        "One prompt, one seed, several sizes. Choose two to five models, write a prompt, press Run."
    )
    assert page.isVisible()
    assert not view.figures.isVisible()
    qtbot.mouseClick(page.button, LEFT)
    assert view.head.options.chooser.isVisible()
    view.set_rows(replace(empty("en"), chosen=("mamba-130m-hf", "mamba-790m-hf")))
    assert not page.button.isVisible()


def test_in_a_narrow_view_with_large_letters_the_options_take_two_rows(
    qtbot: QtBot, view: CompareView, look: Theme
) -> None:
    options = view.head.options
    shown = [button for button in options.buttons if button.isVisible()]
    assert len({button.y() for button in shown}) == 1
    look.set_zoom(1.5)
    view.resize(720, 640)
    qtbot.waitUntil(lambda: len({button.y() for button in shown}) == 2, timeout=1000)
    for button in shown:
        assert options.rect().contains(button.geometry())
