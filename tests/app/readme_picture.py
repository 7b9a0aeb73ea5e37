"""Draws the README's pictures: the real window, with what the starters really write.

.venv/bin/python tests/app/readme_picture.py chat|compare FILE.png
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.main_window import MainWindow

CHATS = (
    ("What sound does a cow make?",),
    ("Tell me a story about a girl and her kite.",),
    ("Hello! How are you?", "Tell me a short story about a dog and a boat."),
)
TOKENS = 120  # of the last answer, when the picture is taken
SIZE = (1280, 800)
POLL_MS = 400  # a look at the window costs the engine time
PATIENCE_S = 1_800  # 20,000 tokens
Until = Callable[[Callable[[], bool]], None]


def prepare() -> None:
    """A large screen with two pixels a point, a home of its own, and English."""
    folder = Path(tempfile.mkdtemp())
    screen = {"name": "large", "x": 0, "y": 0, "width": 3840, "height": 2400, "dpr": 1}
    (folder / "screen.json").write_text(json.dumps({"screens": [screen | {"logicalDpi": 96}]}))
    os.environ["QT_QPA_PLATFORM"] = f"offscreen:configfile={folder / 'screen.json'}"
    os.environ["QT_SCALE_FACTOR"] = "2"
    os.environ["MAMBA_CHAT_LANG"] = "en"
    os.environ["MAMBA_CHAT_HOME"] = str(folder)


def main(kind: str, file: Path) -> None:
    """Chat, and take the picture while the last answer is written; or measure both starters, and
    take it while they answer afterwards."""
    prepare()
    from PySide6.QtCore import QEventLoop, QTimer

    from app import window_app
    from app.engine_client import EngineClient
    from app.library_client import LibraryClient
    from app.main_window import MainWindow
    from app.settings import Settings
    from app.store import Store
    from engine import paths
    from engine.api import Network

    app = window_app.make_application()
    library = LibraryClient(Network())
    window = MainWindow(Store(paths.database()), EngineClient(), library, Settings(), expanded=True)
    window.resize(*SIZE)
    window.show()
    window.start()

    def until(true: Callable[[], bool]) -> None:
        began = time.monotonic()
        while not true():
            if time.monotonic() - began > PATIENCE_S:
                raise TimeoutError("the app did not get there")
            loop = QEventLoop()  # QTest.qWait sleeps with the interpreter's lock in hand
            QTimer.singleShot(POLL_MS, loop.quit)
            loop.exec()

    until(lambda: window.models.loaded is not None)
    take = {"chat": chat, "compare": compare}[kind]
    take(window, until)
    window.grab().save(str(file))
    window_app.end(window)
    app.processEvents()


def chat(window: MainWindow, until: Until) -> None:
    """Three chats, up to the middle of the last answer."""
    from PySide6.QtCore import Qt
    from PySide6.QtTest import QTest

    from engine.api import Sampling

    window.chats.sampling = Sampling(temperature=0.7, top_p=0.9, max_tokens=400, seed=1)
    for chat in CHATS:
        window.new_chat()
        for text in chat:
            until(lambda: not window.replies.chats)
            QTest.keyClicks(window.page.composer.editor, text)
            QTest.keyClick(window.page.composer.editor, Qt.Key.Key_Return)
        if chat != CHATS[-1]:
            until(lambda: not window.replies.chats)
    until(lambda: window.chats.live is None or window.chats.live.tokens >= TOKENS)


def compare(window: MainWindow, until: Until) -> None:
    """A benchmark to 10,000 tokens, then a prompt for both."""
    from app.main_window import COMPARE
    from engine.api import Sampling
    from engine.compare_api import Plan

    window.show_view(COMPARE)
    window.compare.choose(("starter-3m", "starter-12m"))
    window.compare.benchmark(Plan())
    until(lambda: not window.compare.is_running)
    window.compare.set_prompt("Tell me a short story about a dog and a boat.")
    window.compare.set_sampling(Sampling(temperature=0.7, seed=42, max_tokens=160))
    window.compare.start()
    until(lambda: not window.compare.is_running)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
