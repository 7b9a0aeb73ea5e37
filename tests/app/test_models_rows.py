"""The rows of the Models view: their columns at every width and size of text, cuts and colours."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, QPointF, QRect, QRectF
from PySide6.QtGui import QImage, QPainter
from pytestqt.qtbot import QtBot

from app.library_rows import DownloadRow, LibraryRows, ModelRow
from app.panels.download_row import DownloadRowView
from app.panels.model_row import ModelRowView
from app.panels.models_grid import Grid
from app.panels.models_view import ModelsView
from app.screenshot_models import sample
from app.theme import Theme
from app.widgets.button_base import ButtonBase
from app.widgets.fit_mark import paint_fit
from app.widgets.memory_bar import paint_memory
from engine.api import Fit

pytestmark = pytest.mark.usefixtures("look")
GB = 10**9
ZOOMS = [0.85, 1.0, 1.3, 1.5]
MAIN = [512, 720, 899, 900, 1032, 1600]


@pytest.fixture
def view(qtbot: QtBot) -> ModelsView:
    """The view with every state that a row can be in."""
    it = ModelsView()
    qtbot.addWidget(it)
    it.resize(1032, 900)
    it.set_rows(sample("en", troubles=True))
    it.show()
    return it


def installed(view: ModelsView, row: ModelRow) -> ModelRowView:
    """The view of the only installed model."""
    view.set_rows(
        LibraryRows(installed=(row,), limit_bytes=12 * GB, memory_bytes=16 * GB, limit="12 GB")
    )
    (made,) = view.table.rows()
    assert isinstance(made, ModelRowView)
    return made


@pytest.mark.parametrize("zoom", ZOOMS)
@pytest.mark.parametrize("width", MAIN)
def test_columns_never_overlap_and_end_with_the_row(look: Theme, width: int, zoom: float) -> None:
    look.set_zoom(zoom)
    grid = Grid.of(width - 48)
    end = 0
    for left, wide in grid.columns.values():
        assert left >= end
        end = left + wide
    assert end == width - 48
    assert grid.columns["name"][1] > 90 * zoom


@pytest.mark.parametrize(
    ("width", "moved"),
    [
        (900, set()),
        (899, {"licence"}),
        (780, {"licence", "precision"}),
        (700, {"licence", "precision", "kind"}),
    ],
)
def test_licence_then_precision_then_kind_give_way(width: int, moved: set[str]) -> None:
    grid = Grid.of(width - 48)
    assert grid.moved == moved
    assert grid.row_height == (46 if moved else 33)


@pytest.mark.parametrize("zoom", ZOOMS)
def test_buttons_stay_in_their_rows_and_apart(view: ModelsView, look: Theme, zoom: float) -> None:
    look.set_zoom(zoom)
    for width in MAIN:
        view.resize(width, 900)
        for row in view.table.rows():
            shown = [b for b in row.findChildren(ButtonBase) if b.isVisible()]
            places: list[QRect] = [button.geometry() for button in shown]
            for at, place in enumerate(places):
                assert row.rect().contains(place), row.row.name
                assert not any(place.intersects(other) for other in places[at + 1 :]), row.row.name


def test_what_has_no_room_is_told_by_the_tip(view: ModelsView) -> None:
    name, owner = "a-model-" * 12, "somebody-" * 12
    row = installed(view, replace(sample("en").installed[1], name=name, note=owner))
    row.grab()
    assert row.tip() == f"{name}\n{owner}"
    row = installed(view, sample("en").installed[1])
    row.grab()
    assert row.tip() == ""


def test_a_long_problem_is_cut_in_the_row_and_whole_in_the_tip(view: ModelsView) -> None:
    problem = "model.safetensors is incomplete. " * 9
    row = installed(view, replace(sample("en").installed[1], problem=problem))
    row.grab()
    assert row.tip() == problem
    assert not row.precision.isVisible()


def ink(image: QImage, area: QRect) -> set[str]:
    """The colours in a part of a picture."""
    return {
        image.pixelColor(x, y).name()
        for x in range(area.left(), area.right() + 1)
        for y in range(area.top(), area.bottom() + 1)
    }


@pytest.mark.parametrize(
    ("fit", "color"), [("fits", "accent"), ("tight", "warnMark"), ("too_big", "errorMark")]
)
def test_the_bar_tells_the_fit_by_its_colour(look: Theme, fit: Fit, color: str) -> None:
    image = QImage(120, 12, QImage.Format.Format_RGB32)
    image.fill(look.color("content"))
    painter = QPainter(image)
    paint_memory(painter, QRectF(0, 0, 120, 12), 0.5, 0.75, fit)
    painter.end()
    assert image.pixelColor(30, 6).name() == look.color(color).name()
    assert image.pixelColor(70, 6).name() == look.color("track").name()
    assert [y for y in range(12) if image.pixelColor(90, y) == look.color("text2")] == [*range(12)]
    assert image.pixelColor(30, 1).name() == look.color("content").name()


def test_without_a_known_machine_there_is_no_bar(view: ModelsView, look: Theme) -> None:
    row = installed(view, sample("en").installed[1])
    bar = row.grid.bar_area(row.content()).toRect()
    track = look.color("track").name()
    assert track in ink(row.grab().toImage(), bar)
    view.set_rows(LibraryRows(installed=(sample("en").installed[1],)))
    assert track not in ink(row.grab().toImage(), bar)


@pytest.mark.parametrize(
    ("fit", "color", "left", "right"),
    [
        ("fits", "accent", True, True),
        ("tight", "warnMark", True, False),
        ("too_big", "errorMark", False, False),
    ],
)
def test_the_fit_is_a_disc_a_half_or_a_ring_whatever_was_painted_before(
    look: Theme, fit: Fit, color: str, left: bool, right: bool
) -> None:
    image = QImage(120, 120, QImage.Format.Format_RGB32)
    image.fill(look.color("content"))
    painter = QPainter(image)
    painter.setBrush(look.color("string"))
    painter.scale(10, 10)
    paint_fit(painter, QPointF(6, 6), fit)
    painter.end()
    ground = look.color("content").name()
    filled = [image.pixelColor(x, x).name() for x in (45, 75)]  # off the ring's stroke
    assert filled == [look.color(color).name() if side else ground for side in (left, right)]


def test_a_download_that_failed_is_told_in_the_colour_of_errors(
    view: ModelsView, look: Theme
) -> None:
    row = view.table.rows()[3]
    assert isinstance(row, DownloadRowView)
    assert look.color("errorMark").name() in ink(row.grab().toImage(), row.rect())
    assert look.color("error").name() in ink(row.grab().toImage(), row.rect())
    assert look.color("accent").name() not in ink(row.grab().toImage(), row.rect())


def test_a_download_is_whole_only_when_it_is(view: ModelsView) -> None:
    row = DownloadRow(id="a/b", name="b", owner="a", text="", fraction=0.9999)
    view.set_rows(LibraryRows(downloads=(row,)))
    assert view.table.rows()[0].accessibleName().endswith("99 %")


def test_the_text_of_a_download_stays_clear_of_its_buttons(view: ModelsView, look: Theme) -> None:
    gated = replace(sample("en", troubles=True).downloads[-1], text="W" * 400)
    view.set_rows(LibraryRows(downloads=(gated,)))
    (row,) = view.table.rows()
    assert isinstance(row, DownloadRowView)
    for width in MAIN:
        view.resize(width, 900)
        left = min(button.x() for button in row.wishes.values())
        gap = QRect(QPoint(left - 8, 4), QPoint(left - 2, row.height() - 4))
        assert ink(row.grab().toImage(), gap) == {look.color("content").name()}


def test_rows_grow_with_the_text(view: ModelsView, look: Theme) -> None:
    view.resize(1600, 900)
    look.set_zoom(1.5)
    assert {row.height() for row in view.table.rows()} == {round(33 * 1.5)}


def test_a_row_under_the_pointer_has_a_ground(view: ModelsView, look: Theme) -> None:
    row = view.table.rows()[0]
    row.warmth = 1.0
    ground = row.grab().toImage().pixelColor(6, row.height() // 2).name()
    assert ground == look.color("fill").name()


def test_the_dark_theme_is_followed_at_once(view: ModelsView, look: Theme) -> None:
    look.set_scheme("dark")
    row = view.table.rows()[0]
    assert look.color("accent").name() in ink(row.grab().toImage(), row.rect())


def test_a_wide_button_moves_the_column_of_the_fit(look: Theme) -> None:
    assert Grid.of(984, 90).columns["fit"][0] == Grid.of(984).columns["fit"][0] - 28
    assert Grid.of(984, 40) == Grid.of(984)
