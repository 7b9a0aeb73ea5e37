"""A folder without a tokenizer, as mamba_ssm saves them, gets the app's GPT-NeoX one."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from torch_zip import make_legacy

from engine import library
from engine.api import Piece, Sampling
from engine.checkpoint import open_checkpoint
from engine.errors import EngineError
from engine.generate import generate
from engine.language_model import load_model
from engine.tokenizer import Tokenizer, load_tokenizer
from engine.tokenizer_file import neox, tokenizer_file

TinyFolder = Callable[..., Path]
SMALL = {"hidden_size": 8, "intermediate_size": 8, "num_hidden_layers": 1, "dtype": "float16"}
TEXTS = [
    "",
    "Hello there, how's it going?\n\n  Two spaces.",
    "吾輩は猫である。名前はまだ無い。",
    "def f(x):\n\tif x:\n        return [x] * 3  # three\n",
    "👨\u200d👩\u200d👧 🎌 é ñ 山",
    " " * 40 + "x" + "\n" * 5,
    "\x00\x7f",
]


def _bare(tiny_folder: TinyFolder, rows: int = 50_280, **options: Any) -> Path:
    """A folder as mamba_ssm leaves one: a config and a pytorch_model.bin, no more."""
    folder = make_legacy(tiny_folder(vocab_size=rows, **SMALL, **options))
    for file in folder.iterdir():
        if file.name not in ("config.json", "pytorch_model.bin"):
            file.unlink()
    return folder


@pytest.fixture(scope="module")
def tokenizer() -> Tokenizer:
    return Tokenizer(neox().read_bytes(), ["<|endoftext|>"], None)


@pytest.mark.parametrize("text", TEXTS)
def test_text_comes_back_from_gpt_neox_tokens(tokenizer: Tokenizer, text: str) -> None:
    ids = tokenizer.encode(text)
    assert tokenizer.decode(ids) == text
    stream = tokenizer.stream()
    pieces = [stream.feed(token) for token in ids]
    assert "".join(pieces) + stream.close() == text
    assert not any("\ufffd" in piece for piece in pieces)


def test_gpt_neox_knows_its_special_tokens_and_runs_of_spaces(tokenizer: Tokenizer) -> None:
    assert tokenizer.size == 50_277
    assert tokenizer.encode("Hi<|endoftext|>")[-1] == 0
    assert tokenizer.special_text(0) == "<|endoftext|>"
    assert tokenizer.decode([0, *tokenizer.encode("Hi"), 1, 0]) == "Hi"
    assert tokenizer.encode(" " * 24) == [50_254]
    assert tokenizer.encode("Hello world") == [12_092, 1_533]


@pytest.mark.parametrize("rows", [50_277, 50_280, 50_288, 50_304])
def test_a_bare_folder_of_gpt_neox_size_loads_and_writes(
    tiny_folder: TinyFolder, rows: int
) -> None:
    folder = _bare(tiny_folder, rows)
    info = library.describe(folder)
    assert (info.family, info.chat) == ("mamba", False)
    model = load_model(folder)
    assert model.vocab_size == model.tokenizer.size == 50_277  # padded rows are not sampled
    assert model.tokenizer.end_ids == {0}
    prompt = model.tokenizer.encode("Hello")
    request = Sampling(max_tokens=5, temperature=1.0, seed=3)
    events = list(generate(model, model.initial_state(), prompt, request, threading.Event()))
    assert any(isinstance(event, Piece) for event in events)


def test_what_else_the_folder_says_of_ends_counts_too(tiny_folder: TinyFolder) -> None:
    folder = _bare(tiny_folder)
    (folder / "generation_config.json").write_text(json.dumps({"eos_token_id": 7}))
    assert load_tokenizer(open_checkpoint(folder)).end_ids == {0, 7}


def test_a_folders_own_tokenizer_goes_before(tiny_folder: TinyFolder) -> None:
    folder = make_legacy(tiny_folder(vocab_size=50_280, tokenizer_size=300, **SMALL))
    checkpoint = open_checkpoint(folder)
    assert tokenizer_file(checkpoint) == folder / "tokenizer.json"
    assert load_tokenizer(checkpoint).size == 300


@pytest.mark.parametrize("rows", [320, 50_276, 50_305])
def test_a_model_of_another_size_still_needs_its_tokenizer(
    tiny_folder: TinyFolder, rows: int
) -> None:
    folder = _bare(tiny_folder, rows)
    for ask in (load_model, library.describe):
        with pytest.raises(EngineError, match=r"lacks tokenizer\.json"):
            ask(folder)


@pytest.mark.parametrize("sign", ["vocab.json", "tokenizer.model", "a broken link", "GPT-2"])
def test_a_model_with_a_sign_of_another_tokenizer_needs_that(
    tiny_folder: TinyFolder, sign: str
) -> None:
    folder = _bare(tiny_folder, 50_304)
    if sign == "a broken link":
        (folder / "tokenizer.json").symlink_to(folder / "nowhere")
    elif sign == "GPT-2":
        config = json.loads((folder / "config.json").read_text())
        (folder / "config.json").write_text(json.dumps(config | {"vocab_size": 50_257}))
    else:
        (folder / sign).write_text("{}")
    for ask in (load_model, library.describe):
        with pytest.raises(EngineError, match=r"lacks tokenizer\.json"):
            ask(folder)


def test_the_tokenizer_comes_with_its_licence() -> None:
    assert "Apache License" in (neox().parent / "LICENSE.txt").read_text(encoding="utf-8")
