"""What the tests of downloads share: a model on the tests' Hub, and one run at bringing it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from hub_server import HubServer

from engine import library, paths
from engine.api import Network
from engine.errors import EngineError
from engine.hub.download import ModelDownload
from engine.hub.network import Wire
from engine.hub.staging import Staging
from engine.licence import MANIFEST

REPO, FILE = "owner/tiny", "model.safetensors"
SOURCE = paths.resources() / "models" / "starter-3m"
SIZE = (SOURCE / FILE).stat().st_size
STALL_S, FIRST_WAIT_S = 0.3, 0.001


class Run:
    """One run at a model, with short waits; `stop` ends it, `progress` tells how far it is."""

    def __init__(self, hub: HubServer | None, models: Path, **options: Any) -> None:
        models.mkdir(parents=True, exist_ok=True)
        network = options.pop("network", None) or Network(endpoint=hub.url if hub else "")
        self.repo = options.pop("repo", REPO)
        self.staging = Staging(models, self.repo)
        if not self.staging.folder.exists():
            self.staging.begin(options.pop("revision", "main"))
        self.stopped = threading.Event()
        self.on_tick: Callable[[], None] = lambda: None
        wire = Wire(network, stall_s=options.pop("stall_s", STALL_S))
        self.download = ModelDownload(
            self.staging,
            network,
            self.stopped,
            lambda: self.on_tick(),
            wire=wire,
            first_wait_s=FIRST_WAIT_S,
            patient=False,
            **options,
        )
        self.progress = self.download.progress

    def __call__(self) -> Path:
        """Bring the model; the installed folder."""
        return self.download.run()

    def stop_at(self, done_bytes: int) -> None:
        """Stop once so many bytes are here."""

        def look() -> None:
            if self.progress.done_bytes >= done_bytes:
                self.stopped.set()

        self.on_tick = look


def check_whole(folder: Path, source: Path = SOURCE) -> None:
    """The installed model is the published one to the byte, can be loaded, and nothing else."""
    for file in source.iterdir():
        if file.name in {each.name for each in folder.iterdir()}:
            assert (folder / file.name).read_bytes() == file.read_bytes(), file.name
    assert {file.name for file in folder.iterdir()} >= {FILE, "config.json", MANIFEST}
    assert not list(folder.glob("*.part*"))
    library.describe(folder)


def check_not_installed(models: Path, repo: str = REPO) -> None:
    """Nothing of an unfinished model is among the models."""
    assert not (models / repo).exists()
    assert not [info for info in library.installed() if info.name == repo]


@contextmanager
def refused(code: str) -> Iterator[list[EngineError]]:
    """The block must raise the EngineError `code`, which is put into the list."""
    seen: list[EngineError] = []
    with pytest.raises(EngineError) as caught:
        yield seen
    seen.append(caught.value)
    assert caught.value.code == code, caught.value
