"""The kernel of the residual sum and its norm, on the CPU, against float64."""

from __future__ import annotations

from typing import Any

import mlx.core as mx
import numpy as np
import pytest

from engine.ops.add_norm import add_norm_metal, add_norm_reference


def case(rows: int, d: int, dtype: mx.Dtype) -> dict[str, Any]:
    rng = np.random.default_rng([rows, d])
    x, y = (mx.array(rng.standard_normal((rows, d)).astype(np.float32)) for _ in range(2))
    weight = mx.array(rng.standard_normal(d).astype(np.float32))
    return {"x": x, "y": y.astype(dtype), "weight": weight, "eps": 1e-5}


@pytest.mark.parametrize("dtype", [mx.float32, mx.float16, mx.bfloat16])
@pytest.mark.parametrize(("rows", "d"), [(1, 1), (3, 7), (2, 255), (2, 256), (1, 257), (2, 1000)])
def test_the_kernel_agrees_with_float64(
    lockstep: Any, agree: Any, rows: int, d: int, dtype: mx.Dtype
) -> None:
    agree(add_norm_metal, add_norm_reference, case(rows, d, dtype))


def test_its_barrier_taken_out_is_found(lockstep: Any, agree: Any) -> None:
    barrier = "threadgroup_barrier(mem_flags::mem_threadgroup);"
    lockstep.edit = lambda text: text.replace(barrier, "")
    with pytest.raises(AssertionError):
        agree(add_norm_metal, add_norm_reference, case(2, 1000, mx.float32))
