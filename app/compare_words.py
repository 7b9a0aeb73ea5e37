"""A comparison as the Compare view shows it: table, charts, and what is to be said."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication, QDate, QLocale

from app.compare_chart import memory_chart, time_chart
from app.compare_columns import names
from app.compare_history import history_chart, measured_before, quality_chart
from app.compare_rows import Chart, Choice, PastRun, Row
from app.compare_table import table
from app.compare_values import Comparison, KeptRun
from app.library_words import name_of
from app.model_rows import disk, parameters
from engine.api import ModelInfo, Offer


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
            "Compare", "Written in turns: the times are nothing to compare by."
        )
    if "slept" in doubts:
        return QCoreApplication.translate("Compare", "The machine slept during this run.")
    if "busy" in doubts:
        return QCoreApplication.translate(
            "Compare", "Other programs kept the machine busy during this run."
        )
    return ""


def note(models: Sequence[ModelInfo]) -> str:
    """What to expect of base models."""
    if models and not any(model.chat for model in models):
        return QCoreApplication.translate("Compare", "Base models: they continue the text.")
    return ""


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


def installed_choice(model: ModelInfo, precision: str) -> Choice:
    """An installed model that may be compared."""
    facts = [parameters(model.parameters), disk(model.disk_bytes)]
    return Choice(
        id=model.name,
        name=name_of(model.name),
        note=", ".join(fact for fact in facts if fact),
        transformer=model.family == "gpt_neox",
        precision=precision or model.dtype,
        precisions=tuple(need.precision for need in model.needs),
        fit=model.fit,
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
