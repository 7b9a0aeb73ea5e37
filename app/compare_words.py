"""A comparison as the Compare view shows it: columns, table, charts, and what is to be said."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from PySide6.QtCore import QCoreApplication, QDate, QLocale

from app import format as text
from app.compare_chart import memory_chart, ranks, time_chart
from app.compare_rows import Chart, Choice, Column, ColumnState, PastRun, Row
from app.compare_table import table
from app.compare_values import ColumnResult, Comparison, KeptRun
from app.contenders import ContenderRow
from app.library_words import name_of
from app.model_rows import disk, fit_of, parameters
from engine.api import Loading, Machine, Message, ModelInfo, Offer, Piece, Reading
from engine.errors import EngineError

_SIZE = re.compile(r"\d+(?:[._]\d+)?[mbMB](?![a-zA-Z])")
Live = Loading | Reading | Piece


def columns(run: Comparison, live: Mapping[int, Live], running: bool) -> tuple[Column, ...]:
    """A run's columns; `live` is what those under way last told."""
    places = ranks(run.columns)
    return tuple(
        _column(run, at, result, places[at], live.get(at), running)
        for at, result in enumerate(run.columns)
    )


def _column(
    run: Comparison, at: int, result: ColumnResult, rank: int, live: Live | None, running: bool
) -> Column:
    state = _state(result, live, running)
    return Column(
        id=str(at),
        name=full_name(result),
        short=short_name(result),
        rank=rank,
        state=state,
        status=_status(result, state, live, run.sampling.max_tokens),
        text=result.text,
        figure=_figure(result, live),
        fraction=_fraction(live),
        vote=run.vote == at,
    )


def _state(result: ColumnResult, live: Live | None, running: bool) -> ColumnState:
    if result.error:
        return "failed"
    if result.stats is not None:
        return "stopped" if result.stats.stop_reason == "stopped" else "done"
    if isinstance(live, Loading):
        return "loading"
    if isinstance(live, Reading):
        return "reading"
    if isinstance(live, Piece):
        return "writing"
    return "waiting" if running else "stopped"


def _status(result: ColumnResult, state: ColumnState, live: Live | None, most: int) -> str:
    translate = QCoreApplication.translate
    count = text.count(result.stats.new_tokens if result.stats else 0)
    if state == "failed":
        return result.error
    if state == "done":
        return translate("Compare", "Done, {count} tokens").replace("{count}", count)
    if state == "stopped":
        return translate("Compare", "Stopped at {count} tokens").replace("{count}", count)
    if state == "loading":
        return translate("Compare", "Loading")
    if isinstance(live, Reading):
        words = translate("Compare", "Reading {done} of {total} tokens")
        return words.replace("{done}", text.count(live.done)).replace(
            "{total}", text.count(live.total)
        )
    if isinstance(live, Piece):
        words = translate("Compare", "Writing, up to {most} tokens")
        return words.replace("{most}", text.count(most))
    return translate("Compare", "Waiting for its turn")


def _figure(result: ColumnResult, live: Live | None) -> str:
    if result.stats is not None and result.stats.ms_per_token is not None:
        return text.ms(result.stats.ms_per_token)
    if isinstance(live, Piece) and live.ms_per_token is not None:
        return text.ms(live.ms_per_token)
    return ""


def _fraction(live: Live | None) -> float | None:
    if isinstance(live, Loading):
        return live.fraction
    if isinstance(live, Reading) and live.total:
        return live.done / live.total
    return None


def full_name(result: ColumnResult) -> str:
    """Over the answer; the precision where asked."""
    return f"{name_of(result.name)} {result.precision}".rstrip()


def short_name(result: ColumnResult) -> str:
    """Over the table: the size in the name, "130m", else the name; the precision where asked."""
    name = name_of(result.name)
    found = _SIZE.findall(name)
    short = found[-1] if found else name
    return f"{short} {result.precision}".rstrip()


def names(run: Comparison) -> list[str]:
    """What the lines of a chart are called."""
    return [short_name(result) for result in run.columns]


def rows(run: Comparison) -> tuple[Row, ...]:
    """The table, once there is a figure."""
    return table(run.columns) if any(column.stats for column in run.columns) else ()


def charts(run: Comparison) -> tuple[Chart, ...]:
    """Time and memory by position."""
    return time_chart(run.columns, names(run)), memory_chart(run.columns, names(run))


def warning(run: Comparison) -> str:
    """Why the times of a run are nothing to go by; empty where nothing speaks against them."""
    doubts = {column.doubt for column in run.columns}
    if "interleaved" in doubts:
        return QCoreApplication.translate(
            "Compare", "Written in turns: the times are nothing to compare by."
        )
    if "slept" in doubts:
        return QCoreApplication.translate("Compare", "The machine slept during this run.")
    if "busy" in doubts:
        return QCoreApplication.translate(
            "Compare", "Other programs kept the machine busy during this run."
        )
    return ""


def no_turns(error: EngineError | None) -> str:
    """Why models cannot be in memory together, as a line of a menu."""
    if error is None:
        return ""
    words = QCoreApplication.translate(
        "Compare", "Together they need {needed}, and {limit} are for models"
    )
    needed, limit = (" ".join(text.size(error.values[name])) for name in ("needed", "limit"))
    return words.replace("{needed}", needed).replace("{limit}", limit)


def note(models: Sequence[ModelInfo], *, alone: bool) -> str:
    """What to expect: of models that run `alone` as there is no memory for all; of base models."""
    if alone:
        return QCoreApplication.translate(
            "Compare", "Too large together to be interleaved: one at a time."
        )
    if models and not any(model.chat for model in models):
        return QCoreApplication.translate("Compare", "Base models: they continue the text.")
    return ""


def before(messages: Sequence[Message]) -> str:
    """What every model reads before the prompt; empty for nothing."""
    if len(messages) < 2:
        return QCoreApplication.translate("Compare", "1 message") if messages else ""
    words = QCoreApplication.translate("Compare", "{n} messages")
    return words.replace("{n}", text.count(len(messages)))


def past_run(run: KeptRun) -> PastRun:
    """A kept run in the list."""
    note = QCoreApplication.translate("Compare", "{n} models").replace("{n}", str(run.models))
    return PastRun(id=run.id, title=run.title, note=note, when=run.when)


def title_note(run: Comparison | None) -> str:
    """Under the view's title: "Sun 29 Nov, run 14"."""
    if run is None:
        return ""
    date = QDate(run.when.year, run.when.month, run.when.day)
    day = QLocale().toString(date, QCoreApplication.translate("Compare", "ddd d MMM"))
    words = QCoreApplication.translate("Compare", "{day}, run {n}")
    return words.replace("{day}", day).replace("{n}", str(run.number))


def installed_choice(row: ContenderRow, machine: Machine | None) -> Choice:
    """An installed model that may be compared, in one of its precisions."""
    model = row.model
    facts = [parameters(model.parameters), disk(model.disk_bytes)]
    return Choice(
        id=row.key,
        name=name_of(model.name),
        note=", ".join(fact for fact in facts if fact),
        transformer=model.family == "gpt_neox",
        precision=model.dtype,
        precisions=row.precisions if len(model.needs) > 1 else (),
        also=row.also,
        fit=fit_of(model.needed_bytes, machine),
        problem=model.problem,
    )


def offered_choice(offer: Offer) -> Choice:
    """A model of the catalogue that is not here yet."""
    facts = [parameters(offer.parameters), disk(offer.disk_bytes)]
    return Choice(
        id=offer.repo,
        name=name_of(offer.repo),
        note=", ".join(fact for fact in facts if fact),
        installed=False,
        transformer=offer.family == "gpt_neox",
    )
