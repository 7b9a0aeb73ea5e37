"""The residual sum and its norm in MLX's ops against float64."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from engine.device import mx
from engine.ops.add_norm import add_norm, add_norm_ops, add_norm_reference

Draw = Callable[..., mx.array]


@pytest.mark.parametrize("shape", [(1, 1), (3, 7), (2, 5, 64)])
@pytest.mark.parametrize("dtype", [mx.float32, mx.float16, mx.bfloat16])
def test_the_sum_and_its_norm_agree_with_float64(
    normal: Draw, agree: Any, shape: tuple[int, ...], dtype: mx.Dtype
) -> None:
    case = {"x": normal(*shape), "y": normal(*shape, of=dtype), "weight": normal(shape[-1])}
    agree(add_norm_ops, add_norm_reference, case | {"eps": 1e-5})


def test_the_sum_is_in_the_first_type_and_the_norm_in_the_second(normal: Draw) -> None:
    hidden, normed = add_norm(normal(2, 8), normal(2, 8, of=mx.float16), normal(8), eps=1e-5)
    assert (hidden.dtype, normed.dtype) == (mx.float32, mx.float16)


def test_a_wrong_shape_is_refused(normal: Draw) -> None:
    with pytest.raises(ValueError, match="y should have the shape"):
        add_norm(normal(2, 8), normal(2, 9), normal(8), eps=1e-5)
