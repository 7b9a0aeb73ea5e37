"""A step whose graph was traced once, as a GPU takes it: it must be the step itself."""

from __future__ import annotations

import gc

import pytest

import engine
from engine import paths
from engine.device import mx
from engine.language_model import compiled_step

STARTER = paths.resources() / "models" / "starter-3m"


@pytest.mark.parametrize("batch", [1, 3])
def test_a_replayed_step_gives_the_logits_and_states_of_a_step(batch: int) -> None:
    model = engine.load_model(STARTER, dtype="float32")
    replayed = compiled_step(model._model)
    state = other = model.initial_state(batch)
    for turn in range(4):
        tokens = mx.arange(batch, dtype=mx.int32)[:, None] + 7 * turn + 5
        logits, state = model.forward(tokens, state)
        other_logits, other = replayed(tokens, other)
        assert mx.allclose(logits, other_logits, rtol=1e-5, atol=1e-5)
        assert other.tokens == state.tokens
        assert other.identity == state.identity
        for array, other_array in zip(state.arrays, other.arrays, strict=True):
            assert mx.allclose(array, other_array, rtol=1e-5, atol=1e-6)


def test_a_state_may_be_continued_twice_by_a_replayed_step() -> None:
    """Replaying must not write into the state that it was given."""
    model = engine.load_model(STARTER, dtype="float32")
    replayed = compiled_step(model._model)
    tokens = mx.array([[5]], dtype=mx.int32)
    _, state = replayed(tokens, model.initial_state())
    first, _ = replayed(tokens, state)
    mx.eval(first)
    second, _ = replayed(tokens, state)
    assert mx.array_equal(first, second)


def test_what_a_replayed_step_holds_is_freed_with_its_model() -> None:
    gc.collect()
    before = mx.get_active_memory()
    model = engine.load_model(STARTER, dtype="float32")
    loaded = mx.get_active_memory() - before
    replayed = compiled_step(model._model)
    logits, state = replayed(mx.array([[5]], dtype=mx.int32), model.initial_state())
    mx.eval(logits, state.arrays)
    del model, replayed, logits, state
    gc.collect()
    assert mx.get_active_memory() - before < loaded / 100
