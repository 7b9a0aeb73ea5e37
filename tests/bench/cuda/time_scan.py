"""Checks and times the scan on an NVIDIA GPU, through MLX built for CUDA.

    python tests/bench/cuda/time_scan.py [--json FILE]

Errors are relative norms against a float64 scan. Calls are chained, each one's state the next
one's, and their inputs rotate past the L2 cache; an empty kernel is timed in the same way.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from engine.device import mx
from engine.ops.geometry import choose, simds
from engine.ops.kernels import gpu_kernel
from engine.ops.selective_scan import selective_scan

SHAPES = (
    (1, 512, 1536),
    (1, 2048, 1536),
    (1, 8192, 1536),
    (1, 32768, 1536),
    (1, 2048, 5120),
    (8, 2048, 1536),
)
STATES = 16
ROTATED_BYTES = 300e6  # of inputs: five times an H200's L2 cache
ROUNDS = 7


def inputs(batch: int, length: int, channels: int, dtype: mx.Dtype) -> dict[str, mx.array]:
    """Random arguments of a scan, B and C as the model has them: slices of wider rows."""
    wide = mx.random.normal((batch, length, 48 + 2 * STATES)).astype(dtype)
    _, B, C = mx.split(wide, [48, 48 + STATES], axis=-1)
    made = {
        name: mx.random.normal((batch, length, channels)).astype(dtype)
        for name in ("u", "delta", "z")
    }
    made |= {"B": B, "C": C}
    mx.eval(made)
    return made


def constants(channels: int) -> dict[str, Any]:
    """What does not depend on the tokens."""
    rates = -mx.random.uniform(0.5, 1.5, (channels, STATES)) * mx.arange(1, STATES + 1)
    bias = mx.random.uniform(-4, -2, (channels,))
    return {
        "A": rates.astype(mx.float32),
        "D": mx.random.normal((channels,)),
        "delta_bias": bias,
        "delta_softplus": True,
    }


def exact(case: dict[str, Any], state: mx.array) -> tuple[np.ndarray, np.ndarray]:
    """y and the last state in float64, all channels at once."""
    of = {
        name: np.array(value.astype(mx.float32), np.float64)
        for name, value in case.items()
        if name != "delta_softplus"
    }
    h, y = np.array(state, np.float64), np.empty(of["u"].shape)
    for t in range(y.shape[1]):
        dt = np.logaddexp(0.0, of["delta"][:, t] + of["delta_bias"])
        u, z = of["u"][:, t], of["z"][:, t]
        h = np.exp(dt[..., None] * of["A"]) * h + (dt * u)[..., None] * of["B"][:, t][:, None]
        out = np.einsum("bdn,bn->bd", h, of["C"][:, t]) + of["D"] * u
        y[:, t] = out * z / (1.0 + np.exp(-z))
    return y, h


def error(found: mx.array, expected: np.ndarray) -> float:
    """The norm of the difference, of that of what is expected."""
    apart = np.array(found.astype(mx.float32), np.float64) - expected
    return float(np.linalg.norm(apart) / np.linalg.norm(expected))


def chained(step: Callable[[int, mx.array], mx.array], start: mx.array, calls: int) -> list[float]:
    """Microseconds of a call: of each round the mean of `calls`, each fed by the one before."""
    times = []
    for _ in range(ROUNDS + 2):
        x = start
        began = time.perf_counter()
        for i in range(calls):
            x = step(i, x)
        mx.eval(x)
        times.append(1e6 * (time.perf_counter() - began) / calls)
    return times[2:]


def empty(state: mx.array) -> mx.array:
    """A call that does nothing, as large in threads as a scan's smallest."""
    body = "if (thread_index_in_threadgroup == 0) y[0] = x[0];"
    kernel = gpu_kernel("ssm_math.h", ("x",), ("y",), body)
    made: list[mx.array] = kernel(
        inputs=[state], template=[("N", 1)], output_shapes=[state.shape],
        output_dtypes=[mx.float32], grid=(384 * 128, 1, 1), threadgroup=(128, 1, 1),
    )  # fmt: skip
    return made[0]


def measure(shape: tuple[int, int, int], dtype: mx.Dtype) -> dict[str, Any]:
    """The times of one shape, and the errors where the reference takes seconds, not minutes."""
    batch, length, channels = shape
    size = 4 * batch * length * channels * dtype.size
    sets = [inputs(*shape, dtype) for _ in range(max(2, min(24, int(ROTATED_BYTES / size) + 1)))]
    fixed = constants(channels)
    state = mx.random.normal((batch, channels, STATES))
    mx.eval(fixed["A"], fixed["D"], fixed["delta_bias"], state)

    def step(i: int, h: mx.array) -> mx.array:
        case = sets[i % len(sets)] | fixed
        return selective_scan(**case, initial_state=h)[1]

    times = chained(step, state, max(12, min(200, int(2e9 / size))))
    row: dict[str, Any] = {"shape": shape, "dtype": str(dtype).split(".")[-1], "us": times}
    if batch * length * channels < 5e6:
        y, h = selective_scan(**sets[0], **fixed, initial_state=state)
        expected_y, expected_h = exact(sets[0] | fixed, state)
        row |= {"y": error(y, expected_y), "state": error(h, expected_h)}
    return row


def main() -> None:
    """Print a line for each shape and type."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", type=Path)
    asked = parser.parse_args()
    mx.random.seed(0)
    state = mx.random.normal((1, 1536, STATES))
    nothing = chained(lambda _, x: empty(x), state, 200)
    print(f"an empty kernel: {statistics.median(nothing):.1f} us a call")
    rows = []
    for dtype in (mx.float16, mx.float32):
        for shape in SHAPES:
            row = measure(shape, dtype)
            rows.append(row)
            low, middle, high = min(row["us"]), statistics.median(row["us"]), max(row["us"])
            form = choose(shape[0], shape[2], simds())
            errors = f"  y {row['y']:.1e}, state {row['state']:.1e}" if "y" in row else ""
            size = "x".join(map(str, shape))
            print(
                f"{size:>12} {row['dtype']}: {middle:8.1f} us ({low:.1f} to {high:.1f})"
                f"  {form.threads} threads, {form.chunks} chunks{errors}",
                flush=True,
            )
    long = (1, 100_000, 64)
    for dtype in (mx.float16, mx.float32):
        case, fixed = inputs(*long, dtype), constants(64)
        state = mx.random.normal((1, 64, STATES))
        y, h = selective_scan(**case, **fixed, initial_state=state)
        expected_y, expected_h = exact(case | fixed, state)
        print(
            f"100,000 tokens of 64 channels, {dtype}: y {error(y, expected_y):.1e},"
            f" state {error(h, expected_h):.1e}"
        )
    if asked.json:
        asked.json.write_text(json.dumps({"empty": nothing, "rows": rows}))


if __name__ == "__main__":
    main()
