"""The comparisons, in the chats' SQLite file."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import asdict, fields, replace
from typing import Any, NamedTuple

from app.compare_values import ColumnResult, Comparison, KeptRun, said
from app.store_rows import local_time
from engine.api import Message, Sampling, Stats
from engine.compare_api import Plan, Point, Quality

_SCHEMA = """
CREATE TABLE IF NOT EXISTS comparisons (
  number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, title TEXT NOT NULL,
  created REAL NOT NULL, models INTEGER NOT NULL, content TEXT NOT NULL)
"""


class Removed(NamedTuple):
    """A run as it stood in the table."""

    number: int
    id: str
    title: str
    created: float
    models: int
    content: str


class CompareStore:
    """A table of the chats' database. Every change is committed when the call returns."""

    def __init__(self, database: sqlite3.Connection) -> None:
        self._db = database
        self._db.execute(_SCHEMA)

    def save(self, run: Comparison) -> Comparison:
        """Keep a run, new or as it stands now; gives it with its number."""
        content = json.dumps(
            {
                "prompt": run.prompt,
                "before": said(run.before),
                "chat": run.chat,
                "sampling": asdict(run.sampling),
                "interleaved": run.interleaved,
                "columns": [_shallow(column) for column in run.columns],
                "vote": run.vote,
                "plan": asdict(run.plan) if run.plan else None,
                "machine": run.machine,
            }
        )
        known = self._db.execute(
            "UPDATE comparisons SET title = ?, content = ? WHERE id = ?",
            (run.title, content, run.id),
        )
        if not known.rowcount:  # an upsert would use up a number at each call
            self._db.execute(
                "INSERT INTO comparisons (number, id, title, created, models, content) "
                "VALUES (nullif(?, 0), ?, ?, ?, ?, ?)",
                (run.number, run.id, run.title, run.when.timestamp(), len(run.columns), content),
            )
        (number,) = self._db.execute(
            "SELECT number FROM comparisons WHERE id = ?", (run.id,)
        ).fetchone()
        return replace(run, number=number)

    def kept(self) -> tuple[KeptRun, ...]:
        """What a list shows of the runs, newest first."""
        rows = self._db.execute(
            "SELECT id, title, created, models FROM comparisons ORDER BY created DESC"
        )
        return tuple(KeptRun(run, title, local_time(at), n) for run, title, at, n in rows)

    def get(self, run: str) -> Comparison | None:
        """A run, whole; None where there is none that can be read: one of a later version."""
        row = self._db.execute(
            "SELECT id, title, created, number, content FROM comparisons WHERE id = ?", (run,)
        ).fetchone()
        return _read(row) if row else None

    def benchmarks(self, most: int) -> tuple[Comparison, ...]:
        """The last `most` benchmarks that can be read, oldest first. One that cannot is passed
        over: SQLite would fail at it for all of them."""
        rows = self._db.execute(
            "SELECT id, title, created, number, content FROM comparisons "
            "WHERE CASE WHEN json_valid(content) THEN json_extract(content, '$.plan') END "
            "IS NOT NULL ORDER BY created DESC LIMIT ?",
            (most,),
        )
        return tuple(run for row in rows if (run := _read(row)))[::-1]

    def rename(self, run: str, title: str) -> None:
        """Give a run another title."""
        self._db.execute("UPDATE comparisons SET title = ? WHERE id = ?", (title, run))

    def remove(self, run: str) -> Removed | None:
        """Delete a run; gives what brings it back, also one that cannot be read."""
        row = self._db.execute(
            "SELECT number, id, title, created, models, content FROM comparisons WHERE id = ?",
            (run,),
        ).fetchone()
        self._db.execute("DELETE FROM comparisons WHERE id = ?", (run,))
        return Removed(*row) if row else None

    def put_back(self, removed: Removed) -> None:
        """Keep a run again that was removed, as it was."""
        self._db.execute(
            "INSERT INTO comparisons (number, id, title, created, models, content) "
            "VALUES (?, ?, ?, ?, ?, ?)",
            removed,
        )


def _read(row: tuple[str, str, float, int, str]) -> Comparison | None:
    run, title, created, number, content = row
    try:
        value: dict[str, Any] = json.loads(content)
        sampling = value["sampling"] | {"stop": tuple(value["sampling"]["stop"])}
        return Comparison(
            id=run,
            title=title,
            when=local_time(created),
            number=number,
            prompt=value["prompt"],
            before=tuple(Message(**each) for each in value.get("before", ())),
            chat=value.get("chat", ""),
            sampling=Sampling(**sampling),
            interleaved=value["interleaved"],
            columns=tuple(_column(each) for each in value["columns"]),
            vote=value["vote"],
            plan=Plan(**value["plan"]) if value.get("plan") else None,
            machine=value.get("machine", ""),
        )
    except (ValueError, KeyError, TypeError):
        return None


def _shallow(column: ColumnResult) -> dict[str, Any]:
    """As `asdict` does, without a copy of each of hundreds of points."""
    value = {field.name: getattr(column, field.name) for field in fields(column)}
    return value | {"stats": asdict(column.stats) if column.stats else None}


def _column(value: dict[str, Any]) -> ColumnResult:
    """What an earlier version did not know yet has its default."""
    known = {field.name: value[field.name] for field in fields(ColumnResult) if field.name in value}
    stats, spread, quality = value["stats"], value.get("spread_ms"), value.get("quality")
    return ColumnResult(
        **known
        | {
            "stats": Stats(**stats) if stats else None,
            "points": tuple(Point(*point) for point in value.get("points", ())),
            "spread_ms": tuple(spread) if spread else None,
            "quality": Quality(*quality) if quality else None,
        }
    )
