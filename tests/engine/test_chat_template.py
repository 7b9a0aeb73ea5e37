"""Chat templates come from strangers: they may write text and nothing else."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest

from engine.api import Message
from engine.chat_template import ChatTemplate, own_template
from engine.errors import EngineError

TinyFolder = Callable[..., Path]
HELLO = [Message(role="user", text="Hello")]


def _render(source: str, messages: list[Message] = HELLO, **special: str) -> str:
    template = ChatTemplate("tiny", source, special)
    return template.render(messages, add_generation_prompt=True)


def test_blocks_leave_no_blank_lines_as_with_the_hub() -> None:
    source = (
        "{% for message in messages %}\n"
        "    {%- if message.role == 'user' %}\n"
        "[{{ message['content'] }}]\n"
        "    {% endif %}\n"
        "{% endfor %}\n"
        "{% if add_generation_prompt %}\n"
        ">\n"
        "{% endif %}\n"
    )
    assert _render(source) == "[Hello]\n>\n"


def test_what_templates_of_the_hub_count_on_is_there() -> None:
    source = (
        "{{ bos_token }}{% for m in messages %}{% if loop.index0 % 2 == 1 %}{% continue %}"
        "{% endif %}{{ m | tojson }}{% endfor %}{{ '-' * 3 }}"
        "{% if tools is not none or documents %}never{% endif %}"
        "{% set ns = namespace(n=1) %}{% set ns.n = ns.n + 1 %}{{ ns.n ** 2 }}"
        "{{ strftime_now('%Y') }}{{ ['a', 'b'] | join(', ') }}{{ 'x'.upper() }}"
    )
    wanted = '<s>{"role": "user", "content": "<b> 山"}---4' + f"{datetime.now():%Y}" + "a, bX"
    assert _render(source, [Message(role="user", text="<b> 山")], bos_token="<s>") == wanted


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("{{ raise_exception('Roles must alternate') }}", "Roles must alternate"),
        ("{% for message in messages %}", "endfor"),
        ("{{ nothing.at.all }}", "'nothing' is undefined"),
        ("{{ 1 / 0 }}", "division by zero"),
        ("{{ ''.__class__ }}", "reaches for __class__"),
        ("{{ ''.__class__.__mro__[1].__subclasses__() }}", "reaches for __class__"),
        ("{{ messages['__class__'] }}", "reaches for __class__"),
        ("{{ '{0.__class__}'.format(1) }}", "reaches for __class__"),
        ("{{ ''|attr('__class__') }}", "reaches for __class__"),
        ("{{ raise_exception.__globals__ }}", "reaches for __globals__"),
        ("{{ cycler.__init__.__globals__.os.system('true') }}", "reaches for __init__"),
        ("{% do messages.append(1) %}", "unknown tag 'do'"),
        ("{{ messages.append(1) }}", "reaches for append"),
        ("{% include '/etc/passwd' %}", "no loader"),
        ("{% import 'os' as os %}", "no loader"),
        ("{{ 'a' * 10000000000 }}", "huge value"),
        ("{{ [0] * 10000000000 }}", "huge value"),
        ("{{ 9 ** 9 ** 9 }}", "huge value"),
        ("{{ 'a' ** 2 }}", ""),
        ("{% for a in range(10**9) %}{% endfor %}", "ange"),
        ("{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}", "recursion"),
        ("{% generation %}", "unknown tag"),
    ],
)
def test_a_template_that_fails_or_reaches_outside_is_refused_in_a_sentence(
    source: str, told: str
) -> None:
    with pytest.raises(EngineError) as caught:
        _render(source)
    assert caught.value.code == "bad_template"
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)
    assert "Traceback" not in str(caught.value)


def test_a_template_that_does_not_end_is_stopped() -> None:
    nested = "{% for a in range(9999) %}{% for b in range(9999) %}{% endfor %}{% endfor %}"
    with pytest.raises(EngineError, match="does not end"):
        _render(nested)
    assert _render("still {{ messages[0].content }}") == "still Hello"


def test_a_template_that_writes_without_end_is_stopped() -> None:
    source = "{% set x = 'a' * 1000000 %}{% for a in range(9999) %}{{ x }}{% endfor %}"
    with pytest.raises(EngineError, match="writes without end"):
        _render(source)


def test_a_debugger_is_left_as_it_was() -> None:
    seen: list[str] = []

    def trace(frame: object, event: str, arg: object) -> None:
        seen.append(event)

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        _render("x")
        assert sys.gettrace() is trace
    finally:
        sys.settrace(before)


def test_a_long_chat_is_rendered_whole() -> None:
    messages = [Message(role="user", text="word " * 50)] * 2000
    source = "{% for m in messages %}{{ m.role }}: {{ m.content | trim }}\n{% endfor %}"
    assert _render(source, messages).count("user:") == 2000


def test_the_template_may_be_a_file_a_field_or_one_of_several(tiny_folder: TinyFolder) -> None:
    folder = tiny_folder()
    config = folder / "tokenizer_config.json"
    several = [{"name": "tool_use", "template": "tools"}, {"name": "default", "template": "plain"}]
    config.write_text(json.dumps({"chat_template": several}))
    assert own_template(folder) == "plain"
    config.write_text(json.dumps({"chat_template": "field"}))
    assert own_template(folder) == "field"
    (folder / "chat_template.json").write_text('{"chat_template": "its own JSON"}')
    assert own_template(folder) == "its own JSON"
    (folder / "chat_template.jinja").write_text("file")
    assert own_template(folder) == "file"


def test_a_folder_without_one_has_none(tiny_folder: TinyFolder) -> None:
    folder = tiny_folder()
    config = folder / "tokenizer_config.json"
    for content in ("{}", '{"chat_template": null}', '{"chat_template": []}'):
        config.write_text(content)
        assert own_template(folder) is None
    config.unlink()
    assert own_template(folder) is None


def test_a_template_that_is_no_text_is_refused(tiny_folder: TinyFolder) -> None:
    folder = tiny_folder()
    (folder / "tokenizer_config.json").write_text('{"chat_template": {"a": 1}}')
    with pytest.raises(EngineError, match="should give a template for chat_template"):
        own_template(folder)
