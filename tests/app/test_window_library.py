"""The window and the library: models are found, got, loaded, moved to the Trash and got again, by
real clicks, from a Hub on this machine."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hub_faults import GATED, Stall
from hub_server import HubServer
from library_bridge import FILE, REPO, SIZE, SOURCE
from models_window import PATIENCE_MS, Library
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.main_window import CHAT, MODELS, MainWindow
from engine import library, paths
from engine.hub.staging import Staging

LEFT = Qt.MouseButton.LeftButton
Open = Callable[..., MainWindow]


@pytest.fixture(autouse=True)
def model(hub: HubServer, monkeypatch: pytest.MonkeyPatch) -> None:
    hub.add(REPO, SOURCE, licence="apache-2.0")
    monkeypatch.setenv("HF_ENDPOINT", hub.url)


@pytest.fixture
def look_in(qtbot: QtBot) -> Callable[[MainWindow], Library]:
    return lambda window: Library(qtbot, window)


def test_a_model_is_found_got_and_loaded(
    window: MainWindow, look_in: Callable[[MainWindow], Library]
) -> None:
    models = look_in(window)
    models.wait(lambda: models.row("installed", "starter-12m"))
    assert models.row("catalogue", "mamba-130m-hf") is not None
    models.get()
    models.wait(lambda: models.row("installed", "tiny-mamba"))
    models.wait(lambda: models.download() is None)
    found = models.row("found", "tiny-mamba")
    assert found is not None
    assert found.row.word == "Installed"
    assert any(info.name == REPO for info in window.models.models)
    models.press("installed", "tiny-mamba")
    models.wait(lambda: window.models.loaded and window.models.loaded.name == REPO)
    row = models.row("installed", "tiny-mamba")
    assert row is not None
    assert row.row.deed == "loaded"
    assert row.row.licence == "Apache 2.0"


def test_paused_by_a_click_it_waits_and_goes_on_by_another(
    hub: HubServer, window: MainWindow, look_in: Callable[[MainWindow], Library]
) -> None:
    stall = Stall(after=SIZE // 2)
    hub.misbehave(REPO, FILE, stall)
    models = look_in(window)
    models.get()
    models.wait(lambda: (r := models.download()) and r.row.fraction and r.row.fraction > 0.4)
    models.wish("pause")
    models.wait(lambda: models.text().startswith("Paused at"))
    assert models.row("installed", "tiny-mamba") is None
    models.wish("resume")
    models.wait(lambda: models.row("installed", "tiny-mamba"))
    assert hub.sent(FILE) == SIZE


def test_quit_in_the_middle_it_stands_there_paused_when_opened_again(
    hub: HubServer, open_window: Open, look_in: Callable[[MainWindow], Library]
) -> None:
    hub.misbehave(REPO, FILE, Stall(after=SIZE * 2 // 5))
    models = look_in(open_window())
    models.get()
    models.wait(lambda: (r := models.download()) and r.row.fraction and r.row.fraction > 0.35)
    models = look_in(open_window())
    models.wait(lambda: models.text().startswith("Paused at"))
    kept = Staging(paths.models(), REPO).done_bytes()
    assert kept > SIZE * 2 // 5
    assert f"{kept / 1e6:.1f} of" in models.text() or f"{kept / 1e6:.2f} of" in models.text()
    models.wish("resume")
    models.wait(lambda: models.row("installed", "tiny-mamba"))
    assert hub.sent(FILE) == SIZE


def test_it_is_told_of_beside_the_chats_and_a_click_leads_to_it(
    hub: HubServer, window: MainWindow, look_in: Callable[[MainWindow], Library]
) -> None:
    hub.misbehave(REPO, FILE, Stall(after=SIZE // 2))
    models, footer = look_in(window), window.sidebar.downloads
    assert footer.isHidden()
    models.get()
    window.show_view(CHAT)
    models.wait(lambda: footer.note and (footer.note.fraction or 0) > 0.4)
    assert footer.isVisible()
    assert footer.accessibleName() == "Download: tiny-mamba"
    assert footer.shown_text().startswith(f"{int(100 * footer.note.fraction)} %")
    models.qtbot.mouseClick(footer, LEFT)
    assert window.view == MODELS
    models.wish("pause")
    window.show_view(CHAT)
    models.wait(lambda: footer.shown_text() == "Paused")
    window.show_view(MODELS)
    models.wish("resume")
    window.show_view(CHAT)
    models.wait(footer.isHidden)


def test_given_up_it_leaves_nothing(
    hub: HubServer, window: MainWindow, look_in: Callable[[MainWindow], Library]
) -> None:
    hub.misbehave(REPO, FILE, Stall(after=1000))
    models = look_in(window)
    models.get()
    models.wait(models.download)
    models.wish("cancel")
    models.wait(lambda: models.download() is None)
    models.wait(lambda: not list((paths.models() / ".downloads").iterdir()))
    found = models.row("found", "tiny-mamba")
    assert found is not None
    assert found.row.deed == "get"


@pytest.mark.usefixtures("trash")
def test_a_loaded_model_goes_to_the_trash_unloaded_and_comes_again(
    window: MainWindow, look_in: Callable[[MainWindow], Library], trash: Path
) -> None:
    models = look_in(window)
    models.get()
    models.wait(lambda: models.row("installed", "tiny-mamba"))
    for _ in range(2):
        models.press("installed", "tiny-mamba")
        models.wait(lambda: window.models.loaded and window.models.loaded.name == REPO)
        models.trash("tiny-mamba")
        models.wait(lambda: models.row("installed", "tiny-mamba") is None)
        assert window.models.loaded is None
        assert not (paths.models() / REPO).exists()
        assert list(trash.rglob(FILE))
        models.press("found", "tiny-mamba")
        models.wait(lambda: models.row("installed", "tiny-mamba"))
    assert [info.name for info in library.installed(window.models.machine)].count(REPO) == 1


def test_a_gated_model_leads_to_its_page_and_to_the_settings(
    hub: HubServer,
    window: MainWindow,
    look_in: Callable[[MainWindow], Library],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    hub.misbehave(REPO, FILE, GATED, times=None)
    opened: list[str] = []
    monkeypatch.setattr(window, "open_link", opened.append)
    models = look_in(window)
    models.get()
    models.wait(lambda: models.text() == "owner asks you to accept its licence first.")
    models.wish("page")
    assert opened == [f"{hub.url}/{REPO}"]


def test_nothing_found_is_said_and_a_bad_name_too(
    window: MainWindow, look_in: Callable[[MainWindow], Library]
) -> None:
    models = look_in(window)
    models.search("zeppelin")
    section = models.view.table.sections["found"]
    models.wait(lambda: "zeppelin" in section.note())
    models.search("no/such-model")
    models.wait(lambda: "no model no/such-model" in section.note())
    models.qtbot.keyClick(window.toolbar.models.search, Qt.Key.Key_Escape)
    models.wait(lambda: not section.isVisible())


def test_a_folder_that_is_dropped_is_used_in_place_and_forgotten_without_harm(
    window: MainWindow, look_in: Callable[[MainWindow], Library], tmp_path: Path
) -> None:
    import shutil

    mine = tmp_path / "my models" / "山のマンバ"
    shutil.copytree(SOURCE, mine)
    models = look_in(window)
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(mine))])
    place, copy = QPoint(300, 300), Qt.DropAction.CopyAction
    none = Qt.KeyboardModifier.NoModifier
    QApplication.sendEvent(models.view, QDragEnterEvent(place, copy, data, LEFT, none))
    QApplication.sendEvent(models.view, QDropEvent(QPointF(place), copy, data, LEFT, none))
    models.wait(lambda: models.row("installed", "山のマンバ"))
    models.press("installed", "山のマンバ")
    models.wait(lambda: window.models.loaded and window.models.loaded.folder == mine)
    row = models.row("installed", "山のマンバ")
    assert row is not None
    models.qtbot.keyClick(row, Qt.Key.Key_Delete)
    models.wait(lambda: models.row("installed", "山のマンバ") is None)
    assert window.models.loaded is None
    assert (mine / FILE).is_file()


def test_what_cannot_be_imported_is_said(
    window: MainWindow, look_in: Callable[[MainWindow], Library], tmp_path: Path
) -> None:
    models = look_in(window)
    window.library.import_folders([tmp_path / "nothing here"])
    models.wait(lambda: models.view.banner.isVisible())
    assert "nothing here" in models.view.banner.sentence()


def test_a_model_that_cannot_be_loaded_says_so_where_it_was_asked_for(
    window: MainWindow, look_in: Callable[[MainWindow], Library]
) -> None:
    models = look_in(window)
    models.get()
    models.wait(lambda: models.row("installed", "tiny-mamba"))
    (paths.models() / REPO / "config.json").write_text("{}")
    models.press("installed", "tiny-mamba")
    models.wait(models.view.banner.isVisible)
    assert "config.json" in models.view.banner.sentence()
    models.qtbot.mouseClick(models.view.banner.dismiss, LEFT)
    models.wait(lambda: not models.view.banner.isVisible())


def test_the_first_page_suggests_the_best_model_for_this_machine(
    hub: HubServer, window: MainWindow, qtbot: QtBot
) -> None:
    bigger = window.page.transcript.first_run.bigger
    qtbot.waitUntil(bigger.isVisible, timeout=PATIENCE_MS)
    offer = window.library.suggestion
    assert offer is not None
    assert offer.parameters > 12_000_000
    qtbot.mouseClick(bigger.button, LEFT)
    assert window.view == MODELS
    qtbot.waitUntil(lambda: any(offer.repo in r.path for r in hub.requests), timeout=PATIENCE_MS)
