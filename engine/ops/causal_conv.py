"""The causal depthwise convolution before the scan, SiLU included, with its tail in and out."""

from __future__ import annotations

from typing import Any

from engine.device import mx
from engine.ops.formulas import silu as silu_of_few
from engine.ops.formulas import silu_of_many
from engine.ops.kernels import backend, gpu_kernel, zeros_if_none
from engine.ops.shapes import conv_dims, expect_short

# Elements of a block's arrays on the CPU: 1 MB of float32.
_BLOCK = 1 << 18
# metal/causal_conv1d.metal: the tokens of a thread. A threadgroup is a run of channels.
_TOKENS = 8
_THREADS = 128
_INPUTS = ("x", "weight", "bias", "tail", "lengths")
_OUTPUTS = ("y", "new_tail")
_BODY = """
causal_conv1d<KERNEL, SILU, RAGGED>(
    x, x_strides, weight, weight_strides, bias, bias_strides, tail, tail_strides, lengths, y,
    new_tail, x_shape[1], x_shape[2], thread_position_in_grid);
"""


def causal_conv1d(
    x: mx.array,
    weight: mx.array,
    bias: mx.array | None = None,
    *,
    tail: mx.array | None = None,
    lengths: mx.array | None = None,
    silu: bool = True,
) -> tuple[mx.array, mx.array]:
    """Convolve a sequence on this machine's backend.

    x (b, l, d); weight (d, k), the last column for the newest input; bias (d,); tail (b, k-1, d),
    the inputs before x, zeros when None; lengths (b,) int32: later tokens give y = 0. Returns
    y (b, l, d) in x's dtype and the last k-1 inputs up to each row's length, (b, k-1, d), in x's
    dtype. Raises ValueError for a wrong shape.
    """
    path = causal_conv1d_metal if backend() != "CPU" else causal_conv1d_ops
    return path(x, weight, bias, tail=tail, lengths=lengths, silu=silu)


def causal_conv1d_reference(
    x: Any,
    weight: Any,
    bias: Any = None,
    *,
    tail: Any = None,
    lengths: Any = None,
    silu: bool = True,
) -> tuple[Any, Any]:
    """The same in numpy's float64: what the fast paths are held to."""
    import numpy as np

    b, length, d, k = conv_dims(locals())
    before = np.zeros((b, k - 1, d)) if tail is None else np.asarray(tail, np.float64)
    padded = np.concatenate([before, np.asarray(x, np.float64)], axis=1)
    w = np.asarray(weight, np.float64)
    y = sum((padded[:, j : j + length] * w[:, j] for j in range(k)), np.zeros((b, length, d)))
    if bias is not None:
        y = y + np.asarray(bias, np.float64)
    if silu:
        y = y / (1.0 + np.exp(-y))
    ends = [length] * b if lengths is None else [min(length, int(n)) for n in lengths]
    for row, end in enumerate(ends):
        y[row, end:] = 0.0
    return y, np.stack([padded[row, end : end + k - 1] for row, end in enumerate(ends)])


def causal_conv1d_ops(
    x: mx.array,
    weight: mx.array,
    bias: mx.array | None = None,
    *,
    tail: mx.array | None = None,
    lengths: mx.array | None = None,
    silu: bool = True,
) -> tuple[mx.array, mx.array]:
    """The same in MLX's ops."""
    b, length, d, k = conv_dims(locals())
    before = mx.zeros((b, k - 1, d), x.dtype) if tail is None else tail.astype(x.dtype)
    padded = mx.concatenate([before, x], axis=1)
    y = _token(padded, weight, bias, silu) if length == 1 else _blocks(padded, weight, bias, silu)
    if lengths is None:
        new_tail = padded[:, length:]
        # A view would keep all of a long input alive for as long as the state lives.
        return y, new_tail if length == 1 else mx.contiguous(new_tail)
    live = mx.arange(length)[None] < lengths[:, None]
    ends = mx.minimum(lengths, length)[:, None] + mx.arange(k - 1)[None]
    new_tail = mx.take_along_axis(padded, ends[:, :, None], axis=1)
    return mx.where(live[:, :, None], y, 0), new_tail


def _token(padded: mx.array, weight: mx.array, bias: mx.array | None, silu: bool) -> mx.array:
    """y (b, 1, d) of a single token in few ops: padded (b, k, d)."""
    y = (padded.astype(mx.float32) * weight.T).sum(axis=1, keepdims=True)
    y = y if bias is None else y + bias
    return (silu_of_few(y) if silu else y).astype(padded.dtype)


def _blocks(padded: mx.array, weight: mx.array, bias: mx.array | None, silu: bool) -> mx.array:
    """y (b, l, d) in blocks of time that stay in a core's cache: padded (b, k - 1 + l, d)."""
    b, end, d = padded.shape
    k = weight.shape[1]
    taps = [weight[:, j].astype(mx.float32) for j in range(k)]
    out = [padded[:, :0]]
    step = max(1, _BLOCK // max(1, b * d))
    for start in range(0, end - k + 1, step):
        window = padded[:, start : start + step + k - 1].astype(mx.float32)
        count = window.shape[1] - (k - 1)
        y = window[:, :count] * taps[0]
        for j in range(1, k):
            y = y + window[:, j : j + count] * taps[j]
        y = y if bias is None else y + bias
        out.append((silu_of_many(y) if silu else y).astype(padded.dtype))
    return mx.concatenate(out, axis=1)


def causal_conv1d_metal(
    x: mx.array,
    weight: mx.array,
    bias: mx.array | None = None,
    *,
    tail: mx.array | None = None,
    lengths: mx.array | None = None,
    silu: bool = True,
) -> tuple[mx.array, mx.array]:
    """The same on a GPU: metal/causal_conv1d.metal."""
    b, length, d, k = conv_dims(locals())
    expect_short(length, d)
    before = mx.zeros((b, k - 1, d), x.dtype) if tail is None else tail.astype(x.dtype)
    if length == 0:
        return x, before
    rows = max(k - 1, 1)  # a buffer cannot be empty
    y, new_tail = gpu_kernel("causal_conv1d.metal", _INPUTS, _OUTPUTS, _BODY, strided=True)(
        inputs=[
            x, weight, zeros_if_none(bias, (d,)), before if k > 1 else x,
            weight if lengths is None else lengths.astype(mx.int32),
        ],
        template=[("KERNEL", k), ("SILU", silu), ("RAGGED", lengths is not None)],
        output_shapes=[x.shape, (b, rows, d)],
        output_dtypes=[x.dtype, x.dtype],
        grid=(d, -(-length // _TOKENS), b),
        threadgroup=(min(d, _THREADS), 1, 1),
    )  # fmt: skip
    return y, new_tail[:, : k - 1]
