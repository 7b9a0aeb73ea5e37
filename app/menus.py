"""The menus and their shortcuts: what can be done, and by which keys."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QApplication, QMainWindow, QMenu

_MAC = sys.platform == "darwin"
Role = QAction.MenuRole
_MODELS = 1  # of the views


class Menus(QObject):
    """The actions by name, in a menu bar.

    Off macOS the bar is hidden, as the window is drawn without one; F10 shows it."""

    def __init__(self, window: QMainWindow, acts: dict[str, Callable[[], Any]]) -> None:
        """`acts` gives what each action does: a missing or an unknown name is an error."""
        super().__init__(window)
        self._window, self._acts = window, dict(acts)
        self.actions: dict[str, QAction] = {}
        self.views = QActionGroup(self)
        self._build_file(window.menuBar().addMenu(self.tr("File")))
        self._build_edit(window.menuBar().addMenu(self.tr("Edit")))
        self._build_chat(window.menuBar().addMenu(self.tr("Chat")))
        self._build_view(window.menuBar().addMenu(self.tr("View")))
        self._build_help(window.menuBar().addMenu(self.tr("Help")))
        if self._acts:
            raise ValueError(f"no action is called {sorted(self._acts)}")
        if not _MAC:
            window.menuBar().hide()
            window.addActions(list(self.actions.values()))  # the keys work without the bar

    def set_view(self, view: int) -> None:
        """Tick the view that is shown, and say what is found there."""
        self.views.actions()[view].setChecked(True)
        chats, models = self.tr("Find in Chats"), self.tr("Find in Models")
        self.actions["find"].setText(models if view == _MODELS else chats)

    def _add(
        self, menu: QMenu, name: str, words: str, keys: str = "", role: Role = Role.NoRole
    ) -> QAction:
        action = menu.addAction(words)
        action.setMenuRole(role)  # Qt would guess it from English words
        action.setShortcuts([QKeySequence(key) for key in keys.split()])
        act = self._acts.pop(name)
        action.triggered.connect(lambda: act())
        self.actions[name] = action
        return action

    def _build_file(self, menu: QMenu) -> None:
        self._add(menu, "new_chat", self.tr("New Chat"), "Ctrl+N")
        menu.addSeparator()
        self._add(menu, "settings", self.tr("Settings…"), "Ctrl+,", Role.PreferencesRole)
        menu.addSeparator()
        self._add(menu, "close", self.tr("Close Window"), "Ctrl+W")
        self._add(menu, "quit", self.tr("Quit Mamba Chat"), "Ctrl+Q", Role.QuitRole)

    def _build_edit(self, menu: QMenu) -> None:
        for slot, words, keys in (
            ("undo", self.tr("Undo"), QKeySequence.StandardKey.Undo),
            ("redo", self.tr("Redo"), QKeySequence.StandardKey.Redo),
            ("", "", None),
            ("cut", self.tr("Cut"), QKeySequence.StandardKey.Cut),
            ("copy", self.tr("Copy"), QKeySequence.StandardKey.Copy),
            ("paste", self.tr("Paste"), QKeySequence.StandardKey.Paste),
            ("selectAll", self.tr("Select All"), QKeySequence.StandardKey.SelectAll),
        ):
            if keys is None:
                menu.addSeparator()
                continue
            action = menu.addAction(words)
            action.setMenuRole(Role.NoRole)
            if _MAC:  # elsewhere the field that has the focus takes these keys itself
                action.setShortcut(QKeySequence(keys))
            action.triggered.connect(lambda _=False, slot=slot: _call_focused(slot))
        menu.addSeparator()
        self._add(menu, "copy_answer", self.tr("Copy Last Answer"), "Ctrl+Shift+C")
        self._add(menu, "find", self.tr("Find in Chats"), "Ctrl+F")

    def _build_chat(self, menu: QMenu) -> None:
        self._add(menu, "picker", self.tr("Choose Model"), "Ctrl+L")
        self.precision = menu.addMenu(self.tr("Precision"))
        self.precision.menuAction().setMenuRole(Role.NoRole)
        menu.addSeparator()
        self._add(menu, "regenerate", self.tr("Regenerate"), "Ctrl+R")
        self._add(menu, "stop", self.tr("Stop"), "Ctrl+.")
        menu.addSeparator()
        self._add(menu, "compare", self.tr("Compare Models…"))
        menu.addSeparator()
        self._add(menu, "rename", self.tr("Rename Chat"))
        self._add(menu, "delete", self.tr("Delete Chat"))

    def _build_view(self, menu: QMenu) -> None:
        for at, words in enumerate((self.tr("Chat"), self.tr("Models"), self.tr("Compare"))):
            action = self._add(menu, f"view_{at}", words, f"Ctrl+{at + 1}")
            action.setCheckable(True)
            self.views.addAction(action)
        menu.addSeparator()
        sidebar = "Ctrl+Meta+S" if _MAC else "Ctrl+Alt+S"
        self._add(menu, "sidebar", self.tr("Show or Hide Sidebar"), sidebar)
        menu.addSeparator()
        self._add(menu, "zoom_in", self.tr("Zoom In"), "Ctrl++ Ctrl+=")
        self._add(menu, "zoom_out", self.tr("Zoom Out"), "Ctrl+-")
        self._add(menu, "zoom_reset", self.tr("Actual Size"), "Ctrl+0")
        menu.addSeparator()
        keys = "Ctrl+Meta+F" if _MAC else "F11"
        self._add(menu, "full_screen", self.tr("Full Screen"), keys)

    def _build_help(self, menu: QMenu) -> None:
        self._add(menu, "about", self.tr("About Mamba Chat"), role=Role.AboutRole)
        if not _MAC:
            show = QAction(self)
            show.setShortcut(QKeySequence(Qt.Key.Key_F10))
            show.triggered.connect(self._toggle_bar)
            self._window.addAction(show)

    def _toggle_bar(self) -> None:
        bar = self._window.menuBar()
        bar.setVisible(not bar.isVisible())


def _call_focused(slot: str) -> None:
    """Call `copy`, `paste` and so on of whatever has the focus, where it has that."""
    act = getattr(QApplication.focusWidget(), slot, None)
    if act is not None:
        act()
