"""The chat forms of models that are known to chat and whose folders often lack a template.

A model is known by its name. Only those are in the table whose form their makers have told; what
a form holds is the special words and the breaks of lines that a model was trained on.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple


class KnownForm(NamedTuple):
    """A chat form and its template."""

    name: str
    template: str


# Folders made from the original weights may have no tokenizer_config.json to name the end token.
_ZEPHYR = KnownForm(
    "Zephyr",
    "{% for message in messages %}"
    "{{ '<|' + message.role + '|>\n' + message.content }}"
    "{{ eos_token | default('<|endoftext|>') }}{{ '\n' }}"
    "{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|assistant|>\n' }}{% endif %}",
)
_CHATML = KnownForm(
    "ChatML",
    "{% for message in messages %}"
    "{{ '<|im_start|>' + message.role + '\n' + message.content + '<|im_end|>\n' }}"
    "{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}",
)
_FALCON3 = KnownForm(
    "Falcon3",
    "{% for message in messages %}"
    "{{ '<|' + message.role + '|>\n' + message.content }}"
    "{% if message.role == 'assistant' %}{{ eos_token | default('<|endoftext|>') }}{% endif %}"
    "{{ '\n' }}"
    "{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|assistant|>\n' }}{% endif %}",
)
# It has no words for a system message, which is read as the start of the user's first.
_MISTRAL = KnownForm(
    "Mistral",
    "{{ bos_token | default('<s>') }}"
    "{% set told = namespace(text='') %}"
    "{% for message in messages %}"
    "{% if message.role == 'system' %}{% set told.text = message.content + '\n\n' %}"
    "{% elif message.role == 'user' %}{{ '[INST] ' + told.text + message.content + '[/INST]' }}"
    "{% set told.text = '' %}"
    "{% else %}{{ ' ' + message.content + (eos_token | default('</s>')) }}{% endif %}"
    "{% endfor %}",
)

_KNOWN: dict[str, KnownForm] = {
    "mamba-chat": _ZEPHYR,  # havenhq
    "mamba-2.8b-zephyr": _ZEPHYR,  # xiuyul
    "mamba-2.8b-ultrachat": _ZEPHYR,  # xiuyul, han1997
    "mamba-chat-2.8b-slimpj": _ZEPHYR,  # mattreid
    "mamba-2.8b-instruct-openhermes": _ZEPHYR,  # clibrain
    "falcon-mamba-7b-instruct": _CHATML,  # tiiuae
    "falcon3-mamba-7b-instruct": _FALCON3,  # tiiuae
    "mamba-codestral-7b-v0.1": _MISTRAL,  # mistralai
}
_CONVERTED = re.compile(r"([-_.](hf|mlx|safetensors|b?f(p|loat)?(16|32)|[2-8]-?bits?))+$")
_HUB_CACHE = re.compile(r"models--.+--(.+)")


def known_form(folder: Path, config: Mapping[str, Any]) -> KnownForm | None:
    """The form of the model that the folder's name, or else the config's `_name_or_path`, tells."""
    names = [folder.name]
    if cached := _HUB_CACHE.fullmatch(folder.parent.parent.name):  # snapshots/REVISION is in it
        names.append(cached[1])
    if isinstance(origin := config.get("_name_or_path"), str):
        names.append(origin.rstrip("/").rpartition("/")[2])
    for name in names:
        if form := _KNOWN.get(_CONVERTED.sub("", name.lower())):
            return form
    return None
