"""The Settings window over the real one: how it opens and closes, and what it changes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QObject, Qt, QUrl, Slot
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from app.main_window import MainWindow
from app.settings import Settings
from app.settings_window import ADVANCED, GENERATION, MODELS, NETWORK, SettingsWindow
from app.theme import theme
from engine import paths
from engine.api import Machine, Network, Sampling

pytestmark = pytest.mark.qt_log_ignore(
    "does not support grabbing the keyboard", "does not support raise"
)

LEFT, CONTROL = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def main(open_window: Callable[..., MainWindow]) -> MainWindow:
    """The window without a model."""
    return open_window(load=False)


@pytest.fixture
def shown(main: MainWindow, qtbot: QtBot) -> SettingsWindow:
    """The Settings window, opened by its key."""
    qtbot.keyClick(main, Qt.Key.Key_Comma, CONTROL)
    return settings_of(main, qtbot)


def settings_of(main: MainWindow, qtbot: QtBot) -> SettingsWindow:
    """The Settings window that is open, in front."""
    window = main.preferences.window
    assert window is not None
    qtbot.waitUntil(window.isActiveWindow)
    return window


def kept() -> Settings:
    """What the file says now."""
    return Settings()


def test_a_row_that_comes_and_goes_changes_the_height(
    main: MainWindow, shown: SettingsWindow, qtbot: QtBot
) -> None:
    shown.show_pane(MODELS)
    low = shown.height()
    main.preferences.set_folder_error("The disk is full.")
    qtbot.waitUntil(lambda: shown.height() > low)
    main.preferences.set_folder_error("")
    qtbot.waitUntil(lambda: shown.height() == low)


@pytest.mark.parametrize("key", [Qt.Key.Key_Escape, Qt.Key.Key_W])
def test_esc_and_the_key_of_windows_close_it_and_not_the_main_window(
    main: MainWindow, shown: SettingsWindow, qtbot: QtBot, key: Qt.Key
) -> None:
    held = CONTROL if key == Qt.Key.Key_W else Qt.KeyboardModifier.NoModifier
    qtbot.keyClick(QApplication.focusWidget(), key, held)
    assert main.preferences.window is None
    assert main.isVisible()


def test_the_menu_of_the_main_window_closes_the_window_in_front(
    main: MainWindow, shown: SettingsWindow
) -> None:
    main.menus.actions["close"].trigger()
    assert main.preferences.window is None
    assert main.isVisible()


def test_there_is_one_window_and_it_opens_where_it_was(
    main: MainWindow, shown: SettingsWindow, qtbot: QtBot
) -> None:
    shown.show_pane(NETWORK)
    main.menus.actions["settings"].trigger()
    assert main.preferences.window is shown
    assert shown.pane() == NETWORK
    shown.close()
    main.open_settings()
    again = settings_of(main, qtbot)
    assert again is not shown
    assert again.pane() == NETWORK
    main.preferences.open(MODELS)
    assert again.pane() == MODELS


def test_closing_ends_the_editing_so_that_it_counts(
    main: MainWindow, shown: SettingsWindow, qtbot: QtBot
) -> None:
    shown.show_pane(NETWORK)
    qtbot.mouseClick(shown.network.proxy.other, LEFT)
    qtbot.keyClicks(shown.network.proxy.field, "proxy:8080")
    with qtbot.waitSignal(main.preferences.network_changed, timeout=1000):
        qtbot.keyClick(shown.network.proxy.field, Qt.Key.Key_Escape)
    assert main.preferences.window is None
    assert main.settings.network("t") == Network(proxy="http://proxy:8080", token="t")


def test_the_look_changes_at_once_and_is_kept(
    main: MainWindow, shown: SettingsWindow, qtbot: QtBot
) -> None:
    general = shown.general
    assert (general.scheme.words(), general.zoom.words()) == ("System", "100 %")
    general.scheme.open_menu()
    general.scheme.findChildren(QWidget)[0].actions()[2].trigger()
    assert theme().dark
    assert general.scheme.words() == "Dark"
    general.zoom.open_menu()
    general.zoom.findChildren(QWidget)[0].actions()[3].trigger()
    assert theme().zoom == 1.3
    main.menus.actions["zoom_in"].trigger()
    assert general.zoom.words() == "150 %"
    main.settings.sync()
    assert (kept().scheme, kept().zoom) == ("dark", 1.5)


def test_a_language_is_kept_for_the_next_start(
    main: MainWindow, shown: SettingsWindow, qtbot: QtBot
) -> None:
    language = shown.general.language
    language.open_menu()
    actions = language.findChildren(QWidget)[0].actions()
    assert [action.text() for action in actions] == ["System", "English", "日本語"]
    actions[2].trigger()
    main.settings.sync()
    assert kept().language == "ja"
    assert shown.windowTitle() == "General"


def test_the_sampling_is_that_of_the_composer_both_ways(
    main: MainWindow, shown: SettingsWindow, qtbot: QtBot
) -> None:
    rows, composer = shown.generation.rows, main.page.composer
    shown.show_pane(GENERATION)
    assert rows.sampling() == composer.sampling() == main.chats.sampling
    field = rows.sliders["temperature"].field
    field.selectAll()
    qtbot.keyClicks(field, "1.2")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert composer.options.text() == "Temperature 1.2"
    assert main.chats.sampling == composer.sampling() == main.settings.sampling
    assert main.chats.sampling.temperature == 1.2
    composer.popover.rows.sliders["min_p"].field.setValue(0.1)
    composer.popover.rows.length.setValue(77)
    assert rows.length.value() == 77
    rows.sliders["top_k"].field.setValue(5)
    assert (main.chats.sampling.min_p, main.chats.sampling.top_k) == (0.1, 5), "min-p is kept"
    qtbot.mouseClick(shown.generation.restore, LEFT)
    assert main.chats.sampling == composer.sampling() == main.settings.sampling == Sampling()


def test_what_is_chosen_is_kept_and_told(
    main: MainWindow, shown: SettingsWindow, qtbot: QtBot
) -> None:
    told = main.preferences
    models, network, heard = shown.models, shown.network, []
    told.share_cache_changed.connect(heard.append)
    told.unload_after_changed.connect(heard.append)
    told.memory_limit_changed.connect(heard.append)
    models.share_cache_changed.emit(False)
    models.at_launch_chosen.emit("nothing")
    models.unload_after_chosen.emit(120)
    models.memory_changed.emit(200 * 10**9)
    assert heard == [False, 120, 200 * 10**9]
    with qtbot.waitSignals([told.network_changed] * 2, timeout=1000):
        network.mirror_changed.emit("https://mirror.example")
        network.speed_changed.emit(5 * 10**9)
    main.settings.sync()
    now = kept()
    assert (now.share_cache, now.at_launch, now.unload_after_minutes) == (False, "nothing", 120)
    assert now.memory_limit_bytes == 200 * 10**9
    assert now.network() == Network(endpoint="https://mirror.example", bytes_per_s=5 * 10**9)
    shown.close()
    main.open_settings()
    again = settings_of(main, qtbot)
    assert again.models.at_launch.words() == "Nothing"
    assert again.network.mirror.field.text() == "https://mirror.example"
    assert not again.models.share_cache.isChecked()


def test_wishes_are_passed_on_and_what_came_of_them_is_shown_even_later(
    main: MainWindow, shown: SettingsWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    told, heard = main.preferences, []
    told.folder_chosen.connect(heard.append)
    told.token_entered.connect(heard.append)
    shown.models.folder_chosen.emit(tmp_path)
    shown.network.token_entered.emit("hf_secret")
    assert heard == [tmp_path, "hf_secret"]
    done = main._library_client.token_known  # by whoever fulfils the wish, and tells of it
    with qtbot.waitSignals([told.move_cancelled, told.token_removed, done], timeout=20_000):
        shown.models.cancel_requested.emit()
        shown.network.token_removed.emit()
    shown.close()
    told.set_folder(tmp_path)
    told.set_moving(0.5, "Moving 1 of 2 GB")
    told.set_folder_error("The disk is full.")
    told.set_token_state(stored=True)
    main.open_settings()
    again = settings_of(main, qtbot)
    again.show_pane(MODELS)
    assert again.models.folder.toolTip() == str(tmp_path)
    assert again.models.progress.words() == "Moving 1 of 2 GB"
    assert again.models.folder_note.text() == "The disk is full."
    assert again.network.remove_button.isVisibleTo(again.network)


def test_the_machine_is_shown_once_it_is_known(main: MainWindow, shown: SettingsWindow) -> None:
    assert shown.advanced.device.text() == "–"
    main.models._client.machine_known.emit(
        Machine(backend="Metal", device="Apple M2", memory_bytes=16 << 30, limit_bytes=12 * 10**9)
    )
    assert shown.advanced.backend.text() == "Metal"
    assert (shown.advanced.device.text(), shown.advanced.memory.text()) == ("Apple M2", "16 GB")
    assert shown.models.memory.field.text() == "12.0 GB"


class Finder(QObject):
    """Stands in for the system's file manager."""

    def __init__(self) -> None:
        super().__init__()
        self.shown: list[str] = []

    @Slot(QUrl)
    def show(self, url: QUrl) -> None:
        """Remember what was to be shown."""
        self.shown.append(url.toLocalFile())


@pytest.fixture
def finder() -> Iterator[Finder]:
    """Takes the folders that are to be shown."""
    it = Finder()
    QDesktopServices.setUrlHandler("file", it, "show")
    yield it
    QDesktopServices.unsetUrlHandler("file")


def test_folders_are_shown_and_of_one_that_is_gone_the_nearest(
    main: MainWindow, shown: SettingsWindow, qtbot: QtBot, finder: Finder, tmp_path: Path
) -> None:
    shown.show_pane(ADVANCED)
    paths.logs().mkdir(parents=True, exist_ok=True)
    qtbot.mouseClick(shown.advanced.logs_button, LEFT)
    qtbot.mouseClick(shown.advanced.data_button, LEFT)
    main.preferences.set_folder(tmp_path / "gone" / "models")
    shown.show_pane(MODELS)
    qtbot.mouseClick(shown.models.show_button, LEFT)
    assert finder.shown == [str(paths.logs()), str(paths.home()), str(tmp_path)]


def test_closing_the_main_window_leaves_nothing_open(
    main: MainWindow, shown: SettingsWindow, qtbot: QtBot
) -> None:
    gone: list[Any] = []
    shown.destroyed.connect(lambda: gone.append(True))
    assert main.shut_down()
    main.close()
    main.preferences.close()
    qtbot.waitUntil(lambda: bool(gone))
