"""Comparisons as they are kept: two models and one that cannot be loaded, and a benchmark."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from app.compare_values import ColumnResult, Comparison
from engine.api import Sampling, Stats
from engine.compare_api import Plan, Point, Quality

STATS = Stats(
    prompt_tokens=12, new_tokens=160, load_s=0.3, ttft_ms=21.0, prefill_tokens_per_s=9800.0,
    ms_per_token=3.4, tokens_per_s=294.0, state_bytes=2_800_000, peak_memory_bytes=410_000_000,
    stop_reason="length", backend="Metal",
)  # fmt: skip
SMALL = ColumnResult(
    name="mamba-130m-hf", family="mamba", parameters=129_135_360, disk_bytes=516_541_440,
    dtype="bfloat16", text="the moon, and | more\nof it", stats=STATS, median_ms=3.4,
    early_ms=3.4, late_ms=3.4, points=(Point(13, 3.4, 270_000_000), Point(14, 3.5, 270_000_000)),
    weight_bytes=258_000_000, transformer_bytes=36_864,
)  # fmt: skip
LARGE = replace(
    SMALL, name="mamba-2.8b-hf", parameters=2_768_345_600, disk_bytes=11_073_000_000,
    text="three small stars", median_ms=37.6, early_ms=37.6, late_ms=37.6,
    stats=replace(STATS, load_s=3.6, ms_per_token=37.6, tokens_per_s=26.6, ttft_ms=130.0,
                  prefill_tokens_per_s=690.0, peak_memory_bytes=5_910_000_000,
                  state_bytes=24_900_000),
    points=(Point(13, 37.6, 5_600_000_000), Point(14, 37.6, 5_600_000_000)),
    weight_bytes=5_540_000_000, transformer_bytes=327_680,
)  # fmt: skip
BROKEN = ColumnResult(name="gone", error="There is no model at gone.")
RUN = Comparison(
    id="a", title="Galileo", when=datetime(2026, 11, 29, 10, tzinfo=UTC),
    prompt="In 1610\nGalileo", sampling=Sampling(seed=42, stop=("END",)),
    columns=(SMALL, LARGE, BROKEN), vote=1, machine="Apple M2 Pro, Metal",
)  # fmt: skip


def long_run(column: ColumnResult, bits: float, ms: float) -> ColumnResult:
    """The column of a benchmark, with a run to 10,000 tokens."""
    assert column.stats
    held = column.points[0].memory_bytes
    return replace(
        column,
        stats=replace(column.stats, ms_per_token=ms, new_tokens=9_984),
        points=tuple(Point(at, ms, held) for at in range(100, 10_001, 100)),
        median_ms=ms,
        late_ms=ms,
        spread_ms=(ms - 0.1, ms + 0.1),
        quality=Quality(bits * 3, bits, 4088),
    )


def benchmark(day: int, ms: float = 3.4, *, machine: str = RUN.machine) -> Comparison:
    """One of a day in November, of both models."""
    return Comparison(
        id=f"day-{day}", title="Benchmark", when=datetime(2026, 11, day, 10, tzinfo=UTC), prompt="",
        columns=(long_run(SMALL, 1.12, ms), long_run(LARGE, 0.86, 37.6)), plan=Plan(),
        machine=machine,
    )  # fmt: skip
