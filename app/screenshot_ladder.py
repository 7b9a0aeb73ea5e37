"""A ladder of sizes and what was measured of it, for the screenshots; not used by the app."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from math import sin
from pathlib import Path
from typing import NamedTuple

from app.compare_running import empty, measured
from app.compare_values import Comparison
from app.screenshot_seed import MACHINE
from engine.api import ModelInfo, Need, Piece, Sampling, Stats
from engine.compare_api import ColumnEvent, Measured, Plan, Point, Quality

_GB = 1e9
SIZES = ("130m", "370m", "790m", "1.4b", "2.8b")
SAMPLING = Sampling(temperature=0.7, seed=42, max_tokens=160)
_DRIFT = (1.06, 1.0, 1.02, 0.99)  # of the times, benchmark by benchmark
_DAYS = (26, 19, 11, 2)  # ago
_SIXTEEN = "bfloat16"


class _Size(NamedTuple):
    """What one takes and how good it is; times in ms, but for loading in s."""

    parameters: int
    disk: int
    state: int
    load_s: float
    ttft: float
    read: float  # tokens/s
    ms: float
    bits: float  # per byte
    width: int
    layers: int


_LADDER = {
    "130m": _Size(129_135_360, 516_567_560, 2_801_664, 0.3, 21, 9_800, 3.4, 1.121, 768, 24),
    "370m": _Size(371_516_416, 1_486_098_912, 7_471_104, 0.6, 33, 4_700, 5.8, 1.034, 1024, 48),
    "790m": _Size(793_204_224, 3_172_858_472, 11_206_656, 1.1, 51, 2_350, 10.9, 0.967, 1536, 48),
    "1.4b": _Size(1_372_178_432, 5_488_755_808, 14_942_208, 1.9, 83, 1_350, 18.7, 0.912, 2048, 48),
    "2.8b": _Size(2_768_345_600, 11_073_425_512, 24_903_680, 3.6, 134, 690, 37.6, 0.864, 2560, 64),
}

_MOON = (
    " the moon. The moon was the first object to be seen by the telescope, and it was the first "
    "object to be seen by the telescope. The moon was seen in the year 1610, and it was seen by "
    "the telescope in the year 1610, and the telescope was the first object to be seen by the "
    "moon. In 1611 the telescope was seen in the year 1611, and it was the first of the moons to "
    "be seen by Galileo, who was the first man to see the moon. He was the first man to see the "
    "moon by the telescope. The moon of the year 1610"
)
_MEDICI = (
    " that it had four moons. He called them the Medicean stars, after the family that ruled "
    "Florence, and he published what he had seen in a book that year. The moons were the first "
    "objects known to move around a planet other than the Earth. They were later named Io, "
    "Europa, Ganymede and Callisto. Galileo was not the only one to see them. Simon Marius, a "
    "German astronomer, said that he had seen them a month before, but Galileo had printed first. "
    "The names that we use today are the ones that Marius"
)
_STARS = (
    " three small stars in a straight line beside it. On the next night they had changed places, "
    "and within a week there were four. He saw that they could not be stars at all: they kept "
    "company with the planet and moved around it, so that here, plainly, was a centre of motion "
    "that was not the Earth. He hurried the news into print in March, and"
)
_TEXTS = {"130m": _MOON, "370m": _MOON, "790m": _MEDICI, "1.4b": _MEDICI, "2.8b": _STARS}


def name(size: str) -> str:
    """Of the model in the library."""
    return f"mamba-{size}-hf"


def ladder() -> list[ModelInfo]:
    """The Mambas of Gu and Dao, all installed."""
    return [_model(size, facts) for size, facts in _LADDER.items()]


def written(column: int, size: str, share: float = 1.0) -> Iterator[ColumnEvent]:
    """A part of its answer, in pieces."""
    facts, text = _LADDER[size], _TEXTS[size]
    count = round(160 * share)
    for at in range(count):
        part = text[len(text) * at // 160 : len(text) * (at + 1) // 160]
        ms = facts.ms * (1 + 0.006 * sin(at * 0.9))
        piece = Piece(part, 1, 12 + at, ms if at else None, facts.ms, facts.ttft)
        yield ColumnEvent(column, piece, round(2.1 * facts.parameters))


def ended(column: int, size: str, **changed: object) -> ColumnEvent:
    """Its end."""
    return ColumnEvent(column, replace(_end(size), **changed))  # type: ignore[arg-type]


def benchmarks(title: str) -> list[Comparison]:
    """Four of the last month, oldest first."""
    now = datetime.now().astimezone()
    return [
        Comparison(
            id=f"benchmark-{at}",
            title=title,
            when=now - timedelta(days=days),
            prompt="",
            columns=tuple(
                measured(empty(model), _long(size, drift))
                for size, model in zip(SIZES, in_sixteen(), strict=True)
            ),
            plan=Plan(),
            machine=f"{MACHINE.device}, {MACHINE.backend}",
        )
        for at, (days, drift) in enumerate(zip(_DAYS, _DRIFT, strict=True))
    ]


def kept(titles: Sequence[str]) -> list[Comparison]:
    """Comparisons of the last weeks under these titles."""
    now = datetime.now().astimezone()
    models = in_sixteen()
    return [
        Comparison(
            id=f"kept-{at}",
            title=title,
            when=now - timedelta(days=(0, 1, 3, 40)[at % 4], minutes=5),
            prompt=title,
            columns=tuple(empty(model) for model in models[: 2 + at % 3]),
        )
        for at, title in enumerate(titles)
    ]


def in_sixteen() -> list[ModelInfo]:
    """The ladder as it is loaded."""
    return [replace(model, precision=_SIXTEEN, dtype=_SIXTEEN) for model in ladder()]


def _model(size: str, facts: _Size) -> ModelInfo:
    needs = tuple(
        Need(precision, round(share * facts.parameters))
        for precision, share in (("float32", 4.3), (_SIXTEEN, 2.15), ("8-bit", 1.2), ("4-bit", 0.7))
    )
    return ModelInfo(
        name=name(size), folder=Path(name(size)), family="mamba", chat=False,
        parameters=facts.parameters, dtype="float32", disk_bytes=facts.disk,
        needed_bytes=needs[0].needed_bytes, state_bytes=facts.state, needs=needs,
    )  # fmt: skip


def _end(size: str) -> Measured:
    facts, model = _LADDER[size], in_sixteen()[SIZES.index(size)]
    bytes_read = 2 * facts.parameters
    stats = Stats(
        prompt_tokens=12, new_tokens=160, load_s=facts.load_s, ttft_ms=facts.ttft,
        prefill_tokens_per_s=facts.read, ms_per_token=facts.ms, tokens_per_s=1e3 / facts.ms,
        state_bytes=facts.state, peak_memory_bytes=round(2.13 * facts.parameters),
        stop_reason="length", backend="Metal", position=172,
    )  # fmt: skip
    return Measured(
        text=_TEXTS[size], stats=stats, model=model, dtype=_SIXTEEN, median_ms=facts.ms,
        early_ms=facts.ms, late_ms=facts.ms, weight_bytes=bytes_read,
        points=tuple(
            Point(12 + at, facts.ms * (1 + 0.006 * sin(at)), bytes_read) for at in range(160)
        ),
        transformer_bytes=facts.layers * facts.width * 2,
    )  # fmt: skip


def _long(size: str, drift: float) -> Measured:
    """The run of a benchmark to 10,000 tokens."""
    facts, end = _LADDER[size], _end(size)
    ms, held = facts.ms * drift, round(2.1 * facts.parameters)
    points = tuple(
        Point(at, ms * (1 + 0.01 * sin(at * 0.013 + facts.ms) * sin(at * 0.0071)), held)
        for at in range(125, 10_001, 125)
    )
    return replace(
        end,
        stats=replace(end.stats, ms_per_token=ms, tokens_per_s=1e3 / ms, new_tokens=9_984),
        median_ms=ms, early_ms=ms, late_ms=ms, points=points,
        spread_ms=(0.98 * ms, 1.03 * ms), quality=Quality(3.1 * facts.bits, facts.bits, 4088),
    )  # fmt: skip
