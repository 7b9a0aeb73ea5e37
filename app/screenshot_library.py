"""The Models view's part of the screenshots: a library that is filled by hand."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication

from app.library_client import LibraryClient
from app.main_window import MODELS, MainWindow
from app.screenshot_models import sample
from engine.api import Download, Machine

_GB = 10**9
_SIZE, _NARROW = (1280, 800), (720, 680)


class StillLibrary(LibraryClient):
    """A bridge that is asked and does nothing: what the library holds is given by hand."""

    def start(self) -> None:
        """Nothing is taken up."""

    def set_machine(self, machine: Machine) -> None:
        """Nothing is listed."""

    def find_models(self) -> None:
        """The list is given by hand."""

    def search(self, text: str) -> None:
        """Nobody is asked."""


def take_library(
    window: MainWindow, library: StillLibrary, take: Callable[[str], None], language: str
) -> None:
    """A download beside the chats; then the view as a user would have it, with every trouble there
    is, searched, and narrow."""
    coming = Download(
        repo="state-spaces/mamba-790m-hf", phase="moving", done_bytes=134 * _GB // 100,
        total_bytes=317 * _GB // 100, bytes_per_s=38.4e6, seconds_left=48,
    )  # fmt: skip
    library.downloads_changed.emit([coming])
    take("chat-download")
    library.downloads_changed.emit([])
    window.show_view(MODELS)
    for name, troubles in (("models", False), ("models-troubles", True)):
        rows = sample(language, troubles=troubles)
        window.models_view.set_rows(rows)
        window.models_sidebar.set_rows(rows)
        title = QCoreApplication.translate("LibraryPresenter", "Models")
        window.toolbar.set_title(title, rows.title_note)
        take(name)
    window.models_view.scroll_to(2)
    take("models-catalogue")
    window.models_view.scroll_to(0)
    window.resize(*_NARROW)
    take("models-narrow")
    window.resize(*_SIZE)
