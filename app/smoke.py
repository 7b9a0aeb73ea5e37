"""`python -m app --smoke-test`: a whole conversation in a window, by itself."""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEventLoop, QTimer

from app import log
from app.values import MessageRow
from engine.api import Sampling

if TYPE_CHECKING:
    from app.main_window import MainWindow

_LIMIT_S = 120.0  # for everything
_QUESTION = "What sound does a cow make?"
_LONG = "Tell me a story about a lighthouse and a goat."
_TRIES = 3  # to stop an answer before it ends by itself
# When the caller began this process, in seconds since 1970, to tell how long the window took.
_BEGAN = "MAMBA_CHAT_BEGAN"
_LATE = (
    *("engine.hub.downloads", "engine.hub.search", "engine.hub.tokens", "engine.library_changes"),
    *("filelock", "keyring.backends", "send2trash", "truststore", "urllib3"),
)


class SmokeError(Exception):
    """What did not happen."""


def main() -> int:
    """Chat once, print one JSON line and give 0; or one line of what failed, and 1."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        os.environ.setdefault("MAMBA_CHAT_HOME", folder)  # the user's own chats stay as they are
        try:
            log.start()
            log.note_crashes()
            result = _run()
        except Exception as error:
            print(f"smoke test failed: {' '.join(str(error).split())}", file=sys.stderr, flush=True)
            return 1
        print(json.dumps(result, ensure_ascii=False), flush=True)
    return 0


def _run() -> dict[str, Any]:
    began = time.time()
    from app import window_app

    app = window_app.make_application()
    window = window_app.make_window()
    faults: list[str] = []
    log.catch_faults(lambda _: faults.append("a fault, see the log"))
    window.models.failed.connect(faults.append)
    first = window_app.start_when_painted(window)
    try:
        window.show()
        result = Conversation(window, faults).run()
    finally:
        window_app.end(window)
        app.processEvents()
    assert first.at is not None
    took = first.at - float(os.environ.get(_BEGAN, began))
    return {**result, "first_paint_s": round(took, 3), "kernels": _kernels()}


def _kernels() -> dict[str, float]:
    """The largest relative error of each kernel of ours, or of MLX's path on a CPU."""
    from engine import self_check

    with ThreadPoolExecutor(1) as thread:  # of their own, from first to last, as all MLX work
        errors = thread.submit(self_check.alone).result()
    for name, error in errors.items():
        if error > self_check.LIMIT:
            raise SmokeError(
                f"{name} is off by {error:.1e} of its largest value, "
                f"where {self_check.LIMIT:.0e} is allowed"
            )
    return errors


def _library() -> dict[str, Any]:
    """What the library needs, most of which is imported only once it is used."""
    from engine.catalogue import catalogue

    for module in _LATE:
        import_module(module)
    stores = entry_points(group="keyring.backends")
    return {"offers": len(catalogue()), "key_stores": sorted(store.name for store in stores)}


class Conversation:
    """Drives a window as a user would; `faults` fills with what goes wrong meanwhile."""

    def __init__(self, window: MainWindow, faults: list[str]) -> None:
        self._window, self._faults = window, faults
        self._began = time.perf_counter()

    def run(self) -> dict[str, Any]:
        """One answer to its end, another stopped midway; SmokeError if that cannot be had."""
        window = self._window
        self._wait(lambda: window.models.loaded is not None, "the model to be loaded")
        loaded_s = time.perf_counter() - self._began
        window.chats.sampling = Sampling(temperature=0.0, max_tokens=200)
        answer = self._answer()
        stopped_ms = self._stop_midway()
        assert answer.stats is not None
        return {
            "ok": True,
            "model": answer.model,
            "answer": answer.text,
            "ms_per_token": answer.stats.ms_per_token,
            "backend": answer.stats.backend,
            "loaded_s": round(loaded_s, 3),
            "stopped_ms": round(stopped_ms, 1),
            "library": _library(),
        }

    def _answer(self) -> MessageRow:
        chats = self._window.chats
        self._window.page.composer.submitted.emit(_QUESTION)
        self._wait(lambda: chats.live is None, "the first answer")
        answer = chats.last
        if answer is None or answer.status not in ("done", "length") or not answer.text.strip():
            raise SmokeError(f"the first answer is {answer}")
        return answer

    def _stop_midway(self) -> float:
        """Stop an answer that has begun; the milliseconds that took."""
        chats, composer = self._window.chats, self._window.page.composer
        for _ in range(_TRIES):
            composer.submitted.emit(_LONG)
            self._wait(lambda: not chats.live or chats.live.tokens > 0, "an answer to begin")
            stopping = time.perf_counter()
            composer.stop_requested.emit()
            self._wait(lambda: chats.live is None, "the answer to stop")
            if chats.last and chats.last.status == "stopped":
                return 1e3 * (time.perf_counter() - stopping)
        raise SmokeError("no answer was long enough to be stopped")

    def _wait(self, done: Callable[[], bool], what: str) -> None:
        """Run the event loop until `done`."""
        loop = QEventLoop()
        timer = QTimer(interval=5)
        timer.timeout.connect(lambda: loop.quit() if done() or self._is_over() else None)
        timer.start()
        loop.exec()
        timer.stop()
        if self._faults:
            raise SmokeError(self._faults[0])
        if not done():
            raise SmokeError(f"waited {_LIMIT_S:.0f} s for {what}")

    def _is_over(self) -> bool:
        return bool(self._faults) or time.perf_counter() - self._began > _LIMIT_S
