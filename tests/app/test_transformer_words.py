"""A Transformer among the Mambas is told as what it is, and its state as one that grows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.main_window import MainWindow
from app.model_rows import installed_row, offer_row
from app.panels.picker import ModelPicker
from app.panels.picker_list import NOTE
from app.panels.strip import Strip
from app.values import LiveFigures, Trace
from engine import library
from engine.api import ModelInfo
from engine.catalogue import catalogue

NEOX = Path(__file__).resolve().parents[1] / "golden" / "neox"
LONG_MS = 60_000


@pytest.fixture
def neox() -> ModelInfo:
    return library.describe(NEOX)


def test_a_transformer_is_told_as_one_wherever_a_model_is_listed(neox: ModelInfo) -> None:
    row = installed_row(neox, None, deed="load", precision="", page="")
    assert (row.kind, row.note) == ("Base", "Transformer")
    assert row.card.about == "A Transformer, for comparison: its state grows with every token."
    assert dict(row.card.facts)["State"] == "1.2 kB for each token"
    (offer,) = [offer for offer in catalogue() if offer.repo == "EleutherAI/pythia-160m"]
    offered = offer_row(offer, None, precision="", word="", page="", note="EleutherAI")
    assert (offered.kind, offered.note) == ("Base", "EleutherAI, Transformer")
    assert "for comparison" in offered.card.about
    mamba = replace(neox, family="mamba", state_bytes=680_000, state_bytes_per_token=0)
    row = installed_row(mamba, None, deed="load", precision="", page="")
    assert (row.note, dict(row.card.facts)["State"]) == ("", "0.68 MB")


@pytest.mark.usefixtures("look")
@pytest.mark.qt_log_ignore("does not support grabbing the keyboard")
def test_the_picker_tells_it_too(qtbot: QtBot, neox: ModelInfo) -> None:
    it = ModelPicker()
    qtbot.addWidget(it)
    it.set_models([neox])
    with qtbot.waitActive(it):
        it.show()
        it.activateWindow()
    it.open_list()
    note = it.list.view.model().index(0, 0).data(NOTE)
    it.list.close()
    assert note.startswith("Transformer, float32, needs ")


@pytest.mark.usefixtures("look")
def test_the_strip_says_whether_the_state_grows(qtbot: QtBot) -> None:
    strip = Strip()
    qtbot.addWidget(strip)
    for grows, label in ((False, "state, constant"), (True, "state, growing")):
        strip.set_final(LiveFigures(state_bytes=5_000_000, state_grows=grows), Trace())
        assert label in [cell.label for cell in strip.cells()]


def test_the_state_that_is_shown_grows_with_the_chat(
    window: MainWindow,
    qtbot: QtBot,
    say: Callable[[MainWindow, str], None],
    answered: Callable[[MainWindow], None],
    neox: ModelInfo,
) -> None:
    window.models.load(NEOX)
    qtbot.waitUntil(lambda: window.toolbar.picker.headline() == "neox", timeout=LONG_MS)
    assert window.page.strip.figures().state_bytes is None
    shown = []
    for message in ("Once upon a time", " there was"):
        say(window, message)
        answered(window)
        figures = window.page.strip.figures()
        assert figures.state_grows
        shown.append(figures.state_bytes)
        assert figures.state_bytes == figures.position * neox.state_bytes_per_token
    assert shown == sorted(set(shown))


def test_a_text_beyond_what_it_reads_is_told_in_a_sentence(
    window: MainWindow, qtbot: QtBot
) -> None:
    window.models.load(NEOX)
    qtbot.waitUntil(lambda: window.toolbar.picker.headline() == "neox", timeout=LONG_MS)
    window.chats.send("a" * 2305)
    qtbot.waitUntil(
        lambda: window.chats.last is not None and window.chats.last.status == "failed",
        timeout=LONG_MS,
    )
    assert window.chats.last is not None
    assert window.chats.last.error.startswith(
        "The text has 2,305 tokens and the model reads at most 2,304;"
    )
