"""Every kernel at a small size against float64: what the app can ask of a machine by itself.

The references of engine.ops are numpy's, which the app does not bring; these are Python's own.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator
from typing import Any

from engine.device import mx
from engine.ops.add_norm import add_norm
from engine.ops.causal_conv import causal_conv1d
from engine.ops.selective_scan import selective_scan
from engine.ops.ssm_step import ssm_step

LIMIT = 1e-4  # of the largest value; float32 and fast exponentials leave some 1e-6
_BATCH, _LENGTH, _CHANNELS, _STATES, _TAPS = 2, 19, 24, 16, 4
_EPS = 1e-5
Values = dict[str, Any]  # nested lists by the names of an op's arguments


def kernels() -> dict[str, float]:
    """The largest error of each op, as this machine's backend runs it, relative to its largest
    value. On a CPU it is MLX's operations that are asked."""
    errors = {}
    for name, (op, reference, draw) in CASES.items():
        values = draw(random.Random(name))
        got = op(**{key: _array(value) for key, value in values.items()})
        mx.eval(got)
        errors[name] = error([part.tolist() for part in got], reference(**values))
    mx.synchronize()
    return errors


def alone() -> dict[str, float]:
    """The same, the last that this thread does with MLX."""
    errors = kernels()
    mx.clear_streams()
    return errors


def error(got: Any, wanted: Any) -> float:
    """The largest difference, relative to the largest value wanted; infinite for no number."""
    worst = 0.0
    for ours, exact in zip(got, wanted, strict=True):
        flat = list(zip(_flat(ours), _flat(exact), strict=True))
        if not all(math.isfinite(mine) for mine, _ in flat):
            return math.inf
        scale = max(abs(true) for _, true in flat)
        worst = max(worst, max(abs(mine - true) for mine, true in flat) / scale)
    return worst


def add_norm_reference(x: Any, y: Any, weight: Any, *, eps: float) -> tuple[Any, Any]:
    """engine.ops.add_norm of rows."""
    hidden = [[a + b for a, b in zip(*rows, strict=True)] for rows in zip(x, y, strict=True)]
    normed = []
    for row in hidden:
        scale = 1.0 / math.sqrt(sum(value * value for value in row) / len(row) + eps)
        normed.append([w * value * scale for w, value in zip(weight, row, strict=True)])
    return hidden, normed


def conv_reference(x: Any, weight: Any, bias: Any, tail: Any) -> tuple[Any, Any]:
    """engine.ops.causal_conv of whole rows, SiLU included."""
    k = len(weight[0])
    out, tails = [], []
    for before, row in zip(tail, x, strict=True):
        padded = [*before, *row]
        out.append([
            [
                _silu(b + sum(w[j] * padded[t + j][d] for j in range(k)))
                for d, (w, b) in enumerate(zip(weight, bias, strict=True))
            ]
            for t in range(len(row))
        ])  # fmt: skip
        tails.append(padded[len(row) :])
    return out, tails


def step_reference(
    u: Any, delta: Any, A: Any, B: Any, C: Any, D: Any, z: Any, delta_bias: Any, *, state: Any,
    delta_softplus: bool = True,
) -> tuple[Any, Any]:  # fmt: skip
    """engine.ops.ssm_step with one group of B and C, softplus and gate included."""
    assert delta_softplus
    y, after = [], []
    for row, h in enumerate(state):
        of_row, next_h = [], []
        for d, of_channel in enumerate(h):
            dt = math.log1p(math.exp(delta[row][d] + delta_bias[d]))
            x = u[row][d]
            new = [
                math.exp(dt * a) * value + dt * x * b
                for a, value, b in zip(A[d], of_channel, B[row], strict=True)
            ]
            read = sum(value * c for value, c in zip(new, C[row], strict=True)) + D[d] * x
            of_row.append(read * _silu(z[row][d]))
            next_h.append(new)
        y.append(of_row)
        after.append(next_h)
    return y, after


def scan_reference(
    u: Any, delta: Any, A: Any, B: Any, C: Any, D: Any, z: Any, delta_bias: Any, *,
    initial_state: Any, delta_softplus: bool = True,
) -> tuple[Any, Any]:  # fmt: skip
    """engine.ops.selective_scan, one step after another."""
    h, tokens = initial_state, []
    for t in range(len(u[0])):
        at = [[row[t] for row in part] for part in (u, delta, B, C, z)]
        y, h = step_reference(
            at[0], at[1], A, at[2], at[3], D, at[4], delta_bias,
            state=h, delta_softplus=delta_softplus,
        )  # fmt: skip
        tokens.append(y)
    return [list(row) for row in zip(*tokens, strict=True)], h


def _norm_values(draw: random.Random) -> Values:
    rows, width = _LENGTH, _CHANNELS
    return {
        "x": _drawn(draw, rows, width),
        "y": _drawn(draw, rows, width),
        "weight": _drawn(draw, width),
        "eps": _EPS,
    }


def _conv_values(draw: random.Random) -> Values:
    return {
        "x": _drawn(draw, _BATCH, _LENGTH, _CHANNELS),
        "weight": _drawn(draw, _CHANNELS, _TAPS),
        "bias": _drawn(draw, _CHANNELS),
        "tail": _drawn(draw, _BATCH, _TAPS - 1, _CHANNELS),
    }


def _scan_values(draw: random.Random) -> Values:
    return _ssm_values(draw, (_BATCH, _LENGTH), "initial_state")


def _step_values(draw: random.Random) -> Values:
    return _ssm_values(draw, (_BATCH,), "state")


def _ssm_values(draw: random.Random, lead: tuple[int, ...], state: str) -> Values:
    decays = _drawn(draw, _CHANNELS, _STATES)
    return {
        "u": _drawn(draw, *lead, _CHANNELS),
        "delta": _drawn(draw, *lead, _CHANNELS),
        "A": [[-0.125 - abs(value) for value in row] for row in decays],
        "B": _drawn(draw, *lead, _STATES),
        "C": _drawn(draw, *lead, _STATES),
        "D": _drawn(draw, _CHANNELS),
        "z": _drawn(draw, *lead, _CHANNELS),
        "delta_bias": _drawn(draw, _CHANNELS),
        "delta_softplus": True,
        state: _drawn(draw, _BATCH, _CHANNELS, _STATES),
    }


def _drawn(draw: random.Random, *shape: int) -> Any:
    """Nested lists of numbers that float32 holds exactly."""
    if not shape:
        return round(draw.gauss(0.0, 1.0) * 64) / 64
    return [_drawn(draw, *shape[1:]) for _ in range(shape[0])]


def _array(value: Any) -> Any:
    return mx.array(value) if isinstance(value, list) else value


def _flat(values: Any) -> Iterator[float]:
    if not isinstance(values, list):
        yield values
        return
    for value in values:
        yield from _flat(value)


def _silu(x: float) -> float:
    return x / (1.0 + math.exp(-x))


# By the names of their files in metal/.
CASES: dict[str, tuple[Callable[..., Any], Callable[..., Any], Callable[..., Values]]] = {
    "add_norm": (add_norm, add_norm_reference, _norm_values),
    "causal_conv1d": (causal_conv1d, conv_reference, _conv_values),
    "selective_scan": (selective_scan, scan_reference, _scan_values),
    "ssm_step": (ssm_step, step_reference, _step_values),
}
