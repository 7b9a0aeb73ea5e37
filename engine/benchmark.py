"""A measurement of a model that can be repeated: the same text, lengths and number of rounds."""

from __future__ import annotations

import threading
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field, replace
from statistics import median
from typing import Any

from engine.api import Piece, Reading, Sampling, Stats
from engine.compare_api import Plan, Quality, Step
from engine.device import mx
from engine.errors import Stopped
from engine.generate import Outcome, generate
from engine.language_model import LanguageModel
from engine.quality import quality, text_tokens

_WARM_UP = (8, 4)  # tokens that are read, and written
_START = 16  # tokens that are read before the long run
_TIMES = ("ttft_ms", "prefill_tokens_per_s", "ms_per_token", "tokens_per_s")


@dataclass(slots=True)
class Found:
    """What has been measured so far; times are those of single tokens, in milliseconds."""

    rounds: list[Stats] = field(default_factory=list)
    times: list[list[float]] = field(default_factory=list)  # of each round
    quality: Quality | None = None
    long: Outcome | None = None

    @property
    def stats(self) -> Stats:
        """The medians of the rounds; of memory the most; the state at the end of the long run."""
        stats = middle(self.rounds)
        if self.long is None:
            return stats
        end = self.long.stats
        return replace(
            stats,
            new_tokens=end.new_tokens,
            state_bytes=end.state_bytes,
            peak_memory_bytes=max(stats.peak_memory_bytes, end.peak_memory_bytes),
            stop_reason=end.stop_reason,
            position=end.position,
        )

    @property
    def spread_ms(self) -> tuple[float, float] | None:
        """The least and the most ms/token of a round."""
        times = [stats.ms_per_token for stats in self.rounds if stats.ms_per_token is not None]
        return (min(times), max(times)) if times else None


def benchmark(
    model: LanguageModel, plan: Plan, found: Found, stopped: threading.Event
) -> Generator[Step | Reading | Piece, None, None]:
    """Measure what `plan` says and put it into `found`, part by part. The Pieces are those of the
    long run, and so is the Reading. Raises Stopped; what was found until then is there."""
    yield Step("warm_up", 0, 1)
    warm_up(model, stopped)
    prompt = prompt_of(model, plan.prompt_tokens)
    for at in range(plan.rounds):
        yield Step("rounds", at, plan.rounds)
        one_round(model, prompt, plan.new_tokens, found, stopped)
    if plan.quality:
        found.quality = yield from quality(model, stopped)
    if plan.position:
        yield from _write_on(model, plan.position, found, stopped)


def prompt_of(model: LanguageModel, length: int) -> list[int]:
    """The first `length` tokens of the text, of the whole again and again where it is shorter."""
    tokens = text_tokens(model)
    return (tokens * -(-length // len(tokens)))[:length]


def warm_up(model: LanguageModel, stopped: threading.Event) -> None:
    """What is slow only the first time is done before anything is timed. Raises Stopped."""
    read, write = _WARM_UP
    _run(model, prompt_of(model, read), write, stopped, [])


def one_round(
    model: LanguageModel,
    prompt: Sequence[int],
    new_tokens: int,
    found: Found,
    stopped: threading.Event,
) -> None:
    """Read `prompt` and write `new_tokens`. Raises Stopped: a round that was cut short does not
    count."""
    times: list[float] = []
    mx.clear_cache()
    outcome = _run(model, prompt, new_tokens, stopped, times)
    found.rounds.append(outcome.stats)
    found.times.append(times)


def middle(rounds: Sequence[Stats]) -> Stats:
    """The medians of several measurements of one thing; of memory the most."""
    medians: dict[str, Any] = {}
    for name in _TIMES:
        values = [value for each in rounds if (value := getattr(each, name)) is not None]
        medians[name] = median(values) if values else None
    peak = max(each.peak_memory_bytes for each in rounds)
    return replace(rounds[-1], **medians, peak_memory_bytes=peak)


def _run(
    model: LanguageModel,
    prompt: Sequence[int],
    new_tokens: int,
    stopped: threading.Event,
    times: list[float],
) -> Outcome:
    """An answer to the limit; how long each token took goes to `times`."""
    sampling = Sampling(temperature=0, max_tokens=new_tokens)
    steps = generate(model, model.initial_state(), prompt, sampling, stopped, ignore_end=True)
    while True:
        try:
            event = next(steps)
        except StopIteration as end:
            outcome: Outcome = end.value
            break
        if isinstance(event, Piece) and event.ms is not None:
            times.append(event.ms)
    if stopped.is_set():
        raise Stopped
    return outcome


def _write_on(
    model: LanguageModel, position: int, found: Found, stopped: threading.Event
) -> Generator[Reading | Piece, None, None]:
    """Write up to `position`, or as far as a Transformer can. Drawn, since the likeliest token of
    all would soon be the same few again and again."""
    start = prompt_of(model, _START)
    left = max(1, position - len(start))
    sampling = Sampling(temperature=0.8, top_p=1.0, seed=1, max_tokens=left)
    state = model.initial_state()
    found.long = yield from generate(model, state, start, sampling, stopped, ignore_end=True)
    if stopped.is_set():
        raise Stopped
