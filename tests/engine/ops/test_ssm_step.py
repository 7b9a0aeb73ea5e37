"""One token of the scan in MLX's ops against float64."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mlx.core as mx
import pytest

from engine.ops.ssm_step import ssm_step, ssm_step_ops, ssm_step_reference

Inputs = Callable[..., dict[str, Any]]


def token(case: dict[str, Any], groups: tuple[int, int] = (1, 1)) -> dict[str, Any]:
    """The arguments of a step from those of a scan of one token."""
    over_time = ["u", "delta", "z", *[name for name, g in zip("BC", groups, strict=True) if g]]
    state = {"state": case.pop("initial_state")}
    return case | {name: case[name][:, 0] for name in over_time} | state


@pytest.mark.parametrize("dtype", [mx.float32, mx.float16, mx.bfloat16])
@pytest.mark.parametrize(("batch", "channels", "states"), [(1, 1, 1), (3, 5, 16), (2, 8, 256)])
def test_the_step_agrees_with_float64(
    scan_inputs: Inputs, agree: Any, batch: int, channels: int, states: int, dtype: mx.Dtype
) -> None:
    case = token(scan_inputs(batch, 1, channels, states, dtype))
    agree(ssm_step_ops, ssm_step_reference, case)


@pytest.mark.parametrize("groups", [(1, 3), (2, 1), (0, 1), (1, 0), (0, 0)])
def test_a_step_with_groups_or_constants_agrees_with_float64(
    scan_inputs: Inputs, agree: Any, groups: tuple[int, int]
) -> None:
    agree(ssm_step_ops, ssm_step_reference, token(scan_inputs(2, 1, 6, 5, groups=groups), groups))


@pytest.mark.parametrize("absent", ["D", "z", "delta_bias"])
def test_each_option_of_a_step_may_be_absent(scan_inputs: Inputs, agree: Any, absent: str) -> None:
    case = token(scan_inputs(2, 1, 4, 3))
    del case[absent]
    agree(ssm_step_ops, ssm_step_reference, case)


@pytest.mark.parametrize("rank", [1, 7])
def test_a_step_size_yet_to_be_projected_agrees_with_float64(
    scan_inputs: Inputs, agree: Any, rank: int
) -> None:
    case = token(scan_inputs(2, 1, 6, 5))
    case |= {"delta": mx.random.normal((2, rank)), "dt_proj": mx.random.normal((6, rank))}
    agree(ssm_step_ops, ssm_step_reference, case)


def test_each_row_of_a_batch_steps_as_if_alone_to_the_bit(scan_inputs: Inputs) -> None:
    case = token(scan_inputs(3, 1, 6, 16))
    y, state = ssm_step(**case)
    for row in range(3):
        of_row = {
            name: case[name][row : row + 1] for name in ("u", "delta", "B", "C", "z", "state")
        }
        alone_y, alone_state = ssm_step(**case | of_row)
        assert mx.array_equal(alone_y[0], y[row])
        assert mx.array_equal(alone_state[0], state[row])


def test_a_step_leaves_the_state_that_it_was_given(scan_inputs: Inputs) -> None:
    case = token(scan_inputs(1, 1, 6, 16))
    kept = mx.array(case["state"])
    first, second = ssm_step(**case), ssm_step(**case)
    mx.eval(first, second)
    assert mx.array_equal(case["state"], kept)
    assert mx.array_equal(first[1], second[1])


def test_a_wrong_state_is_named(scan_inputs: Inputs) -> None:
    case = token(scan_inputs(1, 1, 6, 16)) | {"state": mx.zeros((1, 16, 6))}
    with pytest.raises(ValueError, match=r"state should have the shape \(1, 6, 16\)"):
        ssm_step(**case)
