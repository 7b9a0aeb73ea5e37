"""The user's Hugging Face token, in the system's key store and nowhere else on the disk."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING

from engine.errors import EngineError

if TYPE_CHECKING:
    from keyring.backend import KeyringBackend

SERVICE, USER = "Mamba Chat", "huggingface"
_PATIENCE_S = 20.0  # for a store that asks the user to unlock it


def stored() -> str:
    """The token that is kept; "" where none is, or the store is missing, locked or silent."""
    try:
        token = _asked(lambda store: store.get_password(SERVICE, USER)) or ""
        return checked(token)
    except Exception:  # a store may raise anything, and there is nothing to be done about it
        return ""


def store(token: str) -> None:
    """Keep the token, trimmed; an empty one is forgotten.

    Raises EngineError: bad_value for what is no token; no_keychain where it cannot be kept."""
    token = checked(token)
    if not token:
        forget()
        return
    try:
        _asked(lambda store: store.set_password(SERVICE, USER, token))
        kept = _asked(lambda store: store.get_password(SERVICE, USER))
    except Exception as error:
        raise EngineError("no_keychain", detail=_detail(error)) from None  # it may quote the token
    if kept != token:
        raise EngineError("no_keychain", detail="the key store did not keep it")


def forget() -> bool:
    """Keep no token any more; False where the store would not let go of it."""
    from keyring.errors import NoKeyringError, PasswordDeleteError

    try:
        _asked(lambda store: store.delete_password(SERVICE, USER))
    except (NoKeyringError, PasswordDeleteError):  # mostly because there is none
        return not stored()
    except Exception:
        return False
    return True


def checked(token: str) -> str:
    """The token trimmed. Raises EngineError("bad_value"), which does not tell it."""
    token = token.strip()
    if token and not (token.isascii() and token.isprintable() and " " not in token):
        expected, found = "letters and digits without a space", "something else"
        raise EngineError("bad_value", field="the token", expected=expected, found=found)
    return token


def _asked(question: Callable[[KeyringBackend], str | None]) -> str | None:
    """The store's answer, on a thread of its own: a store may wait for the user as long as it
    likes. Raises whatever the store does, and TimeoutError."""
    answers: SimpleQueue[str | Exception | None] = SimpleQueue()

    def ask() -> None:
        try:
            answers.put(question(_key_store()))
        except Exception as error:
            answers.put(error)

    threading.Thread(target=ask, name="key store", daemon=True).start()
    try:
        answer = answers.get(timeout=_PATIENCE_S)
    except Empty:
        raise TimeoutError from None
    if isinstance(answer, Exception):
        raise answer
    return answer


def _key_store() -> KeyringBackend:
    """The system's. keyring finds it by what is installed, which a frozen app cannot tell."""
    import keyring

    if sys.platform == "darwin" and getattr(sys, "frozen", False):
        from keyring.backends import macOS

        keyring.set_keyring(macOS.Keyring())
    return keyring.get_keyring()


def _detail(error: Exception) -> str:
    """Why a store refused, in a few words of ours: its own are made for programmers."""
    from keyring.errors import InitError, KeyringLocked, NoKeyringError

    if isinstance(error, NoKeyringError | InitError):
        return "this system has no key store"
    if isinstance(error, KeyringLocked):
        return "the key store is locked"
    if isinstance(error, TimeoutError):
        return "the key store does not answer"
    return "the key store refused"
