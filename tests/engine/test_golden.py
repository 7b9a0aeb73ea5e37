"""Our logits against those that transformers gave: the starters and tiny models of odd sizes."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from safetensors import safe_open

import engine
from engine import paths

GOLDEN = Path(__file__).resolve().parents[1] / "golden"
MAMBAS = ["narrow", "wide-state", "expanded", "squeezed", "falcon", "falcon-first"]
NEOX = ["neox", "neox-serial"]
TINY = MAMBAS + NEOX
STARTERS = ["starter-3m", "starter-12m"]
TOLERANCE = 1e-3


class Golden:
    """The token sequences of one model, and the logits kept at some of their positions."""

    def __init__(self, name: str) -> None:
        tiny = name in TINY
        self.folder = GOLDEN / name if tiny else paths.resources() / "models" / name
        file = GOLDEN / name / "golden.safetensors" if tiny else GOLDEN / f"{name}.safetensors"
        with safe_open(file, framework="numpy") as data:
            self.made_by = data.metadata()
            self.arrays = {key: data.get_tensor(key) for key in data.keys()}  # noqa: SIM118
        self.lengths = sorted(int(k[7:]) for k in self.arrays if k.startswith("tokens."))

    def case(self, length: int) -> tuple[list[list[int]], list[int], np.ndarray]:
        """Tokens (1, length), positions and logits (positions, vocab)."""
        tokens, positions, logits = (
            self.arrays[f"{part}.{length}"] for part in ("tokens", "positions", "logits")
        )
        return [tokens.tolist()], positions.tolist(), logits


def distance(golden: Golden, model: engine.LanguageModel, length: int, *splits: int) -> float:
    """The largest difference at the kept positions, the tokens read in pieces cut at `splits`."""
    from engine.device import mx

    tokens, positions, expected = golden.case(length)
    state = model.initial_state()
    parts = []
    for start, end in zip((0, *splits), (*splits, length), strict=True):
        logits, state = model.forward(mx.array([tokens[0][start:end]], dtype=mx.int32), state)
        parts.append(np.array(logits)[0])
    assert state.tokens == (length,)
    found = np.concatenate(parts)
    assert found.shape == (length, expected.shape[1])
    assert found.dtype == np.float32
    return float(np.abs(found[positions] - expected).max())


@pytest.mark.parametrize("name", TINY + STARTERS)
def test_logits_equal_those_of_transformers(name: str) -> None:
    golden = Golden(name)
    model = engine.load_model(golden.folder, dtype="float32")
    apart = {length: distance(golden, model, length) for length in golden.lengths}
    assert max(apart.values()) < TOLERANCE, (apart, golden.made_by)


@pytest.mark.parametrize("name", TINY)
def test_a_prompt_read_in_uneven_pieces_gives_the_logits_of_transformers(name: str) -> None:
    golden = Golden(name)
    model = engine.load_model(golden.folder, dtype="float32")
    assert distance(golden, model, 300, 1, 2, 65, 128, 298, 299) < TOLERANCE
    assert distance(golden, model, 33, *range(1, 33)) < TOLERANCE
    assert distance(golden, model, 2051, 2048) < TOLERANCE


@pytest.mark.parametrize("name", TINY + STARTERS)
def test_the_head_on_the_last_token_alone_gives_the_logits_of_transformers(name: str) -> None:
    from engine.device import mx

    golden = Golden(name)
    model = engine.load_model(golden.folder, dtype="float32")
    tokens, positions, expected = golden.case(300)
    logits, _ = model.forward(mx.array(tokens), model.initial_state(), last_only=True)
    assert positions[-1] == 299
    assert logits.shape == (1, 1, expected.shape[1])
    assert float(np.abs(np.array(logits)[0, 0] - expected[-1]).max()) < TOLERANCE


@pytest.mark.parametrize("name", TINY + STARTERS)
def test_logits_in_bfloat16_are_within_three_hundredths_of_the_largest(name: str) -> None:
    golden = Golden(name)
    model = engine.load_model(golden.folder, dtype="bfloat16")
    for length in (length for length in golden.lengths if length <= 300):
        largest = float(np.abs(golden.case(length)[2]).max())
        assert 0 < distance(golden, model, length) < 3e-2 * largest


@pytest.mark.metal
@pytest.mark.parametrize("name", TINY + STARTERS)
@pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16"])
def test_a_gpus_logits_equal_those_of_transformers(name: str, dtype: str) -> None:
    """In whole prompts and token by token; halves to 2 and 30 thousandths of the largest logit."""
    from engine.ops.kernels import backend

    assert backend() in ("Metal", "CUDA")
    golden = Golden(name)
    model = engine.load_model(golden.folder, dtype=dtype)
    for length in golden.lengths:
        largest = float(np.abs(golden.case(length)[2]).max())
        allowed = {"float32": TOLERANCE, "float16": 2e-3 * largest, "bfloat16": 3e-2 * largest}
        assert distance(golden, model, length) < allowed[dtype]
        if 1 < length < 100:
            assert distance(golden, model, length, *range(1, length)) < allowed[dtype]


def test_a_head_stored_as_equal_to_the_embeddings_is_read(tmp_path: Path) -> None:
    """Some checkpoints store a tied head a second time."""
    from engine.device import mx

    golden = Golden("squeezed")
    folder = shutil.copytree(golden.folder, tmp_path / "twice")
    weights = dict(mx.load(str(folder / "model.safetensors")))
    weights["lm_head.weight"] = weights["backbone.embeddings.weight"]
    mx.save_safetensors(str(folder / "model.safetensors"), weights, {"format": "pt"})
    model = engine.load_model(folder, dtype="float32")
    assert distance(golden, model, 300) < TOLERANCE


def test_each_tiny_mamba_is_odd_in_its_own_way() -> None:
    """What the tiny models are for is in their files, whatever made them."""
    configs = {n: json.loads((GOLDEN / n / "config.json").read_text("utf-8")) for n in MAMBAS}
    inner = {}
    for name in MAMBAS:
        with safe_open(GOLDEN / name / "model.safetensors", framework="numpy") as data:
            inner[name] = data.get_slice("backbone.layers.0.mixer.D").get_shape()[0]
    assert [n for n in MAMBAS if inner[n] != 2 * configs[n]["hidden_size"]] == [
        "narrow",
        "expanded",
        "squeezed",
        "falcon-first",
    ]
    assert {config["state_size"] for config in configs.values()} == {8, 16, 64}
    assert {config["conv_kernel"] for config in configs.values()} == {2, 3, 4}
    assert configs["narrow"]["time_step_rank"] == 1
    assert configs["expanded"]["use_bias"]
    assert not configs["expanded"]["use_conv_bias"]
    assert not configs["expanded"]["tie_word_embeddings"]
    assert all("transformers" in Golden(name).made_by for name in TINY + STARTERS)


def test_the_tiny_transformers_are_of_both_kinds() -> None:
    configs = [json.loads((GOLDEN / name / "config.json").read_text("utf-8")) for name in NEOX]
    assert [config.get("use_parallel_residual", True) for config in configs] == [True, False]
    assert [config["rotary_pct"] for config in configs] == [0.25, 1.0]
    assert [config.get("hidden_act", "gelu") for config in configs] == ["gelu", "gelu_new"]
