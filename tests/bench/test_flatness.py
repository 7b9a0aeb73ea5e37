"""A very long answer costs no more at its end than at its start, in time and in memory."""

from __future__ import annotations

import statistics
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine import paths
from engine.api import Piece, Sampling

TOKENS, WINDOW, BLOCK, SETTLE = 20_000, 2_000, 50, 5
SLOWER = 1.10
# Beside the model's own memory: allocator pages, the answer's ids and text.
GROWTH_BYTES = 8 * 2**20


def resident_bytes() -> int:
    """The memory that this process holds now (Linux), or at most held (elsewhere)."""
    statm = Path("/proc/self/statm")
    if statm.exists():
        return int(statm.read_text().split()[1]) * 4096
    import resource

    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def answer() -> Iterator[float]:
    """The milliseconds of each token of an answer of the smaller starter, the first left out.

    The smaller: what a token costs beside its products is a larger share there, and shows more."""
    from engine.generate import generate
    from engine.language_model import load_model

    model = load_model(paths.resources() / "models" / "starter-3m")
    events = generate(
        model,
        model.initial_state(),
        model.tokenizer.encode("Once upon a time"),
        Sampling(max_tokens=TOKENS, seed=1),
        threading.Event(),
        ignore_end=True,
    )
    for event in events:
        if isinstance(event, Piece) and event.ms is not None:
            yield event.ms


def quick(times: list[float]) -> float:
    """The lower quartile: a neighbour's work slows some steps, a slower engine slows them all."""
    return statistics.quantiles(times, n=4)[0]


def take(times: Iterator[float], count: int) -> list[float]:
    """The next `count`; fails when the answer ends before."""
    return [next(times) for _ in range(count)]


@pytest.mark.soak
def test_memory_and_ms_per_token_stay_flat_over_20_000_tokens() -> None:
    from engine.device import mx

    long = answer()
    memory = []
    for _ in range(0, TOKENS - WINDOW, 1_000):
        take(long, 1_000)
        memory.append((resident_bytes(), mx.get_active_memory()))
    # In turn with an answer that begins: both see the machine as busy as it then is.
    fresh, early, late = answer(), list[float](), list[float]()
    for _ in range(0, WINDOW - BLOCK, BLOCK):
        early += take(fresh, BLOCK)[SETTLE:]
        late += take(long, BLOCK)[SETTLE:]
    start, end = quick(early), quick(late)
    resident, active = zip(*memory[1:], strict=True)
    print(
        f"{start:.2f} ms/token at the start, {end:.2f} at the end; "
        f"resident {resident[0] / 1e6:.1f} to {resident[-1] / 1e6:.1f} MB; "
        f"MLX {active[0] / 1e6:.2f} to {active[-1] / 1e6:.2f} MB"
    )
    assert end <= SLOWER * start
    assert max(resident) - resident[0] < GROWTH_BYTES
    assert max(active) - active[0] < GROWTH_BYTES // 8
