"""GPT-NeoX keeps to the contract, and its state grows: a value that is added to, never changed."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import neox_folder
import numpy as np
import pytest
from model_contract import assert_close, assert_states_equal, check_model, logits_of, some_tokens

from engine import LanguageModel, State, load_model
from engine.device import mx
from engine.errors import EngineError, Stopped
from engine.kv_cache import BLOCK

TinyFolder = Callable[..., Path]
FORMS: list[dict[str, Any]] = [
    {},
    {"use_parallel_residual": False, "rotary_pct": 1.0, "hidden_act": "gelu_new"},
    {"attention_bias": False, "tie_word_embeddings": True, "num_hidden_layers": 3},
]


def neox(tiny_folder: TinyFolder, name: str = "neox", **fields: Any) -> Path:
    return neox_folder.write(tiny_folder(name=name), **fields)


def loaded(tiny_folder: TinyFolder, **fields: Any) -> LanguageModel:
    return load_model(neox(tiny_folder, **fields), dtype="float32")


def logits(model: LanguageModel) -> np.ndarray:
    return logits_of(model, some_tokens(model, 20), [])[0]


@pytest.mark.parametrize("form", FORMS, ids=str)
def test_a_text_is_the_same_however_it_is_cut_batched_or_saved(
    tiny_folder: TinyFolder, tmp_path: Path, form: dict[str, Any]
) -> None:
    check_model(loaded(tiny_folder, **form), tmp_path)


@pytest.mark.parametrize("length", [BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK + 3])
def test_a_text_of_several_blocks_is_the_same_however_it_is_cut(
    tiny_folder: TinyFolder, length: int
) -> None:
    model = loaded(tiny_folder)
    tokens = some_tokens(model, length)
    whole, after = logits_of(model, tokens, [])
    for cuts in ([BLOCK - 3], [100, BLOCK - 2], range(BLOCK - 4, length)):
        parts, state = logits_of(model, tokens, [*cuts])
        assert_close(parts, whole, 1e-5)
        for found, expected in zip(state.arrays, after.arrays, strict=True):
            assert_close(np.array(found), np.array(expected), 1e-5)


def test_rows_of_different_lengths_go_on_beyond_a_block(tiny_folder: TinyFolder) -> None:
    model = loaded(tiny_folder)
    lengths = [BLOCK + 5, 3, 0]
    rows = [some_tokens(model, length, seed) for seed, length in enumerate(lengths)]
    padded = mx.array([row + [7] * (lengths[0] - len(row)) for row in rows], dtype=mx.int32)
    _, state = model.forward(padded, model.initial_state(3), lengths=lengths)
    for token in (5, 9):
        found, state = model.forward(mx.array([[token]] * 3, dtype=mx.int32), state)
    for i, row in enumerate(rows):
        alone, _ = logits_of(model, [*row, 5, 9], [])
        assert np.abs(np.array(found[i, 0]) - alone[-1]).max() < 1e-4


def test_a_row_that_reads_nothing_stays_as_it_is(tiny_folder: TinyFolder) -> None:
    model = loaded(tiny_folder)
    tokens = mx.array([[4, 5]], dtype=mx.int32)
    for state in (model.initial_state(), logits_of(model, some_tokens(model, 9), [])[1]):
        found, after = model.forward(tokens, state, lengths=[0])
        assert np.isfinite(np.array(found)).all()
        assert_states_equal(after, state)


def test_a_state_is_the_same_after_others_went_on_from_it(tiny_folder: TinyFolder) -> None:
    """They share what is past, and write into none of it."""
    model = loaded(tiny_folder)
    for length in (30, BLOCK, BLOCK + 30):
        tokens = some_tokens(model, length)
        state = logits_of(model, tokens, [])[1]
        kept = [np.array(array) for array in state.arrays]
        following = state
        for token in range(40):
            _, following = model.forward(mx.array([[token]], dtype=mx.int32), following)
            mx.eval(following.arrays)
        assert following.tokens == (length + 40,)
        for before, array in zip(kept, state.arrays, strict=True):
            assert np.array_equal(before, np.array(array))
        if length > BLOCK:
            assert following.layers[0].parts[0] is state.layers[0].parts[0]


@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
def test_the_state_grows_by_the_same_for_each_token(tiny_folder: TinyFolder, dtype: str) -> None:
    model = load_model(neox(tiny_folder), dtype=dtype)
    a_token = 2 * 2 * 32 * (4 if dtype == "float32" else 2)  # keys and values of two layers
    assert model.initial_state().nbytes == 0
    for length in (1, 50, BLOCK + 1):
        assert logits_of(model, some_tokens(model, length), [])[1].nbytes == length * a_token


def test_a_saved_state_of_another_length_than_it_says_is_refused(
    tiny_folder: TinyFolder, tmp_path: Path
) -> None:
    model = loaded(tiny_folder)
    file = tmp_path / "state.safetensors"
    state = logits_of(model, some_tokens(model, BLOCK + 9), [])[1]
    for counts in ((BLOCK + 8,), (BLOCK, 9), (5,), (-1,), (1 << 30,), ()):
        State(state.layers, counts, state.identity).save(file)
        with pytest.raises(EngineError) as caught:
            State.load(file, model)
        assert caught.value.code == "corrupt_state"
    state.save(file)
    assert_states_equal(State.load(file, model), state)


def test_each_field_that_only_the_config_can_tell_is_in_what_it_says(
    tiny_folder: TinyFolder,
) -> None:
    plain = logits(loaded(tiny_folder, name="plain", rotary_pct=0.5))
    for field, value in {
        "num_attention_heads": 2,
        "rotary_pct": 1.0,
        "rotary_emb_base": 100,
        "use_parallel_residual": False,
        "hidden_act": "gelu_new",
        "layer_norm_eps": 0.5,
    }.items():
        other = logits(loaded(tiny_folder, name=field, **{"rotary_pct": 0.5, field: value}))
        assert np.abs(other - plain).max() > 1e-5, field


def test_newer_configs_tell_of_the_rotation_in_a_table(tiny_folder: TinyFolder) -> None:
    older = loaded(tiny_folder, name="older", rotary_pct=0.5, rotary_emb_base=100)
    table = {"rope_type": "default", "partial_rotary_factor": 0.5, "rope_theta": 100.0}
    newer = loaded(tiny_folder, name="newer", rope_parameters=table)
    assert np.array_equal(logits(newer), logits(older))


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("num_attention_heads", 5),
        ("num_attention_heads", None),
        ("num_attention_heads", 0),
        ("rotary_pct", 0.4),
        ("rotary_pct", 2.0),
        ("rotary_emb_base", 0),
        ("rotary_emb_base", "many"),
        ("hidden_act", "relu"),
        ("layer_norm_eps", 1),
        ("max_position_embeddings", "long"),
        ("rope_scaling", {"type": "linear", "factor": 2.0}),
        ("rope_scaling", [2]),
    ],
)
def test_what_cannot_be_is_refused_by_name(tiny_folder: TinyFolder, field: str, value: Any) -> None:
    folder = neox(tiny_folder)
    file = folder / "config.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | {field: value}))
    with pytest.raises(EngineError, match=field) as caught:
        load_model(folder)
    assert caught.value.code == "bad_config"


def test_reading_stops_between_layers(tiny_folder: TinyFolder) -> None:
    stopped = threading.Event()
    stopped.set()
    model = loaded(tiny_folder)
    with pytest.raises(Stopped):
        model.forward(mx.array([[1, 2]], dtype=mx.int32), model.initial_state(), stopped=stopped)
