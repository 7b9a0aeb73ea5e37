"""A model's chat template: Jinja from a stranger, so it runs in a sandbox and within limits."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

from engine.api import Message
from engine.errors import EngineError
from engine.known_templates import known_form
from engine.small_files import read_object, read_text

_MOST_STEPS = 3_000_000  # lines of Python that one rendering may run: a second or two
_MOST_TEXT = 64 << 20  # characters
_PROBE = (Message(role="user", text="Hello"),)
MARK = "\u241e0\u241e"  # stands for an answer's text, to find what a template puts after it
OWN = "own"


class TemplateSource(NamedTuple):
    """A template's text and where it is from: OWN, or the name of a known form."""

    form: str
    text: str


def find_template(folder: Path, config: Mapping[str, Any]) -> TemplateSource | None:
    """The folder's own template, else the form of a model that is known to chat.

    None for a base model. Raises EngineError when a file is broken."""
    own = own_template(folder)
    if own is not None:
        return TemplateSource(OWN, own)
    known = known_form(folder, config)
    return None if known is None else TemplateSource(known.name, known.template)


def own_template(folder: Path) -> str | None:
    """The text of the folder's template: chat_template.jinja, else chat_template.json's, else
    tokenizer_config.json's. None where there is none. Raises EngineError when a file is broken."""
    try:
        return read_text(folder / "chat_template.jinja")
    except FileNotFoundError:
        pass
    for name in ("chat_template.json", "tokenizer_config.json"):
        source = _template_field(folder / name)
        if source is not None:
            return source
    return None


def _template_field(file: Path) -> str | None:
    value = read_object(file, missing={}).get("chat_template")
    if isinstance(value, list):  # several by name
        named = {item.get("name"): item for item in value if isinstance(item, dict)}
        value = named.get("default", {}).get("template")
    if value is not None and not isinstance(value, str):
        found, expected = type(value).__name__, "a template"
        raise EngineError(
            "bad_config", file=file, field="chat_template", expected=expected, found=found
        )
    return value


class Endless(Exception):  # noqa: N818  (a template's fault, told as such)
    """A template did not come to its end."""


class ChatTemplate:
    """Turns messages into the text that the model was trained on."""

    def __init__(self, name: str, source: str, special: Mapping[str, str]) -> None:
        """`special`: "bos_token" and the like. Raises EngineError("bad_template")."""
        self._name = name
        from engine.template_sandbox import environment  # Jinja, which lists of models do not need

        self._special = special
        with self._faults_named():
            self._template = environment().from_string(source)
        self.render(_PROBE, add_generation_prompt=True)

    def render(self, messages: Sequence[Message], *, add_generation_prompt: bool) -> str:
        """The text of `messages`, with what opens the next answer if that is wanted.

        Raises EngineError("bad_template") when the template fails or does not end."""
        values = {
            **self._special,
            "messages": [{"role": message.role, "content": message.text} for message in messages],
            "add_generation_prompt": add_generation_prompt,
            "tools": None,
            "documents": None,
        }
        parts: list[str] = []
        length = 0
        with self._faults_named(), _limited(_MOST_STEPS):
            for part in self._template.generate(values):
                parts.append(part)
                length += len(part)
                if length > _MOST_TEXT:
                    raise Endless("it writes without end")
        return "".join(parts)

    def closing(self) -> str:
        """What is written after an answer; "" where the template does not take this chat."""
        answered = (*_PROBE, Message(role="assistant", text=MARK))
        try:
            text = self.render(answered, add_generation_prompt=False)
        except EngineError:
            return ""
        return text.partition(MARK)[2]

    @contextmanager
    def _faults_named(self) -> Iterator[None]:
        """Whatever a template raises is the template's fault."""
        try:
            yield
        except Exception as error:
            detail = f"{error}" or type(error).__name__
            raise EngineError("bad_template", name=self._name, detail=detail) from error


@contextmanager
def _limited(steps: int) -> Iterator[None]:
    """Stop Python code on this thread after so many lines: a template has no other brake."""
    before = sys.gettrace()
    left = steps

    def count(frame: FrameType, event: str, arg: Any) -> Callable[..., Any]:
        nonlocal left
        left -= 1
        if left < 0:
            raise Endless("it does not end")
        return count

    sys.settrace(count)
    try:
        yield
    finally:
        sys.settrace(before)
