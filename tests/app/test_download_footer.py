"""What the chats' sidebar tells of the downloads: which one, in which words, in how much room."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from app.download_note import download_note
from app.panels.download_footer import DownloadFooter
from app.panels.sidebar import LEAST_WIDTH, Sidebar
from app.theme import Theme
from engine.api import Download, Phase
from engine.errors import EngineError

pytestmark = pytest.mark.usefixtures("look")


def coming(name: str, phase: Phase, done: int = 42, **more: Any) -> Download:
    """A download of 100 million bytes."""
    return Download(
        repo=f"owner/{name}", phase=phase, done_bytes=done * 10**6, total_bytes=10**8, **more
    )


MOVING = coming("mamba-790m-hf", "moving", seconds_left=48)


@pytest.fixture
def sidebar(qtbot: QtBot) -> Sidebar:
    """The sidebar at its usual width, with nothing coming down."""
    it = Sidebar()
    qtbot.addWidget(it)
    it.resize(248, 600)
    with qtbot.waitActive(it):
        it.show()
        it.activateWindow()
    return it


def tell(sidebar: Sidebar, *downloads: Download) -> DownloadFooter:
    """The sidebar's footer while these are coming down."""
    sidebar.downloads.set_note(download_note(downloads))
    return sidebar.downloads


def test_it_is_there_only_while_something_is_coming_down(sidebar: Sidebar) -> None:
    assert not sidebar.downloads.isVisible()
    footer = tell(sidebar, MOVING)
    assert footer.isVisible()
    assert footer.mapTo(sidebar, footer.rect().bottomLeft()).y() == sidebar.height() - 1
    assert not tell(sidebar).isVisible()


@pytest.mark.parametrize(
    ("download", "words"),
    [
        (MOVING, "42 %, 48 s left"),
        (coming("a", "moving"), "42 %"),
        (coming("a", "checking", 100), "Checking"),
        (coming("a", "waiting"), "Waiting"),
        (coming("a", "paused"), "Paused"),
        (coming("a", "offline"), "No network"),
        (coming("a", "retrying"), "Trying again"),
        (coming("a", "failed", error=EngineError("bad_token", host="h")), "Failed"),
    ],
)
def test_it_says_how_far_it_is_or_why_it_stands(
    sidebar: Sidebar, download: Download, words: str
) -> None:
    assert tell(sidebar, download).shown_text() == words


def test_of_several_the_one_that_moves_is_told_of(sidebar: Sidebar) -> None:
    failed = coming("b", "failed", error=EngineError("bad_token", host="h"))
    footer = tell(sidebar, coming("a", "paused"), failed, MOVING, coming("c", "waiting"))
    assert footer.note is not None
    assert (footer.note.name, footer.note.more) == ("mamba-790m-hf", 3)
    assert footer.accessibleName() == "Download: mamba-790m-hf and 3 more"
    assert footer.accessibleDescription() == "42 %, 48 s left"
    footer = tell(sidebar, coming("a", "paused"), failed)
    assert footer.accessibleName() == "Download: b and 1 more"


def test_the_bar_is_as_long_as_the_share_that_is_here(sidebar: Sidebar, look: Theme) -> None:
    footer = tell(sidebar, MOVING)
    image = footer.grab().toImage()
    accent = look.color("accent").name()
    line = [image.pixelColor(x, 35).name() == accent for x in range(image.width())]
    room = image.width() - 40
    assert abs(sum(line) - 0.42 * room) < 4
    assert line.index(True) in (20, 21)  # its end is round


@pytest.mark.parametrize("zoom", [0.85, 1.0, 1.5])
def test_where_the_name_has_no_room_the_time_gives_way(
    sidebar: Sidebar, look: Theme, zoom: float
) -> None:
    look.set_zoom(zoom)
    sidebar.resize(LEAST_WIDTH, 600)
    name = "Falcon3-Mamba-7B-Instruct"
    footer = tell(sidebar, coming(name, "moving", seconds_left=8000), coming("a", "waiting"))
    assert footer.shown_text() == "42 %"
    assert footer.toolTip() == f"{name} +1\n42 %, 2 h 13 min left"


def test_a_click_and_return_ask_for_all_of_them(qtbot: QtBot, sidebar: Sidebar) -> None:
    footer = tell(sidebar, MOVING)
    with qtbot.waitSignal(sidebar.downloads_wanted, timeout=1000):
        qtbot.mouseClick(footer, Qt.MouseButton.LeftButton)
    sidebar.view.setFocus()
    qtbot.keyClick(sidebar.view, Qt.Key.Key_Tab)
    assert footer.hasFocus()
    with qtbot.waitSignal(sidebar.downloads_wanted, timeout=1000):
        qtbot.keyClick(footer, Qt.Key.Key_Return)
