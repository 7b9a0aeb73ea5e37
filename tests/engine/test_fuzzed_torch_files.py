"""Torch files damaged at random load, or are refused in a sentence."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from zipfile import ZipFile

import pytest
from folder_damage import one_sentence
from torch_zip import TORCH, make_legacy, write_archive

from engine.checkpoint import load_tensors, open_checkpoint
from engine.errors import EngineError

TinyFolder = Callable[..., Path]


def _fuzz(folder: Path, good: bytes, seed: int) -> str:
    """Flip, drop, add or cut bytes; the code of the error, "" when it loads all the same."""
    rng = random.Random(seed)
    raw = bytearray(good)
    ends = [range(min(6000, len(raw))), range(max(0, len(raw) - 3000), len(raw))]
    for _ in range(rng.choice([1, 1, 2, 6])):
        at = min(rng.choice(rng.choice(ends)), len(raw) - 1)
        kind = rng.randrange(8)
        if kind < 5:
            raw[at] = rng.choice([raw[at] ^ 1 << rng.randrange(8), 0, 255, rng.randrange(256)])
        elif kind == 5:
            del raw[at : at + rng.randrange(1, 20)]
        elif kind == 6:
            raw[at:at] = rng.randbytes(rng.randrange(1, 9))
        else:
            del raw[at + 1 :]
    (folder / TORCH).write_bytes(raw)
    try:
        checkpoint = open_checkpoint(folder)
        assert len(list(load_tensors(checkpoint))) == len(checkpoint.tensors)
    except EngineError as error:
        one_sentence(error)
        return error.code
    return ""


def _fuzz_pickle(folder: Path, good: dict[str, bytes], seed: int) -> str:
    """The same with the pickle alone, in an archive that holds together."""
    rng = random.Random(seed)
    raw = bytearray(good["archive/data.pkl"])
    for _ in range(rng.choice([1, 2, 4])):
        at = rng.randrange(len(raw))
        if rng.randrange(3):
            raw[at] = rng.choice([raw[at] ^ 1 << rng.randrange(8), rng.randrange(256)])
        else:
            raw[at : at + rng.randrange(5)] = rng.choice(
                [b"", b"(", b"t", b"R", b"b", b"N", b"\xff"]
            )
    parts = {name.removeprefix("archive/"): content for name, content in good.items()}
    write_archive(folder / TORCH, parts | {"data.pkl": bytes(raw)})
    try:
        open_checkpoint(folder)
    except EngineError as error:
        one_sentence(error)
        return error.code
    return ""


def _codes(folder: Path, seeds: range) -> tuple[set[str], set[str]]:
    """What came of every seed: with the whole file damaged, and with the pickle alone."""
    good = (folder / TORCH).read_bytes()
    with ZipFile(folder / TORCH) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    whole = {_fuzz(folder, good, seed) for seed in seeds}
    return whole, {_fuzz_pickle(folder, parts, seed) for seed in seeds}


@pytest.mark.parametrize(
    "seeds", [range(300), pytest.param(range(1000, 11_000), marks=pytest.mark.soak)], ids=len
)
def test_torch_files_damaged_at_random_load_or_are_refused_in_a_sentence(
    tiny_folder: TinyFolder, seeds: range
) -> None:
    whole, pickle_alone = _codes(make_legacy(tiny_folder(num_hidden_layers=1)), seeds)
    assert {"", "corrupt"} <= whole
    assert {"", "corrupt", "unsafe"} <= pickle_alone
