"""What every model of every family keeps to: however a text is cut, it is the same text."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from engine import LanguageModel, State
from engine.device import mx


def logits_of(model: LanguageModel, tokens: list[int], cuts: list[int]) -> tuple[np.ndarray, State]:
    """The logits of `tokens` read in pieces that end at `cuts`."""
    state = model.initial_state()
    parts = []
    for start, end in zip([0, *cuts], [*cuts, len(tokens)], strict=True):
        logits, state = model.forward(mx.array([tokens[start:end]], dtype=mx.int32), state)
        parts.append(np.array(logits[0]))
    return np.concatenate(parts), state


def some_tokens(model: LanguageModel, count: int, seed: int = 1) -> list[int]:
    """`count` tokens drawn with a fixed seed."""
    drawn = np.random.default_rng(seed).integers(0, model.vocab_size, count)
    return [int(token) for token in drawn]


def assert_close(found: np.ndarray, expected: np.ndarray, tolerance: float) -> None:
    """Of the same shape and within `tolerance` of the largest value."""
    assert found.shape == expected.shape
    worst = float(np.abs(found - expected).max(initial=0.0))
    largest = float(np.abs(expected).max(initial=1.0))
    assert worst <= tolerance * largest, f"off by {worst}"


def assert_states_equal(found: State, expected: State) -> None:
    """Bit for bit."""
    assert found.tokens == expected.tokens
    for one, other in zip(found.arrays, expected.arrays, strict=True):
        assert np.array_equal(np.array(one), np.array(other))


def check_splits(model: LanguageModel, length: int, tolerance: float = 1e-4) -> None:
    """Reading whole, in any pieces and token by token gives the same logits and state."""
    tokens = some_tokens(model, length)
    whole, after = logits_of(model, tokens, [])
    middle = length // 2
    for cuts in ([1], [2, 3], [middle], [middle, middle + 1], list(range(1, length))):
        split, state = logits_of(model, tokens, [cut for cut in cuts if cut < length])
        assert_close(split, whole, tolerance)
        assert state.tokens == after.tokens == (length,)
        for one, other in zip(state.arrays, after.arrays, strict=True):
            assert_close(np.array(one), np.array(other), tolerance)


def check_ragged_batch(model: LanguageModel, lengths: list[int], tolerance: float = 1e-4) -> None:
    """Each row of a padded batch is what it would be alone, and continues so."""
    longest = max(lengths)
    rows = [some_tokens(model, length, seed) for seed, length in enumerate(lengths)]
    padded = [row + [7] * (longest - len(row)) for row in rows]
    logits, state = model.forward(
        mx.array(padded, dtype=mx.int32), model.initial_state(len(rows)), lengths=lengths
    )
    last, again = model.forward(
        mx.array(padded, dtype=mx.int32),
        model.initial_state(len(rows)),
        lengths=lengths,
        last_only=True,
    )
    assert_states_equal(again, state)
    follow, _ = model.forward(mx.array([[3, 5]] * len(rows), dtype=mx.int32), state)
    for i, row in enumerate(rows):
        alone, _ = logits_of(model, [*row, 3, 5], [len(row)] if row else [])
        assert_close(np.array(follow[i]), alone[-2:], tolerance)
        if row:
            assert_close(np.array(logits[i, : len(row)]), alone[:-2], tolerance)
            assert_close(np.array(last[i, 0]), alone[len(row) - 1], tolerance)
        else:
            assert all(not np.array(array[i]).any() for array in state.arrays)
    assert state.tokens == tuple(lengths)


def check_fork_and_save(model: LanguageModel, folder: Path) -> None:
    """A state can be continued twice, and saving it changes nothing, to the bit."""
    tokens = some_tokens(model, 12)
    _, state = logits_of(model, tokens, [])
    once, _ = model.forward(mx.array([[1, 2, 3]], dtype=mx.int32), state)
    model.forward(mx.array([[9, 9]], dtype=mx.int32), state)
    state.save(folder / "state.safetensors")
    loaded = State.load(folder / "state.safetensors", model)
    assert_states_equal(loaded, state)
    for kept in (state, loaded):
        twice, _ = model.forward(mx.array([[1, 2, 3]], dtype=mx.int32), kept)
        assert np.array_equal(np.array(twice), np.array(once))


def check_model(model: LanguageModel, folder: Path) -> None:
    """The whole contract."""
    check_splits(model, 29)
    check_splits(model, 64)
    check_ragged_batch(model, [40, 7, 0, 1])
    check_fork_and_save(model, folder)
