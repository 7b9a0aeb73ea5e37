"""A comparison as a file for others: CSV, JSON, Markdown."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from dataclasses import asdict

from app.compare_table import measures, table
from app.compare_values import Comparison, said
from app.contenders import Contender
from engine.api import Message
from engine.compare_api import Plan


def as_csv(run: Comparison) -> str:
    """One line a model, numbers as they were measured, then its answer."""
    lines = measures(run.columns)
    spread = ["least_ms", "most_ms"] if any(column.spread_ms for column in run.columns) else []
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    keys = [*(line.key for line in lines), "median_ms", *spread]
    writer.writerow(["model", *keys, "doubt", "text", "error"])
    for column in run.columns:
        values = [*(line.value(column) for line in lines), column.median_ms]
        values += column.spread_ms or [None for _ in spread]
        cells = ["" if value is None else value for value in values]
        writer.writerow([column.name, *cells, column.doubt, column.text, column.error])
    return out.getvalue()


def as_json(run: Comparison) -> str:
    """All that is known of it."""
    value = asdict(run) | {"before": said(run.before)}
    return json.dumps(value, ensure_ascii=False, indent=1, default=str) + "\n"


def as_markdown(run: Comparison) -> str:
    """What was asked and answered, or what was measured, and the table."""
    keys = [Contender(column.name, column.precision).key for column in run.columns]
    parts = [f"# {run.title}", f"{run.when:%Y-%m-%d %H:%M}, {run.machine or 'unknown machine'}"]
    parts += _measurements(run, run.plan, keys) if run.plan else _dialogue(run, keys)
    names = [_cell(key) for key in keys]
    lines = [_line(["", *names]), _line(["---", *("---:" for _ in names)])]
    for row in table(run.columns):
        cells = [f"**{cell}**" if at in row.best else cell for at, cell in enumerate(row.cells)]
        lines.append(_line([_cell(row.label), *cells]))
    parts.append("\n".join(lines))
    doubts = {column.doubt for column in run.columns if column.doubt}
    if doubts:
        parts.append(f"Times are in doubt: {', '.join(sorted(doubts))}.")
    return "\n\n".join(parts) + "\n"


def _measurements(run: Comparison, plan: Plan, keys: Sequence[str]) -> list[str]:
    """The plan, and what could not be measured."""
    told = f"{plan.rounds} rounds: {plan.prompt_tokens} tokens read, {plan.new_tokens} written"
    long = f"; then written on to {plan.position}." if plan.position else "."
    failed = [(key, column.error) for key, column in zip(keys, run.columns, strict=True)]
    return [told + long, *(f"{key}: {error}" for key, error in failed if error)]


def _dialogue(run: Comparison, keys: Sequence[str]) -> list[str]:
    """The prompt with what was said before it, and the answers."""
    parts = []
    for message in (*run.before, Message(role="user", text=run.prompt)):
        parts += [f"{message.role.title()}:"] if run.before else []
        parts.append(_quoted(message.text))
    answers = [
        "\n\n".join(_quoted(each) for each in (column.text, column.error) if each) or _quoted("")
        for column in run.columns
    ]
    parts += [f"## {key}\n\n{answer}" for key, answer in zip(keys, answers, strict=True)]
    return parts


def _quoted(text: str) -> str:
    """Whatever a model wrote stays inside the quotation."""
    return "\n".join(f"> {line}".rstrip() for line in text.splitlines() or [""])


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _line(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"
