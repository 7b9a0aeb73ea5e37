"""The chats on disk: what is kept, what is found, and what survives a kill."""

from __future__ import annotations

import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from app.store import Store
from app.store_rows import title_from
from app.values import Trace
from engine.api import Stats

OpenStore = Callable[[], Store]
STATS = Stats(
    prompt_tokens=9,
    new_tokens=3,
    load_s=None,
    ttft_ms=31.5,
    prefill_tokens_per_s=None,
    ms_per_token=8.25,
    tokens_per_s=121.2,
    state_bytes=1234,
    peak_memory_bytes=5678,
    stop_reason="end",
    backend="CPU",
    position=12,
)


@pytest.fixture
def open_store(tmp_path: Path) -> Iterator[OpenStore]:
    """Opens the same file again and again; every chat is a minute younger than the last."""
    opened: list[Store] = []
    times = (datetime(2026, 11, 30, tzinfo=UTC) + timedelta(minutes=n) for n in range(10**6))

    def open_it() -> Store:
        opened.append(Store(tmp_path / "chats.sqlite", now=lambda: next(times)))
        return opened[-1]

    yield open_it
    for store in opened:
        store.close()


def test_an_answer_is_kept_with_its_figures_tokens_and_model(open_store: OpenStore) -> None:
    store = open_store()
    chat, question = store.create_chat("What sound does a cow make?", "starter-3m")
    reply = store.start_reply(chat, question.row.id, "starter-3m")
    trace = Trace(points=((10, 8.0), (12, 8.5)), read=((0, 9),), end=12)
    store.finish_reply(
        reply.row.id,
        "Moo.",
        "done",
        stats=STATS,
        trace=trace,
        ids={question.row.id: (1, 2, 70_000), reply.row.id: (3,)},
        tokenizer="abc",
    )
    store.close()
    asked, answered = open_store().path(chat)
    assert asked.row.text == "What sound does a cow make?"
    assert (asked.ids, asked.tokenizer) == ((1, 2, 70_000), "abc")
    assert (answered.row.text, answered.row.status) == ("Moo.", "done")
    assert (answered.row.stats, answered.row.model) == (STATS, "starter-3m")
    assert (answered.ids, answered.trace) == ((3,), trace)


def test_regenerating_keeps_the_old_answer_and_shows_the_new(open_store: OpenStore) -> None:
    store = open_store()
    chat, question = store.create_chat("Hello", "m")
    first = store.start_reply(chat, question.row.id, "m")
    follow_up = store.add_user_message(chat, first.row.id, "And then?")
    second = store.start_reply(chat, question.row.id, "m")
    assert [m.row.id for m in store.path(chat)] == [question.row.id, second.row.id]
    old = store.path(chat, end=follow_up.row.id)
    assert [m.row.text for m in old] == ["Hello", "", "And then?"]


def test_a_reply_cut_off_by_a_crash_is_a_stopped_one_at_the_next_start(
    open_store: OpenStore,
) -> None:
    store = open_store()
    chat, question = store.create_chat("Hello", "m")
    reply = store.start_reply(chat, question.row.id, "m")
    store.grow_reply(reply.row.id, "So far")
    assert store.message(reply.row.id).row.status == "writing"
    last = open_store().path(chat)[-1]
    assert (last.row.text, last.row.status) == ("So far", "stopped")


def test_a_deleted_chat_comes_back_by_undo_and_is_gone_after_a_restart(
    open_store: OpenStore,
) -> None:
    store = open_store()
    chat, _ = store.create_chat("Hello", "m")
    store.delete(chat)
    assert store.chats() == []
    store.restore(chat)
    assert [row.id for row in store.chats()] == [chat]
    store.delete(chat)
    store = open_store()
    store.restore(chat)
    assert store.chats() == []
    with pytest.raises(KeyError):
        store.chat(chat)


def test_the_chat_last_written_to_comes_first(open_store: OpenStore) -> None:
    store = open_store()
    old, message = store.create_chat("Old", "m")
    new, _ = store.create_chat("New", "m")
    assert [row.id for row in store.chats()] == [new, old]
    store.add_user_message(old, message.row.id, "again")
    assert [row.id for row in store.chats()] == [old, new]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("LIGHTHOUSE", True),
        ("straße", True),
        ("STRASSE", True),
        ("ΣΊΣΥΦΟΣ", True),
        ("ｈａｌｆ", True),
        ("100%", True),
        ("灯台", True),
        ("  lighthouse  ", True),
        ("1_0%", False),
        ("goat", False),
    ],
)
def test_search_looks_in_titles_and_texts_whatever_the_case(
    open_store: OpenStore, query: str, found: bool
) -> None:
    store = open_store()
    chat, message = store.create_chat("A lighthouse in the Straße", "m")
    store.add_user_message(chat, message.row.id, "Σίσυφος, half, 100% 灯台")
    store.create_chat("Another", "m")
    assert [row.id for row in store.chats(query)] == ([chat] if found else [])


def test_a_chat_keeps_its_draft_and_its_new_title(open_store: OpenStore) -> None:
    store = open_store()
    chat, _ = store.create_chat("Hello", "m")
    store.set_draft(chat, "half a thou")
    store.rename(chat, "  Greetings\n ")
    store.rename(chat, "   ")
    kept = open_store().chat(chat)
    assert (kept.title, kept.draft) == ("Greetings", "half a thou")


@pytest.mark.parametrize(
    ("message", "title"),
    [
        ("Hello", "Hello"),
        ("  What\n\nsound?  ", "What sound?"),
        (
            "Tell me a short story about a lighthouse, and a goat who lived in it",
            "Tell me a short story about a lighthouse, and a…",
        ),
        ("灯台" * 100, "灯台" * 24 + "…"),
        ("x" * 400_000, "x" * 48 + "…"),
    ],
)
def test_a_title_is_the_first_words_of_the_first_message(message: str, title: str) -> None:
    assert title_from(message) == title


def test_a_file_that_is_no_database_is_set_aside_and_not_lost(
    open_store: OpenStore, tmp_path: Path
) -> None:
    (tmp_path / "chats.sqlite").write_bytes(b"not a database, but somebody's bytes" * 100)
    store = open_store()
    assert store.set_aside is not None
    assert store.set_aside.read_bytes().startswith(b"not a database")
    store.create_chat("Hello", "m")
    store.close()
    assert len(open_store().chats()) == 1


def test_a_change_that_fails_halfway_changes_nothing(open_store: OpenStore) -> None:
    store = open_store()
    with pytest.raises(sqlite3.IntegrityError):
        store.add_user_message("no such chat", None, "Hello")
    assert store.chats() == []
    store.create_chat("Hello", "m")  # and no transaction is left open


WRITER = """
import itertools, sys
from pathlib import Path
from app.store import Store
store = Store(Path(sys.argv[1]))
for n in itertools.count():
    chat, question = store.create_chat(f"question {n}", "m")
    print(n, flush=True)
    reply = store.start_reply(chat, question.row.id, "m")
    for k in range(20):
        store.grow_reply(reply.row.id, "word " * k)
    store.finish_reply(reply.row.id, f"answer {n}", "done")
"""


def _kill_while_it_writes(path: Path, lines: int) -> int:
    """Kill a writing process after so many reported commits; how many it reported in all."""
    with subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, text=True
    ) as writer:
        assert writer.stdout is not None
        for _ in range(lines):
            assert writer.stdout.readline()
        writer.send_signal(signal.SIGKILL)
        return lines + len(writer.stdout.read().split())


def _check_after_the_kill(path: Path, reported: int) -> None:
    store = Store(path)
    try:
        assert store.set_aside is None
        chats = store.chats()
        assert len(chats) >= reported
        texts = {}
        for row in chats:
            question, *reply = store.path(row.id)
            texts[question.row.text] = [(r.row.text, r.row.status) for r in reply]
        for n in range(reported):
            assert f"question {n}" in texts
            if n < reported - 1:
                assert texts[f"question {n}"] == [(f"answer {n}", "done")]
        assert all(s != "writing" for replies in texts.values() for _, s in replies)
    finally:
        store.close()


def test_what_was_reported_as_saved_is_there_after_a_kill(tmp_path: Path) -> None:
    path = tmp_path / "chats.sqlite"
    _check_after_the_kill(path, _kill_while_it_writes(path, 5))


@pytest.mark.soak
@pytest.mark.parametrize("lines", range(1, 60, 2))
def test_no_moment_of_a_kill_loses_a_message(tmp_path: Path, lines: int) -> None:
    path = tmp_path / "chats.sqlite"
    _check_after_the_kill(path, _kill_while_it_writes(path, lines))
