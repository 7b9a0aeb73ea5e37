"""What a checkpoint's table of tensors, and the fields beside it, tell of a model's sizes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Protocol

from engine.errors import EngineError


class HasShape(Protocol):
    """An entry of a checkpoint's table of tensors."""

    @property
    def shape(self) -> tuple[int, ...]: ...


def shape_of(tensors: Mapping[str, HasShape], name: str, ndim: int) -> tuple[int, ...]:
    """The `ndim` sizes of a tensor that tells the model's. Raises EngineError where it is missing
    or has others."""
    if name not in tensors:
        raise EngineError("missing_tensor", file="The model", name=name)
    found = tuple(tensors[name].shape)
    if len(found) != ndim or 0 in found:
        wanted = f"{ndim} sizes above 0"
        raise EngineError("wrong_shape", name=name, expected=wanted, found=found)
    return found


def count_layers(tensors: Mapping[str, HasShape], prefix: str, part: str) -> int:
    """The count of layers, whose tensors are called `prefix`, a number and more; the numbers must
    follow each other. Raises EngineError that names `part` of one that is left out."""
    pattern = re.compile(re.escape(prefix) + r"(\d{1,9})\.")
    numbers = {int(found[1]) for name in tensors if (found := pattern.match(name))}
    for number in range(max(numbers, default=0)):
        if number not in numbers:
            name = f"{prefix}{number}.{part}"
            raise EngineError("missing_tensor", file="The model", name=name)
    return 1 + max(numbers, default=0)


def epsilon(fields: Mapping[str, Any], field: str, default: float) -> float:
    """A norm's epsilon. Raises EngineError("bad_config") where the config has another thing."""
    value = fields.get(field, default)
    if isinstance(value, int | float) and 0 < value < 1:
        return float(value)
    raise EngineError(
        "bad_config", file="config.json", field=field,
        expected="a small number above 0", found=str(value),
    )  # fmt: skip
