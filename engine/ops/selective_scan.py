"""The selective scan over a sequence: h = exp(delta A) h + delta B u, y = C h + D u."""

from __future__ import annotations

from typing import Any

import mlx.core as mx

from engine.ops.kernels import backend
from engine.ops.scan_blocks import Scan, run
from engine.ops.shapes import scan_dims
from engine.ops.ssm_step import ssm_step_reference


def selective_scan(
    u: mx.array,
    delta: mx.array,
    A: mx.array,
    B: mx.array,
    C: mx.array,
    D: mx.array | None = None,
    z: mx.array | None = None,
    delta_bias: mx.array | None = None,
    *,
    delta_softplus: bool = False,
    initial_state: mx.array | None = None,
    lengths: mx.array | None = None,
) -> tuple[mx.array, mx.array]:
    """Scan a sequence on this machine's backend.

    u, delta, z (b, l, d); A (d, n) negative; B, C (b, l, n), (b, l, g, n) or constant (d, n);
    D, delta_bias (d,); initial_state (b, d, n); lengths (b,) int32: later tokens leave the state
    untouched and their y is 0. Returns y (b, l, d) in u's dtype and the state (b, d, n) float32.
    Raises ValueError for a wrong shape.
    """
    path = selective_scan_metal if backend() == "Metal" else selective_scan_ops
    return path(
        u, delta, A, B, C, D, z, delta_bias,
        delta_softplus=delta_softplus, initial_state=initial_state, lengths=lengths,
    )  # fmt: skip


def selective_scan_reference(
    u: Any,
    delta: Any,
    A: Any,
    B: Any,
    C: Any,
    D: Any = None,
    z: Any = None,
    delta_bias: Any = None,
    *,
    delta_softplus: bool = False,
    initial_state: Any = None,
    lengths: Any = None,
) -> tuple[Any, Any]:
    """The same in numpy's float64, one token after another: what the fast paths are held to."""
    import numpy as np

    dims = scan_dims(tuple(u.shape[:2]), locals())
    h = np.zeros((dims.batch, *A.shape)) if initial_state is None else initial_state
    h = np.array(h, np.float64)
    y = np.zeros(u.shape)
    for row in range(dims.batch):
        for t in range(dims.length if lengths is None else min(dims.length, int(lengths[row]))):
            at = slice(row, row + 1), t
            y[at], h[at[0]] = ssm_step_reference(
                u[at], delta[at], A,
                B[None] if dims.b_groups == 0 else B[at], C[None] if dims.c_groups == 0 else C[at],
                D, None if z is None else z[at], delta_bias,
                delta_softplus=delta_softplus, state=h[at[0]],
            )  # fmt: skip
    return y, h


def selective_scan_ops(
    u: mx.array,
    delta: mx.array,
    A: mx.array,
    B: mx.array,
    C: mx.array,
    D: mx.array | None = None,
    z: mx.array | None = None,
    delta_bias: mx.array | None = None,
    *,
    delta_softplus: bool = False,
    initial_state: mx.array | None = None,
    lengths: mx.array | None = None,
) -> tuple[mx.array, mx.array]:
    """The same in MLX's ops."""
    dims = scan_dims(tuple(u.shape[:2]), locals())
    if initial_state is None:
        initial_state = mx.zeros((dims.batch, dims.channels, dims.states))
    scan = Scan(dims, u, delta, A, B, C, D, z, delta_bias, delta_softplus, lengths)
    return run(scan, initial_state)


def selective_scan_metal(
    u: mx.array,
    delta: mx.array,
    A: mx.array,
    B: mx.array,
    C: mx.array,
    D: mx.array | None = None,
    z: mx.array | None = None,
    delta_bias: mx.array | None = None,
    *,
    delta_softplus: bool = False,
    initial_state: mx.array | None = None,
    lengths: mx.array | None = None,
) -> tuple[mx.array, mx.array]:
    """The same on Metal."""
    raise NotImplementedError
