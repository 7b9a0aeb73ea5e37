"""The theme: contrast of its colours, its fonts, light and dark, zoom."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPalette
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from app import mac_display
from app.theme import Theme, theme
from app.theme_tokens import DARK, LIGHT, ROLES, STRONGER, ZOOMS, tokens
from engine import paths

GROUNDS = ["content", "sidebar", "strip", "code", "fill"]
# What each kind of text and mark may stand on, after the look's table of uses.
TEXT_ON = {
    "text": [*GROUNDS, "hover", "pressed", "raised", "raisedHover", "raisedPressed", "tint"],
    "text2": [*GROUNDS, "hover", "tint"],
    "text3": [*GROUNDS, "hover", "tint"],
    "accent": [*GROUNDS, "tint"],
    "onAccent": ["accent", "accentHover", "accentPressed"],
    "warn": ["content", "sidebar", "strip", "tint"],
    "error": ["content", "sidebar", "tint"],
    "string": ["code", "content"],
}
MARK_ON = {
    "accent": [*GROUNDS, "track", "tint"],
    "ring": ["content", "sidebar"],
    "warnMark": ["content", "strip"],
    "errorMark": ["content", "tint"],
    "size1": ["content", "strip"],
    "size2": ["content", "strip"],
    "size3": ["content", "strip"],
    "size4": ["content", "strip"],
    "size5": ["content", "strip"],
    "other": ["content", "strip"],
    "text2": ["raisedHover", "pressed"],
}


def luminance(color: str) -> float:
    """The relative luminance of #RRGGBB, 0 to 1."""
    parts = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    """The contrast ratio of two colours, 1 to 21."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("stronger", [False, True], ids=["plain", "increased"])
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_every_text_can_be_read_on_every_ground_it_may_stand_on(dark: bool, stronger: bool) -> None:
    named = tokens(dark, stronger=stronger)
    ratios = {
        (ink, ground): contrast(named[ink], named[ground])
        for ink, grounds in TEXT_ON.items()
        for ground in grounds
    }
    assert {pair: round(r, 2) for pair, r in ratios.items() if r < 4.5} == {}


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_every_mark_can_be_seen_on_the_ground_it_stands_on(dark: bool) -> None:
    named = tokens(dark)
    ratios = {
        (mark, ground): contrast(named[mark], named[ground])
        for mark, grounds in MARK_ON.items()
        for ground in grounds
    }
    assert {pair: round(r, 2) for pair, r in ratios.items() if r < 3} == {}


def test_the_contrast_measure_knows_black_on_white() -> None:
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21)
    assert contrast("#777777", "#777777") == pytest.approx(1)


def test_light_and_dark_name_the_same_colours() -> None:
    assert LIGHT.keys() == DARK.keys()


@pytest.mark.parametrize("dark", [False, True])
def test_increased_contrast_takes_the_next_stronger_colour(dark: bool) -> None:
    plain, stronger = tokens(dark), tokens(dark, stronger=True)
    for name, source in STRONGER.items():
        assert stronger[name] == plain[source]
    assert stronger["text"] == plain["text"]


def test_there_is_one_theme(look: Theme) -> None:
    assert theme() is look


def test_a_change_of_scheme_changes_colours_palette_sheet_and_icons(
    look: Theme, qtbot: QtBot, qapp: QApplication
) -> None:
    pixmap = look.pixmap("send").toImage()
    with qtbot.waitSignal(look.changed, timeout=1000):
        look.set_scheme("dark")
    assert look.dark
    assert look.color("content").name().upper() == DARK["content"]
    assert qapp.palette().color(QPalette.ColorRole.Window).name().upper() == DARK["content"]
    assert DARK["edge"].lower() in qapp.styleSheet()
    assert LIGHT["edge"].lower() not in qapp.styleSheet()
    assert look.pixmap("send").toImage() != pixmap


def test_the_systems_scheme_is_followed(look: Theme, qapp: QApplication) -> None:
    look.set_scheme("system")
    system_dark = qapp.styleHints().colorScheme() == Qt.ColorScheme.Dark
    assert look.dark == system_dark
    look.set_scheme("dark")
    assert look.dark


def test_selected_text_keeps_its_colour_over_the_accent_at_22_percent(
    look: Theme, qapp: QApplication
) -> None:
    chosen = qapp.palette().color(QPalette.ColorRole.Highlight)
    assert chosen.alphaF() == pytest.approx(0.22, abs=0.01)
    assert chosen.rgb() & 0xFFFFFF == look.color("accent").rgb() & 0xFFFFFF
    assert qapp.palette().color(QPalette.ColorRole.HighlightedText) == look.color("text")


@pytest.mark.parametrize("role", [name for name, role in ROLES.items() if role.tnum])
def test_figures_are_tabular(look: Theme, role: str) -> None:
    metrics = QFontMetricsF(look.font(role))
    assert metrics.horizontalAdvance("111") == metrics.horizontalAdvance("888")


@pytest.mark.parametrize("role", list(ROLES))
def test_a_font_has_its_roles_size_and_weight(look: Theme, role: str) -> None:
    font = look.font(role)
    assert abs(font.pixelSize() - ROLES[role].px) <= 0.5
    assert font.weight() == QFont.Weight(ROLES[role].weight)
    assert look.font(role, bold=True).weight() == QFont.Weight.DemiBold


def test_text_of_half_a_pixel_more_is_as_wide_as_it_should_be(look: Theme) -> None:
    look.set_zoom(1.5)  # the font before must leave nothing behind
    look.set_zoom(1.0)
    words = "Falcon3-Mamba 7B Instruct"
    whole = QFontMetricsF(look.font("button", px=13)).horizontalAdvance(words)
    half = QFontMetricsF(look.font("button", px=12.5)).horizontalAdvance(words)
    assert half / whole == pytest.approx(12.5 / 13, rel=0.01)


def test_code_does_not_join_its_signs(look: Theme) -> None:
    font = look.font("code")
    features = {tag.toString().toStdString(): font.featureValue(tag) for tag in font.featureTags()}
    assert features == {"calt": 0, "liga": 0}
    assert font.fixedPitch()


def test_zoom_has_five_steps_and_stays_within_them(look: Theme) -> None:
    look.set_zoom(1.2)
    assert look.zoom == 1.15
    seen = []
    for _ in range(8):
        look.step_zoom(1)
        seen.append(look.zoom)
    assert seen[:2] == [1.3, 1.5]
    assert set(seen[2:]) == {1.5}
    look.step_zoom(-100)
    assert look.zoom == ZOOMS[0]
    look.set_zoom(1.3)
    assert look.font("body").pixelSize() == round(14 * 1.3)
    assert look.line_height("body") == round(21 * 1.3)


def test_increased_contrast_changes_the_colours_in_use(look: Theme, qtbot: QtBot) -> None:
    with qtbot.waitSignal(look.changed, timeout=1000):
        look.set_accessibility(increase_contrast=True, reduce_motion=False)
    assert look.color("line").name().upper() == LIGHT["edge"]
    look.set_accessibility(increase_contrast=False, reduce_motion=False)
    assert look.color("line").name().upper() == LIGHT["line"]


def test_the_system_is_asked_for_its_accessibility_settings_and_answers_yes_or_no() -> None:
    answers = [mac_display.increase_contrast(), mac_display.reduce_motion()]
    assert all(isinstance(answer, bool) for answer in answers)
    if sys.platform != "darwin":
        assert answers == [False, False]


def test_with_reduced_motion_nothing_takes_time(look: Theme) -> None:
    assert look.motion(80) == 80
    look.set_accessibility(increase_contrast=False, reduce_motion=True)
    assert look.motion(180) == 0
    look.set_accessibility(increase_contrast=False, reduce_motion=False)


@pytest.mark.parametrize(
    "file", sorted((paths.resources() / "icons").glob("*.svg")), ids=lambda f: f.stem
)
def test_every_icon_is_drawn_in_the_colour_asked_for(look: Theme, file: Path) -> None:
    image = look.pixmap(file.stem, "accent", 64).toImage()
    inks = {
        image.pixelColor(x, y).rgb() & 0xFFFFFF
        for x in range(image.width())
        for y in range(image.height())
        if image.pixelColor(x, y).alpha() > 250
    }
    assert inks == {look.color("accent").rgb() & 0xFFFFFF}


def test_an_icon_that_is_missing_is_a_bug(look: Theme) -> None:
    with pytest.raises(FileNotFoundError):
        look.pixmap("no-such-icon")


def test_a_widget_that_is_gone_does_not_hear_of_changes(look: Theme) -> None:
    heard = []

    class Listener(QWidget):
        def restyle(self) -> None:
            heard.append(1)

    listener = Listener()
    look.changed.connect(listener.restyle)
    look.set_zoom(1.15)
    assert heard == [1]
    listener.deleteLater()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    look.set_zoom(1.0)
    assert heard == [1]
