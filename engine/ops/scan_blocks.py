"""The selective scan in MLX's ops: what tokens do alone in blocks of time, the rest one by one.

Inside, time is the outer axis and the channel the inner one: (q, b, n, d). A block waits for the
one before it, so that memory does not grow with the length times the states. The channels, which
know nothing of each other, are shared between two streams, for an op of MLX's CPU uses one core.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache

from engine.device import mx
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
# Elements of a block's arrays: 1 MB of float32, so that they stay in a core's cache.
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
        return replace(
            self,
            dims=replace(self.dims, channels=part.stop - part.start),
            u=self.u[..., part],
            delta=self.delta[..., part],
            z=None if self.z is None else self.z[..., part],
            A=self.A[part],
            B=self.B[part] if self.dims.b_groups == 0 else self.B,
            C=self.C[part] if self.dims.c_groups == 0 else self.C,
            D=None if self.D is None else self.D[part],
            delta_bias=None if self.delta_bias is None else self.delta_bias[part],
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

    def prepare(self, part: slice) -> None:
        """What the tokens in `part` need that does not depend on the states."""
        scan = self.scan
        x, dt = _outer_time(scan.u, part), _outer_time(scan.delta, part)
        dt = dt if scan.delta_bias is None else dt + scan.delta_bias
        dt = softplus_of_many(dt) if scan.delta_softplus else dt
        self.B = None if scan.dims.b_groups == 0 else _outer_time(scan.B, part)
        self.C = None if scan.dims.c_groups == 0 else _outer_time(scan.C, part)
        self.live = None
        if scan.lengths is not None:  # no decay and no drive: the state stays as it is, to the bit
            self.live = mx.arange(part.start, part.stop)[:, None, None] < scan.lengths[:, None]
            dt, x = mx.where(self.live, dt, 0.0), mx.where(self.live, x, 0.0)
            if self.B is not None:
                live = self.live if self.B.ndim == 3 else self.live[..., None]
                self.B = mx.where(live, self.B, 0.0)
        self.x, self.steps, self.driven = x, (dt * LOG2_E)[:, :, None], (dt * x)[:, :, None]
        self.sums: list[mx.array] = []

    def advance(self, at: slice, after: list[mx.array]) -> list[mx.array]:
        """Take the tokens `at` of the prepared ones, not before the arrays in `after` are made."""
        scan, count = self.scan, at.stop - at.start
        (steps,) = mx.depends([self.steps[at]], after)
        decays = mx.split(exp2(steps * self.rates), count)
        driven = mx.split(self.driven[at], count)
        B = mx.split(self._over(scan.B, self.B, scan.dims.b_groups, at), count)
        states = [self.h]
        for t in range(count):
            states.append(advance(states[-1], decays[t], driven[t], B[t]))
        self.h = states[-1]
        C = self._over(scan.C, self.C, scan.dims.c_groups, at)
        self.sums.append(read(mx.concatenate(states[1:]), C))
        return [self.h, self.sums[-1]]

    def _over(self, constant: mx.array, rows: mx.array | None, groups: int, at: slice) -> mx.array:
        """B or C of the tokens `at`, over the channels."""
        lead = (at.stop - at.start, self.scan.dims.batch)
        values = constant if rows is None else rows[at]
        return over_channels(values, groups, lead, self.scan.dims.channels)

    def finish(self, part: slice) -> None:
        """y of the prepared tokens, from their sums over the states."""
        scan, y = self.scan, mx.concatenate(self.sums)
        y = y if scan.D is None else y + scan.D * self.x
        y = y if scan.z is None else y * silu_of_many(_outer_time(scan.z, part))
        y = y if self.live is None else mx.where(self.live, y, 0.0)
        self.done.append(y.astype(scan.u.dtype).swapaxes(0, 1))


def run(scan: Scan) -> tuple[mx.array, mx.array]:
    """y (b, l, d) in u's dtype and the final state (b, d, n) float32."""
    strands = [_Strand(part, stream) for part, stream in _shares(scan)]
    channels = max(1, scan.dims.batch * strands[0].scan.dims.channels)
    after = [strand.h for strand in strands]
    for part in _parts(scan.dims.length, BLOCK // channels):
        for strand in strands:
            with mx.stream(strand.stream):
                strand.prepare(part)
        for at in _parts(part.stop - part.start, BLOCK // (channels * scan.dims.states)):
            made = []
            for strand in strands:  # side by side, or one would be done before the other begins
                with mx.stream(strand.stream):
                    made += strand.advance(at, after)
            after = made
        for strand in strands:
            with mx.stream(strand.stream):
                strand.finish(part)
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


def _parts(stop: int, step: int) -> Iterator[slice]:
    step = max(1, step)
    return (slice(at, min(at + step, stop)) for at in range(0, stop, step))


def _outer_time(v: mx.array, part: slice) -> mx.array:
    """(b, l, ...) cut to `part`, time first, in float32."""
    return v[:, part].swapaxes(0, 1).astype(mx.float32)
