"""What the Settings window changes in the library of the real window, against a Hub on this
machine: token, mirror and speed; where the models are, which are listed, which fit."""

from __future__ import annotations

import shutil
import ssl
import subprocess
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hub_server import HubServer
from key_store import MemoryStore
from library_bridge import FILE, REPO, SIZE, SOURCE
from models_window import PATIENCE_MS, Library
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.main_window import MainWindow
from app.settings import Settings
from app.settings_window import MODELS, NETWORK, SettingsWindow
from engine import library_move, paths
from engine.hub import network
from engine.shared_cache import cache_folder

pytestmark = [
    pytest.mark.usefixtures("key_store"),
    pytest.mark.qt_log_ignore("does not support grabbing the keyboard", "does not support raise"),
]

LEFT = Qt.MouseButton.LeftButton
TOKEN = "hf_aB3xYz"
Open = Callable[..., MainWindow]


@pytest.fixture(autouse=True)
def model(hub: HubServer, monkeypatch: pytest.MonkeyPatch) -> None:
    hub.add(REPO, SOURCE, licence="apache-2.0")
    monkeypatch.setenv("HF_ENDPOINT", hub.url)


@pytest.fixture
def models(qtbot: QtBot, window: MainWindow) -> Library:
    """The Models view of the window, with all that is installed."""
    it = Library(qtbot, window)
    it.wait(lambda: it.row("installed", "starter-12m"))
    return it


def settings(models: Library, pane: int) -> SettingsWindow:
    """The Settings window on a pane, in front."""
    models.window.preferences.open(pane)
    opened = models.window.preferences.window
    assert opened is not None
    models.qtbot.waitUntil(opened.isActiveWindow)
    return opened


def enter(models: Library, field: QWidget, words: str) -> None:
    """Type over what stands in a field, and press Return."""
    field.setFocus()
    field.selectAll()  # type: ignore[attr-defined]
    models.qtbot.keyClicks(field, words)
    models.qtbot.keyClick(field, Qt.Key.Key_Return)


def test_a_token_makes_a_gated_model_that_failed_go_on_by_itself(
    hub: HubServer, models: Library, key_store: MemoryStore
) -> None:
    tree = hub.add(REPO, SOURCE, gated=True)
    models.get()
    models.wait(lambda: models.text() == "owner asks you to accept its licence first.")
    models.wish("settings")
    shown = models.window.preferences.window
    assert shown is not None
    assert shown.pane() == NETWORK
    models.qtbot.waitUntil(shown.isActiveWindow)
    hub.tokens.add("hf_wrong")
    enter(models, shown.network.token, "hf_unknown")
    models.wait(lambda: "does not accept the token" in models.text())
    enter(models, shown.network.token, "hf_wrong")
    models.wait(lambda: models.text() == "owner asks you to accept its licence first.")
    hub.tokens.add(TOKEN)
    tree.granted.add(TOKEN)
    enter(models, shown.network.token, TOKEN)
    models.wait(lambda: models.row("installed", "tiny-mamba"))
    assert list(key_store.held.values()) == [TOKEN]
    assert shown.network.remove_button.isVisible()
    models.qtbot.mouseClick(shown.network.remove_button, LEFT)
    models.wait(lambda: not key_store.held)
    models.wait(lambda: not shown.network.remove_button.isVisible())
    assert models.window._library_client.network.token == ""


def test_what_is_no_token_is_said_in_the_settings_and_the_earlier_one_is_still_there(
    models: Library, key_store: MemoryStore
) -> None:
    shown = settings(models, NETWORK)
    enter(models, shown.network.token, TOKEN)
    models.wait(shown.network.remove_button.isVisible)
    enter(models, shown.network.token, "not a token")
    assert "letters and digits without a space" in shown.network.token_note.text()
    assert shown.network.remove_button.isVisible()
    assert list(key_store.held.values()) == [TOKEN]


@pytest.fixture
def mirror(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[HubServer]:
    """Another Hub, encrypted, whose certificate this machine trusts."""
    program = shutil.which("openssl")
    if program is None:
        pytest.skip("there is no openssl to make a certificate with")
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    make = [program, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"]
    make += ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"]
    make += ["-keyout", str(key), "-out", str(certificate)]
    subprocess.run(make, check=True, capture_output=True)
    trusting = ssl.create_default_context(cafile=str(certificate))
    monkeypatch.setattr(network, "_certificates", lambda: trusting)
    monkeypatch.setattr(network, "_set_up", None)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    with HubServer() as server:
        server.hub.socket = context.wrap_socket(server.hub.socket, server_side=True)
        server.url = server.url.replace("http://", "https://")
        server.add("mirrored/tiny-mamba", SOURCE)
        yield server
    network._set_up = None


def test_a_mirror_is_where_is_searched_next_and_where_pages_are(
    models: Library, hub: HubServer, mirror: HubServer
) -> None:
    def link(section: str, name: str) -> str:
        row = models.row(section, name)
        assert row is not None
        return row.row.card.link

    before = link("catalogue", "mamba-130m-hf")
    assert before.startswith(hub.url)
    shown = settings(models, NETWORK)
    models.qtbot.mouseClick(shown.network.mirror.other, LEFT)
    enter(models, shown.network.mirror.field, mirror.url.removeprefix("https://"))
    assert link("catalogue", "mamba-130m-hf") == before.replace(hub.url, mirror.url)
    models.search("tiny")
    models.wait(lambda: models.row("found", "tiny-mamba"))
    assert link("found", "tiny-mamba") == f"{mirror.url}/mirrored/tiny-mamba"
    assert not hub.requests
    models.qtbot.mouseClick(shown.network.mirror.usual, LEFT)
    models.search("tiny")
    models.wait(lambda: hub.requests)


def test_a_speed_limit_holds_at_once_and_no_longer_than_it_is_set(
    models: Library, hub: HubServer
) -> None:
    hub.total_pace.bytes_per_s = 3e6
    shown = settings(models, NETWORK)
    models.get()
    models.wait(lambda: hub.sent(FILE) > SIZE // 10)
    models.qtbot.mouseClick(shown.network.limited, LEFT)
    enter(models, shown.network.speed, "0.1")
    hub.total_pace.bytes_per_s = 0
    models.qtbot.wait(300)  # what was on the way arrives
    told = models.window.library.rows().downloads[0]
    assert told.fraction is not None
    models.qtbot.wait(700)
    slow = models.window.library.rows().downloads[0]
    assert slow.fraction is not None
    assert (slow.fraction - told.fraction) * SIZE < 0.3e6
    assert models.row("installed", "tiny-mamba") is None
    models.qtbot.mouseClick(shown.network.limited, LEFT)
    models.wait(lambda: models.row("installed", "tiny-mamba"))


def test_a_moved_folder_is_shown_with_its_models_and_the_last_one_is_loaded_from_there(
    models: Library, hub: HubServer, open_window: Open, qtbot: QtBot, tmp_path: Path
) -> None:
    window, new = models.window, tmp_path / "new models"
    models.get()
    models.wait(lambda: models.row("installed", "tiny-mamba"))
    models.press("installed", "tiny-mamba")
    models.wait(lambda: window.models.loaded and window.models.loaded.name == REPO)
    shown = settings(models, MODELS)
    words: list[str] = []
    window._library_client.moving.connect(lambda _: words.append(shown.models.progress.words()))
    shown.models.folder_chosen.emit(new)
    assert shown.models.progress.isVisible()
    models.wait(lambda: shown.models.folder.toolTip() == str(new))
    assert set(words) == {"Moving"}
    assert not shown.models.progress.isVisible()
    assert not shown.models.folder_note.isVisible()
    models.wait(lambda: window.models.loaded and window.models.loaded.folder == new / REPO)
    row = models.row("installed", "tiny-mamba")
    assert row is not None
    assert row.row.deed == "loaded"
    window.models.set_precision("bfloat16")
    models.wait(lambda: window.models.loaded and window.models.loaded.precision == "bfloat16")
    window = open_window()
    assert Settings().model == str(new / REPO)
    assert window.models.loaded is not None
    assert window.models.loaded.folder == new / REPO
    qtbot.waitUntil(lambda: window.models.is_installed(REPO))


def test_a_move_that_cannot_be_is_said_in_the_settings_and_one_that_is_cancelled_is_not(
    models: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    move_models = library_move.move_models

    def move_once_cancelled(to: Path, *, stopped: threading.Event, **options: Any) -> Path:
        assert stopped.wait(PATIENCE_MS / 1e3)
        return move_models(to, stopped=stopped, **options)

    models.get()
    models.wait(lambda: models.row("installed", "tiny-mamba"))
    shown = settings(models, MODELS)
    shown.models.folder_chosen.emit(paths.models() / "inside")
    models.wait(shown.models.folder_note.isVisible)
    assert "choose a folder elsewhere" in shown.models.folder_note.text()
    monkeypatch.setattr(library_move, "move_models", move_once_cancelled)
    shown.models.folder_chosen.emit(tmp_path / "new")
    assert not shown.models.folder_note.isVisible()
    models.qtbot.mouseClick(shown.models.progress.cancel, LEFT)
    models.wait(lambda: not shown.models.progress.isVisible())
    assert not shown.models.folder_note.isVisible()
    assert paths.models() == paths.home() / "models"


def test_models_of_the_shared_cache_are_listed_as_long_as_they_are_wanted(
    open_window: Open, qtbot: QtBot
) -> None:
    snapshot = cache_folder() / "models--owner--cached" / "snapshots" / ("a" * 40)
    shutil.copytree(SOURCE, snapshot)
    (snapshot.parents[1] / "refs").mkdir()
    (snapshot.parents[1] / "refs" / "main").write_text("a" * 40)
    models = Library(qtbot, open_window())
    models.wait(lambda: models.row("installed", "cached"))
    shown = settings(models, MODELS)
    models.qtbot.mouseClick(shown.models.share_cache, LEFT)
    models.wait(lambda: models.row("installed", "cached") is None)
    assert models.row("installed", "starter-12m")
    models.qtbot.mouseClick(shown.models.share_cache, LEFT)
    models.wait(lambda: models.row("installed", "cached"))


def test_the_memory_for_models_changes_what_fits(models: Library) -> None:
    def fit() -> str | None:
        row = models.row("catalogue", "mamba-2.8b-hf")
        return row.row.fit if row else None

    memory = settings(models, MODELS).models.memory
    machine = models.window.models.machine
    assert machine is not None
    own = memory.field.value()
    before = fit()
    enter(models, memory.field, f"{memory.slider.minimum() / 10}")
    least = memory.field.value()
    models.wait(lambda: fit() == "too_big")
    memory.slider.setSliderDown(True)
    memory.slider.setSliderDown(False)  # a press that moves nothing
    models.qtbot.waitUntil(lambda: memory.field.value() == least)
    assert Settings().memory_limit_bytes == round(least * 10) * 10**8
    enter(models, memory.field, f"{own}")
    models.wait(lambda: fit() == before)
    models.window.settings.sync()
    assert Settings().memory_limit_bytes == 0
