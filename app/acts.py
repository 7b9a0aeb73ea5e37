"""What the actions of the menus do in the window."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from app.theme import theme

if TYPE_CHECKING:
    from app.main_window import MainWindow


def acts(window: MainWindow) -> dict[str, Callable[[], Any]]:
    """By the names of the actions."""
    return {
        "new_chat": window.new_chat,
        "settings": window.open_settings,
        "close": lambda: (QApplication.activeWindow() or window).close(),
        "quit": QGuiApplication.quit,
        "copy_answer": window.page.transcript.copy_last_answer,
        "find": window.search,
        "picker": window.choose_model,
        "regenerate": window.chats.regenerate,
        "stop": window.chats.stop,
        "compare": window.compare_chat,
        "rename": window.rename,
        "delete": window.delete,
        "view_0": lambda: window.show_view(0),
        "view_1": lambda: window.show_view(1),
        "view_2": lambda: window.show_view(2),
        "sidebar": window.frame.toggle_sidebar,
        "zoom_in": lambda: _zoom(window, 1),
        "zoom_out": lambda: _zoom(window, -1),
        "zoom_reset": lambda: _zoom(window, 0),
        "full_screen": lambda: _toggle_full_screen(window),
        "about": window.about,
    }


def _zoom(window: MainWindow, steps: int) -> None:
    if steps:
        theme().step_zoom(steps)
    else:
        theme().set_zoom(1.0)
    window.settings.zoom = theme().zoom


def _toggle_full_screen(window: MainWindow) -> None:
    window.setWindowState(window.windowState() ^ Qt.WindowState.WindowFullScreen)
