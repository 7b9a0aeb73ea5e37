"""Cases for the kernels, and how near to the float64 references they must come."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mlx.core as mx
import numpy as np
import pytest

# How far y may be from the float64 reference: relative to each value, its rounding to the type,
# and relative to the largest, what float32 loses on the way.
ROUNDING = {mx.float32: 0.0, mx.float16: 2.0**-11, mx.bfloat16: 2.0**-8}
LOSS = 4e-6


@pytest.fixture
def scan_case() -> Callable[..., dict[str, Any]]:
    """Makes a scan's arguments: values as a trained layer has them, rounded to `dtype`.

    `groups` are those of B and C, 0 for constant ones; `seed` also says which options are absent.
    """

    def make(
        length: int,
        states: int,
        dtype: mx.Dtype,
        groups: tuple[int, int] = (1, 1),
        seed: int = 0,
        batch: int = 1,
        channels: int = 4,
    ) -> dict[str, Any]:
        rng = np.random.default_rng([seed, length, states])

        def normal(*shape: int, of: mx.Dtype = dtype) -> mx.array:
            return mx.array(rng.standard_normal(shape).astype(np.float32)).astype(of)

        def rows(count: int) -> mx.array:
            if count == 0:
                return normal(channels, states)
            return normal(batch, length, *([count] if count > 1 else []), states)

        rates = rng.uniform(0.5, 1.5, (channels, states)) * np.arange(1, states + 1)
        return {
            "u": normal(batch, length, channels),
            "delta": normal(batch, length, channels),
            "A": mx.array(-rates.astype(np.float32)),
            "B": rows(groups[0]),
            "C": rows(groups[1]),
            "D": normal(channels, of=mx.float32) if seed % 3 else None,
            "z": normal(batch, length, channels) if seed % 2 else None,
            "delta_bias": normal(channels, of=mx.float32) - 2.0,
            "delta_softplus": True,
            "initial_state": normal(batch, channels, states, of=mx.float32) if seed % 4 else None,
        }

    return make


def wide(value: Any) -> Any:
    """An argument as the numpy references take it."""
    return np.array(value.astype(mx.float32)) if isinstance(value, mx.array) else value


@pytest.fixture
def agree() -> Callable[..., None]:
    """Asserts that a `*_metal` path gives what the reference gives from the same arguments."""

    def check(
        fast: Callable[..., Any], reference: Callable[..., Any], case: dict[str, Any]
    ) -> None:
        got = fast(**case)
        expected = reference(**{name: wide(value) for name, value in case.items()})
        for ours, exact in zip(got, expected, strict=True):
            assert ours.shape == exact.shape
            error = np.abs(wide(ours) - exact)
            allowed = ROUNDING[ours.dtype] * np.abs(exact) + LOSS * np.abs(exact).max(initial=1.0)
            assert np.all(error <= allowed), (ours.dtype, float(np.max(error - allowed)))

    return check
