"""Makes the application and its window, and ends both in order."""

from __future__ import annotations

import gc
import logging
import os
import signal
import socket
import sqlite3
import sys
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QObject, QSocketNotifier, Qt
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication, QMessageBox

from app import folders, i18n, log, opening, theme
from app.engine_client import EngineClient
from app.errors_text import sentence
from app.first_paint import FirstPaint
from app.library_client import LibraryClient
from app.main_window import MainWindow
from app.one_at_a_time import Place
from app.settings import Settings
from app.store import Store
from app.widgets import copied
from engine import paths
from engine.errors import EngineError

_log = logging.getLogger(__name__)
# The window waits so long for the interpreter while the engine's thread runs Python; with the
# usual 5 ms a dozen painted pieces add up to a hitch.
_SWITCH_S = 0.001
_FAULT_BOX = "fault"


def main() -> int:
    """Open the window and run until the user quits; the exit status."""
    app = make_application()
    try:
        log.start()
        log.note_crashes()
        place = Place(paths.home())
    except OSError as error:
        return opening.refuse(opening.unwritable(error))
    if not place.mine:
        place.call()
        return opening.open_already()
    try:
        window = make_window()
    except EngineError as error:
        _log.exception("the window cannot be opened")
        return opening.refuse(error)
    status = _run(app, window, place)
    place.leave()
    return status


def _run(app: QApplication, window: MainWindow, place: Place) -> int:
    signals = Signals(app)
    log.catch_faults(lambda report: tell_of_fault(window, report), lambda: _backend(window))
    app.setQuitOnLastWindowClosed(sys.platform != "darwin")
    app.applicationStateChanged.connect(lambda state: _reopen(window, state))
    place.called.connect(lambda: to_the_front(window))
    start_when_painted(window)
    window.show()
    status = app.exec()
    signals.close()
    end(window)
    return status


def make_application() -> QApplication:
    """The one QApplication: named, translated and dressed."""
    sys.setswitchinterval(_SWITCH_S)
    app = QApplication(sys.argv[:1])
    app.setApplicationName("mamba-chat")
    app.setApplicationDisplayName(paths.APP_NAME)
    app.setDesktopFileName("mamba-chat")
    settings = Settings()
    i18n.install(app, i18n.language(settings.language))
    app.setWindowIcon(QIcon(str(paths.resources() / "icon.svg")))
    look = theme.theme()  # as it shall be before there is a window, which would be dressed anew
    look.set_scheme(settings.scheme)
    look.set_zoom(settings.zoom)
    theme.install(app)
    return app


def make_window(database: Path | None = None) -> MainWindow:
    """The window over the user's chats and settings, not shown yet. Raises EngineError when the
    chats cannot be written."""
    try:
        store = Store(database or paths.database())
    except (OSError, sqlite3.OperationalError) as error:
        raise opening.unwritable(error) from error
    if store.set_aside:
        _log.error("the chats could not be read; they were put at %s", store.set_aside)
    settings = Settings()
    library = LibraryClient(settings.network(""))
    window = MainWindow(store, EngineClient(), library, settings)
    window.models.changed.connect(settle)
    return window


def start_when_painted(window: MainWindow) -> FirstPaint:
    """Let `window` look for models and load one once it is on the screen: until then the engine's
    imports would take the interpreter from it."""
    first = FirstPaint(window)
    first.happened.connect(window.start)
    return first


def settle() -> None:
    """Take what was made so far out of the collector's way: a whole round over the app's and MLX's
    modules holds the window up for 20 to 40 ms, and one comes with every long answer."""
    gc.collect()
    gc.freeze()


def end(window: MainWindow) -> None:
    """Shut `window` down; the process ends here and now if the engine does not."""
    if not window.shut_down():
        _log.error("the engine's thread did not end")
        logging.shutdown()
        os._exit(0)  # all is saved, and the thread cannot be ended by force
    window.deleteLater()
    copied.let_go()


class Signals(QObject):
    """Lets an interrupt or a request to terminate quit the app as its menu does."""

    def __init__(self, app: QApplication) -> None:
        super().__init__(app)
        self._here, self._there = socket.socketpair()
        for end_ in (self._here, self._there):
            end_.setblocking(False)
        # Python looks at signals only when it runs; the byte wakes Qt's loop so that it does.
        signal.set_wakeup_fd(self._there.fileno())
        self._bell = QSocketNotifier(self._here.fileno(), QSocketNotifier.Type.Read, self)
        self._bell.activated.connect(lambda: self._here.recv(64))
        self._before = {
            number: signal.signal(number, lambda *_: app.quit())
            for number in (signal.SIGINT, signal.SIGTERM)
        }

    def close(self) -> None:
        """Handle signals as before."""
        signal.set_wakeup_fd(-1)
        self._bell.setEnabled(False)
        for number, handler in self._before.items():
            signal.signal(number, handler)
        self._here.close()
        self._there.close()


def _reopen(window: MainWindow, state: Qt.ApplicationState) -> None:
    """A click on the Dock's icon brings back a window that was closed."""
    if state == Qt.ApplicationState.ApplicationActive and not window.isVisible():
        window.show()


def to_the_front(window: MainWindow) -> None:
    """Show `window` before all others, however it was put away."""
    window.setWindowState(window.windowState() & ~Qt.WindowState.WindowMinimized)
    window.show()
    window.raise_()
    window.activateWindow()


def _backend(window: MainWindow) -> str:
    machine = window.models.machine
    return f"{machine.backend}, {machine.device}" if machine else ""


def tell_of_fault(window: MainWindow, report: Path | None) -> None:
    """Say one sentence, once at a time; the log holds the rest."""
    if window.findChild(QMessageBox, _FAULT_BOX):
        return
    box = QMessageBox(QMessageBox.Icon.Warning, paths.APP_NAME, sentence(RuntimeError()))
    box.setObjectName(_FAULT_BOX)
    box.setParent(window, box.windowFlags())
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    box.addButton(QMessageBox.StandardButton.Ok)
    if report is not None:
        words = QCoreApplication.translate("Opening", "Show Report")
        button = box.addButton(words, QMessageBox.ButtonRole.ActionRole)
        button.clicked.connect(lambda: folders.show(report.parent))
    box.open()
