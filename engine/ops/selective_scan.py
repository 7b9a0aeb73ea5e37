"""The selective scan over a sequence: h = exp(delta A) h + delta B u, y = C h + D u."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.device import mx
from engine.ops.geometry import choose, simds
from engine.ops.kernels import backend, gpu_kernel, zeros_if_none
from engine.ops.scan_blocks import Scan, run
from engine.ops.shapes import expect_short, scan_dims
from engine.ops.ssm_step import ssm_step_reference

_INPUTS = ("u", "delta", "A", "B", "C", "D", "z", "delta_bias", "initial_state", "lengths")
_OUTPUTS = ("y", "final_state")
_BODY = """
constexpr uint tiles = (STATES + kTile - 1) / kTile;
threadgroup float4 running[tiles * (CHUNKS == 1 ? THREADS : kSimdWidth)];
threadgroup float4 decay[CHUNKS == 1 ? 1 : THREADS];
threadgroup float4 end[CHUNKS == 1 ? 1 : THREADS];
threadgroup float4 rows_B[THREADS];
threadgroup float4 rows_C[THREADS];
threadgroup float4 steps[THREADS];
const Shared shared = {running, decay, end, rows_B, rows_C, steps};
selective_scan<STATES, B_GROUPS, C_GROUPS, SOFTPLUS, GATED, RAGGED, CHUNKS, THREADS>(
    u, u_strides, delta, delta_strides, A, B, B_strides, C, C_strides, D, z, z_strides, delta_bias,
    initial_state, lengths, y, final_state, u_shape[1], u_shape[2], shared,
    threadgroup_position_in_grid, thread_index_in_threadgroup);
"""


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
    path = selective_scan_metal if backend() != "CPU" else selective_scan_ops
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
    return run(
        Scan(dims, u, delta, A, B, C, D, z, delta_bias, delta_softplus, lengths, initial_state)
    )


def _kernel(threads: int) -> Callable[..., list[mx.array]]:
    source = "selective_scan.metal"
    return gpu_kernel(source, _INPUTS, _OUTPUTS, _BODY, strided=True, threads=threads)


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
    """The same on a GPU: metal/selective_scan.metal."""
    dims = scan_dims(tuple(u.shape[:2]), locals())
    b, d, n = dims.batch, dims.channels, dims.states
    expect_short(dims.length, d)
    state = zeros_if_none(initial_state, (b, d, n))
    if dims.length == 0:
        return u, state
    shape = choose(b, d, simds())
    bias = zeros_if_none(delta_bias, (d,))
    A, D, bias, state = (
        mx.contiguous(x) for x in (A.astype(mx.float32), zeros_if_none(D, (d,)), bias, state)
    )
    y, final_state = _kernel(shape.threads)(
        inputs=[u, delta, A, B, C, D, u if z is None else z, bias, state,
                state if lengths is None else lengths.astype(mx.int32)],
        template=[
            ("STATES", n), ("B_GROUPS", dims.b_groups), ("C_GROUPS", dims.c_groups),
            ("SOFTPLUS", delta_softplus), ("GATED", z is not None),
            ("RAGGED", lengths is not None), ("CHUNKS", shape.chunks), ("THREADS", shape.threads),
        ],
        output_shapes=[u.shape, (b, d, n)],
        output_dtypes=[u.dtype, mx.float32],
        grid=(shape.threads * -(-d // shape.channels), b, 1),
        threadgroup=(shape.threads, 1, 1),
    )  # fmt: skip
    return y, final_state
