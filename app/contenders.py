"""What is to be compared: installed models, each in one precision or in several. No Qt, no MLX."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from engine.api import Machine, ModelInfo
from engine.compare_api import too_big_together
from engine.errors import EngineError

LEAST, MOST = 2, 5
_AT_FIRST = 3


class Contender(NamedTuple):
    """A model's name and a precision, "" its own."""

    name: str
    precision: str = ""

    @property
    def key(self) -> str:
        """As it is spelt on the command line."""
        return f"{self.name}@{self.precision}" if self.precision else self.name


class ContenderRow(NamedTuple):
    """A row of the list: a model as it is in one precision. One that is chosen can be chosen
    `also` in others, each in a row of its own."""

    key: str
    model: ModelInfo
    chosen: bool
    precisions: tuple[str, ...]  # that it may be in: no other row of the model is
    also: tuple[str, ...]


class Contenders:
    """The keys of what is chosen, and the rows to choose from. Each model has a row for every
    precision that it is chosen in, or one that is not chosen."""

    def __init__(self) -> None:
        self._models: dict[str, ModelInfo] = {}
        self._wished: tuple[str, ...] = ()  # also what is not installed at the moment
        self._aside: dict[str, str] = {}  # the precision of the row of a model not chosen

    def set_models(self, models: Iterable[ModelInfo]) -> None:
        """These are installed. Where nothing is chosen, the smallest that fit are."""
        self._models = {
            model.name: model for model in sorted(models, key=lambda model: model.parameters)
        }
        if not self._wished:
            fitting = [m.name for m in self._models.values() if not m.problem and m.fit == "fits"]
            self._wished = tuple(fitting[:_AT_FIRST])

    @property
    def chosen(self) -> tuple[str, ...]:
        """The keys of those that can be compared, in their order."""
        return tuple(key for key in self._wished if self._can(self._read(key)))

    def models(self) -> list[ModelInfo]:
        """What is chosen, each as it is in its precision."""
        chosen = [self._read(key) for key in self.chosen]
        return [in_precision(self._models[each.name], each.precision) for each in chosen]

    def too_big_together(self, machine: Machine | None) -> EngineError | None:
        """Why what is chosen cannot all be in memory at once; None where it can, or may."""
        return too_big_together(self.models(), machine) if machine else None

    def choose(self, keys: Iterable[str]) -> None:
        """Compare these, the first five; a model that is not among them keeps its precision."""
        before, self._wished = self._wished, tuple(dict.fromkeys(keys))[:MOST]
        for gone in (self._read(key) for key in before if key not in self._wished):
            self._aside[gone.name] = gone.precision

    def set_precision(self, key: str, precision: str) -> None:
        """Have this row in another precision, unless the model has a row in that."""
        new = self._in(key, precision)
        if key not in self._wished:
            self._aside[new.name] = new.precision
        elif new.key not in self._wished:
            self._wished = tuple(new.key if each == key else each for each in self._wished)

    def add(self, key: str, precision: str) -> None:
        """Choose the model of this row also in another precision, if there is room for it."""
        new = self._in(key, precision)
        if key in self._wished and new.key not in self._wished and len(self.chosen) < MOST:
            after = self._wished.index(key) + 1
            self.choose((*self._wished[:after], new.key, *self._wished[after:]))

    def rows(self) -> list[ContenderRow]:
        """All of them, from the smallest model to the largest."""
        chosen = [self._read(key) for key in self.chosen]
        full = len(chosen) >= MOST
        rows: list[ContenderRow] = []
        for model in self._models.values():
            mine = [each for each in chosen if each.name == model.name]
            rows += _rows_of(model, mine, self._aside.get(model.name, ""), full=full)
        return rows

    def _in(self, key: str, precision: str) -> Contender:
        name = self._read(key).name
        own = self._models[name].dtype if name in self._models else ""
        return Contender(name, "" if precision == own else precision)

    def _can(self, contender: Contender) -> bool:
        return contender.name in self._models and not self._models[contender.name].problem

    def _read(self, key: str) -> Contender:
        name, at, precision = key.rpartition("@")
        if key in self._models or not at:  # a folder's name may hold the sign
            return Contender(key)
        return Contender(name, precision)


def _rows_of(
    model: ModelInfo, chosen: Sequence[Contender], aside: str, *, full: bool
) -> list[ContenderRow]:
    shown = chosen or [Contender(model.name, aside)]
    taken = {each.precision or model.dtype for each in shown}
    known = [need.precision for need in model.needs]
    free = tuple(precision for precision in known if precision not in taken)
    return [
        ContenderRow(
            key=each.key,
            model=in_precision(model, each.precision),
            chosen=bool(chosen),
            precisions=tuple(
                one for one in known if one in free or one == (each.precision or model.dtype)
            ),
            also=free if chosen and not full else (),
        )
        for each in shown
    ]


def in_precision(model: ModelInfo, precision: str) -> ModelInfo:
    """What is known of an installed model when it is kept in this."""
    if not precision:
        return model
    needs = {need.precision: need.needed_bytes for need in model.needs}
    needed = needs.get(precision, model.needed_bytes)
    return replace(model, precision=precision, dtype=precision, needed_bytes=needed)
