"""Where chat templates run: Jinja's sandbox, stricter."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any, NoReturn

from jinja2 import TemplateError
from jinja2.exceptions import SecurityError
from jinja2.sandbox import ImmutableSandboxedEnvironment

_LARGEST = 1 << 24  # of a product


class _Environment(ImmutableSandboxedEnvironment):
    """Jinja's sandbox, which here refuses at once and lets no operator make huge values."""

    intercepted_binops = frozenset(["*", "**"])

    def unsafe_undefined(self, obj: Any, attribute: str) -> NoReturn:
        """Reaching for an attribute that leads outside is an error, not an empty value."""
        raise SecurityError(f"it reaches for {attribute} of {type(obj).__name__}")

    def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:
        """A product or power of numbers of ordinary size, or a short text repeated."""
        size = 1
        for value in (left, right):
            size *= len(value) if hasattr(value, "__len__") else abs(value)
        if size > _LARGEST or (operator == "**" and abs(right) > 64):
            raise SecurityError(f"it makes a huge value with {operator}")
        return super().call_binop(context, operator, left, right)


def environment() -> _Environment:
    """The names that templates of the Hub count on."""
    made = _Environment(
        trim_blocks=True,
        lstrip_blocks=True,
        extensions=["jinja2.ext.loopcontrols"],
    )
    made.filters["tojson"] = _to_json
    made.globals["raise_exception"] = _raise_exception
    made.globals["strftime_now"] = lambda form: datetime.now().strftime(form)
    return made


def _to_json(value: Any, indent: int | None = None, **options: Any) -> str:
    """Plain JSON; Jinja's own escapes < and > for web pages."""
    return json.dumps(value, ensure_ascii=False, indent=indent, **options)


def _raise_exception(message: str) -> NoReturn:
    raise TemplateError(message)
