"""`python -m engine compare`: one prompt down a ladder of models, without a window."""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import Any

from engine import library
from engine.api import Message, Piece, Sampling
from engine.compare_api import ColumnEvent, CompareRequest, Contestant, Failed, Measured, read_rate
from engine.comparison import compare
from engine.errors import EngineError

_ROWS: tuple[tuple[str, Callable[[Measured], str]], ...] = (
    ("parameters", lambda end: f"{end.model.parameters:,}"),
    ("disk, MB", lambda end: f"{end.model.disk_bytes / 1e6:,.1f}"),
    ("precision", lambda end: end.dtype),
    ("load, s", lambda end: _number(end.stats.load_s, 2)),
    ("first token, ms", lambda end: _number(end.stats.ttft_ms, 0)),
    ("prompt, tokens/s", lambda end: _number(end.stats.prefill_tokens_per_s, 0)),
    ("ms/token", lambda end: _number(end.stats.ms_per_token, 2)),
    ("ms/token, median", lambda end: _number(end.median_ms, 2)),
    ("ms/token, first 50", lambda end: _number(end.early_ms, 2)),
    ("ms/token, last 50", lambda end: _number(end.late_ms, 2)),
    ("tokens/s", lambda end: _number(end.stats.tokens_per_s, 1)),
    ("weights read, GB/s", lambda end: _gigabytes(read_rate(end.weight_bytes, end.stats))),
    ("tokens", lambda end: str(end.stats.new_tokens)),
    ("state, MB", lambda end: _number(end.stats.state_bytes / 1e6, 2)),
    ("peak memory, MB", lambda end: _number(end.stats.peak_memory_bytes / 1e6, 0)),
    ("doubt", lambda end: end.doubt or "none"),
)


def compare_models(
    names: Sequence[str],
    prompt: str,
    sampling: Sampling,
    *,
    interleaved: bool,
    write_on: bool,
    as_json: bool,
    stopped: threading.Event,
) -> None:
    """Have each model, NAME or NAME@PRECISION, answer `prompt`; print the answers and a table, or
    with `as_json` one event a line. Raises EngineError for a name that is not installed."""
    contestants = tuple(_contestant(name) for name in names)
    request = CompareRequest(
        id="command",
        contestants=contestants,
        messages=(Message(role="user", text=prompt),),
        sampling=sampling,
        interleaved=interleaved,
        write_on=write_on,
    )
    ends: dict[int, Measured | Failed] = {}
    for event in compare(request, stopped, [threading.Event() for _ in contestants]):
        if isinstance(event.event, Measured | Failed):
            ends[event.column] = event.event
        if as_json:
            _print_json(event, contestants[event.column].name)
    if not as_json:
        _print_answers(contestants, ends)


def _contestant(name: str) -> Contestant:
    model, at, precision = name.rpartition("@")
    if not at:
        model, precision = name, ""
    return Contestant(folder=library.find(model), name=name, precision=precision)


def _print_json(event: ColumnEvent, name: str) -> None:
    what = event.event
    line: dict[str, Any] = {"model": name, "column": event.column}
    if isinstance(what, Piece):
        line |= {"event": "text", "text": what.text}
    elif isinstance(what, Measured):
        line |= {"event": "done", **asdict(what)}
    elif isinstance(what, Failed):
        line |= {"event": "failed", "error": _told(what.error)}
    else:
        line |= {"event": type(what).__name__.lower(), **asdict(what)}
    print(json.dumps(line, ensure_ascii=False, default=str), flush=True)


def _told(error: Exception) -> str:
    """One sentence; a fault of ours is not told as if it were the user's."""
    return str(error) if isinstance(error, EngineError) else f"a fault: {error!r}"


def _print_answers(contestants: Sequence[Contestant], ends: dict[int, Measured | Failed]) -> None:
    done = {column: end for column, end in ends.items() if isinstance(end, Measured)}
    for column, who in enumerate(contestants):
        end = ends.get(column)
        print(f"{who.name}:\n{end.text if isinstance(end, Measured) else _why(end)}\n")
    width = max(len(who.name) for who in contestants) + 2
    print(f"{'':<20}" + "".join(f"{contestants[column].name:>{width}}" for column in done))
    for label, cell in _ROWS:
        print(f"{label:<20}" + "".join(f"{cell(end):>{width}}" for end in done.values()))
    sys.stdout.flush()


def _why(end: Measured | Failed | None) -> str:
    return _told(end.error) if isinstance(end, Failed) else ""


def _gigabytes(value: float | None) -> str:
    return _number(None if value is None else value / 1e9, 1)


def _number(value: float | None, decimals: int) -> str:
    return "–" if value is None else f"{value:,.{decimals}f}"
