"""Where things stand in a chart: ticks, points and labels as plain numbers. No Qt."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, floor, log10

RULES = 4  # horizontal ones, the axis among them
STEPS = 4  # between the ticks of the axis of positions, about
NICE = (1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0)
ROUND = (1.0, 2.0, 2.5, 4.0, 5.0, 10.0)
PLAIN = (1.0, 2.0, 5.0, 10.0)
NEAR_SPAN, ROOM = 0.1, 0.15  # of the largest value; of what the values span, on both sides
NEAR = 0.7  # of a step: a tick that stands so near to the end gives way to it
PIXELS_PER_POINT = 3

Point = tuple[float, float]


def nice(least: float, steps: Sequence[float] = NICE) -> float:
    """The first round number that is not less; 1 where there is nothing to show."""
    if least <= 0:
        return 1.0
    power = 10.0 ** floor(log10(least))
    return next((s * power for s in steps if s * power >= least * (1 - 1e-9)), 10 * power)


def rules(most: float, count: int = RULES) -> list[float]:
    """`count` round values from 0 to one that is not less than `most`."""
    step = nice(most / (count - 1))
    return [step * at for at in range(count)]


def around(values: Sequence[float]) -> list[float]:
    """Three to seven round values with all of `values` well between them. Those that are nearly
    equal stay near each other: noise is not to look like news."""
    low, high = min(values, default=0.0), max(values, default=0.0)
    span = max(high - low, NEAR_SPAN * high) or 1.0
    room = ROOM * span + (span - (high - low)) / 2
    step = nice((high - low + 2 * room) / (RULES + 1), PLAIN)
    first, last = floor((low - room) / step), ceil((high + room) / step)
    return [step * at for at in range(max(0, first), last + 1)]


def positions(end: float) -> list[float]:
    """The positions at the ticks: round ones in whole tokens, and the end itself."""
    step = max(1.0, ceil(nice(end / STEPS, ROUND)))
    ticks = [at * step for at in range(ceil(end / step)) if end - at * step >= NEAR * step]
    return [*(ticks or [0.0]), end] if end else [0.0]


def tick_text(value: float, values: Sequence[float]) -> str:
    """A value at a rule, with as few decimals as all of them need."""
    decimals = next((n for n in range(3) if all(abs(v - round(v, n)) < 1e-9 for v in values)), 3)
    return f"{value:,.{decimals}f}"


def thin(points: Sequence[Point], end: float, width: float) -> list[Point]:
    """At most a point for every three of `width` pixels, each the mean of those that it stands
    for; the first and the last stay where they are."""
    most = max(2, int(width / PIXELS_PER_POINT))
    if len(points) <= most or end <= 0:
        return list(points)
    cells: dict[int, list[Point]] = {}
    for point in points:
        cells.setdefault(int(point[0] / end * most), []).append(point)
    means = [
        (sum(x for x, _ in cell) / len(cell), sum(y for _, y in cell) / len(cell))
        for cell in cells.values()
    ]
    means[0] = (points[0][0], means[0][1])
    means[-1] = (points[-1][0], means[-1][1])
    return means


def apart(spans: Sequence[tuple[float, float]], gap: float) -> list[int]:
    """Which of these, from left to right, can be shown `gap` apart. The last always is."""
    shown: list[int] = []
    for at in reversed(range(len(spans))):
        if not shown or spans[at][1] + gap <= spans[shown[-1]][0]:
            shown.append(at)
    return shown[::-1]


def spread(wanted: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Places `gap` apart between `low` and `high`, in the order of `wanted` and together as near
    to it as can be."""
    order = sorted(range(len(wanted)), key=lambda at: wanted[at])
    blocks: list[tuple[float, int]] = []  # the mean of what is wanted less its offset, the count
    for place, at in enumerate(order):
        mean, count = wanted[at] - place * gap, 1
        while blocks and blocks[-1][0] > mean:
            before, more = blocks.pop()
            mean, count = (mean * count + before * more) / (count + more), count + more
        blocks.append((mean, count))
    top = max(low, high - (len(wanted) - 1) * gap)
    flat = [min(max(mean, low), top) for mean, count in blocks for _ in range(count)]
    placed = [0.0] * len(wanted)
    for place, (at, offset) in enumerate(zip(order, flat, strict=True)):
        placed[at] = offset + place * gap
    return placed
