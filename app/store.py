"""The chats in one SQLite file: each a tree of messages, with the tokens that were fed for them."""

from __future__ import annotations

import sqlite3
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from app.compare_store import CompareStore
from app.store_rows import Chat, Stored, as_json, folded, local_time, packed, stored, title_from
from app.values import ChatRow, Status, Trace
from engine.api import Message, Role, Stats

_VERSION = 1
_SCHEMA = """
CREATE TABLE chats (
  id TEXT PRIMARY KEY, title TEXT NOT NULL, created REAL NOT NULL, updated REAL NOT NULL,
  model TEXT NOT NULL, draft TEXT NOT NULL DEFAULT '', deleted REAL);
CREATE TABLE messages (
  id TEXT PRIMARY KEY, chat TEXT NOT NULL REFERENCES chats ON DELETE CASCADE,
  parent TEXT REFERENCES messages, role TEXT NOT NULL, text TEXT NOT NULL,
  ids BLOB, tokenizer TEXT NOT NULL DEFAULT '', model TEXT NOT NULL DEFAULT '',
  status TEXT NOT NULL, error TEXT NOT NULL DEFAULT '', stats TEXT, trace TEXT,
  created REAL NOT NULL);
CREATE INDEX messages_of_chat ON messages (chat);
"""


class Store:
    """The chats on disk. Every change is committed when the call returns.

    Opening it repairs what a crash left: replies still being written become stopped ones,
    deleted chats go for good, and a file that SQLite cannot read is set aside, never lost.
    """

    def __init__(self, path: Path, now: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        self.set_aside: Path | None = None  # where an unreadable file was put
        self._now = now
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            self._db = _open(path)
        except sqlite3.OperationalError:
            raise  # locked, read-only, no space: the file itself is not to blame
        except sqlite3.DatabaseError:
            self.set_aside = _move_aside(path)
            self._db = _open(path)
        self.comparisons = CompareStore(self._db)
        with self._transaction():
            self._db.execute("DELETE FROM chats WHERE deleted IS NOT NULL")
            self._db.execute("UPDATE messages SET status = 'stopped' WHERE status = 'writing'")

    def close(self) -> None:
        """Write everything back into the one file and let go of it."""
        self._db.close()

    # Chats

    def chats(self, query: str = "") -> list[ChatRow]:
        """The chats, last written first; with a query those that contain it in title or text."""
        rows = self._db.execute(
            "SELECT id, title, updated FROM chats WHERE deleted IS NULL AND (?1 = '' "
            "OR instr(folded(title), ?1) OR EXISTS (SELECT 1 FROM messages "
            "WHERE chat = chats.id AND instr(folded(text), ?1))) "
            "ORDER BY updated DESC, rowid DESC",
            (folded(query.strip()),),
        )
        return [ChatRow(id=r[0], title=r[1], updated=local_time(r[2])) for r in rows]

    def chat(self, chat: str) -> Chat:
        """One chat; KeyError if there is none with this id."""
        row = self._db.execute(
            "SELECT id, title, updated, model, draft FROM chats WHERE id = ?", (chat,)
        ).fetchone()
        if row is None:
            raise KeyError(chat)
        return Chat(id=row[0], title=row[1], updated=local_time(row[2]), model=row[3], draft=row[4])

    def create_chat(self, first_message: str, model: str) -> tuple[str, Stored]:
        """A new chat, titled by the first words of its first message, and that message."""
        with self._transaction():
            chat = self._insert_chat(title_from(first_message), model)
            message = self._insert(chat, None, "user", first_message, "done", "")
        return chat, self.message(message)

    def copy_chat(self, title: str, messages: Iterable[Message], model: str) -> str:
        """A new chat in which this was said already, with whatever model."""
        parent = None
        with self._transaction():
            chat = self._insert_chat(title, model)
            for message in messages:
                parent = self._insert(chat, parent, message.role, message.text, "done", "")
        return chat

    def rename(self, chat: str, title: str) -> None:
        """Give a chat another title; a blank one changes nothing."""
        if title := " ".join(title.split()):
            self._db.execute("UPDATE chats SET title = ? WHERE id = ?", (title, chat))

    def set_draft(self, chat: str, draft: str) -> None:
        """Keep what stands in a chat's composer. Survives a crash of the app, as a reply does."""
        self._write_lightly("UPDATE chats SET draft = ? WHERE id = ?", (draft, chat))

    def delete(self, chat: str) -> None:
        """Hide a chat; until the store is next opened it can be restored."""
        now = self._now().timestamp()
        self._db.execute("UPDATE chats SET deleted = ? WHERE id = ?", (now, chat))

    def restore(self, chat: str) -> None:
        """Undo a deletion."""
        self._db.execute("UPDATE chats SET deleted = NULL WHERE id = ?", (chat,))

    # Messages

    def path(self, chat: str, *, end: str | None = None) -> list[Stored]:
        """The messages from the first one to `end`; without it, to the newest at every fork."""
        rows = self._db.execute(
            "SELECT id, parent FROM messages WHERE chat = ? ORDER BY rowid", (chat,)
        ).fetchall()
        parents = dict(rows)
        if end is None:
            newest = {parent: message for message, parent in rows}
            while end in newest:
                end = newest[end]
        chain: list[str] = []
        while end is not None:
            chain.append(end)
            end = parents[end]
        return [self.message(message) for message in reversed(chain)]

    def message(self, message: str) -> Stored:
        """One message; KeyError if there is none with this id."""
        row = self._db.execute(
            "SELECT id, chat, parent, role, text, ids, tokenizer, model, status, error, stats, "
            "trace FROM messages WHERE id = ?",
            (message,),
        ).fetchone()
        if row is None:
            raise KeyError(message)
        return stored(row)

    def add_user_message(self, chat: str, parent: str | None, text: str) -> Stored:
        """Add a message of the user's."""
        with self._transaction():
            message = self._insert(chat, parent, "user", text, "done", "")
        return self.message(message)

    def start_reply(self, chat: str, parent: str, model: str) -> Stored:
        """Add an empty answer that is being written; an older answer stays beside it."""
        with self._transaction():
            message = self._insert(chat, parent, "assistant", "", "writing", model)
            self._db.execute("UPDATE chats SET model = ? WHERE id = ?", (model, chat))
        return self.message(message)

    def grow_reply(self, message: str, text: str) -> None:
        """Keep what has been written so far. Survives a crash of the app, not of the machine."""
        self._write_lightly("UPDATE messages SET text = ? WHERE id = ?", (text, message))

    def finish_reply(
        self,
        message: str,
        text: str,
        status: Status,
        *,
        model: str | None = None,
        stats: Stats | None = None,
        error: str = "",
        trace: Trace | None = None,
        ids: Mapping[str, Sequence[int]] | None = None,
        tokenizer: str = "",
    ) -> Stored:
        """Keep an ended answer with its figures. `ids` are the tokens fed, by message; `model`
        is the one that wrote it, when that is another than the one that was asked."""
        with self._transaction():
            self._db.execute(
                "UPDATE messages SET text = ?, status = ?, error = ?, stats = ?, trace = ?, "
                "model = coalesce(?, model) WHERE id = ?",
                (text, status, error, as_json(stats), as_json(trace), model, message),
            )
            for fed, tokens in (ids or {}).items():
                self._db.execute(
                    "UPDATE messages SET ids = ?, tokenizer = ? WHERE id = ?",
                    (packed(tokens), tokenizer, fed),
                )
        return self.message(message)

    def _insert_chat(self, title: str, model: str) -> str:
        chat, now = uuid.uuid4().hex, self._now().timestamp()
        self._db.execute(
            "INSERT INTO chats (id, title, created, updated, model) VALUES (?, ?, ?, ?, ?)",
            (chat, title, now, now, model),
        )
        return chat

    def _insert(
        self, chat: str, parent: str | None, role: Role, text: str, status: Status, model: str
    ) -> str:
        message, now = uuid.uuid4().hex, self._now().timestamp()
        self._db.execute(
            "INSERT INTO messages (id, chat, parent, role, text, status, model, created) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (message, chat, parent, role, text, status, model, now),
        )
        self._db.execute("UPDATE chats SET updated = ? WHERE id = ?", (now, chat))
        return message

    def _write_lightly(self, sql: str, values: tuple[str, ...]) -> None:
        """Commit without waiting for the disk: the window must not, several times a minute."""
        self._db.execute("PRAGMA synchronous = NORMAL")
        self._db.execute(sql, values)
        self._db.execute("PRAGMA synchronous = FULL")

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._db.execute("ROLLBACK")
            raise
        self._db.execute("COMMIT")


def _open(path: Path) -> sqlite3.Connection:
    db = sqlite3.connect(path, isolation_level=None)
    try:
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = FULL")
        db.execute("PRAGMA foreign_keys = ON")
        db.create_function("folded", 1, folded, deterministic=True)
        if db.execute("PRAGMA user_version").fetchone()[0] == 0:
            db.executescript(f"BEGIN; {_SCHEMA} PRAGMA user_version = {_VERSION}; COMMIT;")
        db.execute("SELECT count(*) FROM messages").fetchone()
    except BaseException:
        db.close()
        raise
    return db


def _move_aside(path: Path) -> Path:
    stamp = datetime.now().strftime("%Y%m%d-%H%M%S")
    for suffix in ("-wal", "-shm", ""):
        if (part := path.with_name(path.name + suffix)).exists():
            aside = path.with_name(f"{path.stem}-unreadable-{stamp}{path.suffix}{suffix}")
            part.replace(aside)
    return aside
