"""A comparison as a file for others: CSV, JSON, Markdown."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import asdict

from app.compare_table import measures, table
from app.compare_values import Comparison, said
from app.contenders import Contender
from engine.api import Message


def as_csv(run: Comparison) -> str:
    """One line a model, numbers as they were measured, then its answer."""
    lines = [line for line in measures(run.columns) if line.key != "spread_ms"]  # two numbers
    spread = ["least_ms", "most_ms"] if any(column.spread_ms for column in run.columns) else []
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["model", *(line.key for line in lines), *spread, "doubt", "text", "error"])
    for column in run.columns:
        values = [line.value(column) for line in lines]
        values += column.spread_ms or [None for _ in spread]
        cells = ["" if value is None else value for value in values]
        writer.writerow([column.name, *cells, column.doubt, column.text, column.error])
    return out.getvalue()


def as_json(run: Comparison) -> str:
    """All that is known of it."""
    value = asdict(run) | {"before": said(run.before)}
    return json.dumps(value, ensure_ascii=False, indent=1, default=str) + "\n"


def as_markdown(run: Comparison) -> str:
    """The prompt with what was said before it, the answers, the table."""
    path = () if run.plan else (*run.before, Message(role="user", text=run.prompt))
    parts = [f"# {run.title}"]
    for message in path:
        parts += [f"{message.role.title()}:"] if run.before else []
        parts.append(_quoted(message.text))
    keys = [Contender(column.name, column.precision).key for column in run.columns]
    answers = [
        "\n\n".join(_quoted(each) for each in (column.text, column.error) if each) or _quoted("")
        for column in run.columns
    ]
    parts += [f"## {key}\n\n{answer}" for key, answer in zip(keys, answers, strict=True)]
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


def _quoted(text: str) -> str:
    """Whatever a model wrote stays inside the quotation."""
    return "\n".join(f"> {line}".rstrip() for line in text.splitlines() or [""])


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _line(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"
