"""The selective scan in MLX's ops: what tokens do alone in blocks of time, the rest one by one.

Inside, time is the outer axis and the channel the inner one: (q, b, n, d). A block waits for the
one before it, so that memory does not grow with the length.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import mlx.core as mx

from engine.ops.formulas import LOG2_E, advance, exp2, over_channels, read, silu, softplus
from engine.ops.shapes import ScanDims

# Elements of (q, b, n, d): 1 MB, so that a block's arrays stay in a core's cache.
BLOCK = 1 << 18


@dataclass(frozen=True, slots=True)
class Scan:
    """What a scan was given, in the shapes of `selective_scan`."""

    dims: ScanDims
    u: mx.array
    delta: mx.array
    A: mx.array
    B: mx.array
    C: mx.array
    D: mx.array | None
    z: mx.array | None
    delta_bias: mx.array | None
    delta_softplus: bool
    lengths: mx.array | None


def run(scan: Scan, state: mx.array) -> tuple[mx.array, mx.array]:
    """y (b, l, d) in u's dtype and the final state, from `state`, both (b, d, n) float32."""
    h = mx.contiguous(state.astype(mx.float32).swapaxes(1, 2))[None]
    rates = mx.contiguous(scan.A.T)
    done = [mx.zeros_like(scan.u[:, :0])]
    for part in _parts(scan.dims.length, max(1, BLOCK // max(1, h.size))):
        y, h = _block(scan, part, rates, h, done[-1])
        done.append(y)
    return mx.concatenate(done, axis=1), h[0].swapaxes(1, 2)


def _parts(length: int, step: int) -> Iterator[slice]:
    return (slice(start, min(start + step, length)) for start in range(0, length, step))


def _block(
    scan: Scan, part: slice, rates: mx.array, h: mx.array, after: mx.array
) -> tuple[mx.array, mx.array]:
    """y (b, q, d) of the tokens in `part` and the state after them, (1, b, n, d)."""
    x, dt = (_outer_time(v, part) for v in mx.depends([scan.u, scan.delta], [h, after]))
    dt = dt if scan.delta_bias is None else dt + scan.delta_bias
    dt = softplus(dt) if scan.delta_softplus else dt
    B = _tokens(scan.B, scan.dims.b_groups, part, dt.shape)
    C = _tokens(scan.C, scan.dims.c_groups, part, dt.shape)
    live = None
    if scan.lengths is not None:  # no decay and no drive: the state stays as it is, to the bit
        live = mx.arange(part.start, part.stop)[:, None, None] < scan.lengths[:, None]
        dt, x = mx.where(live, dt, 0.0), mx.where(live, x, 0.0)
        B = mx.where(live[..., None], B, 0.0)
    h, states = _recurrence(h, exp2((dt * LOG2_E)[:, :, None] * rates), (dt * x)[:, :, None], B)
    y = read(states, C) if scan.D is None else read(states, C) + scan.D * x
    y = y if scan.z is None else y * silu(_outer_time(scan.z, part))
    y = y if live is None else mx.where(live, y, 0.0)
    return y.astype(scan.u.dtype).swapaxes(0, 1), h


def _recurrence(
    h: mx.array, decays: mx.array, driven: mx.array, B: mx.array
) -> tuple[mx.array, mx.array]:
    """Token by token: the last state (1, b, n, d) and all of them (q, b, n, d)."""
    states = []
    for t in range(decays.shape[0]):
        at = slice(t, t + 1)  # an index, unlike a slice, would copy
        h = advance(h, decays[at], driven[at], B[at])
        states.append(h)
    return h, mx.concatenate(states)


def _outer_time(v: mx.array, part: slice) -> mx.array:
    """(b, l, ...) cut to `part`, time first, in float32."""
    return v[:, part].swapaxes(0, 1).astype(mx.float32)


def _tokens(M: mx.array, groups: int, part: slice, shape: tuple[int, ...]) -> mx.array:
    """B or C of the tokens in `part`; `shape` is (q, b, d)."""
    M = M if groups == 0 else _outer_time(M, part)
    return over_channels(M, groups, shape[:2], shape[2])
