"""A comparison as the Compare view shows it: table, charts, and what is to be said."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication, QDate, QLocale

from app import format as text
from app.compare_chart import memory_chart, time_chart
from app.compare_columns import names
from app.compare_history import history_chart, measured_before, quality_chart
from app.compare_rows import Chart, Choice, PastRun, Row
from app.compare_table import table
from app.compare_values import Comparison, KeptRun
from app.contenders import ContenderRow
from app.library_words import name_of
from app.model_rows import disk, fit_of, parameters
from engine.api import Machine, Message, ModelInfo, Offer
from engine.errors import EngineError


def rows(run: Comparison) -> tuple[Row, ...]:
    """The table, once there is a figure."""
    return table(run.columns) if any(column.stats for column in run.columns) else ()


def charts(run: Comparison, benchmarks: Sequence[Comparison]) -> tuple[Chart, ...]:
    """Time and memory by position, quality against speed, and how it was before."""
    columns = measured_before(run, benchmarks)
    called = names(run)
    end = run.plan.position if run.plan else 0
    return (
        time_chart(columns, called, end),
        memory_chart(columns, called, end),
        quality_chart(columns, called),
        history_chart(run, benchmarks, called),
    )


def warning(run: Comparison) -> str:
    """Why the times of a run are nothing to go by; empty where nothing speaks against them."""
    doubts = {column.doubt for column in run.columns}
    if "interleaved" in doubts:
        return QCoreApplication.translate(
            "Compare", "Written in turns: the times cannot be compared."
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
    one = QCoreApplication.translate("Compare", "1 model")
    words = QCoreApplication.translate("Compare", "{n} models")
    note = one if run.models == 1 else words.replace("{n}", str(run.models))
    return PastRun(id=run.id, title=run.title, note=note, when=run.when)


def title_note(run: Comparison | None) -> str:
    """Under the view's title: "Sun 29 Nov, run 14"."""
    if run is None:
        return ""
    date = QDate(run.when.year, run.when.month, run.when.day)
    day = QLocale().toString(date, QCoreApplication.translate("Compare", "ddd d MMM"))
    words = QCoreApplication.translate("Compare", "{day}, run {n}")
    if run.plan is not None:
        words = QCoreApplication.translate("Compare", "{day}, run {n}, benchmark")
    return words.replace("{day}", day).replace("{n}", str(run.number))


def installed_choice(row: ContenderRow, machine: Machine | None) -> Choice:
    """An installed model that may be compared, in one of its precisions."""
    model = row.model
    facts = [parameters(model.parameters), disk(model.disk_bytes)]
    return Choice(
        id=row.key,
        name=name_of(model.name),
        note=", ".join(fact for fact in facts if fact),
        transformer=model.for_comparison,
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
        transformer=offer.for_comparison,
    )
