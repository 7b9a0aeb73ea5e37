"""Writes a CUDA program that times metal/selective_scan.metal with the card's own events.

    python tests/bench/cuda/scan_events.py > scan.cu
    nvcc -arch=sm_90 -std=c++17 -O3 -o scan scan.cu && ./scan

The source, the geometry and the bounds on registers are those that MLX is given; the times are
free of MLX's own. Each call's state is the next one's; inputs rotate past the L2 cache; B and C are
slices of rows of 80, as the model's are. An empty kernel is timed in the same way.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from engine.ops import selective_scan
from engine.ops.geometry import GEOMETRIES, Geometry
from engine.ops.kernels import RESIDENT_THREADS, cuda_source

TYPES = {"f16": "__half", "f32": "float"}
PREAMBLE = """
#include <cstdint>
#include <cuda_fp16.h>
struct Strides {
  int64_t of[3];
  __host__ __device__ int64_t operator[](int i) const { return of[i]; }
};
"""
KERNEL = """
__global__ void __launch_bounds__({threads}, {resident}) scan_{name}(
    const {T}* u, const int* u_shape, Strides u_strides, const {T}* delta, Strides delta_strides,
    const float* A, const {T}* B, Strides B_strides, const {T}* C, Strides C_strides,
    const float* D, const {T}* z, Strides z_strides, const float* delta_bias,
    const float* initial_state, const float* lengths, {T}* y, float* final_state) {{
  constexpr int STATES = 16, B_GROUPS = 1, C_GROUPS = 1, CHUNKS = {chunks}, THREADS = {threads};
  constexpr bool SOFTPLUS = true, GATED = true, RAGGED = false;
  {body}
}}
"""
CALL = "  time_all<{T}>(scan_{name}, {threads}, {channels}, {chunks}, {size});\n"


def name(geometry: Geometry, kind: str) -> str:
    """Of a kernel."""
    return f"{'side_by_side' if geometry.side_by_side else 'in_order'}_{kind}"


def program() -> str:
    """The whole source."""
    kernels, calls = [], []
    for kind, of in TYPES.items():
        for geometry in GEOMETRIES:
            values = {
                "T": of,
                "name": name(geometry, kind),
                "threads": geometry.threads,
                "resident": RESIDENT_THREADS // geometry.threads,
                "chunks": geometry.chunks,
                "channels": geometry.channels,
                "size": 2 if of == "__half" else 4,
            }
            kernels.append(KERNEL.format(body=selective_scan._BODY, **values))
            calls.append(CALL.format(**values))
    host = (Path(__file__).parent / "scan_events.cuh").read_text("utf-8")
    main = f"int main() {{\n  time_empty();\n{''.join(calls)}}}\n"
    return PREAMBLE + cuda_source("selective_scan.metal") + "".join(kernels) + host + main


if __name__ == "__main__":
    print(program())
