"""The Hugging Face token: kept in the system's key store, or told why not; never blocking."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import keyring
import pytest
from key_store import MemoryStore
from keyring.backend import KeyringBackend
from keyring.backends import fail, macOS, null
from keyring.errors import KeyringLocked

from engine.errors import EngineError
from engine.hub import tokens

TOKEN = "hf_aB3xYz"


@pytest.fixture(autouse=True)
def the_machines_own_store_is_put_back() -> Iterator[None]:
    """Whatever store a test sets, the next one starts without."""
    before = keyring.core._keyring_backend
    yield
    keyring.core._keyring_backend = before


@pytest.fixture
def store() -> MemoryStore:
    """The key store of this machine, for as long as the test runs."""
    made = MemoryStore()
    keyring.set_keyring(made)
    return made


def refuse(error: Exception) -> Callable[[], None]:
    """Raises it whenever it is called."""

    def raising() -> None:
        raise error

    return raising


def test_a_token_is_kept_trimmed_read_again_and_forgotten(store: MemoryStore) -> None:
    assert tokens.stored() == ""
    tokens.store(f"  {TOKEN}\n")
    assert store.held == {("Mamba Chat", "huggingface"): TOKEN}
    assert tokens.stored() == TOKEN
    tokens.store("hf_another")
    assert tokens.stored() == "hf_another"
    assert tokens.forget()
    assert tokens.stored() == ""
    assert tokens.forget()  # there is none any more


def test_an_empty_token_is_forgotten(store: MemoryStore) -> None:
    tokens.store(TOKEN)
    tokens.store("  ")
    assert not store.held


@pytest.mark.parametrize("wrong", ["hf a", "hf\ta", "hf\r\nX-Evil: 1", "hf\0", "hf_é", "\u200bhf"])
def test_what_is_no_token_is_refused_without_telling_it(store: MemoryStore, wrong: str) -> None:
    with pytest.raises(EngineError) as caught:
        tokens.store(wrong)
    assert caught.value.code == "bad_value"
    assert wrong not in str(caught.value)
    assert not store.held
    store.held["Mamba Chat", "huggingface"] = wrong  # by another program
    assert tokens.stored() == ""


@pytest.mark.parametrize(
    ("error", "detail"),
    [
        (KeyringLocked("denied"), "the key store is locked"),
        (RuntimeError(f"could not write {TOKEN}"), "the key store refused"),
    ],
)
def test_a_store_that_refuses_is_told_on_keeping_and_counts_as_empty_on_reading(
    store: MemoryStore, error: Exception, detail: str
) -> None:
    tokens.store(TOKEN)
    store.before = refuse(error)
    with pytest.raises(EngineError) as caught:
        tokens.store("hf_new")
    assert caught.value.code == "no_keychain"
    assert caught.value.values["detail"] == detail
    assert TOKEN not in str(caught.value)
    assert tokens.stored() == ""
    assert not tokens.forget()


@pytest.mark.parametrize(
    ("backend", "detail"),
    [
        (fail.Keyring, "this system has no key store"),
        (null.Keyring, "the key store did not keep it"),
    ],
)
def test_a_system_without_a_key_store_keeps_no_token_and_says_so(
    backend: type[KeyringBackend], detail: str
) -> None:
    keyring.set_keyring(backend())
    assert tokens.stored() == ""
    assert tokens.forget()
    with pytest.raises(EngineError) as caught:
        tokens.store(TOKEN)
    assert caught.value.code == "no_keychain"
    assert caught.value.values["detail"] == detail


def test_a_store_that_does_not_answer_is_not_waited_for(
    store: MemoryStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tokens, "_PATIENCE_S", 0.05)
    answered = threading.Event()
    store.before = lambda: [answered.wait(), None][1]
    assert tokens.stored() == ""
    assert not tokens.forget()
    with pytest.raises(EngineError, match="does not answer"):
        tokens.store(TOKEN)
    answered.set()


SILENT = """
import threading
import keyring
from engine.hub import tokens
from keyring.backends.null import Keyring

class Silent(Keyring):
    def get_password(self, service, username, password=None):
        threading.Event().wait()

keyring.set_keyring(Silent())
tokens._PATIENCE_S = 0.05
print(repr(tokens.stored()))
"""


def test_a_store_that_does_not_answer_keeps_no_program_from_ending() -> None:
    root = Path(__file__).resolve().parents[2]
    run = subprocess.run(
        [sys.executable, "-c", SILENT], cwd=root, capture_output=True, text=True, timeout=60
    )
    assert (run.stdout, run.stderr, run.returncode) == ("''\n", "", 0)


def test_the_frozen_app_on_a_mac_uses_its_keychain(
    store: MemoryStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert tokens._key_store() is store
    monkeypatch.setattr(sys, "platform", "darwin")
    assert tokens._key_store() is store  # not frozen: what the user set up
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert isinstance(tokens._key_store(), macOS.Keyring)
