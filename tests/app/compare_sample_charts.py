"""The charts of those rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import sin

from app.compare_rows import Chart, Line

_END = 10_000

# Of each size: parameters, disk in GB, load, first token, prompt, ms, tokens/s, GB/s, state, peak.
FIGURES: dict[str, tuple[str, str, float, float, str, float, str, str, str, str]] = {
    "130m": ("129 M", "0.52", 0.3, 0.02, "9,800", 3.4, "294", "76", "2.8", "0.41"),
    "370m": ("372 M", "1.49", 0.6, 0.03, "4,700", 5.8, "172", "128", "6.7", "0.92"),
    "790m": ("793 M", "3.17", 1.1, 0.05, "2,350", 10.9, "91.7", "146", "11.2", "1.83"),
    "1.4b": ("1.37 B", "5.49", 1.9, 0.08, "1,350", 18.7, "53.5", "146", "16.8", "3.02"),
    "2.8b": ("2.77 B", "11.07", 3.6, 0.13, "690", 37.6, "26.6", "147", "24.9", "5.91"),
}
_BITS = {"130m": 1.12, "370m": 1.03, "790m": 0.96, "1.4b": 0.91, "2.8b": 0.86}
_DRIFT = (1.06, 1.0, 1.02, 0.99)  # of the time, benchmark by benchmark


def charts(words: Mapping[str, str], sizes: tuple[str, ...]) -> tuple[Chart, ...]:
    """Time, memory, quality and history of some of the sizes."""
    kinds = (_time, _memory, _quality, _history)
    return tuple(
        replace(kind(words, sizes), tab=tab)
        for tab, kind in zip(words["tabs"].split("|"), kinds, strict=True)
    )


def _time(words: Mapping[str, str], sizes: tuple[str, ...]) -> Chart:
    lines = [
        Line(name=f"Mamba {size}", value=f"{FIGURES[size][5]:.1f} ms", rank=rank,
             points=_wavering(FIGURES[size][5], rank))
        for rank, size in enumerate(sizes)
    ]  # fmt: skip
    theirs = ((0.0, 37.6), (float(_END), 54.0))
    transformer = Line(
        name="Transformer 2.8b", value="54.0 ms", rank=-1, points=theirs, dashed=True
    )
    return Chart(
        title=words["time"], unit=words["ms"], lines=(*lines, transformer), note=words["chart"]
    )


def _memory(words: Mapping[str, str], sizes: tuple[str, ...]) -> Chart:
    lines = [
        Line(name=f"Mamba {size}", value=f"{FIGURES[size][9]} GB", rank=rank,
             points=((0.0, float(FIGURES[size][9])), (float(_END), float(FIGURES[size][9]))))
        for rank, size in enumerate(sizes)
    ]  # fmt: skip
    theirs = ((0.0, 5.9), (float(_END), 9.1))
    transformer = Line(
        name="Transformer 2.8b", value="9.10 GB", rank=-1, points=theirs, dashed=True
    )
    return Chart(
        title=words["memory"], unit=words["gb"], lines=(*lines, transformer), note=words["chart"]
    )


def _quality(words: Mapping[str, str], sizes: tuple[str, ...]) -> Chart:
    lines = tuple(
        Line(name=f"Mamba {size}", value=f"{_BITS[size]:.2f}", rank=rank,
             points=((FIGURES[size][5], _BITS[size]),))
        for rank, size in enumerate(sizes)
    )  # fmt: skip
    return Chart(
        title=words["quality"], unit=words["bits"], x_unit=words["ms"], lines=lines,
        note=words["best"],
    )  # fmt: skip


def _history(words: Mapping[str, str], sizes: tuple[str, ...]) -> Chart:
    lines = []
    for rank, size in enumerate(sizes):
        times = [FIGURES[size][5] * drift for drift in _DRIFT[rank % 2 :]]  # not all in the first
        places = range(len(_DRIFT) - len(times), len(_DRIFT))
        points = tuple(zip(map(float, places), times, strict=True))
        value = f"{times[-1]:.1f} ms"
        lines.append(Line(name=f"Mamba {size}", value=value, rank=rank, points=points))
    ticks = tuple((float(at), day) for at, day in enumerate(words["days"].split("|")))
    return Chart(
        title=words["history"], unit=words["ms"], ticks=ticks, lines=tuple(lines),
        note=words["benchmarks"],
    )  # fmt: skip


def _wavering(value: float, rank: int) -> tuple[tuple[float, float], ...]:
    places = range(0, _END + 1, 125)
    sway = [0.6 * sin(at * 0.013 + rank) * sin(at * 0.0071) for at in places]
    return tuple((float(at), value + value / 60 * s) for at, s in zip(places, sway, strict=True))
