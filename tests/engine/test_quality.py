"""The quality figure of a comparison: how well a model foretells a text it has not read."""

from __future__ import annotations

import json
import threading
from functools import partial

import pytest

import engine
from engine import paths
from engine.__main__ import main
from engine.compare_api import Quality, Step
from engine.errors import Stopped
from engine.language_model import LanguageModel
from engine.quality import quality as steps_of

MODELS = paths.resources() / "models"


def quality(model: LanguageModel, *, rows: int) -> Quality:
    """The end of its steps, where there is one."""
    found = end_of(model, rows=rows)
    assert found
    return found


def end_of(model: LanguageModel, *, rows: int) -> Quality | None:
    """The end of its steps."""
    steps = steps_of(model, threading.Event(), rows=rows)
    while True:
        try:
            next(steps)
        except StopIteration as end:
            found: Quality | None = end.value
            return found


def test_the_larger_starter_foretells_the_text_better() -> None:
    small = quality(engine.load_model(MODELS / "starter-3m"), rows=1)
    large = quality(engine.load_model(MODELS / "starter-12m"), rows=1)
    assert large.nats_per_token < small.nats_per_token
    assert large.bits_per_byte < small.bits_per_byte < 8
    assert small.tokens == 511
    assert small.perplexity > 10


def test_fewer_bits_cost_a_little() -> None:
    whole = quality(engine.load_model(MODELS / "starter-12m"), rows=1)
    packed = quality(engine.load_model(MODELS / "starter-12m", bits=4), rows=1)
    assert 0 < packed.nats_per_token - whole.nats_per_token < 0.2


@pytest.mark.parametrize("nats", [float("nan"), float("inf")])
def test_a_model_whose_numbers_overflow_has_none(
    monkeypatch: pytest.MonkeyPatch, nats: float
) -> None:
    monkeypatch.setattr("engine.quality._nats", lambda *_: nats)
    assert end_of(engine.load_model(MODELS / "starter-3m"), rows=2) is None


def test_it_stops_when_it_is_told() -> None:
    stopped = threading.Event()
    steps = steps_of(engine.load_model(MODELS / "starter-3m"), stopped, rows=2)
    assert next(steps) == Step("quality", 0, 2)
    stopped.set()
    with pytest.raises(Stopped):
        next(steps)


def test_the_benchmark_tells_the_median_its_spread_and_the_quality(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engine.bench_command.quality", partial(steps_of, rows=1))
    command = ["bench", "--model", "starter-3m", "--prompt-tokens", "16", "--new-tokens", "6"]
    assert main([*command, "--repeats", "3", "--quality", "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    (run,) = result["runs"]
    for name, (least, most) in run["spread"].items():
        assert least <= run[name] <= most
    assert run["repeats"] == 3
    assert result["quality"]["bits_per_byte"] > 0
