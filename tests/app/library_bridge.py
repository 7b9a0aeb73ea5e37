"""What the tests of the bridge to the library share: a client, and all that it says."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from pytestqt.qtbot import QtBot

from app.library_client import LibraryClient
from engine import paths
from engine.api import Download, Machine, Network

REPO, OTHER, FILE = "owner/tiny-mamba", "owner/other-mamba", "model.safetensors"
SOURCE = paths.resources() / "models" / "starter-3m"
SIZE = (SOURCE / FILE).stat().st_size
MACHINE = Machine(backend="CPU", device="test", memory_bytes=10**10, limit_bytes=7 * 10**9)
PATIENCE_MS = 30_000
SIGNALS = (
    *("models_found", "disk_known", "downloads_changed", "installed", "found", "search_failed"),
    *("imported", "removed", "moving", "moved", "token_known", "refused"),
)


@dataclass
class Heard:
    """All that a client said, in order; it fails where that is not said on the window's thread."""

    qtbot: QtBot
    client: LibraryClient
    events: list[tuple[Any, ...]] = field(default_factory=list)

    def __post_init__(self) -> None:
        here = threading.get_ident()

        def hear(name: str) -> Callable[..., None]:
            def listen(*values: Any) -> None:
                assert threading.get_ident() == here
                self.events.append((name, *values))

            return listen

        for name in SIGNALS:
            getattr(self.client, name).connect(hear(name))

    def of(self, name: str) -> list[tuple[Any, ...]]:
        """What came with each of one signal."""
        return [event[1:] for event in self.events if event[0] == name]

    def wait(self, until: Callable[[], object]) -> None:
        """Let the window's loop run until it is so."""
        self.qtbot.waitUntil(lambda: bool(until()), timeout=PATIENCE_MS)

    def wait_for(self, name: str) -> tuple[Any, ...]:
        """What came with the first of one signal from now on."""
        before = len(self.of(name))
        self.wait(lambda: len(self.of(name)) > before)
        return self.of(name)[before]

    def download(self, repo: str = REPO) -> Download | None:
        """A download as it was told of last."""
        told = self.of("downloads_changed")
        return next((each for each in told[-1][0] if each.repo == repo), None) if told else None

    def wait_for_bytes(self, done: int, repo: str = REPO) -> None:
        """Wait until so many bytes of a download are here."""
        self.wait(lambda: (it := self.download(repo)) and it.done_bytes >= done)

    def close(self) -> float:
        """Close the client; the seconds that took."""
        began = time.monotonic()
        assert self.client.close()
        return time.monotonic() - began


def listen(qtbot: QtBot, endpoint: str) -> Heard:
    """A client that asks this Hub, not started yet."""
    paths.home().mkdir(parents=True, exist_ok=True)
    return Heard(qtbot, LibraryClient(Network(endpoint=endpoint)))


def lasting_threads() -> set[threading.Thread]:
    """The threads that keep a program from ending."""
    return {each for each in threading.enumerate() if not each.daemon}


def is_asking() -> bool:
    """Whether the Hub or the key store is being asked."""
    return any(each.name in ("hub", "key store") for each in threading.enumerate())
