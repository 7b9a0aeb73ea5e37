"""One token of the selective scan: the state of each channel decays, takes the input, is read."""

from __future__ import annotations

import math
from typing import Any

from engine.device import mx
from engine.ops.formulas import advance, over_channels, read, silu, softplus
from engine.ops.kernels import backend, gpu_kernel, zeros_if_none
from engine.ops.shapes import scan_dims

# metal/ssm_step.metal: whole SIMD-groups, each with the lanes of a few channels.
_THREADS = 128
_INPUTS = ("u", "delta", "dt_proj", "A", "B", "C", "D", "z", "delta_bias", "state")
_OUTPUTS = ("y", "new_state")
_BODY = """
ssm_step<STATES, LANES, B_GROUPS, C_GROUPS, SOFTPLUS, GATED, PROJECTED>(
    u, delta, dt_proj, A, B, C, D, z, delta_bias, state, y, new_state, u_shape[1], delta_shape[1],
    thread_position_in_grid);
"""


def ssm_step(
    u: mx.array,
    delta: mx.array,
    A: mx.array,
    B: mx.array,
    C: mx.array,
    D: mx.array | None = None,
    z: mx.array | None = None,
    delta_bias: mx.array | None = None,
    *,
    dt_proj: mx.array | None = None,
    delta_softplus: bool = False,
    state: mx.array,
) -> tuple[mx.array, mx.array]:
    """Step one token on this machine's backend.

    u, delta, z (b, d); A (d, n) negative; B, C (b, n), (b, g, n) or constant (d, n), where (b, n)
    is meant if b = d; D, delta_bias (d,); state (b, d, n). With dt_proj (d, rank) delta is
    (b, rank), and what dt_proj makes of it is meant. Returns y (b, d) in u's dtype and the next
    state, float32. Raises ValueError for a wrong shape.
    """
    path = ssm_step_metal if backend() != "CPU" else ssm_step_ops
    return path(
        u, delta, A, B, C, D, z, delta_bias,
        dt_proj=dt_proj, delta_softplus=delta_softplus, state=state,
    )  # fmt: skip


def ssm_step_reference(
    u: Any,
    delta: Any,
    A: Any,
    B: Any,
    C: Any,
    D: Any = None,
    z: Any = None,
    delta_bias: Any = None,
    *,
    dt_proj: Any = None,
    delta_softplus: bool = False,
    state: Any,
) -> tuple[Any, Any]:
    """The same in numpy's float64: what the fast paths are held to."""
    import numpy as np

    dims = scan_dims((u.shape[0],), locals())
    x = np.asarray(u, np.float64)
    dt = np.asarray(delta, np.float64)
    dt = dt if dt_proj is None else dt @ np.asarray(dt_proj, np.float64).T
    dt = dt + (0.0 if delta_bias is None else delta_bias)
    if delta_softplus:
        dt = np.where(dt > 20.0, dt, np.log1p(np.exp(np.minimum(dt, 20.0))))
    h = np.exp(dt[..., None] * np.asarray(A, np.float64)) * np.asarray(state, np.float64)
    h = h + (dt * x)[..., None] * _of_channels(B, dims.b_groups, x.shape)
    y = (h * _of_channels(C, dims.c_groups, x.shape)).sum(-1)
    if D is not None:
        y = y + np.asarray(D, np.float64) * x
    if z is not None:
        y = y * z / (1.0 + np.exp(-np.asarray(z, np.float64)))
    return y, h


def _of_channels(M: Any, groups: int, shape: tuple[int, int]) -> Any:
    """B or C of every channel, (b, d, n) or (1, d, n), in numpy's float64."""
    import numpy as np

    M = np.asarray(M, np.float64)
    if groups == 0:
        return M[None]
    return np.repeat(M.reshape(shape[0], groups, -1), shape[1] // groups, axis=1)


def ssm_step_ops(
    u: mx.array,
    delta: mx.array,
    A: mx.array,
    B: mx.array,
    C: mx.array,
    D: mx.array | None = None,
    z: mx.array | None = None,
    delta_bias: mx.array | None = None,
    *,
    dt_proj: mx.array | None = None,
    delta_softplus: bool = False,
    state: mx.array,
) -> tuple[mx.array, mx.array]:
    """The same in MLX's ops, the channel as the inner axis: (b, n, d).

    The state that it returns is a view of one laid out so, which costs the next step no copy.
    """
    dims = scan_dims((u.shape[0],), locals())
    delta = delta if dt_proj is None else delta @ dt_proj.T
    x, dt = u.astype(mx.float32), delta.astype(mx.float32)
    dt = dt if delta_bias is None else dt + delta_bias
    dt = softplus(dt) if delta_softplus else dt
    B = over_channels(B, dims.b_groups, x.shape[:1], dims.channels)
    C = over_channels(C, dims.c_groups, x.shape[:1], dims.channels)
    decay = mx.power(math.e, dt[:, None] * A.T)
    h = advance(state.swapaxes(1, 2), decay, (dt * x)[:, None], B)
    y = read(h, C) if D is None else read(h, C) + D * x
    y = y if z is None else y * silu(z.astype(mx.float32))
    return y.astype(u.dtype), h.swapaxes(1, 2)


def ssm_step_metal(
    u: mx.array,
    delta: mx.array,
    A: mx.array,
    B: mx.array,
    C: mx.array,
    D: mx.array | None = None,
    z: mx.array | None = None,
    delta_bias: mx.array | None = None,
    *,
    dt_proj: mx.array | None = None,
    delta_softplus: bool = False,
    state: mx.array,
) -> tuple[mx.array, mx.array]:
    """The same on a GPU: metal/ssm_step.metal."""
    dims = scan_dims((u.shape[0],), locals())
    b, d, n = dims.batch, dims.channels, dims.states
    lanes = min(32, 1 << (n.bit_length() - 1))  # the lanes of a channel
    threads = _THREADS * -(-d * lanes // _THREADS)
    y, new_state = gpu_kernel("ssm_step.metal", _INPUTS, _OUTPUTS, _BODY)(
        inputs=[
            u, delta, delta if dt_proj is None else dt_proj, A.astype(mx.float32), B, C,
            zeros_if_none(D, (d,)), u if z is None else z, zeros_if_none(delta_bias, (d,)),
            state.astype(mx.float32),
        ],
        template=[
            ("STATES", n), ("LANES", lanes), ("B_GROUPS", dims.b_groups),
            ("C_GROUPS", dims.c_groups), ("SOFTPLUS", delta_softplus), ("GATED", z is not None),
            ("PROJECTED", dt_proj is not None),
        ],
        output_shapes=[u.shape, (b, d, n)],
        output_dtypes=[u.dtype, mx.float32],
        grid=(threads, b, 1),
        threadgroup=(_THREADS, 1, 1),
    )  # fmt: skip
    return y, new_state
