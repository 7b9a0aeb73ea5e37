"""The models that are offered without a search: `resources/models.json`, from small to large,
then the Transformers that they can be compared with.

Their revision is "main" as long as none of their commits was tried. The bytes on the disk are the
weights' alone: a tokenizer adds a few MB."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from engine import paths
from engine.api import Machine, Need, Offer
from engine.precision import NAMES, is_packed
from engine.registry import FAMILIES

FILE = "models.json"
_FITS = 0.6  # of the memory that models may use
_TEXTS = ("repo", "revision", "family", "licence", "dtype", "about")
_COUNTS = ("parameters", "disk_bytes")
_NEEDS = ("needs", "needs_on_cpu")
# What the figures are worked out of; only the tests look at it.
_SOURCES = {"sizes", "stored"}
_KEYS = {*_TEXTS, *_COUNTS, *_NEEDS, *_SOURCES, "chat"}


def catalogue(*, on_cpu: bool = False) -> list[Offer]:
    """The models, from small to large, a chat model after the base model that it was made of; then
    those that are for comparison.

    `on_cpu`: what they need where everything is computed in float32. Raises ValueError when the
    file is not what it should be, which is a fault of ours."""
    return read_catalogue(paths.resources() / FILE, on_cpu=on_cpu)


def read_catalogue(file: Path, *, on_cpu: bool = False) -> list[Offer]:
    """The models in a catalogue's file. Raises ValueError for whatever is wrong with it."""
    content = json.loads(file.read_text(encoding="utf-8"))
    entries = content.get("models") if isinstance(content, dict) else None
    if not isinstance(entries, list) or not entries:
        raise ValueError(f"{file.name} lists no models")
    offers = [_offer(entry, on_cpu) for entry in entries]
    if len({each.repo for each in offers}) < len(offers):
        raise ValueError(f"{file.name} lists a model twice")
    return offers


def suggest(offers: Iterable[Offer], machine: Machine) -> Offer | None:
    """The best of them for this machine: the largest chat model that fits in any of its precisions,
    of equally large ones in the best precision and with the least to bring down; the largest base
    model where no chat model fits; None where nothing does. What is for comparison never is."""
    ranked: list[tuple[tuple[bool, int, int, int], Offer]] = []
    for each in offers:
        fitting = [
            _bits(need.precision)
            for need in each.needs
            if need.needed_bytes <= _FITS * machine.limit_bytes
        ]
        if fitting and not (each.problem or each.gated or each.for_comparison):
            ranked.append(((each.chat, each.parameters, max(fitting), -each.disk_bytes), each))
    return max(ranked, key=lambda pair: pair[0])[1] if ranked else None


def _bits(precision: str) -> int:
    """How good it is. Floats are alike: a model in float32 was mostly trained in 16 bits."""
    return int(precision.removesuffix("-bit")) if is_packed(precision) else 16


def _offer(entry: Any, on_cpu: bool) -> Offer:
    """One entry, checked. Raises ValueError."""
    if not isinstance(entry, dict) or entry.keys() != _KEYS:
        found = sorted(entry) if isinstance(entry, dict) else entry
        raise ValueError(f"an entry should have the fields {sorted(_KEYS)} and has {found}")
    name = entry["repo"]
    for field in _TEXTS:
        if not isinstance(entry[field], str) or (not entry[field] and field != "licence"):
            raise ValueError(f"{field} of {name} is no text")
    for field in _COUNTS:
        if type(entry[field]) is not int or entry[field] <= 0:
            raise ValueError(f"{field} of {name} is no count")
    if not isinstance(entry["chat"], bool):
        raise ValueError(f"chat of {name} is neither true nor false")
    if entry["family"] not in FAMILIES:
        raise ValueError(f"{name} is of the family {entry['family']}, which is not run")
    if name.count("/") != 1:
        raise ValueError(f"{name} is no owner/name")
    needs = {field: _needs(entry, field) for field in _NEEDS}
    return Offer(
        **{field: entry[field] for field in (*_TEXTS, *_COUNTS, "chat")},
        needs=needs["needs_on_cpu" if on_cpu else "needs"],
    )


def _needs(entry: Mapping[str, Any], field: str) -> tuple[Need, ...]:
    """What it needs in each precision, its own first. Raises ValueError."""
    table, name = entry[field], entry["repo"]
    if not isinstance(table, dict) or next(iter(table), None) != entry["dtype"]:
        raise ValueError(f"{field} of {name} should begin with {entry['dtype']}")
    for precision, count in table.items():
        if precision not in NAMES or type(count) is not int or count <= 0:
            raise ValueError(f"{field} of {name} has {precision}: {count}")
    return tuple(Need(precision, count) for precision, count in table.items())
