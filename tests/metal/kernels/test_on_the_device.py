"""The kernels on a real Metal device, against the float64 references: `pytest -m metal`."""

from __future__ import annotations

from typing import Any

import mlx.core as mx
import pytest

from engine.ops import selective_scan as selective_scan_module
from engine.ops.add_norm import add_norm, add_norm_reference
from engine.ops.causal_conv import causal_conv1d, causal_conv1d_reference
from engine.ops.geometry import GEOMETRIES, Geometry
from engine.ops.kernels import backend
from engine.ops.selective_scan import selective_scan, selective_scan_reference
from engine.ops.ssm_step import ssm_step, ssm_step_reference

pytestmark = pytest.mark.metal

LENGTHS = (1, 2, 3, 31, 32, 33, 63, 64, 65, 127, 1023, 1024, 1025, 2049)
STATES = (1, 8, 16, 64, 128, 256)
DTYPES = (mx.float32, mx.float16, mx.bfloat16)
GROUPS = ((1, 1), (0, 2), (2, 0))


def test_the_ops_take_the_kernels_here() -> None:
    assert backend() in ("Metal", "CUDA")


@pytest.mark.parametrize("geometry", GEOMETRIES)
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("states", STATES)
@pytest.mark.parametrize("length", LENGTHS)
def test_the_scan_agrees_with_float64_on_the_device(
    scan_case: Any,
    agree: Any,
    monkeypatch: pytest.MonkeyPatch,
    length: int,
    states: int,
    dtype: mx.Dtype,
    geometry: Geometry,
) -> None:
    monkeypatch.setattr(selective_scan_module, "choose", lambda *_: geometry)
    seed = length + states
    case = scan_case(length, states, dtype, GROUPS[seed % 3], seed, batch=2, channels=70)
    case["lengths"] = mx.array([length, length // 2])
    agree(selective_scan, selective_scan_reference, case)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("states", STATES)
def test_the_step_agrees_with_float64_on_the_device(
    scan_case: Any, agree: Any, states: int, dtype: mx.Dtype
) -> None:
    case = scan_case(1, states, dtype, seed=states + 1, batch=2, channels=70)
    case["state"] = mx.random.normal((2, 70, states))
    del case["initial_state"]
    token = {name: case[name][:, 0] for name in ("u", "delta", "B", "C")}
    token["z"] = None if case["z"] is None else case["z"][:, 0]
    agree(ssm_step, ssm_step_reference, case | token)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("rank", [1, 5, 48, 160])
def test_the_step_projects_its_size_on_the_device(
    scan_case: Any, agree: Any, rank: int, dtype: mx.Dtype
) -> None:
    case = scan_case(1, 16, dtype, seed=1, batch=2, channels=70)
    case["state"] = case.pop("initial_state")
    token = {name: case[name][:, 0] for name in ("u", "B", "C", "z")}
    token["delta"] = mx.random.normal((2, rank)).astype(dtype)
    token["dt_proj"] = (mx.random.normal((70, rank)) / rank**0.5).astype(dtype)
    agree(ssm_step, ssm_step_reference, case | token)


def sliced(*shape: int, dtype: mx.Dtype) -> mx.array:
    """Random values, rows of which are parts of wider ones that begin at an odd place."""
    return mx.random.normal((*shape[:-1], 2 * shape[-1] + 3)).astype(dtype)[..., 3 : shape[-1] + 3]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("geometry", GEOMETRIES)
def test_slices_of_wider_rows_are_read_where_they_lie_on_the_device(
    scan_case: Any, agree: Any, monkeypatch: pytest.MonkeyPatch, geometry: Geometry, dtype: mx.Dtype
) -> None:
    monkeypatch.setattr(selective_scan_module, "choose", lambda *_: geometry)
    case = scan_case(150, 16, dtype, seed=1, batch=2, channels=70)
    for name in ("u", "delta", "B", "C", "z"):
        case[name] = sliced(*case[name].shape, dtype=dtype)
    agree(selective_scan, selective_scan_reference, case)
    convolved = {"x": case["u"], "weight": mx.random.normal((70, 4)), "bias": None, "tail": None}
    agree(causal_conv1d, causal_conv1d_reference, convolved)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("d", [1, 7, 256, 257, 1000])
def test_the_sum_and_its_norm_agree_with_float64_on_the_device(
    agree: Any, d: int, dtype: mx.Dtype
) -> None:
    case = {
        "x": mx.random.normal((3, d)),
        "y": mx.random.normal((3, d)).astype(dtype),
        "weight": mx.random.normal((d,)),
        "eps": 1e-5,
    }
    agree(add_norm, add_norm_reference, case)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("kernel", [1, 2, 3, 4])
@pytest.mark.parametrize("length", LENGTHS)
def test_the_convolution_agrees_with_float64_on_the_device(
    agree: Any, length: int, kernel: int, dtype: mx.Dtype
) -> None:
    case = {
        "x": mx.random.normal((2, length, 70)).astype(dtype),
        "weight": mx.random.normal((70, kernel)).astype(dtype),
        "bias": mx.random.normal((70,)),
        "tail": mx.random.normal((2, kernel - 1, 70)).astype(dtype),
        "lengths": mx.array([length // 2, length]),
    }
    agree(causal_conv1d, causal_conv1d_reference, case)
