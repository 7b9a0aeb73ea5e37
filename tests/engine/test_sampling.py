"""How the next token is chosen."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import numpy as np
import pytest

from engine.api import Sampling
from engine.device import mx
from engine.errors import EngineError
from engine.sampling import Sampler

LOGITS = [0.0, 3.0, 2.0, 1.0, -1.0, 2.5, 90.0, 95.0]  # the last two are padded rows
SIZE = 6


def draws(count: int = 600, prompt: tuple[int, ...] = (), **settings: Any) -> Counter[int]:
    sampler = Sampler(Sampling(**({"seed": 3, "top_p": 1.0} | settings)), SIZE, prompt)
    logits = mx.array(LOGITS)
    return Counter(int(sampler.pick(logits).item()) for _ in range(count))


def chances(temperature: float = 1.0) -> np.ndarray:
    scaled = np.exp(np.array(LOGITS[:SIZE]) / temperature)
    return np.asarray(scaled / scaled.sum())


def test_padded_rows_of_the_vocabulary_are_never_chosen() -> None:
    assert set(draws(temperature=5.0)) <= set(range(SIZE))
    assert set(draws(10, temperature=0.0)) == {1}


def test_zero_temperature_takes_the_likeliest() -> None:
    assert draws(20, temperature=0.0) == Counter({1: 20})


def test_draws_follow_the_softmax() -> None:
    count = 3000
    found = draws(count, temperature=1.0)
    for token, chance in enumerate(chances()):
        spread = 5 * math.sqrt(count * chance * (1 - chance))
        assert abs(found[token] - count * chance) < spread


@pytest.mark.parametrize(("k", "kept"), [(1, {1}), (2, {1, 5}), (4, {1, 5, 2, 3}), (0, None)])
def test_top_k_keeps_the_k_likeliest(k: int, kept: set[int] | None) -> None:
    found = set(draws(temperature=3.0, top_k=k))
    assert found == (kept or set(range(SIZE)))


def test_top_p_keeps_the_fewest_that_reach_p() -> None:
    order = sorted(range(SIZE), key=lambda token: -LOGITS[token])
    for p in (0.01, 0.5, 0.7, 0.9):
        total, kept = 0.0, set()
        for token in order:
            if total >= p:
                break
            kept.add(token)
            total += float(chances()[token])
        assert set(draws(temperature=1.0, top_p=p)) == kept


def test_min_p_keeps_what_is_near_the_likeliest() -> None:
    kept = {t for t in range(SIZE) if chances()[t] >= 0.3 * chances().max()}
    assert set(draws(temperature=1.0, min_p=0.3)) == kept


def test_the_same_seed_gives_the_same_tokens_and_another_seed_others() -> None:
    def sequence(seed: int | None) -> list[int]:
        sampler = Sampler(Sampling(seed=seed, temperature=2.0), SIZE)
        return [int(sampler.pick(mx.array(LOGITS)).item()) for _ in range(40)]

    assert sequence(7) == sequence(7)
    assert sequence(7) != sequence(8)
    assert sequence(None) != sequence(None)


def test_the_repetition_penalty_weighs_on_the_prompt_and_the_answer() -> None:
    assert draws(1, prompt=(1,), temperature=0.0, repetition_penalty=9.0) == Counter({5: 1})
    # Each token that was written makes way for the next likeliest.
    sampler = Sampler(Sampling(temperature=0, repetition_penalty=9.0), SIZE)
    picked = [int(sampler.pick(mx.array(LOGITS)).item()) for _ in range(4)]
    assert picked == [1, 5, 2, 3]


def test_a_negative_logit_is_made_worse_by_the_repetition_penalty_too() -> None:
    sampler = Sampler(Sampling(temperature=0, repetition_penalty=3.0), 2, (0,))
    assert int(sampler.pick(mx.array([-1.0, -2.0])).item()) == 1


@pytest.mark.parametrize(
    ("settings", "picked"),
    [({"presence_penalty": 0.6}, [1, 5, 1, 1]), ({"frequency_penalty": 0.6}, [1, 5, 1, 2])],
)
def test_presence_counts_once_and_frequency_every_time(
    settings: dict[str, float], picked: list[int]
) -> None:
    sampler = Sampler(Sampling(temperature=0, **settings), SIZE, prompt=(2, 2, 2))  # type: ignore[arg-type]
    found = [int(sampler.pick(mx.array(LOGITS)).item()) for _ in range(4)]
    assert found == picked


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("temperature", -0.1),
        ("temperature", math.nan),
        ("top_p", 0.0),
        ("top_p", 1.1),
        ("top_k", -1),
        ("min_p", 2.0),
        ("repetition_penalty", 0.0),
        ("max_tokens", 0),
    ],
)
def test_a_setting_out_of_its_range_is_named(field: str, value: float) -> None:
    settings: dict[str, Any] = {field: value}
    with pytest.raises(EngineError, match=field):
        Sampler(Sampling(**settings), SIZE)
