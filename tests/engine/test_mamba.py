"""Mamba-1 keeps to the contract at odd sizes, and says what it was given wrong."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from model_contract import check_model, logits_of, some_tokens

from engine import load_model
from engine.device import mx
from engine.errors import EngineError, Stopped

ODD_SIZES: list[dict[str, Any]] = [
    {},
    {"intermediate_size": 80, "time_step_rank": 1, "state_size": 8, "conv_kernel": 2},
    {"intermediate_size": 48, "state_size": 64, "conv_kernel": 3, "use_bias": True},
    {"use_conv_bias": False, "tie_word_embeddings": False, "num_hidden_layers": 3},
]


@pytest.mark.parametrize("sizes", ODD_SIZES, ids=str)
def test_a_text_is_the_same_however_it_is_cut_batched_or_saved(
    tiny_folder: Callable[..., Path], tmp_path: Path, sizes: dict[str, Any]
) -> None:
    check_model(load_model(tiny_folder(**sizes), dtype="float32"), tmp_path)


def test_sizes_come_from_the_tensors_whatever_the_config_says(
    tiny_folder: Callable[..., Path],
) -> None:
    right = load_model(tiny_folder(name="right"))
    wrong = load_model(tiny_folder(name="wrong", d_model=2048, d_inner=160, expand=16, n_layer=48))
    tokens = some_tokens(right, 9)
    assert np.array_equal(logits_of(wrong, tokens, [])[0], logits_of(right, tokens, [])[0])


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_half_precision_weights_stay_near_float32(
    tiny_folder: Callable[..., Path], dtype: str
) -> None:
    folder = tiny_folder()
    exact, half = load_model(folder, dtype="float32"), load_model(folder, dtype=dtype)
    tokens = some_tokens(exact, 24)
    expected = logits_of(exact, tokens, [])[0]
    found = logits_of(half, tokens, [])[0]
    error = np.linalg.norm(found - expected) / np.linalg.norm(expected)
    assert 0 < error < (0.01 if dtype == "float16" else 0.06)
    assert half.initial_state().layers[0].ssm.dtype == mx.float32


def test_a_state_of_another_model_or_precision_is_refused(
    tiny_folder: Callable[..., Path], tmp_path: Path
) -> None:
    folder = tiny_folder()
    model = load_model(folder)
    others = [load_model(tiny_folder(name="other", seed=1, use_bias=True)),
              load_model(folder, dtype="float16")]  # fmt: skip
    model.initial_state().save(tmp_path / "s.safetensors")
    from engine import State

    for other in others:
        with pytest.raises(EngineError, match="another model"):
            State.load(tmp_path / "s.safetensors", other)
        with pytest.raises(EngineError, match="another model"):
            other.forward(mx.array([[1]], dtype=mx.int32), model.initial_state())


def test_wrong_arguments_are_named(tiny_folder: Callable[..., Path]) -> None:
    model = load_model(tiny_folder())
    two = mx.array([[1, 2]], dtype=mx.int32)
    for call, words in (
        (lambda: model.forward(two[0], model.initial_state()), "batch, length"),
        (lambda: model.forward(two, model.initial_state(3)), "3 rows"),
        (lambda: model.forward(two, model.initial_state(), lengths=[3]), "lengths"),
        (lambda: model.initial_state(0), "batch"),
    ):
        with pytest.raises(ValueError, match=words):
            call()
    with pytest.raises(EngineError, match="float32, float16, bfloat16"):
        load_model(model.folder, dtype="int3")


def test_reading_stops_between_layers(tiny_folder: Callable[..., Path]) -> None:
    import threading

    model = load_model(tiny_folder(num_hidden_layers=6))
    stopped = threading.Event()
    stopped.set()
    state = model.initial_state()
    with pytest.raises(Stopped):
        model.forward(mx.array([[1, 2, 3]], dtype=mx.int32), state, stopped=stopped)
    assert state.tokens == (0,)


def test_loading_reports_growing_progress_and_can_be_stopped(
    tiny_folder: Callable[..., Path],
) -> None:
    import threading

    folder = tiny_folder()
    seen: list[float] = []
    load_model(folder, on_progress=seen.append)
    assert seen == sorted(seen)
    assert seen[-1] == 1.0
    stopped = threading.Event()

    def stop(fraction: float) -> None:
        if fraction > 0.3:
            stopped.set()

    with pytest.raises(Stopped):
        load_model(folder, on_progress=stop, stopped=stopped)
