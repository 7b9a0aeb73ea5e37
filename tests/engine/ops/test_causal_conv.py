"""The causal convolution in MLX's ops against float64, and its tail."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mlx.core as mx
import pytest

from engine.ops.causal_conv import causal_conv1d, causal_conv1d_ops, causal_conv1d_reference

Draw = Callable[..., mx.array]


def inputs(
    normal: Draw, batch: int, length: int, kernel: int, dtype: mx.Dtype = mx.float32
) -> dict[str, Any]:
    return {
        "x": normal(batch, length, 5, of=dtype),
        "weight": normal(5, kernel, of=dtype),
        "bias": normal(5),
        "tail": normal(batch, kernel - 1, 5, of=dtype),
    }


@pytest.mark.parametrize("dtype", [mx.float32, mx.float16, mx.bfloat16])
@pytest.mark.parametrize(("length", "kernel"), [(1, 4), (2, 4), (3, 3), (9, 2), (4, 1), (65, 4)])
def test_the_convolution_agrees_with_float64(
    normal: Draw, agree: Any, length: int, kernel: int, dtype: mx.Dtype
) -> None:
    case = inputs(normal, 2, length, kernel, dtype)
    agree(causal_conv1d_ops, causal_conv1d_reference, case)


@pytest.mark.parametrize("change", [{"bias": None}, {"tail": None}, {"silu": False}])
def test_each_option_of_a_convolution_may_be_absent(
    normal: Draw, agree: Any, change: dict[str, Any]
) -> None:
    agree(causal_conv1d_ops, causal_conv1d_reference, inputs(normal, 2, 9, 4) | change)


def test_a_ragged_batch_agrees_with_float64(normal: Draw, agree: Any) -> None:
    case = inputs(normal, 4, 6, 4) | {"lengths": mx.array([6, 0, 1, 3])}
    agree(causal_conv1d_ops, causal_conv1d_reference, case)


def test_a_row_of_no_tokens_keeps_its_tail(normal: Draw) -> None:
    case = inputs(normal, 2, 6, 4)
    _, tail = causal_conv1d(**case, lengths=mx.array([0, 6]))
    assert mx.array_equal(tail[0], case["tail"][0])


def test_a_split_convolution_is_the_whole(normal: Draw) -> None:
    """To the bit, but for a single token, whose SiLU is computed otherwise."""
    case = inputs(normal, 2, 30, 4)
    y, tail = causal_conv1d(**case)
    carried = case["tail"]
    for start, stop in ((0, 1), (1, 3), (3, 3), (3, 30)):
        part, carried = causal_conv1d(**case | {"x": case["x"][:, start:stop], "tail": carried})
        if stop - start == 1:
            assert mx.allclose(part, y[:, start:stop], rtol=1e-6, atol=1e-7)
        else:
            assert mx.array_equal(part, y[:, start:stop])
    assert mx.array_equal(carried, tail)


@pytest.mark.parametrize("lengths", [None, [4096]])
def test_a_tail_keeps_no_more_than_itself_in_memory(
    normal: Draw, lengths: list[int] | None
) -> None:
    """It lives in a conversation's state, long after the prompt that it is the end of."""
    case = inputs(normal, 1, 4096, 4) | {"lengths": mx.array(lengths) if lengths else None}
    y, tail = causal_conv1d(**case)
    mx.eval(y, tail)
    length_bytes = case["x"].nbytes
    del case, y
    mx.synchronize()
    before = mx.get_active_memory()
    del tail
    assert before - mx.get_active_memory() < length_bytes // 100


@pytest.mark.parametrize(
    ("name", "shape", "said"),
    [
        ("weight", (4, 5), r"weight should have the shape \(5, kernel\) and has \(4, 5\)"),
        ("tail", (2, 4, 5), r"tail should have the shape \(2, 3, 5\) and has \(2, 4, 5\)"),
        ("x", (6, 5), r"x should have the shape \(batch, length, channels\) and has \(6, 5\)"),
    ],
)
def test_a_wrong_shape_of_a_convolution_is_named(
    normal: Draw, name: str, shape: tuple[int, ...], said: str
) -> None:
    with pytest.raises(ValueError, match=said):
        causal_conv1d(**inputs(normal, 2, 6, 4) | {name: mx.zeros(shape)})
