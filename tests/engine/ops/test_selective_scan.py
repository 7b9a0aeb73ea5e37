"""The selective scan in MLX's ops against float64, and the laws of its state."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mlx.core as mx
import pytest

from engine.ops import scan_blocks
from engine.ops.causal_conv import causal_conv1d_metal
from engine.ops.selective_scan import (
    selective_scan,
    selective_scan_metal,
    selective_scan_ops,
    selective_scan_reference,
)
from engine.ops.ssm_step import ssm_step_ops

Inputs = Callable[..., dict[str, Any]]
OVER_TIME = ("u", "delta", "B", "C", "z")


def cut(case: dict[str, Any], start: int, stop: int, state: mx.array) -> dict[str, Any]:
    """The arguments for the tokens from `start` to `stop`, from `state`."""
    return case | {name: case[name][:, start:stop] for name in OVER_TIME} | {"initial_state": state}


@pytest.mark.parametrize("dtype", [mx.float32, mx.float16, mx.bfloat16])
@pytest.mark.parametrize(
    ("batch", "length", "channels", "states"),
    [(1, 1, 1, 1), (2, 3, 5, 1), (1, 31, 6, 16), (3, 65, 3, 7), (1, 130, 2, 256), (1, 300, 40, 16)],
)
def test_the_scan_agrees_with_float64(
    scan_inputs: Inputs, agree: Any, batch: int, length: int, channels: int, states: int, dtype: Any
) -> None:
    case = scan_inputs(batch, length, channels, states, dtype)
    agree(selective_scan_ops, selective_scan_reference, case)


@pytest.mark.parametrize("groups", [(1, 3), (2, 1), (0, 1), (1, 0), (6, 0), (0, 0)])
def test_groups_and_constants_agree_with_float64(
    scan_inputs: Inputs, agree: Any, groups: tuple[int, int]
) -> None:
    case = scan_inputs(2, 19, 6, 5, groups=groups)
    agree(selective_scan_ops, selective_scan_reference, case)


@pytest.mark.parametrize("absent", ["D", "z", "delta_bias", "initial_state", "delta_softplus"])
def test_each_option_may_be_absent(scan_inputs: Inputs, agree: Any, absent: str) -> None:
    case = scan_inputs(2, 9, 4, 3)
    del case[absent]
    if absent == "delta_softplus":
        case["delta"] = mx.abs(case["delta"])
        case["delta_bias"] = mx.abs(case["delta_bias"])
    agree(selective_scan_ops, selective_scan_reference, case)


def test_large_steps_and_fast_decays_agree_with_float64(scan_inputs: Inputs, agree: Any) -> None:
    """Where softplus is its argument and exp underflows to 0."""
    case = scan_inputs(1, 40, 4, 16)
    case["delta"] = case["delta"] * 40.0
    agree(selective_scan_ops, selective_scan_reference, case)


def test_very_small_steps_agree_with_float64(scan_inputs: Inputs, agree: Any) -> None:
    """Where log(1 + exp(x)) would round to 0, and where a state must decay all the same."""
    case = scan_inputs(1, 40, 4, 16)
    case["delta_bias"] = case["delta_bias"] - 12.0
    case["u"] = case["u"] * 1e5
    agree(selective_scan_ops, selective_scan_reference, case)


def test_a_split_scan_is_the_whole_scan_to_the_bit(scan_inputs: Inputs) -> None:
    case = scan_inputs(2, 100, 12, 16)
    y, state = selective_scan(**case)
    parts, carried = [], case["initial_state"]
    for start, stop in ((0, 1), (1, 40), (40, 40), (40, 100)):
        part, carried = selective_scan(**cut(case, start, stop, carried))
        parts.append(part)
    assert mx.array_equal(mx.concatenate(parts, axis=1), y)
    assert mx.array_equal(carried, state)


def test_scanning_is_stepping(scan_inputs: Inputs) -> None:
    case = scan_inputs(2, 30, 12, 16)
    y, state = selective_scan_ops(**case)
    stepped = case.pop("initial_state")
    for t in range(30):
        token = {name: case[name][:, t] for name in OVER_TIME}
        step_y, stepped = ssm_step_ops(**case | token, state=stepped)
        assert mx.allclose(step_y, y[:, t], rtol=1e-5, atol=2e-6)
    assert mx.allclose(stepped, state, rtol=1e-5, atol=1e-6)


def test_a_short_row_is_scanned_as_if_alone_to_the_bit(scan_inputs: Inputs) -> None:
    case = scan_inputs(4, 50, 6, 16)
    ends = [50, 0, 1, 33]
    case["u"][1, :] = float("nan")  # what is past the end is not even read
    y, state = selective_scan(**case, lengths=mx.array(ends))
    for row, end in enumerate(ends):
        alone = {name: case[name][row : row + 1, :end] for name in OVER_TIME}
        initial = case["initial_state"][row : row + 1]
        alone_y, alone_state = selective_scan(**case | alone | {"initial_state": initial})
        assert mx.array_equal(state[row], alone_state[0])
        assert mx.array_equal(y[row, :end], alone_y[0])
        assert not mx.any(y[row, end:])
    assert mx.array_equal(state[1], case["initial_state"][1])


def test_lengths_agree_with_float64(scan_inputs: Inputs, agree: Any) -> None:
    case = scan_inputs(3, 20, 6, 4) | {"lengths": mx.array([20, 0, 7])}
    agree(selective_scan_ops, selective_scan_reference, case)


def test_no_tokens_leave_the_state_as_it_was(scan_inputs: Inputs) -> None:
    case = scan_inputs(2, 0, 6, 4)
    y, state = selective_scan(**case)
    assert y.shape == (2, 0, 6)
    assert mx.array_equal(state, case["initial_state"])


def test_a_scan_may_be_continued_twice_from_one_state(scan_inputs: Inputs) -> None:
    """A state is a value: continuing it does not change it."""
    case = scan_inputs(1, 20, 6, 4)
    _, state = selective_scan(**case)
    kept = mx.array(state)
    first = selective_scan(**case | {"initial_state": state})
    second = selective_scan(**case | {"initial_state": state})
    assert mx.array_equal(first[0], second[0])
    assert mx.array_equal(state, kept)


def test_memory_does_not_grow_with_the_length_times_the_states(
    scan_inputs: Inputs, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Beyond what goes in and out, a scan of four times the tokens takes no more."""
    monkeypatch.setattr(scan_blocks, "BLOCK", 1 << 14)
    extra = []
    for length in (256, 1024):
        case = scan_inputs(1, length, 64, 64)
        mx.eval(case)
        mx.synchronize()
        mx.reset_peak_memory()
        before = mx.get_active_memory()
        mx.eval(selective_scan_ops(**case))
        extra.append(mx.get_peak_memory() - before)
    everything = 1024 * 64 * 64 * 4  # one (l, d, n) array
    assert extra[1] < everything / 4
    assert extra[1] < extra[0] + 6 * case["u"].nbytes


@pytest.mark.parametrize(
    ("name", "shape", "said"),
    [
        ("delta", (2, 9, 5), r"delta should have the shape \(2, 9, 6\) and has \(2, 9, 5\)"),
        ("B", (2, 9, 4, 3), r"B should have the shape \(2, 9, 5\).* and has \(2, 9, 4, 3\)"),
        ("C", (2, 9, 4, 5), "C has 4 groups, which do not divide 6 channels"),
        ("initial_state", (2, 5, 6), "initial_state should have the shape"),
        ("A", (6, 257), "A should have 1 to 256 states and has 257"),
        ("lengths", (3,), "lengths should have the shape"),
    ],
)
def test_a_wrong_shape_is_named(
    scan_inputs: Inputs, name: str, shape: tuple[int, ...], said: str
) -> None:
    with pytest.raises(ValueError, match=said):
        selective_scan(**scan_inputs(2, 9, 6, 5) | {name: mx.zeros(shape)})


def test_a_row_too_long_for_the_kernels_offsets_is_refused_before_anything_is_computed() -> None:
    wide = mx.broadcast_to(mx.zeros((1, 1, 1)), (1, 2**20, 1025))
    states = mx.broadcast_to(mx.zeros((1, 1, 1)), (1, 2**20, 16))
    with pytest.raises(ValueError, match="should have at most 1047552 tokens a call"):
        selective_scan_metal(wide, wide, mx.zeros((1025, 16)), states, states)
    with pytest.raises(ValueError, match="should have at most 1047552 tokens a call"):
        causal_conv1d_metal(wide, mx.zeros((1025, 4)))
