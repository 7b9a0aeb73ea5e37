"""The functions of one value, over their whole range, against float64."""

from __future__ import annotations

from collections.abc import Callable

import mlx.core as mx
import numpy as np
import pytest

from engine.ops.formulas import exp2, silu, silu_of_many, softplus, softplus_of_many

Function = Callable[[mx.array], mx.array]


def test_exp2_is_right_to_float32_from_where_it_underflows() -> None:
    y = np.concatenate([np.linspace(-126.0, 8.0, 100_001), -(10.0 ** np.linspace(-9, 2, 20_001))])
    y = y.astype(np.float32)
    exact = np.exp2(y.astype(np.float64))
    assert np.max(np.abs(np.array(exp2(mx.array(y))) / exact - 1.0)) < 2.5e-7


def test_exp2_of_nothing_is_one_and_of_much_is_almost_nothing() -> None:
    got = np.array(exp2(mx.array([0.0, -0.0, -127.0, -1e9, -np.inf])))
    assert got[0] == got[1] == 1.0
    assert np.all(got[2:] <= 2.0**-126)
    assert np.isnan(np.array(exp2(mx.array([np.nan])))[0])


def test_a_slow_decay_keeps_its_rate() -> None:
    """1 - exp(-v) for a small v: what a state forgets with each token."""
    v = 10.0 ** np.linspace(-4, -1, 1001)
    y = (-v / np.log(2)).astype(np.float32)
    lost = 1.0 - np.array(exp2(mx.array(y))).astype(np.float64)
    exact = -np.expm1(y.astype(np.float64) * np.log(2))
    assert np.max(np.abs(lost - exact)) < 1.2e-7


@pytest.mark.parametrize("softplus", [softplus, softplus_of_many])
def test_softplus_is_right_to_float32_everywhere(softplus: Function) -> None:
    x = np.linspace(-80.0, 120.0, 200_001).astype(np.float32)
    exact = np.logaddexp(x.astype(np.float64), 0.0)
    error = np.abs(np.array(softplus(mx.array(x))) / exact - 1.0)
    assert np.all(error < 5e-7 + 1e-7 * np.abs(x))  # the exponent is rounded


@pytest.mark.parametrize("softplus", [softplus, softplus_of_many])
@pytest.mark.parametrize("x", [20.0, 20.000002, 1e4, 3e38])
def test_softplus_of_a_large_number_is_the_number(softplus: Function, x: float) -> None:
    assert softplus(mx.array(x)).item() == mx.array(x).item()


@pytest.mark.parametrize("silu", [silu, silu_of_many])
def test_silu_is_right_to_float32_everywhere(silu: Function) -> None:
    x = np.linspace(-100.0, 100.0, 200_001).astype(np.float32)
    wide = x.astype(np.float64)
    error = np.abs(np.array(silu(mx.array(x))) - wide / (1.0 + np.exp(-wide)))
    assert np.max(error / np.maximum(np.abs(wide), 1.0)) < 2e-7
