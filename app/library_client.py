"""The bridge to the library: downloads, the disk and the Hub, each on a thread that may wait."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Qt, Signal, Slot

from app.errands import Errands
from app.library_answers import Listing, listed, searched
from app.pacing import Pace
from app.token_client import TokenClient
from engine import library_changes, library_move, paths
from engine.api import Machine, Network, Offer
from engine.errors import Stopped
from engine.hub.address import from_environment

if TYPE_CHECKING:
    from engine.hub.downloads import Downloads

_log = logging.getLogger(__name__)
_PROGRESS_PER_S = 10
_IDLE_S = 30.0  # a download that is paused is at rest long before


class LibraryClient(QObject):
    """Asks the library and tells what came of it; lives on the GUI thread.

    Downloads have a thread; what reads or changes the disk has another, one thing after another;
    each question to the Hub has its own, and only the answer to the last one counts.

    Signals: models_found(list[ModelInfo]), disk_known(used, free bytes, error where the
    folder is away), downloads_changed(list[Download], at most ten times a second),
    installed(name), found(text, list[Offer]), search_failed(text, error), imported(ModelInfo),
    removed(name, bytes), moving(fraction), moved(Path), token_known(bool), refused(what, name,
    error) for list, import, remove, move, cache, download and token.
    """

    models_found = Signal(object)
    disk_known = Signal(object, object, object)
    downloads_changed = Signal(object)
    installed = Signal(str)
    found = Signal(str, object)
    search_failed = Signal(str, object)
    imported = Signal(object)
    removed = Signal(str, object)
    moving = Signal(float)
    moved = Signal(object)
    token_known = Signal(bool)
    refused = Signal(str, str, object)

    _told = Signal(object)
    _came = Signal(str)
    _moves = Signal(float)

    def __init__(self, network: Network, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._network = network
        self._machine: Machine | None = None
        self._searched = ""
        self._errands = Errands(self)
        self._tokens = TokenClient(self._errands, self)
        self._move_stopped = threading.Event()
        self._downloads: Downloads | None = None
        self._ready = threading.Event()  # set once there are downloads, or can be none
        self._fault: Exception | None = None  # why there can be none
        self._thread = threading.Thread(target=self._bring, name="downloads")
        queued = Qt.ConnectionType.QueuedConnection
        self._told.connect(self.downloads_changed, queued)
        self._came.connect(self._on_installed, queued)
        self._moves.connect(self.moving, queued)
        self._tokens.changed.connect(self._use_network)
        self._tokens.known.connect(self.token_known)
        self._tokens.refused.connect(lambda error: self._tell_refused("token", "", error))

    @property
    def network(self) -> Network:
        """How the Hub is reached: the settings, then the environment, with the token."""
        return from_environment(replace(self._network, token=self._tokens.token))

    def start(self) -> None:
        """Take up what was left unfinished, and look for the token."""
        self._thread.start()
        self._tokens.find()

    def set_machine(self, machine: Machine) -> None:
        """What the models are judged for; they are listed from now on."""
        self._machine = machine
        self.find_models()

    def find_models(self) -> None:
        """Ask for the list of the installed models and the disk's figures."""
        if machine := self._machine:
            self._errands.in_turn(lambda: listed(machine), self._on_listed)

    def set_network(self, network: Network) -> None:
        """Reach the Hub so from now on; the token is the one that is kept."""
        self._network = network
        self._use_network()

    # Downloads

    def get(self, repo: str, revision: str = "main") -> None:
        """Want a model; one that is wanted already goes on."""
        self._errands.in_turn(
            lambda: self._queue().add(repo, revision),
            lambda _, error: self._tell_refused("download", repo, error),
        )

    def pause(self, repo: str) -> None:
        """Stop it; what is here is kept."""
        self._queue().pause(repo)

    def resume(self, repo: str) -> None:
        """Go on with it, when it is its turn."""
        self._queue().resume(repo)

    def cancel(self, repo: str) -> None:
        """Give it up and delete what is here of it."""
        self._queue().cancel(repo)

    # The Hub

    def search(self, text: str) -> None:
        """Look on the Hub for `text`; empty: the answer to the last question is not wanted."""
        self._searched = text
        if not text:
            return
        network, on_cpu = self.network, self._machine is None or self._machine.backend == "CPU"
        self._errands.apart(
            lambda: searched(network, text, on_cpu=on_cpu),
            lambda found, error: self._on_found(text, found, error),
        )

    # The disk

    def import_folder(self, path: Path) -> None:
        """List the model at `path` from now on."""
        machine = self._machine
        self._change(
            "import",
            str(path),
            lambda: library_changes.import_folder(path, machine),
            self.imported.emit,
        )

    def remove(self, name: str) -> None:
        """Move an installed model to the Trash; an imported one is only forgotten."""
        self._change(
            "remove",
            name,
            lambda: library_changes.remove(name),
            lambda freed: self.removed.emit(name, freed),
        )

    def share_cache(self, on: bool) -> None:
        """Whether the models in the Hugging Face cache are listed."""
        self._change("cache", "", lambda: library_changes.share_cache(on), lambda _: None)

    def move_models(self, to: Path) -> None:
        """Move the models folder; downloads are paused for it and stay so."""
        self._move_stopped.clear()
        self._change("move", str(to), lambda: self._move(to), self.moved.emit)

    def stop_moving(self) -> None:
        """Leave the models where they are."""
        self._move_stopped.set()

    # The token

    def keep_token(self, token: str) -> None:
        """Use this token, and keep it in the system's key store; an empty one is forgotten."""
        self._tokens.keep(token)

    def forget_token(self) -> None:
        """Use no token and keep none."""
        self._tokens.keep("")

    def close(self, timeout_s: float = 30.0) -> bool:
        """Stop everything; all is kept. False when it took longer than that."""
        self._move_stopped.set()
        if self._thread.ident is not None:
            self._ready.wait()
            if self._downloads is not None:
                self._downloads.close()
        self._ready.set()
        self._errands.close()
        if self._thread.ident is not None:
            self._thread.join(timeout_s)
        return not self._thread.is_alive()

    # On other threads

    def _bring(self) -> None:
        """The downloads' thread; what it needs takes a while to import."""
        try:
            from engine.hub.downloads import Downloads

            self._downloads = Downloads(
                paths.models(),
                self.network,
                on_change=partial(self._errands.tell, self._told),
                on_installed=partial(self._errands.tell, self._came),
            )
            self._use_network()  # the network may be another by now
        except Exception as fault:
            _log.exception("bringing the downloads up")
            self._fault = fault
        self._ready.set()
        if self._downloads is not None:
            self._downloads.run()

    def _queue(self) -> Downloads:
        """The downloads, once they are up. Raises why there are none: a fault, or Stopped."""
        self._ready.wait()
        if self._downloads is None:
            raise self._fault or Stopped()
        return self._downloads

    def _use_network(self) -> None:
        if self._downloads is not None:
            self._downloads.set_network(self.network)

    def _move(self, to: Path) -> Path:
        downloads, pace = self._queue(), Pace(_PROGRESS_PER_S)

        def on_progress(fraction: float) -> None:
            if pace.is_due() or fraction >= 1:
                self._errands.tell(self._moves, fraction)

        downloads.pause_all()
        try:
            if not downloads.wait_until_idle(_IDLE_S):
                raise RuntimeError("a download does not rest")
            stopped = self._move_stopped
            new = library_move.move_models(to, on_progress=on_progress, stopped=stopped)
            downloads.move_to(new)
        finally:
            downloads.go_on()
        return new

    def _change(
        self, what: str, name: str, work: Callable[[], Any], tell: Callable[[Any], None]
    ) -> None:
        """Do `work` on the disk, list the models anew, and tell of it."""

        def then(result: Any, error: Exception | None) -> None:
            self.find_models()
            if error is None:
                tell(result)
            self._tell_refused(what, name, error)

        self._errands.in_turn(work, then)

    # Back on the GUI thread

    @Slot(str)
    def _on_installed(self, name: str) -> None:
        self.find_models()
        self.installed.emit(name)

    def _on_listed(self, found: Listing | None, error: Exception | None) -> None:
        if found is not None:
            self.models_found.emit(found.models)
            self.disk_known.emit(found.used, found.free, found.gone)
        self._tell_refused("list", "", error)

    def _on_found(self, text: str, found: list[Offer], error: Exception | None) -> None:
        if text != self._searched:
            return
        if error is not None:
            self.search_failed.emit(text, error)
        else:
            self.found.emit(text, found)

    def _tell_refused(self, what: str, name: str, error: Exception | None) -> None:
        if error is not None:
            self.refused.emit(what, name, error)
