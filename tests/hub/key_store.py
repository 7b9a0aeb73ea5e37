"""A key store of the tests' own, in the place of the machine's."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import keyring
from keyring.backend import KeyringBackend
from keyring.errors import PasswordDeleteError


class MemoryStore(KeyringBackend):
    """A key store that forgets everything when the test ends."""

    priority = 0.1  # type: ignore[assignment]

    def __init__(self) -> None:
        super().__init__()
        self.held: dict[tuple[str, str], str] = {}
        self.before: Callable[[], None] = lambda: None  # called before each answer

    def get_password(self, service: str, username: str) -> str | None:
        """The word, if there is one."""
        self.before()
        return self.held.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        """Hold the word."""
        self.before()
        self.held[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        """Let go of the word."""
        self.before()
        if self.held.pop((service, username), None) is None:
            raise PasswordDeleteError("No such password!")


@contextmanager
def memory_store() -> Iterator[MemoryStore]:
    """The key store of this machine, for as long as the block runs."""
    before = keyring.core._keyring_backend
    made = MemoryStore()
    keyring.set_keyring(made)
    yield made
    keyring.core._keyring_backend = before
