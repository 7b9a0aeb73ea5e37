"""The bridge to the key store: the user's token is used at once, and kept on other threads."""

from __future__ import annotations

import threading

from PySide6.QtCore import QObject, Signal

from app.errands import Errands
from engine.errors import EngineError
from engine.hub.tokens import checked, store, stored


class TokenClient(QObject):
    """Signals: changed() when another token is to be used; known(bool), whether there is one;
    refused(error) for what is no token, and for one that is used but cannot be kept."""

    changed = Signal()
    known = Signal(bool)
    refused = Signal(object)

    def __init__(self, errands: Errands, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._errands = errands
        self._token: str | None = None  # None: not known yet
        self._key_store = threading.Lock()

    @property
    def token(self) -> str:
        """The one to use; empty for none."""
        return self._token or ""

    def find(self) -> None:
        """Look for the one that was kept."""
        self._errands.apart(stored, self._on_found)

    def keep(self, token: str) -> None:
        """Use this one, and keep it; an empty one is forgotten."""
        try:
            token = self._token = checked(token)
        except EngineError as error:
            self.refused.emit(error)
            return
        self.changed.emit()
        self._errands.apart(
            lambda: self._store(token), lambda _, error: self._on_stored(token, error)
        )

    def _store(self, token: str) -> None:
        """On another thread; one after another, so that the last one is the one that is kept."""
        with self._key_store:
            if token == self._token:
                store(token)

    def _on_found(self, token: str | None, error: object) -> None:
        """It counts unless another was entered meanwhile."""
        if self._token is None:
            self._token = token or ""
            self.changed.emit()
            self.known.emit(bool(token))

    def _on_stored(self, token: str, error: Exception | None) -> None:
        if token == self._token:
            self.known.emit(bool(token))
            if error is not None:
                self.refused.emit(error)
