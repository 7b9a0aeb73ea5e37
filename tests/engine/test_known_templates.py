"""Models that are known to chat are spoken to in their own form, whatever their folder lacks."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine import library
from engine.api import Finished, Message, ReplyRequest, Sampling
from engine.chat_template import MARK, ChatTemplate, find_template
from engine.checkpoint import open_checkpoint
from engine.dialogue import path_ids
from engine.errors import EngineError
from engine.session import Session
from engine.tokenizer import Tokenizer, load_tokenizer

TinyFolder = Callable[..., Path]
CHAT = [
    Message(role="system", text="Be brief."),
    Message(role="user", text="Hi"),
    Message(role="assistant", text="Hello."),
    Message(role="user", text="Who are you?"),
]
ZEPHYR = (
    "<|system|>\nBe brief.<|endoftext|>\n<|user|>\nHi<|endoftext|>\n"
    "<|assistant|>\nHello.<|endoftext|>\n<|user|>\nWho are you?<|endoftext|>\n<|assistant|>\n"
)
CHATML = (
    "<|im_start|>system\nBe brief.<|im_end|>\n<|im_start|>user\nHi<|im_end|>\n"
    "<|im_start|>assistant\nHello.<|im_end|>\n<|im_start|>user\nWho are you?<|im_end|>\n"
    "<|im_start|>assistant\n"
)
FALCON3 = (
    "<|system|>\nBe brief.\n<|user|>\nHi\n<|assistant|>\nHello.<|endoftext|>\n"
    "<|user|>\nWho are you?\n<|assistant|>\n"
)
MISTRAL = "<s>[INST] Be brief.\n\nHi[/INST] Hello.</s>[INST] Who are you?[/INST]"
FORMS = {
    "mamba-chat": ("Zephyr", ZEPHYR),
    "mamba-2.8b-zephyr": ("Zephyr", ZEPHYR),
    "mamba-2.8b-ultrachat-hf": ("Zephyr", ZEPHYR),
    "mamba-chat-2.8b-slimpj": ("Zephyr", ZEPHYR),
    "mamba-2.8b-instruct-openhermes": ("Zephyr", ZEPHYR),
    "falcon-mamba-7b-instruct": ("ChatML", CHATML),
    "Falcon3-Mamba-7B-Instruct": ("Falcon3", FALCON3),
    "Mamba-Codestral-7B-v0.1": ("Mistral", MISTRAL),
}


def without_template(folder: Path, **fields: Any) -> Path:
    (folder / "tokenizer_config.json").write_text(json.dumps(fields), encoding="utf-8")
    return folder


def load(folder: Path) -> Tokenizer:
    return load_tokenizer(open_checkpoint(folder))


@pytest.mark.parametrize("name", FORMS)
def test_a_known_model_without_a_template_is_written_to_in_its_form(name: str) -> None:
    form, wanted = FORMS[name]
    source = find_template(Path("nowhere", name), {})
    assert source is not None
    assert source.form == form
    template = ChatTemplate(name, source.text, {})
    assert template.render(CHAT, add_generation_prompt=True) == wanted


def test_the_end_of_a_turn_is_the_folders_own_end_token(tiny_folder: TinyFolder) -> None:
    folder = without_template(tiny_folder(name="mamba-chat"), eos_token="<|end|>")
    tokenizer = load(folder)
    written = tokenizer.render(CHAT, add_generation_prompt=True)
    assert written == ZEPHYR.replace("<|endoftext|>", "<|end|>")
    assert 4 in tokenizer.end_ids
    assert tokenizer.stop == ""


@pytest.mark.parametrize(
    ("place", "origin", "form"),
    [
        ("havenhq/mamba-chat", None, "Zephyr"),
        ("Mamba-Chat-hf-4bit", None, "Zephyr"),
        ("models--xiuyul--mamba-2.8b-zephyr/snapshots/0a1b", None, "Zephyr"),
        ("mine", "tiiuae/falcon-mamba-7b-instruct", "ChatML"),
        ("mine", "/data/mamba-chat/", "Zephyr"),
        ("falcon-mamba-7b-instruct", "tiiuae/falcon-mamba-7b", "ChatML"),
        ("mamba-2.8b-hf", "state-spaces/mamba-2.8b", None),
        ("falcon-mamba-7b", None, None),
        ("my-mamba-chat-story", None, None),
        ("mine", ["mamba-chat"], None),
    ],
)
def test_a_model_is_known_by_its_name_or_by_where_its_config_says_it_is_from(
    place: str, origin: Any, form: str | None
) -> None:
    config = {} if origin is None else {"_name_or_path": origin}
    source = find_template(Path("nowhere", place), config)
    assert (source and source.form) == form


def test_a_folders_own_template_comes_before_the_known_form(tiny_folder: TinyFolder) -> None:
    folder = tiny_folder(name="mamba-chat")
    source = find_template(folder, {})
    assert source is not None
    assert source.form == "own"
    assert library.describe(folder).chat


def test_a_known_model_without_a_template_is_listed_as_a_chat_model(
    tiny_folder: TinyFolder,
) -> None:
    known = tiny_folder(name="one", _name_or_path="havenhq/mamba-chat")
    unknown = tiny_folder(name="two", _name_or_path="state-spaces/mamba-130m")
    assert library.describe(without_template(known)).chat
    assert not library.describe(without_template(unknown)).chat


@pytest.mark.parametrize(
    ("said", "beyond"),
    [
        ("Hello.", ""),
        ("Hello.<|im_end|>", ""),
        ("Hello.<|im_end|>\n", ""),
        ("Hello.<|im_end|>\n\n", "\n"),
    ],
)
def test_words_that_end_a_turn_are_not_said_twice(
    tiny_folder: TinyFolder, said: str, beyond: str
) -> None:
    tokenizer = load(without_template(tiny_folder(name="falcon-mamba-7b-instruct")))
    said_before = path_ids(tokenizer, CHAT[:2])
    assert said_before is not None
    fed_before = [
        replace(message, ids=ids, tokenizer=tokenizer.fingerprint)
        for message, ids in zip(
            CHAT[:3], [*said_before, tuple(tokenizer.encode(said))], strict=True
        )
    ]
    shares = path_ids(tokenizer, [*fed_before, CHAT[3]])
    assert shares is not None
    fed = tokenizer.decode([token for share in shares for token in share])
    assert fed == CHATML.replace("Hello.<|im_end|>\n", f"Hello.<|im_end|>\n{beyond}")


def test_an_answer_stops_before_the_words_that_end_a_turn(
    tiny_folder: TinyFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = Session()
    folder = without_template(tiny_folder(name="falcon-mamba-7b-instruct"))
    session.load(folder, on_progress=lambda _: None, stopped=threading.Event())
    assert session.model is not None
    script = iter(session.model.tokenizer.encode("Hello.<|im_end|>\n<|im_start|>user"))
    say = session.model.forward

    def scripted(tokens: Any, state: Any, **options: Any) -> Any:
        logits, state = say(tokens, state, **options)
        if tokens.shape[1] == 1:
            logits[..., next(script)] = 1e9
        return logits, state

    monkeypatch.setattr(session.model, "forward", scripted)
    sampling = Sampling(temperature=0.0, max_tokens=60)
    request = ReplyRequest(id="1", chat="a", messages=(CHAT[1],), sampling=sampling)
    *_, last = session.reply(request, threading.Event())
    assert isinstance(last, Finished)
    assert last.text == "Hello."
    assert last.stats.stop_reason == "end"
    session.unload()


def test_a_template_that_takes_no_system_message_says_so_in_a_sentence(
    tiny_folder: TinyFolder,
) -> None:
    refusing = (
        "{% for m in messages %}{% if m.role == 'system' %}"
        "{{ raise_exception('No system messages') }}{% endif %}{{ m.content }}\n{% endfor %}"
    )
    tokenizer = load(without_template(tiny_folder(), chat_template=refusing))
    assert path_ids(tokenizer, [CHAT[1]])
    with pytest.raises(EngineError, match="No system messages"):
        path_ids(tokenizer, CHAT[:2])


def test_a_form_writes_an_answer_as_it_stands() -> None:
    for name, (_, wanted) in FORMS.items():
        source = find_template(Path(name), {})
        assert source is not None
        closing = ChatTemplate(name, source.text, {}).closing()
        assert closing
        assert MARK not in closing
        assert f"Hello.{closing}" in wanted
