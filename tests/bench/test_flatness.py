"""A very long answer costs no more at its end than at its start, in time and in memory."""

from __future__ import annotations

import statistics
import sys
import threading
from pathlib import Path

import pytest

from engine import paths
from engine.api import Piece, Sampling

TOKENS, WINDOW, WARM = 20_000, 2_000, 500
SLOWER = 1.10
# Beside the model's own memory: allocator pages, the answer's ids and text.
GROWTH_BYTES = 8 * 2**20


def resident_bytes() -> int:
    """The memory that this process holds now (Linux), or at most held (elsewhere)."""
    statm = Path("/proc/self/statm")
    if statm.exists():
        return int(statm.read_text().split()[1]) * 4096
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (
        1 if sys.platform == "darwin" else 1024
    )


def quick(times: list[float]) -> float:
    """The lower quartile: a neighbour's work slows some steps, a slower engine slows them all."""
    return statistics.quantiles(times, n=4)[0]


@pytest.mark.soak
def test_memory_and_ms_per_token_stay_flat_over_20_000_tokens() -> None:
    from engine.device import mx
    from engine.generate import generate
    from engine.language_model import load_model

    # The smaller model: what a token costs beside its products is a larger share, so shows more.
    model = load_model(paths.resources() / "models" / "starter-3m")
    tokens = model.tokenizer.encode("Once upon a time")
    sampling = Sampling(max_tokens=TOKENS, seed=1)
    events = generate(
        model, model.initial_state(), tokens, sampling, threading.Event(), ignore_end=True
    )
    times: list[float] = []
    memory: dict[int, tuple[int, int]] = {}
    for event in events:
        if not isinstance(event, Piece) or event.ms is None:
            continue
        times.append(event.ms)
        if len(times) % 1_000 == 0:
            memory[len(times)] = (resident_bytes(), mx.get_active_memory())
    assert len(times) >= TOKENS - 2
    early, late = quick(times[WARM : WARM + WINDOW]), quick(times[-WINDOW:])
    resident, active = zip(*(memory[at] for at in sorted(memory) if at >= WINDOW), strict=True)
    print(
        f"{early:.2f} ms/token early, {late:.2f} late; "
        f"resident {resident[0] / 1e6:.1f} to {resident[-1] / 1e6:.1f} MB; "
        f"MLX {active[0] / 1e6:.2f} to {active[-1] / 1e6:.2f} MB"
    )
    assert late <= SLOWER * early
    assert max(resident) - resident[0] < GROWTH_BYTES
    assert max(active) - active[0] < GROWTH_BYTES // 8
