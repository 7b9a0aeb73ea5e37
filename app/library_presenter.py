"""Shows the library in the Models view, its sidebar and its part of the toolbar, and takes what
the user wishes there to those who do it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFileDialog

from app import format as text
from app import settings_window
from app.errors_text import sentence
from app.library_client import LibraryClient
from app.returning import Returning
from app.settings import Settings
from app.values import BiggerModel
from app.widgets.toast import announce
from app.wording import memory
from engine.errors import Stopped

if TYPE_CHECKING:
    from app.main_window import MainWindow

MODELS = 1


class LibraryPresenter(QObject):
    """Between the library's controller and its panels, and between the Settings window and the
    library's client; keeps nothing itself."""

    def __init__(self, window: MainWindow, client: LibraryClient, settings: Settings) -> None:
        super().__init__(window)
        self._window, self._client, self._settings = window, client, settings
        self._library, self._models = window.library, window.models
        self._view, self._sidebar = window.models_view, window.models_sidebar
        self.returning = Returning(window)
        self._connect_library()
        self._connect_view()
        self._connect_settings()

    def _connect_library(self) -> None:
        self._library.changed.connect(self.show)
        self._library.said.connect(self._announce)
        self._client.models_found.connect(self._models.set_models)
        self._models.machine_known.connect(self._client.set_machine)
        self._models.list_wanted.connect(self._client.find_models)
        self._models.failed.connect(self._on_load_failed)
        # A disk may have come or gone meanwhile, or another program have put a model there.
        self.returning.came_back.connect(self._client.find_models)
        self._window.page.transcript.first_run.bigger_requested.connect(self._get_bigger)
        self._window.sidebar.downloads_wanted.connect(self._show_downloads)

    def _connect_view(self) -> None:
        view, sidebar, library = self._view, self._sidebar, self._library
        view.load_requested.connect(library.load)
        view.unload_requested.connect(self._models.unload)
        view.get_requested.connect(library.get)
        view.pause_requested.connect(self._client.pause)
        view.resume_requested.connect(self._client.resume)
        view.retry_requested.connect(self._client.resume)
        view.cancel_requested.connect(self._client.cancel)
        view.page_requested.connect(self._open_page)
        view.settings_requested.connect(self._open_network)
        view.reveal_requested.connect(self._reveal)
        view.trash_requested.connect(self._trash)
        view.precision_chosen.connect(library.set_precision)
        view.folder_requested.connect(self._choose_models_folder)
        view.trouble_dismissed.connect(library.dismiss)
        view.dropped.connect(library.import_folders)
        view.section_changed.connect(sidebar.set_section)
        sidebar.section_chosen.connect(view.scroll_to)
        sidebar.filter_changed.connect(self._filter)
        sidebar.show_changed.connect(self._filter)
        bar = self._window.toolbar.models
        bar.search_submitted.connect(library.search)
        bar.search_cleared.connect(self._end_search)
        bar.import_requested.connect(self._import)

    def _connect_settings(self) -> None:
        preferences, client = self._window.preferences, self._client
        preferences.network_changed.connect(self._set_network)
        preferences.memory_limit_changed.connect(self._models.set_limit)
        preferences.share_cache_changed.connect(client.share_cache)
        preferences.folder_chosen.connect(self._move)
        preferences.move_cancelled.connect(client.stop_moving)
        preferences.token_entered.connect(client.keep_token)
        preferences.token_removed.connect(client.forget_token)
        client.token_known.connect(preferences.set_token_state)
        client.moving.connect(self._show_moving)
        client.moved.connect(self._show_moved)
        client.refused.connect(self._show_refusal)

    def show(self) -> None:
        """Show the library as it stands now; while another view is shown only what it needs."""
        offer, machine = self._library.suggestion, self._models.machine
        bigger = None
        if offer is not None and machine is not None:
            need = offer.needs[0].precision if offer.needs else offer.dtype
            bigger = BiggerModel(
                repo=offer.repo,
                facts=f"{offer.repo.rpartition('/')[2]}, {need}, "
                f"{text.short_size(offer.disk_bytes)}",
                memory=memory(machine.memory_bytes),
            )
        self._window.page.transcript.first_run.offer_bigger(bigger)
        self._window.sidebar.downloads.set_note(self._library.note)
        if self._window.view == MODELS:
            rows = self._library.rows()
            self._view.set_rows(rows)
            self._sidebar.set_rows(rows)
            self._window.toolbar.set_title(self.tr("Models"), rows.title_note)
            self._window.setWindowTitle(self.tr("Models"))

    def _on_load_failed(self, trouble: str) -> None:
        """Say it where the user is; the chat has a banner of its own."""
        if self._window.view == MODELS:
            self._library.complain(trouble)

    def _filter(self, _: str) -> None:
        self._view.set_filter(self._sidebar.query(), self._sidebar.show_choice())

    def _end_search(self) -> None:
        self._library.search("")

    def _announce(self, words: str) -> None:
        announce(self._view, words)

    def _get_bigger(self, repo: str) -> None:
        self._library.get(repo)
        self._window.show_view(MODELS)

    def _show_downloads(self) -> None:
        self._window.show_view(MODELS)
        self._window.frame.hide_overlay()
        self._view.scroll_to(0)

    def _open_page(self, name: str) -> None:
        self._window.open_link(self._library.page(name))

    def _open_network(self) -> None:
        self._window.preferences.open(settings_window.NETWORK)

    def _reveal(self, name: str) -> None:
        if folder := self._library.folder_of(name):
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder)))

    def _trash(self, name: str) -> None:
        if self._models.name == name:
            self._window.replies.stop_all()
        self._library.remove(name)

    def _import(self) -> None:
        chosen = QFileDialog.getExistingDirectory(self._window, self.tr("Import a Model’s Folder"))
        if chosen:
            self._library.import_folders([Path(chosen)])

    def _choose_models_folder(self) -> None:
        self._window.preferences.open(settings_window.MODELS)

    # The Settings window

    def _set_network(self) -> None:
        self._client.set_network(self._settings.network(""))
        self.show()  # the addresses of pages are another mirror's

    def _move(self, to: Path) -> None:
        preferences = self._window.preferences
        preferences.set_folder_error("")
        preferences.set_moving(0.0, self.tr("Moving"))
        self._client.move_models(to)

    def _show_moving(self, fraction: float) -> None:
        self._window.preferences.set_moving(fraction, self.tr("Moving"))

    def _show_moved(self, folder: Path) -> None:
        self._window.preferences.set_moving(None, "")
        self._window.preferences.set_folder(folder)

    def _show_refusal(self, what: str, _: str, error: Exception) -> None:
        preferences = self._window.preferences
        if what == "move":
            preferences.set_moving(None, "")
            preferences.set_folder_error("" if isinstance(error, Stopped) else sentence(error))
        elif what == "token":  # of one that was no token the earlier one is still kept
            kept = preferences.has_token and getattr(error, "code", "") != "no_keychain"
            preferences.set_token_state(kept, sentence(error), wrong=True)
