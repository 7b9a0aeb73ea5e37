"""The user's token, from the bridge to the library on: used at once, kept, forgotten, refused."""

from __future__ import annotations

import threading

import pytest
from hub_server import HubServer
from key_store import MemoryStore
from keyring.errors import KeyringLocked
from library_bridge import Heard, is_asking

TOKEN, OTHER = "hf_aB3xYz", "hf_another"
KEPT = ("Mamba Chat", "huggingface")

pytestmark = pytest.mark.usefixtures("key_store")


def sent(heard: Heard, hub: HubServer) -> str | None:
    """The token that a search takes with it."""
    hub.tokens |= {TOKEN, OTHER}
    heard.client.search(f"x{len(hub.requests)}")
    heard.wait_for("found")
    return hub.requests[-1].headers.get("authorization")


def refuse() -> None:
    raise KeyringLocked("denied")


def test_a_token_is_used_from_the_next_request_on_kept_and_forgotten(
    heard: Heard, hub: HubServer, key_store: MemoryStore
) -> None:
    heard.client.start()
    assert heard.wait_for("token_known") == (False,)
    assert sent(heard, hub) is None
    heard.client.keep_token(f" {TOKEN}\n")
    assert heard.client.network.token == TOKEN
    assert heard.wait_for("token_known") == (True,)
    assert key_store.held == {KEPT: TOKEN}
    assert sent(heard, hub) == f"Bearer {TOKEN}"
    heard.client.forget_token()
    assert heard.wait_for("token_known") == (False,)
    assert key_store.held == {}
    assert sent(heard, hub) is None
    assert not heard.of("refused")


def test_a_token_that_was_kept_is_used_after_the_next_start(
    heard: Heard, hub: HubServer, key_store: MemoryStore
) -> None:
    key_store.held[KEPT] = TOKEN
    heard.client.start()
    assert heard.wait_for("token_known") == (True,)
    assert sent(heard, hub) == f"Bearer {TOKEN}"


def test_what_is_no_token_is_refused_and_the_earlier_one_stays(
    heard: Heard, hub: HubServer, key_store: MemoryStore
) -> None:
    key_store.held[KEPT] = TOKEN
    heard.client.start()
    heard.wait_for("token_known")
    heard.client.keep_token("not a token")
    ((what, _, error),) = heard.of("refused")
    assert (what, error.code) == ("token", "bad_value")
    assert sent(heard, hub) == f"Bearer {TOKEN}"
    assert key_store.held == {KEPT: TOKEN}


def test_a_token_that_cannot_be_kept_is_used_until_the_end(
    heard: Heard, hub: HubServer, key_store: MemoryStore
) -> None:
    heard.client.start()
    heard.wait_for("token_known")
    key_store.before = refuse
    heard.client.keep_token(TOKEN)
    what, _, error = heard.wait_for("refused")
    assert (what, error.code) == ("token", "no_keychain")
    assert heard.of("token_known")[-1] == (True,)
    assert sent(heard, hub) == f"Bearer {TOKEN}"
    key_store.before = lambda: None
    assert key_store.held == {}


def test_a_slow_key_store_does_not_bring_back_an_older_token(
    heard: Heard, key_store: MemoryStore
) -> None:
    """One is read while the user enters another."""
    key_store.held[KEPT] = TOKEN
    answers = threading.Event()
    key_store.before = lambda: [answers.wait(), None][1]
    heard.client.start()
    heard.client.keep_token(OTHER)
    answers.set()
    heard.wait(lambda: not is_asking() and heard.of("token_known"))
    assert heard.of("token_known") == [(True,)]
    assert heard.client.network.token == OTHER
    assert key_store.held == {KEPT: OTHER}


def test_of_tokens_entered_in_a_hurry_the_last_one_is_kept(
    heard: Heard, key_store: MemoryStore
) -> None:
    heard.client.start()
    heard.wait_for("token_known")
    for token in (TOKEN, "", OTHER, TOKEN, OTHER):
        heard.client.keep_token(token)
    heard.wait(lambda: not is_asking())
    heard.qtbot.wait(0)
    assert {known for (known,) in heard.of("token_known")[1:]} == {True}
    assert key_store.held == {KEPT: OTHER}


def test_a_key_store_that_does_not_answer_does_not_hold_up_the_end(
    heard: Heard, key_store: MemoryStore
) -> None:
    answers = threading.Event()
    key_store.before = lambda: [answers.wait(), None][1]
    heard.client.start()
    heard.client.keep_token(TOKEN)
    assert heard.close() < 2
    answers.set()
    heard.wait(lambda: not is_asking())
    assert not heard.of("token_known")
