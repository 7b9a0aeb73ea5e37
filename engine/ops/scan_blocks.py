"""The selective scan in MLX's ops: what tokens do alone in blocks of time, the rest one by one.

Inside, time is the outer axis and the channel the inner one: (q, b, n, d). A block waits for the
one before it, so that memory does not grow with the length. The channels, which know nothing of
each other, are shared between two streams, for an op of MLX's CPU uses one core.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache

import mlx.core as mx

from engine.ops.formulas import (
    LOG2_E,
    advance,
    exp2,
    over_channels,
    read,
    silu_of_many,
    softplus_of_many,
)
from engine.ops.shapes import ScanDims

Stream = mx.Stream | mx.ThreadLocalStream
# Elements of (q, b, n, d): 1 MB, so that a block's arrays stay in a core's cache.
BLOCK = 1 << 18
# Channels times states from which on a second stream is worth its own ops.
SHARED = 1 << 13


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
    state: mx.array

    def channels(self, part: slice) -> Scan:
        """The same for some of the channels. B and C must have one group or be constant."""

        def of(value: mx.array | None) -> mx.array | None:
            return None if value is None else value[part]

        def last(value: mx.array) -> mx.array:
            return value[..., part]

        return replace(
            self,
            dims=replace(self.dims, channels=part.stop - part.start),
            u=last(self.u),
            delta=last(self.delta),
            z=None if self.z is None else last(self.z),
            A=self.A[part],
            B=self.B[part] if self.dims.b_groups == 0 else self.B,
            C=self.C[part] if self.dims.c_groups == 0 else self.C,
            D=of(self.D),
            delta_bias=of(self.delta_bias),
            state=self.state[:, part],
        )


class _Strand:
    """Some of the channels on their way through time, on a stream of their own."""

    def __init__(self, scan: Scan, stream: Stream) -> None:
        self.scan = scan
        self.stream = stream
        with mx.stream(stream):
            self.rates = mx.contiguous(scan.A.T)
            self.h = mx.contiguous(scan.state.astype(mx.float32).swapaxes(1, 2))[None]
            self.done = [mx.zeros_like(scan.u[:, :0])]

    def advance(self, part: slice, after: list[mx.array]) -> None:
        """Take the tokens in `part`, not before the arrays in `after` are made."""
        with mx.stream(self.stream):
            y, self.h = _block(self.scan, part, self.rates, self.h, after)
            self.done.append(y)


def run(scan: Scan) -> tuple[mx.array, mx.array]:
    """y (b, l, d) in u's dtype and the final state (b, d, n) float32."""
    dims = scan.dims
    strands = [_Strand(part, stream) for part, stream in _shares(scan)]
    elements = max(1, dims.batch * dims.states * strands[0].scan.dims.channels)
    after = [strand.h for strand in strands]
    for part in _parts(dims.length, max(1, BLOCK // elements)):
        for strand in strands:
            strand.advance(part, after)
        after = [made for strand in strands for made in (strand.done[-1], strand.h)]
    y = mx.concatenate([mx.concatenate(strand.done, axis=1) for strand in strands], axis=2)
    return y, mx.concatenate([strand.h for strand in strands], axis=3)[0].swapaxes(1, 2)


@cache
def _streams() -> list[Stream]:
    """One for each core that a scan may use: two, if there are as many."""
    return [mx.new_thread_local_stream(mx.cpu) for _ in range(min(2, os.cpu_count() or 1))]


def _shares(scan: Scan) -> list[tuple[Scan, Stream]]:
    """The channels of each stream: all on the default one where two would not pay."""
    dims = scan.dims
    grouped = dims.b_groups > 1 or dims.c_groups > 1
    if grouped or dims.channels * dims.states < SHARED or len(_streams()) < 2:
        return [(scan, mx.default_stream(mx.default_device()))]
    half = dims.channels // 2
    halves = slice(0, half), slice(half, dims.channels)
    return [(scan.channels(part), stream) for part, stream in zip(halves, _streams(), strict=True)]


def _parts(length: int, step: int) -> Iterator[slice]:
    return (slice(start, min(start + step, length)) for start in range(0, length, step))


def _block(
    scan: Scan, part: slice, rates: mx.array, h: mx.array, after: list[mx.array]
) -> tuple[mx.array, mx.array]:
    """y (b, q, d) of the tokens in `part` and the state after them, (1, b, n, d)."""
    x, dt = (_outer_time(v, part) for v in mx.depends([scan.u, scan.delta], after))
    dt = dt if scan.delta_bias is None else dt + scan.delta_bias
    dt = softplus_of_many(dt) if scan.delta_softplus else dt
    B = _tokens(scan.B, scan.dims.b_groups, part, dt.shape)
    C = _tokens(scan.C, scan.dims.c_groups, part, dt.shape)
    live = None
    if scan.lengths is not None:  # no decay and no drive: the state stays as it is, to the bit
        live = mx.arange(part.start, part.stop)[:, None, None] < scan.lengths[:, None]
        dt, x = mx.where(live, dt, 0.0), mx.where(live, x, 0.0)
        B = mx.where(live[..., None], B, 0.0)
    h, states = _recurrence(h, exp2((dt * LOG2_E)[:, :, None] * rates), (dt * x)[:, :, None], B)
    y = read(states, C) if scan.D is None else read(states, C) + scan.D * x
    y = y if scan.z is None else y * silu_of_many(_outer_time(scan.z, part))
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
