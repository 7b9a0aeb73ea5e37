"""The window finds the figures that the command line finds for one model alone."""

from __future__ import annotations

import json
import subprocess
import sys
from functools import partial
from typing import Any

import pytest
from measuring import MODELS, PATIENCE_MS, Measuring

from engine.api import Sampling
from engine.compare_api import Plan

TRIES = 8
NEAR = 0.10


def alone(model: str) -> dict[str, Any]:
    """What `bench` finds, run by itself."""
    command = [sys.executable, "-m", "engine", "bench", "--model", model, "--prompt-tokens", "512"]
    run = subprocess.run(
        [*command, "--new-tokens", "128", "--repeats", "2", "--json"],
        capture_output=True, text=True, check=True, timeout=PATIENCE_MS / 1e3,
    )  # fmt: skip
    (found,) = json.loads(run.stdout)["runs"]
    return {"ms": found["ms_per_token"], "s": 1 / found["prefill_tokens_per_s"]}


def near(here: dict[str, float], there: dict[str, float]) -> bool:
    return all(abs(here[name] / there[name] - 1) <= NEAR for name in here)


@pytest.mark.bench
@pytest.mark.parametrize("model", MODELS)
def test_a_benchmark_in_the_window_finds_what_bench_finds_alone(
    measuring: Measuring, model: str
) -> None:
    """Other work only ever adds time: the least of some tries on either side is compared."""
    measuring.compare.choose((model,))
    here: dict[str, float] = {}
    there: dict[str, float] = {}
    for _ in range(TRIES):
        plan = Plan(rounds=2, quality=False, position=0)
        measuring.to_the_end(partial(measuring.compare.benchmark, plan))
        assert measuring.compare.run
        stats = measuring.compare.run.columns[0].stats
        assert stats
        assert stats.ms_per_token
        assert stats.prefill_tokens_per_s
        found = {"ms": stats.ms_per_token, "s": 1 / stats.prefill_tokens_per_s}
        here = {name: min(value, here.get(name, value)) for name, value in found.items()}
        there = {name: min(value, there.get(name, value)) for name, value in alone(model).items()}
        if near(here, there):
            break
    assert near(here, there), (here, there)


@pytest.mark.bench
@pytest.mark.parametrize("model", MODELS)
def test_an_answer_beside_others_takes_the_time_that_bench_finds_alone(
    measuring: Measuring, model: str
) -> None:
    measuring.compare.set_sampling(Sampling(temperature=0.0, max_tokens=160))
    measuring.compare.choose(MODELS)
    here = there = float("inf")
    for _ in range(TRIES):
        measuring.to_the_end(partial(measuring.ask, "Once upon a time there was a ship."))
        assert measuring.compare.run
        (found,) = [each for each in measuring.compare.run.columns if each.name == model]
        assert found.median_ms
        here, there = min(here, found.median_ms), min(there, alone(model)["ms"])
        if abs(here / there - 1) <= NEAR:
            break
    assert abs(here / there - 1) <= NEAR, (here, there)
