"""The window: puts the panels in their places and connects them with the controllers."""

from __future__ import annotations

import sys

from PySide6.QtCore import QEvent, QModelIndex, QSize, Qt
from PySide6.QtGui import QCloseEvent, QDesktopServices, QKeyEvent
from PySide6.QtWidgets import QMainWindow, QStackedWidget, QVBoxLayout, QWidget

from app.about import About
from app.acts import acts
from app.chat_controller import ChatController
from app.chat_page import ChatPage
from app.compare_controller import CompareController
from app.compare_presenter import ComparePresenter
from app.engine_client import EngineClient
from app.frame import Frame
from app.idle_unload import IdleUnload
from app.library_client import LibraryClient
from app.library_controller import LibraryController
from app.library_presenter import LibraryPresenter
from app.menus import Menus
from app.model_controller import ModelController
from app.panels.chat_list import CHAT as CHAT_ROLE
from app.panels.compare_sidebar import CompareSidebar
from app.panels.compare_view import CompareView
from app.panels.models_sidebar import ModelsSidebar
from app.panels.models_view import ModelsView
from app.panels.question_bar import QuestionBar
from app.panels.sidebar import BAR, Sidebar
from app.panels.toolbar import PLAIN_HEIGHT, Toolbar
from app.precision_menu import PrecisionMenu
from app.presenter import Presenter
from app.replies import Replies
from app.settings import Settings
from app.settings_controller import SettingsController
from app.store import Store
from app.tab_order import order_tabs
from app.theme import theme
from app.widgets.toast import Toast

_MAC = sys.platform == "darwin"
_WINDOW_BUTTONS = 90  # pixels that the three buttons of a Mac's window take at the left
CHAT, MODELS, COMPARE = range(3)


class MainWindow(QMainWindow):
    """Chats, models and comparisons. `shut_down` ends all that it started.

    `expanded`: the toolbar is the window's title area, as on a Mac."""

    def __init__(
        self,
        store: Store,
        client: EngineClient,
        library: LibraryClient,
        settings: Settings,
        *,
        expanded: bool = _MAC,
    ) -> None:
        super().__init__()
        self._store, self._client, self.settings = store, client, settings
        self._library_client = library
        self._is_down = False
        self.view = CHAT
        self.models = ModelController(client, settings, self)
        self.replies = Replies(store, client, self)
        self.chats = ChatController(store, self.replies, settings, self)
        self.library = LibraryController(library, self.models, self)
        self.preferences = SettingsController(settings, self.models, self)
        self.idle = IdleUnload(self, settings)
        bar_height = BAR if expanded else PLAIN_HEIGHT
        self.sidebar = Sidebar(bar_height=bar_height)
        self.models_sidebar = ModelsSidebar(bar_height=bar_height)
        self.models_view = ModelsView()
        self.compare = CompareController(client, self.models, store.comparisons, settings, self)
        self.compare_sidebar = CompareSidebar(bar_height=bar_height)
        self.compare_view = CompareView()
        self.toolbar = Toolbar(expanded=expanded)
        self.page = ChatPage()
        self._place(settings)
        self.menus = Menus(self, acts(self))
        self.precision = PrecisionMenu(self.menus.precision, self.models)
        self.presenter = Presenter(self, store, settings)
        self.library_presenter = LibraryPresenter(self, library, settings)
        self.compare_presenter = ComparePresenter(self, self.compare, store)
        self._connect()
        self._restore(expanded)

    def _place(self, settings: Settings) -> None:
        self._views = QStackedWidget()
        self._views.addWidget(self.page)
        self._views.addWidget(self.models_view)
        self._views.addWidget(self.compare_view)
        self.toast = Toast(self._views)  # where the chat's own is out of sight
        self.question = QuestionBar()
        main = QWidget()
        column = QVBoxLayout(main)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.toolbar)
        column.addWidget(self.question)
        column.addWidget(self._views, 1)
        self._sidebars = QStackedWidget()
        self._all_sidebars = (self.sidebar, self.models_sidebar, self.compare_sidebar)
        for sidebar in self._all_sidebars:  # in the order of the views
            self._sidebars.addWidget(sidebar)
        self.frame = Frame(self._sidebars, main, settings.sidebar_width)
        self.setCentralWidget(self.frame)
        self.setMinimumSize(720, 520)
        order_tabs(self)

    def _connect(self) -> None:
        self.toolbar.view_changed.connect(self.show_view)
        self.toolbar.sidebar_toggled.connect(self.frame.toggle_sidebar)
        self.toolbar.new_chat.connect(self.new_chat)
        for sidebar in self._all_sidebars:
            sidebar.toggle.connect(self.frame.toggle_sidebar)
            sidebar.new_chat.connect(self.new_chat)
        self.sidebar.chat_selected.connect(self._on_chat_selected)
        self.sidebar.view.clicked.connect(self._on_row_clicked)
        self.frame.sidebar_changed.connect(self._on_sidebar_changed)
        self.frame.overlaid_changed.connect(self._on_overlaid_changed)
        self.frame.width_changed.connect(self._on_sidebar_width)
        self.page.transcript.link_opened.connect(self.open_link)

    def _restore(self, expanded: bool) -> None:
        if expanded and _MAC:
            self.setWindowFlag(Qt.WindowType.ExpandedClientAreaHint)
            self.setWindowFlag(Qt.WindowType.NoTitleBarBackgroundHint)
            self.toolbar.set_left_room(_WINDOW_BUTTONS)
            for widget in (self, *self.findChildren(QWidget)):  # else all is moved down
                widget.setAttribute(Qt.WidgetAttribute.WA_ContentsMarginsRespectsSafeArea, False)
        theme().set_scheme(self.settings.scheme)
        theme().set_zoom(self.settings.zoom)
        if not self.restoreGeometry(self.settings.geometry):
            self.resize(QSize(1280, 800))
        self.frame.set_sidebar_shown(self.settings.sidebar_shown(CHAT), animated=False)
        self.presenter.show_all()
        self.page.composer.setFocus()

    def start(self) -> None:
        """Look for models and load one; call once the window is up."""
        self._library_client.start()
        self.models.start()

    # What the user does

    def show_view(self, view: int) -> None:
        """Chat, Models or Compare; each remembers whether the sidebar stands beside it."""
        self.view = view
        self._views.setCurrentIndex(view)
        self._sidebars.setCurrentIndex(view)
        self.toolbar.set_view(view)
        self.menus.set_view(view)
        if not self.frame.overlaid:
            self.frame.set_sidebar_shown(self.settings.sidebar_shown(view), animated=False)
        self.presenter.show_title()
        self.library_presenter.show()
        self.compare_presenter.show()

    def new_chat(self) -> None:
        """A chat that has not begun, ready for typing."""
        self.chats.open(None)
        self._to_the_chat()

    def search(self) -> None:
        """Put the caret into the sidebar's field: among the models their filter, else the chats'
        search."""
        if self.view != MODELS:
            self.show_view(CHAT)
        self.frame.set_sidebar_shown(True)
        field = self.models_sidebar.filter if self.view == MODELS else self.sidebar.search
        field.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def choose_model(self) -> None:
        """Open the picker; only the chat has one, and is shown for it."""
        if self.view != CHAT:
            self.show_view(CHAT)
        self.toolbar.picker.open_list()

    def rename(self) -> None:
        """Type over the open chat's title in the sidebar."""
        if self.chats.current:
            self.frame.set_sidebar_shown(True)
            self.sidebar.view.start_rename(self.chats.current)

    def delete(self) -> None:
        """Delete the open chat; a toast takes it back."""
        if self.chats.current:
            self.chats.delete(self.chats.current)

    def compare_chat(self) -> None:
        """Put the open chat's last question to several models."""
        if self.chats.current:
            self.compare_presenter.take_chat(self.chats.current)

    def open_settings(self) -> None:
        """Show the Settings window, or bring it to the front."""
        self.preferences.open()

    def about(self) -> None:
        """Show what the app is and what it runs on."""
        About(self.models.machine, self.models.models, self).open()

    def _on_chat_selected(self, chat: str) -> None:
        self.chats.open(chat)
        self._to_the_chat()

    def _on_row_clicked(self, row: QModelIndex) -> None:
        """The open chat's own row leads back from another view."""
        if row.data(CHAT_ROLE) == self.chats.current is not None:
            self._to_the_chat()

    def _to_the_chat(self) -> None:
        self.show_view(CHAT)
        self.frame.hide_overlay()
        self.page.composer.setFocus()

    def _on_sidebar_changed(self, shown: bool) -> None:
        self.toolbar.set_sidebar_shown(shown)
        if not self.frame.overlaid:
            self.settings.set_sidebar_shown(self.view, shown)

    def _on_overlaid_changed(self, overlaid: bool) -> None:
        self.toolbar.set_sidebar_shown(self.frame.sidebar_shown)

    def _on_sidebar_width(self, width: int) -> None:
        self.settings.sidebar_width = width

    def open_link(self, url: str) -> None:
        """Open an address in the browser."""
        QDesktopServices.openUrl(url)

    # Qt's events

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape, where nothing else took it: closes the overlaid sidebar, else stops, else
        declines what is asked."""
        if event.key() != Qt.Key.Key_Escape:
            super().keyPressEvent(event)
        elif self.frame.overlaid and self.frame.sidebar_shown:
            self.frame.hide_overlay()
        elif self.chats.live:
            self.chats.stop()
        else:
            self.question.decline()

    def changeEvent(self, event: QEvent) -> None:
        """In full screen a Mac's window has no buttons to keep clear of."""
        super().changeEvent(event)
        if _MAC and event.type() == QEvent.Type.WindowStateChange:
            self.toolbar.set_left_room(0 if self.isFullScreen() else _WINDOW_BUTTONS)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Remember the window's place. On a Mac the app goes on; elsewhere it quits."""
        self._save()
        super().closeEvent(event)

    def _save(self) -> None:
        if not self._is_down:
            self.settings.geometry = self.saveGeometry()
            self.chats.save_draft()

    def shut_down(self) -> bool:
        """Stop and keep everything, then end the engine's thread; False if it would not end."""
        if self._is_down:
            return True
        self._save()
        self._is_down = True
        ended = self._library_client.close()
        ended = self._client.close() and ended
        self.settings.sync()
        self._store.close()
        return ended
