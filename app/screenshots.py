"""`python -m app --screenshots DIR`: a picture of every view, light and dark, in each language."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

from PySide6.QtCore import QCoreApplication, QEventLoop, QPoint, QTimer
from PySide6.QtGui import QPainter, QPixmap
from PySide6.QtWidgets import QApplication, QWidget

from app import log
from app.engine_client import EngineClient
from app.main_window import MainWindow
from app.screenshot_content import ENGLISH, JAPANESE, Content
from app.screenshot_library import StillLibrary, take_library
from app.screenshot_runs import RunShots
from app.screenshot_seed import MACHINE, models, seeded
from app.screenshot_settings import SettingsShots
from app.settings import Settings
from app.theme import theme
from engine.api import Network, Piece, Reading, ReplyRequest
from engine.compare_api import CompareRequest
from engine.errors import EngineError, Stopped

_SIZE, _NARROW = (1280, 800), (720, 680)


class StillClient(EngineClient):
    """A bridge that is asked and does nothing: what the engine would say is said by hand."""

    def find_machine(self, limit_bytes: int = 0) -> None:
        """What it runs on is given by hand."""

    def load(self, folder: Path, name: str = "", **wishes: Any) -> None:
        """Loading goes as far as is said by hand."""

    def compare(self, request: CompareRequest) -> None:
        """What comes of it is said by hand."""

    def ask(self, request: ReplyRequest) -> None:
        """The answer is given by hand."""


def main(folder: Path, only: frozenset[str] = frozenset()) -> int:
    """Write the pictures, all or `only` those named, into `folder`; 0 when all went well."""
    from app import i18n, window_app

    if sys.platform.startswith("linux"):
        screen = {"x": 0, "y": 0, "width": 3840, "height": 2400, "logicalDpi": 96, "dpr": 1}
        file = Path(tempfile.mkdtemp()) / "screen.json"
        file.write_text(json.dumps({"screens": [{"name": "large", **screen}]}))
        os.environ["QT_QPA_PLATFORM"] = f"offscreen:configfile={file}"
        os.environ["QT_SCALE_FACTOR"] = "2"
    os.environ["MAMBA_CHAT_LANG"] = "en"
    folder.mkdir(parents=True, exist_ok=True)
    app = window_app.make_application()
    faults: list[str] = []
    log.catch_faults(lambda _: faults.append("a fault, see the log"))
    count = 0
    for name, content in (("en", ENGLISH), ("ja", JAPANESE)):
        translators = i18n.install(app, name)
        with tempfile.TemporaryDirectory() as home:
            os.environ["MAMBA_CHAT_HOME"] = home
            count += _Album(folder, "" if name == "en" else f"-{name}", content, only).fill()
        for translator in translators:
            app.removeTranslator(translator)
    print(f"{count} pictures in {folder}")
    for fault in faults:
        print(fault, file=sys.stderr)
    return 1 if faults else 0


class _Album:
    """The pictures of one language."""

    def __init__(self, folder: Path, suffix: str, content: Content, only: frozenset[str]) -> None:
        self._folder, self._suffix, self._content = folder, suffix, content
        self._only = only
        self._language = suffix.removeprefix("-") or "en"
        self._count = 0
        self._client = StillClient()
        self._store = seeded(content)
        self._library = StillLibrary(Network())
        self.window = MainWindow(
            self._store, self._client, self._library, Settings(), expanded=True
        )
        self.window.resize(*_SIZE)
        self.window.show()
        self.window.activateWindow()

    def fill(self) -> int:
        """Take every picture; how many there are."""
        for shot in (
            self._loading, self._empty, self._chat, self._narrow, self._overlay, self._picker,
            self._questions, self._options, self._reading, self._streaming, self._error,
            self._load_error, self._missing, self._undo, self._search, self._views, self._about,
            self._settings, self._zoomed,
        ):  # fmt: skip
            shot()
        self._library.close()
        self._client.close()
        self._store.close()
        self.window.deleteLater()
        return self._count

    def _take(self, name: str, over: QWidget | None = None) -> None:
        """A picture in light and in dark; `over` is a popup that lies over the window."""
        if self._only and name not in self._only:
            return
        for scheme, mark in (("light", ""), ("dark", "-dark")):
            theme().set_scheme("light" if scheme == "light" else "dark")
            _settle()
            picture = self.window.grab()
            if over is not None:
                painter = QPainter(picture)
                at = over.mapToGlobal(QPoint(0, 0)) - self.window.mapToGlobal(QPoint(0, 0))
                painter.drawPixmap(at, over.grab())
                painter.end()
            self._save(picture, f"{name}{self._suffix}{mark}")

    def _save(self, picture: QPixmap, name: str) -> None:
        file = self._folder / f"{name}.png"
        if not picture.save(str(file), "PNG", 70):  # quick; the smallest takes a second each
            raise OSError(f"{file} cannot be written")
        self._count += 1

    def _open(self, row: int) -> None:
        self.window.sidebar.chat_selected.emit(self._store.chats()[row].id)

    def _loading(self) -> None:
        self.window.models.start()
        self._client.loading.emit("starter-12m", 0.6)
        self._take("chat-loading")

    def _empty(self) -> None:
        self._client.machine_known.emit(MACHINE)
        self.window.models.set_models(models())
        self._client.loaded.emit(models()[0])
        self._take("chat-empty")

    def _chat(self) -> None:
        self._use(2)
        self._open(0)
        self.window.page.composer.set_draft(self._content.draft)
        self._take("chat")

    def _narrow(self) -> None:
        self.window.resize(*_NARROW)
        self._take("chat-narrow")

    def _overlay(self) -> None:
        self.window.frame.set_sidebar_shown(True, animated=False)
        self._take("chat-narrow-sidebar")
        self.window.frame.hide_overlay()
        self.window.resize(*_SIZE)

    def _picker(self) -> None:
        picker = self.window.toolbar.picker
        picker.open_list()
        self._take("picker-open", picker.list)
        picker.list.close()
        self._load("mamba-2.8b-hf", 0.62)
        self._take("picker-loading")
        self._use(2)

    def _use(self, model: int) -> None:
        """Have a model of the list loaded."""
        info = models()[model]
        if self.window.models.is_loading:  # the one that is given up
            self._client.load_failed.emit(self.window.models.name, Stopped())
        if self.window.models.loaded != info:
            self.window.models.choose(info.name)
            self._client.loaded.emit(info)

    def _load(self, name: str, fraction: float) -> None:
        folder = next(model.folder for model in models() if model.name == name)
        self.window.models.load(folder)
        self._client.loading.emit(name, fraction)

    def _questions(self) -> None:
        self.window.activateWindow()  # the picker's list, a window of its own, was in front
        _settle()
        for model, name in ((5, "question-tight"), (4, "question-too-big")):
            self.window.toolbar.picker.model_chosen.emit(models()[model].name)
            self._take(name)
        self.window.resize(*_NARROW)
        self._take("question-narrow")
        self.window.resize(*_SIZE)
        self.window.question.decline()

    def _options(self) -> None:
        composer = self.window.page.composer
        composer.open_options()
        self._take("options-open", composer.popover)
        composer.popover.close()
        composer.set_draft("")

    def _ask(self) -> str:
        """Ask in the chat about a long text; the id of the answer to be given."""
        self.window.new_chat()
        self.window.page.composer.submitted.emit(self._content.long_question)
        self.window.chats.rename(str(self.window.chats.current), self._content.long_title)
        live = self.window.chats.live
        assert live is not None
        return live.message

    def _reading(self) -> None:
        reply = self._ask()
        self._client.reading.emit(reply, Reading(0, 4310, 0, None))
        live = self.window.chats.live
        assert live is not None
        live.read_began -= 5.0
        _settle(400)
        self._client.reading.emit(reply, Reading(1240, 4310, 0, 12.0))
        self._take("chat-reading")

    def _streaming(self) -> None:
        live = self.window.chats.live
        assert live is not None
        answer = self._content.long_answer
        for at in range(0, len(answer), 100):
            text, ms = answer[at : at + 100], 29.7 + at // 100 % 7 / 8
            piece = Piece(text, 20, 4330 + at // 5, ms, 29.7, 17_400.0)
            self._client.written.emit(live.message, piece)
            _settle(300)
        self._take("chat-streaming")

    def _error(self) -> None:
        live = self.window.chats.live
        assert live is not None
        self._client.failed.emit(live.message, EngineError("out_of_memory", position=4506))
        self._take("error")

    def _load_error(self) -> None:
        self._load("mamba-2.8b-hf", 0.1)
        error = EngineError(
            "incomplete", file="model.safetensors", found=3_100_000_000, expected=4_900_000_000
        )
        self._client.load_failed.emit("mamba-2.8b-hf", error)
        self._open(1)
        self._take("load-error")

    def _missing(self) -> None:
        self._use(3)
        self._open(9)
        self._take("model-missing")

    def _undo(self) -> None:
        self._use(2)
        self._open(1)
        chat = self._store.chats()[5].id
        self.window.sidebar.delete_chat.emit(chat)
        self._take("undo")
        self.window.page.toast.undone.emit()
        self.window.page.toast.hide()

    def _search(self) -> None:
        chat = self._store.chats()[2].id
        self.window.chats.rename(chat, self._content.longest_title)
        self.window.sidebar.chat_selected.emit(chat)
        self._take("long-title")
        self.window.sidebar.search.setText(self._content.nothing)
        self._take("search-none")
        self.window.sidebar.search.setText("")

    def _views(self) -> None:
        take_library(self.window, self._library, self._take, self._language)
        RunShots(self.window, self._client, self._store, self._take, self._content).fill()
        self.window.models.set_models(models())
        self.window.show_view(0)

    def _about(self) -> None:
        self.window.about()
        about = next(w for w in QApplication.topLevelWidgets() if w.objectName() == "about")
        theme().set_scheme("light")
        _settle()
        self._save(about.grab(), f"about{self._suffix}")
        about.close()

    def _settings(self) -> None:
        SettingsShots(self.window, self._suffix, self._only, _settle, self._save).take()

    def _zoomed(self) -> None:
        self._open(1)
        theme().set_zoom(1.3)
        self._take("chat-zoomed")
        theme().set_zoom(1.0)


def _settle(milliseconds: int = 120) -> None:
    """Let what is drawn later be drawn."""
    loop = QEventLoop()
    QTimer.singleShot(milliseconds, loop.quit)
    loop.exec()
    QCoreApplication.processEvents()
