"""The columns of a comparison as they are shown: what each does, and its figure."""

from __future__ import annotations

import re
from collections.abc import Mapping

from PySide6.QtCore import QCoreApplication

from app import format as text
from app.compare_chart import ranks
from app.compare_rows import Column, ColumnState
from app.compare_running import Live
from app.compare_values import ColumnResult, Comparison
from app.library_words import name_of
from engine.api import Loading, Piece, Reading
from engine.compare_api import Step

_SIZE = re.compile(r"\d+(?:[._]\d+)?[mbMB](?![a-zA-Z])")


def columns(run: Comparison, live: Mapping[int, Live], running: bool) -> tuple[Column, ...]:
    """A run's columns; `live` is what those under way last told."""
    each = zip(run.columns, names(run), ranks(run.columns), strict=True)
    return tuple(
        _column(run, at, (result, called, rank), live.get(at), running)
        for at, (result, called, rank) in enumerate(each)
    )


def _column(
    run: Comparison, at: int, who: tuple[ColumnResult, str, int], live: Live | None, running: bool
) -> Column:
    result, called, rank = who
    state = _state(result, live, running)
    return Column(
        id=str(at),
        name=_told_apart(run, result, name_of(result.name)),
        short=called,
        rank=rank,
        state=state,
        status=_ended(run, result, state) or _under_way(run, live),
        text=result.text,
        figure=_figure(result, live),
        fraction=_fraction(live),
        vote=run.vote == at,
    )


def _state(result: ColumnResult, live: Live | None, running: bool) -> ColumnState:
    if result.error:
        return result.unmade or "failed"
    if result.stats is not None:
        return "stopped" if result.stats.stop_reason == "stopped" else "done"
    if live is None:
        return "waiting" if running else "stopped"
    told = live.told
    if isinstance(told, Loading):
        return "loading"
    if isinstance(told, Reading):
        return "reading"
    return "writing" if isinstance(told, Piece) else "measuring"


def _ended(run: Comparison, result: ColumnResult, state: ColumnState) -> str:
    """How a column ended; empty for one that has not."""
    translate = QCoreApplication.translate
    count = result.stats.new_tokens if result.stats else 0
    if state == "skipped":
        return translate("Compare", "Does not fit, skipped")
    if state == "failed" or result.unmade:
        return result.error
    if state == "done":
        if run.plan and not run.plan.position:
            return translate("Compare", "Measured")
        one = translate("Compare", "Done, 1 token")
        words = translate("Compare", "Done, {count} tokens")
    elif state == "stopped":
        if result.stats is None or (run.plan and not result.text):  # tokens of a round, or not told
            return translate("Compare", "Stopped")
        one = translate("Compare", "Stopped at 1 token")
        words = translate("Compare", "Stopped at {count} tokens")
    else:
        return ""
    return one if count == 1 else words.replace("{count}", text.count(count))


def _under_way(run: Comparison, live: Live | None) -> str:
    translate = QCoreApplication.translate
    told = live.told if live else None
    if live is None or told is None:
        return translate("Compare", "Waiting for its turn")
    if isinstance(told, Loading):
        return translate("Compare", "Loading")
    if isinstance(told, Reading):
        words = translate("Compare", "Reading {done} of {total} tokens")
        return _so_far(words, told.done, told.total)
    if isinstance(told, Piece):
        words = translate("Compare", "Writing, {done} of {total} tokens")
        if run.plan:
            return _so_far(words, told.position, run.plan.position)
        return _so_far(words, live.tokens, run.sampling.max_tokens)
    if told.part == "rounds":
        words = translate("Compare", "Round {done} of {total}")
        return _so_far(words, told.done + 1, told.total)
    if told.part == "quality":
        words = translate("Compare", "Predicting a text, part {done} of {total}")
        return _so_far(words, told.done + 1, told.total)
    return translate("Compare", "Warming up")


def _so_far(words: str, done: int, total: int) -> str:
    return words.replace("{done}", text.count(done)).replace("{total}", text.count(total))


def _figure(result: ColumnResult, live: Live | None) -> str:
    """The median of an answer, or of the rounds of a benchmark; the mean until it has ended."""
    if result.stats is not None and result.stats.ms_per_token is not None:
        return text.ms(result.stats.ms_per_token if result.spread_ms else result.median_ms)
    told = live.told if live else None
    if isinstance(told, Piece) and told.ms_per_token is not None:
        return text.ms(told.ms_per_token)
    return ""


def _fraction(live: Live | None) -> float | None:
    told = live.told if live else None
    if isinstance(told, Loading):
        return told.fraction
    if isinstance(told, Reading | Step) and told.total:
        return told.done / told.total
    return None


def names(run: Comparison) -> list[str]:
    """Over the table and in charts: by their size, whole where two are of one size, by the
    precision alone where all are one model."""
    if len(run.columns) > 1 and len({column.name for column in run.columns}) == 1:
        return [column.precision or column.dtype for column in run.columns]
    short = [_told_apart(run, each, _size(name_of(each.name))) for each in run.columns]
    return [
        each if short.count(each) == 1 else _told_apart(run, column, name_of(column.name))
        for each, column in zip(short, run.columns, strict=True)
    ]


def _told_apart(run: Comparison, column: ColumnResult, name: str) -> str:
    """With the precision where the model is there in several."""
    several = sum(other.name == column.name for other in run.columns) > 1
    return f"{name} {column.precision}".rstrip() if several else name


def _size(name: str) -> str:
    found = _SIZE.findall(name)
    return found[-1] if found else name
