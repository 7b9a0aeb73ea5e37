"""What the tests of the window share."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QHBoxLayout, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app import i18n
from app.panels.composer import Composer
from app.panels.transcript import Transcript
from app.theme import Theme, install
from app.widgets import copied
from engine import paths
from engine.api import Machine, Sampling

if TYPE_CHECKING:
    from hub_server import HubServer
    from key_store import MemoryStore
    from library_bridge import Heard
    from measuring import Measuring

    from app.main_window import MainWindow
    from app.panels.compare_view import CompareView

sys.path.insert(0, str(Path(__file__).parent))  # the helpers beside the tests

LOADED_MS = 60_000  # a model may take so long to load on a busy machine


@pytest.fixture(scope="session", autouse=True)
def clipboard_at_the_end() -> Iterator[None]:
    """What tests copied does not outlive the interpreter."""
    yield
    if QApplication.instance() is not None:
        copied.let_go()


@pytest.fixture(scope="session")
def starter_3m() -> Path:
    """The folder of the smallest bundled model, quick enough for a test of the whole window."""
    return paths.resources() / "models" / "starter-3m"


@pytest.fixture
def look(qapp: QApplication) -> Iterator[Theme]:
    """The theme, light and at zoom 1, before and after."""
    it = install(qapp)
    it.set_scheme("light")
    it.set_zoom(1.0)
    yield it
    it.set_scheme("light")
    it.set_zoom(1.0)


@pytest.fixture
def japanese(qapp: QApplication) -> Iterator[None]:
    """The app speaks Japanese for as long as the test runs."""
    translators = i18n.install(qapp, "ja")
    yield
    for translator in translators:
        qapp.removeTranslator(translator)
    i18n.install(qapp, "en")


@pytest.fixture
def key_store() -> Iterator[MemoryStore]:
    """The machine's key store, empty and the test's own."""
    from key_store import memory_store

    with memory_store() as store:
        yield store


@pytest.fixture
def heard(qtbot: QtBot, hub: HubServer) -> Iterator[Heard]:
    """What a client says that asks the tests' Hub, where two models are."""
    from library_bridge import OTHER, REPO, SOURCE, listen

    hub.add(REPO, SOURCE, licence="apache-2.0")
    hub.add(OTHER, SOURCE)
    it = listen(qtbot, hub.url)
    yield it
    it.close()


@pytest.fixture
def started(heard: Heard) -> Heard:
    """The same, at work."""
    from library_bridge import MACHINE

    heard.client.start()
    heard.client.set_machine(MACHINE)
    heard.wait_for("disk_known")
    return heard


@pytest.fixture
def row(qtbot: QtBot) -> Callable[..., QWidget]:
    """Shows widgets side by side, in a window that lasts as long as the test."""
    kept: list[QWidget] = []

    def show(*widgets: QWidget) -> QWidget:
        host = QWidget()
        kept.append(host)
        layout = QHBoxLayout(host)
        for widget in widgets:
            layout.addWidget(widget)
        qtbot.addWidget(host)
        with qtbot.waitActive(host):
            host.show()
            host.activateWindow()
        return host

    return show


@pytest.fixture
def composer(qtbot: QtBot) -> Iterator[Composer]:
    """A composer with the focus, as wide as the pictures'."""
    window = QWidget()
    window.resize(700, 400)
    column = QVBoxLayout(window)
    it = Composer(window)
    column.addStretch(1)
    column.addWidget(it)
    qtbot.addWidget(window)
    with qtbot.waitActive(window):
        window.show()
        window.activateWindow()
    it.setFocus()
    yield it
    it.popover.close()


@pytest.fixture
def transcript(qtbot: QtBot) -> Transcript:
    """A transcript as large as in the pictures."""
    made = Transcript()
    qtbot.addWidget(made)
    made.resize(1032, 586)
    made.show()
    return made


@pytest.fixture
def open_window(
    qtbot: QtBot, qapp: QApplication, home: Path, starter_3m: Path
) -> Iterator[Callable[..., MainWindow]]:
    """Opens the window over the test's own home, as the app does, with starter-3m loaded.

    Answers come greedily and are at most 40 tokens long. Opening another closes the last."""
    from app import theme, window_app
    from app.settings import Settings

    theme.install(qapp)
    opened: list[MainWindow] = []

    def open_it(*, load: bool = True) -> MainWindow:
        if opened:
            assert opened[-1].shut_down()
            opened[-1].close()
        settings = Settings()
        if not settings.model:
            settings.model = str(starter_3m)
            settings.sampling = Sampling(temperature=0.0, max_tokens=40)
            settings.sync()
        window = window_app.make_window()
        opened.append(window)
        qtbot.addWidget(window, before_close_func=lambda w: w.shut_down())
        with qtbot.waitActive(window):
            window.show()
            window.activateWindow()
        if load:
            window.start()
            qtbot.waitUntil(lambda: window.models.loaded is not None, timeout=LOADED_MS)
        return window

    yield open_it
    for window in opened:
        assert window.shut_down()
    gc.unfreeze()  # what the next tests leave behind is collected again
    theme.theme().set_scheme("system")
    theme.theme().set_zoom(1.0)


@pytest.fixture
def window(open_window: Callable[..., MainWindow]) -> MainWindow:
    """The window with a model loaded."""
    return open_window()


@pytest.fixture
def limit(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Gives the machine so many bytes for models, for all that asks from now on."""
    import engine.device
    import engine.session

    def set_limit(limit_bytes: int) -> None:
        small = Machine(
            backend="CPU", device="a small one", memory_bytes=10**9, limit_bytes=limit_bytes
        )
        for module in (engine.device, engine.session):
            monkeypatch.setattr(module, "machine", lambda: small)

    return set_limit


@pytest.fixture
def say(qtbot: QtBot) -> Callable[[MainWindow, str], None]:
    """Types a message into a window's composer, key by key, and presses Return."""

    def type_it(window: MainWindow, text: str) -> None:
        editor = window.page.composer.editor
        editor.setFocus()
        qtbot.keyClicks(editor, text)
        qtbot.keyClick(editor, Qt.Key.Key_Return)

    return type_it


@pytest.fixture
def answered(qtbot: QtBot) -> Callable[[MainWindow], None]:
    """Waits until no chat of a window is being answered."""

    def wait(window: MainWindow) -> None:
        qtbot.waitUntil(lambda: not window.replies.chats, timeout=LOADED_MS)

    return wait


@pytest.fixture
def measuring(
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
    open_window: Callable[..., MainWindow],
) -> Measuring:
    """The Compare view over both starters and a Transformer as large as the larger, on a machine
    that is never busy."""
    from measuring import MODELS, Measuring

    from engine.quality import quality

    sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "bench"))
    from make_checkpoint import make

    make(paths.models() / "neox-12m", "gpt_neox", "12m")
    monkeypatch.setattr("engine.watch.Watch.doubt", lambda _: "")
    monkeypatch.setattr("engine.benchmark.quality", partial(quality, rows=1))
    return Measuring(qtbot, open_window(), *MODELS)


@pytest.fixture
def compare_view(qtbot: QtBot) -> CompareView:
    """The Compare view as large as in the pictures, with three models that are done."""
    from compare_samples import sample

    from app.panels.compare_view import CompareView

    it = CompareView()
    qtbot.addWidget(it)
    it.resize(1280, 748)
    it.set_rows(sample("en"))
    with qtbot.waitActive(it):
        it.show()
        it.activateWindow()
    return it
