"""The shapes that the ops take, checked once: a wrong one says what was expected and found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

MAX_STATE = 256
# Values of a row that the kernels take: their offsets are of 32 bits, and a row may be part of one
# four times as wide.
MAX_ROW = 2**30


@dataclass(frozen=True, slots=True)
class ScanDims:
    """The sizes of a scan. `B` and `C` have `b_groups` and `c_groups` groups of channels each;
    0 means constant in time, shape (d, n)."""

    batch: int
    length: int
    channels: int
    states: int
    b_groups: int
    c_groups: int


def expect(name: str, found: Sequence[int], expected: Sequence[int | str]) -> None:
    """Raise ValueError unless `found` has the `expected` sizes; a str there names any size."""
    same = len(found) == len(expected) and all(
        isinstance(want, str) or have == want for have, want in zip(found, expected, strict=True)
    )
    if not same:
        wanted = ", ".join(str(size) for size in expected)
        raise ValueError(f"{name} should have the shape ({wanted}) and has {tuple(found)}")


def groups_of(name: str, shape: Sequence[int], lead: tuple[int, ...], d: int, n: int) -> int:
    """How many groups B or C has: `lead` + (n,) is 1, `lead` + (g, n) is g, (d, n) is 0."""
    shape = tuple(shape)
    if shape == (*lead, n):
        return 1
    if shape == (d, n):
        return 0
    if len(shape) == len(lead) + 2 and shape[:-2] == lead and shape[-1] == n and shape[-2] > 0:
        if d % shape[-2]:
            raise ValueError(f"{name} has {shape[-2]} groups, which do not divide {d} channels")
        return shape[-2]
    first = ", ".join(map(str, lead))
    raise ValueError(
        f"{name} should have the shape ({first}, {n}), ({first}, groups, {n}) or ({d}, {n}) "
        f"and has {shape}"
    )


def scan_dims(lead: tuple[int, ...], named: dict[str, Any]) -> ScanDims:
    """Check what a scan or a step was given; `lead` is (batch, length) or (batch,).

    `named` holds the arguments by their names in the ops' signatures, None where absent.
    """
    shape_A = tuple(named["A"].shape)
    expect("A", shape_A, ("channels", "states"))
    d, n = shape_A
    delta: tuple[int, ...] = (*lead, d)
    if named.get("dt_proj") is not None:
        expect("dt_proj", named["dt_proj"].shape, (d, "rank"))
        delta = (*lead, named["dt_proj"].shape[1])
    if not 1 <= n <= MAX_STATE:
        raise ValueError(f"A should have 1 to {MAX_STATE} states and has {n}")
    wanted: dict[str, tuple[int, ...]] = {
        "u": (*lead, d),
        "delta": delta,
        "z": (*lead, d),
        "D": (d,),
        "delta_bias": (d,),
        "initial_state": (lead[0], d, n),
        "state": (lead[0], d, n),
        "lengths": (lead[0],),
    }
    for name, shape in wanted.items():
        if named.get(name) is not None:
            expect(name, named[name].shape, shape)
    return ScanDims(
        batch=lead[0],
        length=lead[1] if len(lead) > 1 else 1,
        channels=d,
        states=n,
        b_groups=groups_of("B", named["B"].shape, lead, d, n),
        c_groups=groups_of("C", named["C"].shape, lead, d, n),
    )


def conv_dims(named: dict[str, Any]) -> tuple[int, int, int, int]:
    """Check what a convolution was given: (batch, length, channels, kernel)."""
    x, weight = named["x"], named["weight"]
    expect("x", x.shape, ("batch", "length", "channels"))
    b, length, d = x.shape
    expect("weight", weight.shape, (d, "kernel"))
    k = weight.shape[1]
    if k < 1:
        raise ValueError("weight should have a kernel of at least 1 and has 0")
    for name, shape in {"bias": (d,), "tail": (b, k - 1, d), "lengths": (b,)}.items():
        if named.get(name) is not None:
            expect(name, named[name].shape, shape)
    return b, length, d, k


def expect_short(length: int, channels: int) -> None:
    """Raise ValueError for a row longer than the kernels' offsets reach."""
    if length * channels > MAX_ROW:
        most = MAX_ROW // channels
        raise ValueError(f"a row of {channels} channels should have at most {most} tokens a call")
