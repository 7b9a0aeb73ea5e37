"""Files damaged at random: each folder loads or is refused in a sentence, and nothing crashes."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from folder_damage import WEIGHTS, one_sentence, read_weights

from engine.checkpoint import load_tensors, open_checkpoint
from engine.errors import EngineError
from engine.tokenizer import load_tokenizer

TinyFolder = Callable[..., Path]
FILES = [
    WEIGHTS,
    "config.json",
    "tokenizer.json",
    "tokenizer_config.json",
    "generation_config.json",
]
VALUES: list[Any] = [
    None, True, 0, -1, 3, 2**31, 2**63, 10**30, 1.5, float("inf"), float("nan"), "", "mamba", "\n",
    "\ud800", "a" * 1000, [], [1], ["a"], {}, {"type": "ByteLevel"}, [[[[]]]], "<|end|>",
]  # fmt: skip


def _damage_bytes(rng: random.Random, content: bytes, reach: int) -> bytes:
    """Flip, drop, add or cut bytes among the first `reach`."""
    spoilt = bytearray(content)
    for _ in range(rng.choice([1, 1, 2, 8])):
        at = rng.randrange(max(1, min(reach, len(spoilt))))
        kind = rng.randrange(4)
        if kind == 0 and spoilt:
            spoilt[at] ^= 1 << rng.randrange(8)
        elif kind == 1:
            del spoilt[at : at + rng.randrange(1, 20)]
        elif kind == 2:
            spoilt[at:at] = rng.choices(b'0123456789{}[]",:-e', k=rng.randrange(1, 4))
        else:
            del spoilt[at:]
    return bytes(spoilt)


def _places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path of everything in a JSON value, as far as it is not too long."""
    if path:
        yield path
    table = isinstance(value, dict)
    keys = list(value) if table else list(range(len(value))) if isinstance(value, list) else []
    for key in keys[:100]:
        yield from _places(value[key], (*path, key))


def _damage_value(rng: random.Random, value: Any) -> None:
    """Replace, rename or drop something in a JSON value, rather near its top."""
    places = sorted(_places(value), key=len)
    if not places:
        return
    *path, key = rng.choice(places[: max(1, len(places) // rng.choice([1, 3, 10]))])
    for step in path:
        value = value[step]
    kind = rng.randrange(3)
    if kind == 0:
        del value[key]
    elif kind == 1 and isinstance(value, dict):
        value[rng.choice(["x", f"{key}2", "quantization", "ssm_cfg"])] = value.pop(key)
    else:
        value[key] = rng.choice(VALUES)


def _damaged(rng: random.Random, file: Path) -> bytes:
    """The file's content, its bytes or the values in it spoilt."""
    weights = file.name == WEIGHTS
    if rng.randrange(2):
        return _damage_bytes(rng, file.read_bytes(), 6000 if weights else 10**9)
    content, data = read_weights(file) if weights else (json.loads(file.read_bytes()), b"")
    for _ in range(rng.choice([1, 1, 2])):
        _damage_value(rng, content)
    text = json.dumps(content).encode()
    return len(text).to_bytes(8, "little") + text + data if weights else text


def _fuzz(good: Path, work: Path, seed: int) -> str:
    """Damage a copy of the folder; the code of its error, "" when it loads all the same."""
    rng = random.Random(seed)
    shutil.copytree(good, work)
    name = rng.choice(FILES)
    (work / name).write_bytes(_damaged(rng, good / name))
    try:
        checkpoint = open_checkpoint(work)
        tokenizer = load_tokenizer(checkpoint)
        assert tokenizer.decode(tokenizer.encode("Hello 山 <|end|>")) is not None
        assert len(list(load_tensors(checkpoint))) == len(checkpoint.tensors)
    except EngineError as error:
        one_sentence(error)
        return error.code
    finally:
        shutil.rmtree(work)
    return ""


def test_folders_damaged_at_random_load_or_are_refused_in_a_sentence(
    tiny_folder: TinyFolder, tmp_path: Path
) -> None:
    good = tiny_folder(num_hidden_layers=1)
    codes = {_fuzz(good, tmp_path / "work", seed) for seed in range(150)}
    assert {"", "corrupt", "incomplete", "bad_tokenizer"} <= codes


@pytest.mark.soak
@pytest.mark.parametrize("block", range(20))
def test_many_folders_damaged_at_random_load_or_are_refused_in_a_sentence(
    tiny_folder: TinyFolder, tmp_path: Path, block: int
) -> None:
    good = tiny_folder(num_hidden_layers=1)
    for seed in range(1000 * (block + 1), 1000 * (block + 2)):
        _fuzz(good, tmp_path / "work", seed)
