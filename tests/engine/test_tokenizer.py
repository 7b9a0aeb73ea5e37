"""A folder's tokenizer: its end tokens, its size, and text there and back."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engine import paths
from engine.api import Message
from engine.checkpoint import open_checkpoint
from engine.errors import EngineError
from engine.tokenizer import Tokenizer, load_tokenizer

TinyFolder = Callable[..., Path]


def _change(path: Path, **values: Any) -> None:
    """Set fields of a JSON file; None takes one out."""
    content = json.loads(path.read_text(encoding="utf-8")) | values
    kept = {name: value for name, value in content.items() if value is not None}
    path.write_text(json.dumps(kept), encoding="utf-8")


def _load(folder: Path) -> Tokenizer:
    return load_tokenizer(open_checkpoint(folder))


@pytest.fixture(scope="module")
def starter() -> Tokenizer:
    return _load(paths.resources() / "models" / "starter-12m")


def test_the_starters_tokenizer_is_known_by_its_file(starter: Tokenizer) -> None:
    content = (paths.resources() / "models" / "starter-12m" / "tokenizer.json").read_bytes()
    assert starter.fingerprint == hashlib.sha256(content).hexdigest()
    assert starter.size == 8192
    assert starter.end_ids == {0, 4}
    assert starter.has_template


@pytest.mark.parametrize(
    "text",
    ["", "Hello there.", "  two  spaces\n\ttab", "山 is a mountain 👨\u200d👩\u200d👧", "\x00\x7f"],
)
def test_text_comes_back_from_its_tokens(starter: Tokenizer, text: str) -> None:
    assert starter.decode(starter.encode(text)) == text


def test_special_tokens_are_read_in_text_but_never_added(starter: Tokenizer) -> None:
    assert starter.encode("<|user|>\nHi<|end|>")[0] == 2
    assert starter.encode("Hi<|end|>")[-1] == 4
    assert not set(starter.encode("Hi")) & {0, 1, 2, 3, 4}
    assert starter.decode([2, *starter.encode("Hi"), 4]) == "Hi"
    assert starter.special_text(4) == "<|end|>"
    assert starter.special_text(10**6) == ""


def test_half_a_surrogate_pair_is_no_trouble(starter: Tokenizer) -> None:
    assert starter.decode(starter.encode("a\ud83dz")) == "a?z"


def test_a_chat_is_written_as_the_model_was_trained(starter: Tokenizer) -> None:
    messages = [
        Message(role="system", text="Be brief."),
        Message(role="user", text=" Hi "),
        Message(role="assistant", text="Hello."),
        Message(role="user", text="Who are you?"),
    ]
    assert starter.render(messages, add_generation_prompt=True) == (
        "<|endoftext|><|system|>\nBe brief.<|end|>\n<|user|>\nHi<|end|>\n"
        "<|assistant|>\nHello.<|end|>\n<|user|>\nWho are you?<|end|>\n<|assistant|>\n"
    )
    assert starter.render(messages[:2], add_generation_prompt=False).endswith("Hi<|end|>\n")


def test_the_end_tokens_are_those_of_tokenizer_generation_config_and_template(
    tiny_folder: TinyFolder,
) -> None:
    folder = tiny_folder(eos_token_id=[7, 9])
    _change(folder / "generation_config.json", eos_token_id=[5, 11])
    _change(folder / "tokenizer_config.json", eos_token={"content": "<|user|>"})
    assert _load(folder).end_ids == {2, 4, 5, 7, 9, 11}
    _change(folder / "tokenizer_config.json", chat_template=None)
    assert _load(folder).end_ids == {2, 5, 7, 9, 11}


@pytest.mark.parametrize(
    ("closing", "ends", "stop"),
    [
        ("<|im_end|>\\n", set(), "<|im_end|>"),
        (" <|user|>\\n", {2}, ""),
        (" [DONE]<|end|>\\n<|user|>", set(), "[DONE]"),
        ("\\n\\n### Question:\\n", set(), "### Question:"),
        ("\\n", set(), ""),
    ],
)
def test_an_answer_ends_with_the_token_or_the_words_that_end_a_turn_of_the_template(
    tiny_folder: TinyFolder, closing: str, ends: set[int], stop: str
) -> None:
    folder = tiny_folder()
    template = "{% for m in messages %}{{ m.content + '" + closing + "' }}{% endfor %}"
    _change(folder / "tokenizer_config.json", eos_token="<|end|>", chat_template=template)
    tokenizer = _load(folder)
    assert tokenizer.end_ids == {0, 4} | ends
    assert tokenizer.stop == stop


def test_an_end_token_that_is_no_token_is_passed_over(tiny_folder: TinyFolder) -> None:
    folder = tiny_folder(eos_token_id=319)  # a padded row of the embedding
    _change(folder / "generation_config.json", eos_token_id=[-1, 6, 10**9])
    _change(folder / "tokenizer_config.json", eos_token="<|nowhere|>", chat_template=None)
    assert _load(folder).end_ids == {6}


def test_a_folder_of_a_base_model_needs_no_more_than_tokenizer_json(
    tiny_folder: TinyFolder,
) -> None:
    folder = tiny_folder()
    (folder / "tokenizer_config.json").unlink()
    (folder / "generation_config.json").unlink()
    tokenizer = _load(folder)
    assert not tokenizer.has_template
    assert tokenizer.end_ids == {4}  # config.json's


def test_the_end_token_may_stand_in_the_special_tokens_map(tiny_folder: TinyFolder) -> None:
    folder = tiny_folder(eos_token_id=None)
    (folder / "generation_config.json").unlink()
    _change(folder / "tokenizer_config.json", eos_token=None, chat_template=None)
    (folder / "special_tokens_map.json").write_text('{"eos_token": "<|assistant|>"}')
    assert _load(folder).end_ids == {3}


def test_rows_without_a_token_are_beyond_its_size(tiny_folder: TinyFolder) -> None:
    tokenizer = _load(tiny_folder(vocab_size=320, tokenizer_size=314))
    assert tokenizer.size == 314
    assert tokenizer.decode([314, 319]) == ""


def test_more_tokens_than_rows_are_refused(tiny_folder: TinyFolder) -> None:
    with pytest.raises(EngineError, match="has 330 tokens and the model has room for 320"):
        _load(tiny_folder(vocab_size=320, tokenizer_size=330))


def test_truncation_and_padding_of_the_file_are_not_applied(tiny_folder: TinyFolder) -> None:
    folder = tiny_folder()
    plain = _load(folder).encode("one two three four")
    _change(
        folder / "tokenizer.json",
        truncation={"max_length": 2, "stride": 0, "strategy": "LongestFirst", "direction": "Right"},
        padding={
            "strategy": {"Fixed": 64}, "direction": "Right", "pad_to_multiple_of": None,
            "pad_id": 0, "pad_type_id": 0, "pad_token": "<|endoftext|>",
        },
    )  # fmt: skip
    assert _load(folder).encode("one two three four") == plain


def test_importing_the_tokenizer_imports_no_mlx() -> None:
    code = "import sys, engine.tokenizer, engine.library; sys.exit('mlx.core' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False, timeout=60).returncode == 0
