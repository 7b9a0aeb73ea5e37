"""The Metal kernels of the convolution and the step, on the CPU, against float64 references."""

from __future__ import annotations

from typing import Any

import mlx.core as mx
import numpy as np
import pytest

from engine.ops.causal_conv import causal_conv1d_metal, causal_conv1d_reference
from engine.ops.selective_scan import selective_scan_metal
from engine.ops.ssm_step import ssm_step_metal, ssm_step_reference

DTYPES = (mx.float32, mx.float16, mx.bfloat16)


def normal(rng: np.random.Generator, *shape: int, of: mx.Dtype = mx.float32) -> mx.array:
    return mx.array(rng.standard_normal(shape).astype(np.float32)).astype(of)


def conv_case(length: int, kernel: int, dtype: mx.Dtype, ends: list[int] | None) -> dict[str, Any]:
    rng = np.random.default_rng([length, kernel])
    batch, channels = (len(ends) if ends else 1), 5
    return {
        "x": normal(rng, batch, length, channels, of=dtype),
        "weight": normal(rng, channels, kernel, of=dtype),
        "bias": normal(rng, channels, of=dtype) if kernel != 2 else None,
        "tail": normal(rng, batch, kernel - 1, channels, of=dtype) if length % 2 else None,
        "lengths": mx.array(ends) if ends else None,
        "silu": kernel != 3,
    }


@pytest.mark.parametrize(
    ("length", "kernel", "dtype", "ends"),
    [
        (1, 4, mx.float32, None),
        (2, 4, mx.float16, None),
        (7, 4, mx.bfloat16, [7, 0, 3]),
        (8, 3, mx.float32, [1, 8]),
        (9, 3, mx.bfloat16, None),
        (31, 2, mx.float16, [31, 30]),
        (65, 4, mx.float32, [65, 2, 0, 33]),
        (20, 1, mx.float32, [4, 20]),
        (140, 4, mx.float16, None),
    ],
    ids=str,
)
def test_the_convolution_kernel_agrees_with_float64(
    lockstep: Any, agree: Any, length: int, kernel: int, dtype: mx.Dtype, ends: list[int] | None
) -> None:
    case = conv_case(length, kernel, dtype, ends)
    agree(causal_conv1d_metal, causal_conv1d_reference, case)


def test_the_convolution_reads_every_axis_by_its_stride(lockstep: Any, agree: Any) -> None:
    lockstep.step = 2
    agree(causal_conv1d_metal, causal_conv1d_reference, conv_case(19, 4, mx.float32, [19, 6]))


def test_a_convolution_split_anywhere_is_the_same_to_the_bit(lockstep: Any) -> None:
    case = conv_case(41, 4, mx.float32, None)
    y, tail = causal_conv1d_metal(**case)
    parts, carried = [], case["tail"]
    for start, stop in ((0, 1), (1, 3), (3, 3), (3, 41)):
        part = {"x": case["x"][:, start:stop], "tail": carried}
        part_y, carried = causal_conv1d_metal(**case | part)
        parts.append(part_y)
    assert mx.array_equal(mx.concatenate(parts, axis=1), y)
    assert mx.array_equal(carried, tail)


@pytest.mark.parametrize("states", [1, 5, 8, 16, 64, 128, 256])
def test_the_step_kernel_agrees_with_float64(
    lockstep: Any, agree: Any, scan_case: Any, states: int
) -> None:
    turn = states.bit_length()
    groups = ((1, 1), (0, 2), (2, 0))[turn % 3]
    case = scan_case(1, states, DTYPES[turn % 3], groups, seed=states, batch=2, channels=6)
    case["state"] = normal(np.random.default_rng(states), 2, 6, states)
    del case["initial_state"]
    of_token = [name for name in ("u", "delta", "z") if case[name] is not None]
    of_token += [name for name, count in zip("BC", groups, strict=True) if count]
    agree(ssm_step_metal, ssm_step_reference, case | {name: case[name][:, 0] for name in of_token})


@pytest.mark.parametrize(("rank", "dtype"), [(1, mx.float32), (5, mx.bfloat16), (48, mx.float16)])
def test_the_step_kernel_projects_the_step_size_itself(
    lockstep: Any, agree: Any, scan_case: Any, rank: int, dtype: mx.Dtype
) -> None:
    case = scan_case(1, 16, dtype, seed=1, batch=2, channels=6)
    rng = np.random.default_rng(rank)
    case["state"] = case.pop("initial_state")
    token = {name: case[name][:, 0] for name in ("u", "B", "C", "z")}
    token["delta"] = normal(rng, 2, rank, of=dtype)
    token["dt_proj"] = (normal(rng, 6, rank) / rank**0.5).astype(dtype)
    agree(ssm_step_metal, ssm_step_reference, case | token)


def test_stepping_is_scanning(lockstep: Any, scan_case: Any) -> None:
    case = scan_case(9, 16, mx.float32, seed=1, channels=6)
    y, state = selective_scan_metal(**case)
    stepped = case.pop("initial_state")
    for t in range(9):
        token = {name: case[name][:, t] for name in ("u", "delta", "B", "C", "z")}
        step_y, stepped = ssm_step_metal(**case | token, state=stepped)
        assert mx.allclose(step_y, y[:, t], rtol=1e-5, atol=1e-5)
    assert mx.allclose(stepped, state, rtol=1e-5, atol=1e-6)
