"""What stands between two layers: the sum that goes on, and its RMS norm for the next layer."""

from __future__ import annotations

from typing import Any

from engine.device import mx
from engine.ops.kernels import backend, gpu_kernel
from engine.ops.shapes import expect

_THREADS = 256  # metal/add_norm.metal's, for one row
_INPUTS = ("x", "y", "weight", "eps")
_OUTPUTS = ("hidden", "normed")
_BODY = """
threadgroup float partial[kThreads / kSimdWidth];
add_norm(x, y, weight, eps[0], hidden, normed, WIDTH, partial,
         threadgroup_position_in_grid.x, thread_index_in_threadgroup);
"""


def add_norm(
    x: mx.array, y: mx.array, weight: mx.array, *, eps: float
) -> tuple[mx.array, mx.array]:
    """Add and normalise on this machine's backend.

    x, y (..., d); weight (d,). Returns x + y in x's dtype and weight (x + y) / rms(x + y) in y's,
    both (..., d). Raises ValueError for a wrong shape.
    """
    path = add_norm_metal if backend() != "CPU" else add_norm_ops
    return path(x, y, weight, eps=eps)


def add_norm_reference(x: Any, y: Any, weight: Any, *, eps: float) -> tuple[Any, Any]:
    """The same in numpy's float64: what the fast paths are held to."""
    import numpy as np

    hidden = np.asarray(x, np.float64) + np.asarray(y, np.float64)
    mean = (hidden * hidden).mean(axis=-1, keepdims=True)
    return hidden, np.asarray(weight, np.float64) * hidden / np.sqrt(mean + eps)


def add_norm_ops(
    x: mx.array, y: mx.array, weight: mx.array, *, eps: float
) -> tuple[mx.array, mx.array]:
    """The same in MLX's ops."""
    _check(x, y, weight)
    hidden = (x + y).astype(x.dtype)
    return hidden, mx.fast.rms_norm(hidden, weight, eps).astype(y.dtype)


def add_norm_metal(
    x: mx.array, y: mx.array, weight: mx.array, *, eps: float
) -> tuple[mx.array, mx.array]:
    """The same on a GPU: metal/add_norm.metal."""
    _check(x, y, weight)
    if not x.size:
        return x, y
    hidden, normed = gpu_kernel("add_norm.metal", _INPUTS, _OUTPUTS, _BODY)(
        inputs=[x, y, weight, mx.array([eps])],
        template=[("WIDTH", x.shape[-1])],
        output_shapes=[x.shape, x.shape],
        output_dtypes=[x.dtype, y.dtype],
        grid=(_THREADS * (x.size // x.shape[-1]), 1, 1),
        threadgroup=(_THREADS, 1, 1),
    )
    return hidden, normed


def _check(x: mx.array, y: mx.array, weight: mx.array) -> None:
    expect("y", y.shape, x.shape)
    expect("weight", weight.shape, x.shape[-1:])
