"""`python -m engine bench`: how fast a model loads, reads and writes on this machine."""

from __future__ import annotations

import statistics
import threading
import time
from collections.abc import Generator, Sequence
from dataclasses import asdict
from typing import Any

from engine import dispatches
from engine.benchmark import Found, middle, one_round, prompt_of, warm_up
from engine.compare_api import Quality
from engine.device import machine
from engine.language_model import LanguageModel, load_model
from engine.library import find
from engine.precision import parsed
from engine.quality import quality

_TIMED = ("ttft_ms", "prefill_tokens_per_s", "ms_per_token", "tokens_per_s")
_KEPT = (*_TIMED, "new_tokens", "state_bytes", "peak_memory_bytes")
_EDGE = 0.25  # "early" and "late" are the first and the last quarter of an answer's tokens


def bench(
    name: str,
    prompt_tokens: Sequence[int],
    new_tokens: int,
    precision: str = "",
    *,
    repeats: int = 1,
    with_quality: bool = False,
) -> dict[str, Any]:
    """Load the model `name` in `precision` ("": its own), then read and write `repeats` times for
    each length of prompt, after a warm-up; `with_quality` also measures how well it foretells the
    bundled text.

    Times are milliseconds or seconds as the names say, the median of the repeats and in `spread`
    the least and the most; sizes are bytes."""
    began, never = time.perf_counter(), threading.Event()
    dtype, bits = parsed(precision)
    model = load_model(find(name), dtype=dtype, bits=bits)
    load_s = time.perf_counter() - began
    warm_up(model, never)
    return {
        "model": model.folder.name,
        "dtype": model.dtype,
        "backend": machine().backend,
        "device": machine().device,
        "load_s": load_s,
        "weight_bytes": model.read_bytes,
        "state_bytes": model.initial_state().nbytes,
        "dispatches_per_layer_metal": dispatches.of_a_layer(model),
        "runs": [_repeated(model, length, new_tokens, repeats) for length in prompt_tokens],
        "quality": _quality(model) if with_quality else None,
    }


def _quality(model: LanguageModel) -> dict[str, float] | None:
    found = _ended(quality(model, threading.Event()))
    return {**found._asdict(), "perplexity": found.perplexity} if found else None


def _ended(steps: Generator[Any, None, Quality | None]) -> Quality | None:
    while True:
        try:
            next(steps)
        except StopIteration as end:
            result: Quality | None = end.value
            return result


def _repeated(model: LanguageModel, length: int, new_tokens: int, repeats: int) -> dict[str, Any]:
    """The medians of several measurements, and what they lie between."""
    found, prompt = Found(), prompt_of(model, length)
    for _ in range(repeats):
        one_round(model, prompt, new_tokens, found, threading.Event())
    every = [asdict(stats) for stats in found.rounds]
    spread = {}
    for name in _TIMED:
        values = [run[name] for run in every if run[name] is not None]
        if values:
            spread[name] = [min(values), max(values)]
    chosen = asdict(middle(found.rounds))
    return {
        "prompt_tokens": length,
        **{name: chosen[name] for name in _KEPT},
        "ms_per_token_early": _edge(found.times, late=False),
        "ms_per_token_late": _edge(found.times, late=True),
        "repeats": repeats,
        "spread": spread,
    }


def _edge(rounds: Sequence[Sequence[float]], *, late: bool) -> float | None:
    """The median over the rounds of the median of the first or the last tokens."""
    medians = []
    for times in filter(None, rounds):
        count = max(1, int(len(times) * _EDGE))
        medians.append(statistics.median(times[-count:] if late else times[:count]))
    return statistics.median(medians) if medians else None


def report(result: dict[str, Any]) -> str:
    """The same for a reader: one line a length of prompt."""
    lines = [
        f"{result['model']}, {result['dtype']}, {result['backend']} ({result['device']}), "
        f"loaded in {result['load_s']:.2f} s"
    ]
    for run in result["runs"]:
        early, late = run["ms_per_token_early"], run["ms_per_token_late"]
        writing = f"{early:.2f} early, {late:.2f} late ms/token" if early else "one token"
        lines.append(
            f"{run['prompt_tokens']:>7} tokens: first token {run['ttft_ms']:.0f} ms, "
            f"{run['prefill_tokens_per_s']:.0f} tokens/s read, {writing}, "
            f"state {run['state_bytes'] / 1e6:.2f} MB, "
            f"peak {run['peak_memory_bytes'] / 1e6:.0f} MB"
        )
        if run["repeats"] > 1 and early:
            least, most = run["spread"]["ms_per_token"]
            lines.append(f"{'':>15} median of {run['repeats']}; {least:.2f} to {most:.2f} ms/token")
    if found := result["quality"]:
        lines.append(
            f"held-out text, {found['tokens']:,} tokens: {found['nats_per_token']:.4f} nats/token, "
            f"perplexity {found['perplexity']:.2f}, {found['bits_per_byte']:.4f} bits/byte"
        )
    return "\n".join(lines)
