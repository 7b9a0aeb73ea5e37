"""Where the names of dots stand: beside them, and never over a dot or over each other. No Qt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

STEP = 7  # a name is moved up or down by so many pixels
LEFT_COST = 16  # a name stands at the left of its dot where it would else be moved further
NEAR = 8  # one that is moved further has a line to its dot
FAR_COST = 8  # and twice as far from it where it would else be moved further
CROSSED, COVERED = 400, 10_000  # a line through a name; a name over another or over a dot

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle."""

    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: Box) -> bool:
        """Whether they overlap."""
        across = self.left < other.right and other.left < self.right
        return across and self.top < other.bottom and other.top < self.bottom


@dataclass(frozen=True, slots=True)
class Label:
    """A name's place; `near` is where the line to its dot ends, for one that was moved."""

    dot: Point
    box: Box
    cost: float
    near: Point | None = None

    @property
    def middle(self) -> float:
        """Its height."""
        return (self.box.top + self.box.bottom) / 2

    def path(self) -> Box:
        """What the line to its dot goes through."""
        x, y = self.near or self.dot
        dot_x, dot_y = self.dot
        return Box(min(x, dot_x), min(y, dot_y), max(x, dot_x), max(y, dot_y))

    def disturbs(self, other: Label) -> int:
        """What it costs that one covers the other or its line, or stands over it although its dot
        is lower."""
        if self.box.meets(other.box):
            return COVERED
        across = self.box.left < other.box.right and other.box.left < self.box.right
        turned = (self.dot[1] - other.dot[1]) * (self.middle - other.middle) < 0
        crossed = self.box.meets(other.path()) or other.box.meets(self.path())
        return CROSSED if crossed or (across and turned) else 0


def beside(
    dots: Sequence[Point], widths: Sequence[float], high: float, area: Box, gap: float
) -> list[Label]:
    """A place in `area` for the name of each dot, `widths` wide and `high` high, `gap` from the
    middle of the dot, which is as large as the gap. The nearest places that are found."""
    offers = []
    for at, (dot, wide) in enumerate(zip(dots, widths, strict=True)):
        others = [Box(x - gap / 2, y - gap / 2, x + gap / 2, y + gap / 2) for x, y in dots]
        del others[at]
        offers.append(_offers(dot, (wide, high), area, gap, others))
    found = [_placed(order, offers) for order in _orders(dots)]
    return min(found, key=lambda labels: sum(label.cost for label in labels))


def _orders(dots: Sequence[Point]) -> list[list[int]]:
    """In which they may be given their places: from each side, and from the middle."""
    down = sorted(range(len(dots)), key=lambda at: dots[at][1])
    across = sorted(range(len(dots)), key=lambda at: dots[at][0])
    middle = (len(dots) - 1) / 2
    outwards = sorted(range(len(dots)), key=lambda place: abs(place - middle))
    return [down, down[::-1], across, across[::-1], [down[place] for place in outwards]]


def _offers(
    dot: Point, size: tuple[float, float], area: Box, gap: float, others: Sequence[Box]
) -> list[Label]:
    """Where a name may stand, the best first."""
    (x, y), (wide, high) = dot, size
    lowest = max(area.top, area.bottom - high)
    wanted = min(max(y - high / 2, area.top), lowest)
    moves = range(0, int(lowest - area.top) + 1, STEP)
    tops = {wanted, *(wanted - move for move in moves), *(wanted + move for move in moves)}
    offers = []
    sides = [
        (x + gap, x + gap, 0),
        (x + 2 * gap, x + 2 * gap, FAR_COST),
        (x - gap - wide, x - gap, LEFT_COST),
        (x - 2 * gap - wide, x - 2 * gap, LEFT_COST + FAR_COST),
    ]
    for left, near, cost in sides:
        if left < area.left or left + wide > area.right:
            continue
        for top in tops:
            if area.top <= top <= lowest:
                box = Box(left, top, left + wide, top + high)
                covered = sum(box.meets(other) for other in others)
                far = abs(top + high / 2 - y) > NEAR or abs(near - x) > gap
                line = (near, top + high / 2) if far else None
                whole = abs(top - wanted) + cost + covered * COVERED
                offers.append(Label(dot, box, whole, line))
    return sorted(offers, key=lambda label: label.cost)


def _placed(order: Sequence[int], offers: Sequence[Sequence[Label]]) -> list[Label]:
    """Each name in its turn at the best place that the others leave, and once more when all have
    one."""
    placed: dict[int, Label] = {}
    for at in [*order, *order]:
        others = [label for other, label in placed.items() if other != at]
        best: Label | None = None
        for label in offers[at]:
            if best is not None and best.cost <= label.cost:
                break
            cost = label.cost + sum(label.disturbs(other) for other in others)
            if best is None or cost < best.cost:
                best = replace(label, cost=cost)
        if best is not None:
            placed[at] = best
    return [placed[at] for at in range(len(order))]
