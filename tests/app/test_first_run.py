"""The page before the first message."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.panels.first_run import BASE_PROMPTS, CHAT_PROMPTS
from app.panels.transcript import Transcript
from app.values import MessageRow
from engine.api import ModelInfo

HERE = "Mac" if sys.platform == "darwin" else "computer"


def model(name: str, *, chat: bool = True, bundled: bool = False) -> ModelInfo:
    return ModelInfo(
        name=name,
        folder=Path(),
        family="mamba",
        chat=chat,
        parameters=1,
        dtype="float16",
        disk_bytes=1,
        needed_bytes=1,
        state_bytes=1,
        place="bundled" if bundled else "own",
    )


def prompts(transcript: Transcript) -> list[str]:
    return [row.text() for row in transcript.first_run.rows() if row.isVisible()]


def test_it_says_what_came_with_the_app_and_what_that_is(transcript: Transcript) -> None:
    transcript.show_first_run(model("starter-12m", bundled=True))
    page = transcript.first_run
    assert page.isVisible()
    assert page.headline() == f"Ready. Everything stays on this {HERE}."
    assert page.text() == (
        "The model that came with the app, starter-12m, is loaded and needs no network. It is "
        "tiny: good for small talk and short stories, and often wrong about facts."
    )
    assert prompts(transcript) == list(CHAT_PROMPTS)


def test_a_base_model_is_called_one_and_gets_texts_to_continue(transcript: Transcript) -> None:
    transcript.show_first_run(model("mamba-130m-hf", chat=False))
    assert transcript.first_run.text() == (
        "mamba-130m-hf is loaded and needs no network.\n"
        "A base model: it continues your text and does not answer questions."
    )
    assert prompts(transcript) == list(BASE_PROMPTS)


def test_without_a_model_there_is_nothing_to_try(transcript: Transcript) -> None:
    transcript.show_first_run(None)
    assert transcript.first_run.headline() == "Choose a model to start"
    assert prompts(transcript) == []


def test_while_a_model_is_loaded_it_says_so(transcript: Transcript) -> None:
    transcript.show_first_run(None, loading="starter-12m")
    assert transcript.first_run.headline() == "Loading starter-12m"
    transcript.show_first_run(model("starter-12m", bundled=True))
    assert transcript.first_run.headline().startswith("Ready")


def test_a_prompt_is_chosen_with_the_mouse_and_with_the_keyboard(
    qtbot: QtBot, transcript: Transcript
) -> None:
    transcript.show_first_run(model("starter-12m", bundled=True))
    first, second, _ = transcript.first_run.rows()
    with qtbot.waitSignal(transcript.prompt_chosen) as chosen:
        QTest.mouseClick(first, Qt.MouseButton.LeftButton)
    assert chosen.args == [CHAT_PROMPTS[0]]
    second.setFocus(Qt.FocusReason.TabFocusReason)
    with qtbot.waitSignal(transcript.prompt_chosen) as chosen:
        QTest.keyClick(second, Qt.Key.Key_Return)
    assert chosen.args == [CHAT_PROMPTS[1]]
    assert second.accessibleName() == CHAT_PROMPTS[1]


def test_the_first_message_takes_the_pages_place(transcript: Transcript) -> None:
    transcript.show_first_run(model("starter-12m", bundled=True))
    transcript.add(MessageRow(id="q", role="user", text="Hello"))
    assert not transcript.first_run.isVisible()
    assert transcript.column.isVisible()
    transcript.show_first_run(model("starter-12m", bundled=True))
    assert transcript.first_run.isVisible()
    assert transcript.column.items == []


@pytest.mark.parametrize(("width", "height"), [(1032, 586), (720, 300), (472, 300)])
def test_everything_can_be_reached_at_every_size(
    qtbot: QtBot, transcript: Transcript, width: int, height: int
) -> None:
    transcript.resize(width, height)
    transcript.show_first_run(model("starter-12m", bundled=True))
    page = transcript.first_run
    last = page.rows()[-1]
    assert last.geometry().right() < width - 12
    page.ensureWidgetVisible(last)
    assert last.mapTo(page, QPoint(0, last.height())).y() <= page.height()
