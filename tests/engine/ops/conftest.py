"""Arguments for the ops, and how near to the float64 references they must come."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from engine.device import mx  # with the fast BLAS before it

# Relative to each value, its rounding to the type; relative to the largest, float32's own loss.
ROUNDING = {mx.float32: 0.0, mx.float16: 2.0**-11, mx.bfloat16: 2.0**-8}
LOSS = 4e-6


def wide(value: Any) -> Any:
    """An argument as the numpy references take it."""
    return np.array(value.astype(mx.float32)) if isinstance(value, mx.array) else value


@pytest.fixture
def normal() -> Callable[..., mx.array]:
    """Draws arrays, always the same ones in a test."""
    rng = np.random.default_rng(0)

    def draw(*shape: int, of: mx.Dtype = mx.float32) -> mx.array:
        return mx.array(rng.standard_normal(shape).astype(np.float32)).astype(of)

    return draw


@pytest.fixture
def scan_inputs(normal: Callable[..., mx.array]) -> Callable[..., dict[str, Any]]:
    """Makes all arguments of a scan; `groups` are those of B and C, 0 for constant ones."""

    def make(
        batch: int,
        length: int,
        channels: int,
        states: int,
        dtype: mx.Dtype = mx.float32,
        groups: tuple[int, int] = (1, 1),
    ) -> dict[str, Any]:
        def rows(count: int) -> mx.array:
            if count == 0:
                return normal(channels, states, of=dtype)
            return normal(batch, length, *([count] if count > 1 else []), states, of=dtype)

        spread = mx.abs(normal(channels, states)) + 0.1
        return {
            "u": normal(batch, length, channels, of=dtype),
            "delta": normal(batch, length, channels, of=dtype),
            "A": -spread * mx.arange(1, states + 1).astype(mx.float32),
            "B": rows(groups[0]),
            "C": rows(groups[1]),
            "D": normal(channels),
            "z": normal(batch, length, channels, of=dtype),
            "delta_bias": normal(channels) - 2.0,
            "delta_softplus": True,
            "initial_state": normal(batch, channels, states),
        }

    return make


@pytest.fixture
def agree() -> Callable[..., None]:
    """Asserts that an op gives what its reference gives from the same arguments."""

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
