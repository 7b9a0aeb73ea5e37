"""The values of the chats' database, and how they are written into its columns."""

from __future__ import annotations

import json
import struct
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from app.values import MessageRow, Trace
from engine.api import Stats

_TITLE = 48  # characters; the sidebar elides what is wider than it


@dataclass(frozen=True, slots=True, kw_only=True)
class Chat:
    """A conversation. `model` is the one last used in it, `draft` what stands in its composer."""

    id: str
    title: str
    updated: datetime
    model: str
    draft: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored:
    """A message as it is kept: what the transcript shows, its place in the tree, its tokens."""

    row: MessageRow
    chat: str
    parent: str | None
    ids: tuple[int, ...] | None
    tokenizer: str
    trace: Trace | None


def title_from(text: str) -> str:
    """A title of at most 48 characters from the first words of a message."""
    words = " ".join(text[: 8 * _TITLE].split())
    if len(words) <= _TITLE:
        return words
    cut = words[: _TITLE + 1].rsplit(" ", 1)[0] if " " in words[:_TITLE] else words[:_TITLE]
    return cut[:_TITLE].rstrip(" ,;:.、。") + "…"


def stored(row: Sequence[Any]) -> Stored:
    """A message from the columns id, chat, parent, role, text, ids, tokenizer, model, status,
    error, stats, trace."""
    message, chat, parent, role, text, ids, tokenizer, model, status, error, stats, trace = row
    return Stored(
        row=MessageRow(
            id=message,
            role=role,
            text=text,
            status=status,
            model=model,
            stats=Stats(**json.loads(stats)) if stats else None,
            error=error,
        ),
        chat=chat,
        parent=parent,
        ids=None if ids is None else struct.unpack(f"<{len(ids) // 4}i", ids),
        tokenizer=tokenizer,
        trace=_trace(json.loads(trace)) if trace else None,
    )


def as_json(value: Stats | Trace | None) -> str | None:
    """The column of figures or of a sparkline."""
    return None if value is None else json.dumps(asdict(value))


def packed(ids: Sequence[int]) -> bytes:
    """The column of token ids: int32, little endian."""
    return struct.pack(f"<{len(ids)}i", *ids)


def folded(text: str) -> str:
    """Text for searching: case and the width of letters do not matter."""
    if text.isascii():  # many times quicker, and most texts are
        return text.lower()
    return unicodedata.normalize("NFKC", text).casefold()


def local_time(seconds: float) -> datetime:
    """The column of a time, seconds since 1970, in the user's time zone."""
    return datetime.fromtimestamp(seconds).astimezone()


def _trace(value: Mapping[str, Any]) -> Trace:
    return Trace(
        points=tuple((position, ms) for position, ms in value["points"]),
        read=tuple((start, stop) for start, stop in value["read"]),
        end=value["end"],
    )
