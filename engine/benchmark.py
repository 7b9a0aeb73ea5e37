"""`python -m engine bench`: how fast a model loads, reads and writes on this machine."""

from __future__ import annotations

import statistics
import threading
import time
from collections.abc import Sequence
from typing import Any

from engine import dispatches
from engine.api import Piece, Sampling
from engine.device import machine, mx
from engine.generate import Outcome, generate
from engine.language_model import LanguageModel, load_model
from engine.library import find
from engine.precision import parsed
from engine.quality import quality

_TIMED = ("ttft_ms", "prefill_tokens_per_s", "ms_per_token", "ms_per_token_early",
          "ms_per_token_late", "tokens_per_s")  # fmt: skip
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
    began = time.perf_counter()
    dtype, bits = parsed(precision)
    model = load_model(find(name), dtype=dtype, bits=bits)
    load_s = time.perf_counter() - began
    _run(model, 8, 4)
    return {
        "model": model.folder.name,
        "dtype": model.dtype,
        "backend": machine().backend,
        "device": machine().device,
        "load_s": load_s,
        "state_bytes": model.initial_state().nbytes,
        "dispatches_per_layer_metal": dispatches.of_a_layer(model),
        "runs": [_repeated(model, length, new_tokens, repeats) for length in prompt_tokens],
        "quality": _quality(model) if with_quality else None,
    }


def _quality(model: LanguageModel) -> dict[str, float]:
    found = quality(model)
    return {**found._asdict(), "perplexity": found.perplexity}


def _repeated(model: LanguageModel, length: int, new_tokens: int, repeats: int) -> dict[str, Any]:
    """The medians of several measurements, and what they lie between."""
    runs = [_measure(model, length, new_tokens) for _ in range(repeats)]
    middle, spread = dict(runs[0]), {}
    for name in _TIMED:
        values = [run[name] for run in runs if run[name] is not None]
        if values:
            middle[name] = statistics.median(values)
            spread[name] = [min(values), max(values)]
    return {**middle, "repeats": repeats, "spread": spread}


def _measure(model: LanguageModel, length: int, new_tokens: int) -> dict[str, Any]:
    mx.clear_cache()
    outcome, times = _run(model, length, new_tokens)
    edge = max(1, int(len(times) * _EDGE))
    stats = outcome.stats
    return {
        "prompt_tokens": length,
        "new_tokens": stats.new_tokens,
        "ttft_ms": stats.ttft_ms,
        "prefill_tokens_per_s": stats.prefill_tokens_per_s,
        "ms_per_token": stats.ms_per_token,
        "ms_per_token_early": statistics.median(times[:edge]) if times else None,
        "ms_per_token_late": statistics.median(times[-edge:]) if times else None,
        "tokens_per_s": stats.tokens_per_s,
        "state_bytes": stats.state_bytes,
        "peak_memory_bytes": stats.peak_memory_bytes,
    }


def _run(model: LanguageModel, length: int, new_tokens: int) -> tuple[Outcome, list[float]]:
    """One prompt of tokens that are drawn with a fixed seed, answered to the limit."""
    drawn: Any = mx.random.randint(0, model.vocab_size, (length,), key=mx.random.key(0)).tolist()
    sampling = Sampling(temperature=0, max_tokens=new_tokens)
    steps = generate(
        model, model.initial_state(), drawn, sampling, threading.Event(), ignore_end=True
    )
    times: list[float] = []
    while True:
        try:
            event = next(steps)
        except StopIteration as end:
            return end.value, times
        if isinstance(event, Piece) and event.ms is not None:
            times.append(event.ms)


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
