"""The strip: what it shows, how often it changes, what gives way."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QTimer
from pytestqt.qtbot import QtBot

from app.panels.strip import INTERVAL_MS, Strip
from app.theme import Theme
from app.values import LiveFigures, Trace

pytestmark = pytest.mark.usefixtures("look")

FIGURES = LiveFigures(
    ms_per_token=29.6,
    tokens_per_s=33.8,
    ttft_ms=30.0,
    position=4506,
    state_bytes=39_800_000,
    backend="Metal",
    device="M2 Pro, 16 GB",
)


@pytest.fixture
def strip(qtbot: QtBot) -> Strip:
    """A strip as wide as the pictures'."""
    it = Strip()
    qtbot.addWidget(it)
    it.resize(1032, 66)
    it.show()
    return it


def shown(strip: Strip) -> list[tuple[str, str]]:
    """The cells as (value with unit, label)."""
    return [(f"{cell.value}{cell.unit}", cell.label) for cell in strip.cells()]


def test_the_cells_show_the_figures_with_their_units(strip: Strip) -> None:
    strip.set_final(FIGURES, Trace())
    assert shown(strip) == [
        ("33.8", "tokens/s"),
        ("0.03 s", "first token"),
        ("4,506", "tokens"),
        ("39.8 MB", "state, constant"),
        ("Metal", "M2 Pro, 16 GB"),
    ]
    assert strip.accessibleDescription().startswith("29.6 ms/token, 33.8 tokens/s")


def test_what_was_not_measured_is_a_dash_and_never_0(strip: Strip) -> None:
    strip.set_final(LiveFigures(), Trace())
    assert shown(strip)[:2] == [("–", "tokens/s"), ("–", "first token")]
    assert shown(strip)[3] == ("–", "state, constant")
    assert strip.accessibleDescription().startswith("– ms/token")


def test_while_reading_the_labels_say_so(strip: Strip) -> None:
    reading = LiveFigures(ms_per_token=4.0, tokens_per_s=248, position=1240, reading=True)
    strip.set_final(reading, Trace(read=((0, 1240),), end=4310))
    assert shown(strip)[0] == ("248", "tokens/s, reading")


def test_clearing_leaves_the_machine(strip: Strip) -> None:
    strip.set_final(FIGURES, Trace())
    strip.clear()
    assert strip.figures() == LiveFigures(backend="Metal", device="M2 Pro, 16 GB")


@pytest.mark.parametrize(
    ("width", "labels"),
    [
        (900, ["tokens/s", "first token", "tokens", "state, constant", "M2 Pro, 16 GB"]),
        (899, ["tokens/s", "first token", "tokens", "state, constant"]),
        (800, ["tokens/s", "first token", "state, constant"]),
        (720, ["tokens/s", "state, constant"]),
    ],
)
def test_a_narrow_strip_drops_the_machine_then_the_tokens_then_the_first_token(
    strip: Strip, width: int, labels: list[str]
) -> None:
    strip.set_final(FIGURES, Trace())
    strip.resize(width, 66)
    assert [label for _, label in shown(strip)] == labels


def test_live_figures_change_four_times_a_second_at_most(strip: Strip, qtbot: QtBot) -> None:
    changes: list[int] = []
    real = strip.setAccessibleDescription

    def counted(text: str) -> None:
        changes.append(strip.figures().position)
        real(text)

    strip.setAccessibleDescription = counted  # type: ignore[method-assign]
    for position in range(1, 1001):
        strip.set_live(LiveFigures(position=position), Trace())
    assert changes == [1]
    assert INTERVAL_MS == 250
    qtbot.waitUntil(lambda: len(changes) == 2, timeout=5000)
    assert changes == [1, 1000]


def test_final_figures_are_shown_at_once_and_nothing_old_comes_after(strip: Strip) -> None:
    strip.set_live(LiveFigures(position=1), Trace())
    strip.set_live(LiveFigures(position=2), Trace())
    (timer,) = strip.findChildren(QTimer)
    assert timer.isActive()
    strip.set_final(FIGURES, Trace())
    assert strip.figures() == FIGURES
    assert not timer.isActive()
    strip.set_live(LiveFigures(position=3), Trace())
    timer.timeout.emit()
    assert strip.figures().position == 3


def test_it_is_66_high_and_grows_with_the_text(strip: Strip, look: Theme) -> None:
    assert strip.height() == 66
    look.set_zoom(1.5)
    assert strip.height() == 99
