"""The machine that the engine runs on. MLX is first imported here, on the engine's thread."""

from __future__ import annotations

import ctypes
import os
import platform
import sys
from functools import cache
from pathlib import Path

from engine.api import Machine

__all__ = ["machine", "mx"]

# MLX's Linux wheel brings a reference BLAS, 15 times slower than OpenBLAS when that stands first.
_OPENBLAS = "libopenblas.so.0"
# OpenBLAS's names of sets of kernels, with the flags of a processor that they need.
_BLAS_CORES = {
    "SkylakeX": {"avx512f", "avx512bw", "avx512dq", "avx512vl", "avx512cd", "fma"},
    "Haswell": {"avx2", "fma"},
}
# Of the memory of a machine without a GPU, the share that models may use.
_CPU_SHARE = 0.7


@cache
def preload_blas() -> bool:
    """Put OpenBLAS before MLX's own BLAS on Linux; True when it is there. Call before MLX."""
    if not sys.platform.startswith("linux"):
        return False
    if core := _blas_core():
        os.environ.setdefault("OPENBLAS_CORETYPE", core)
    try:
        ctypes.CDLL(_OPENBLAS, ctypes.RTLD_GLOBAL)
    except OSError:
        return False
    return True


def _blas_core() -> str:
    """The newest set of kernels that this processor runs: an OpenBLAS older than the processor
    falls back to those of 2004, with which a prompt takes twice as long to read."""
    try:
        flags = set(Path("/proc/cpuinfo").read_text(encoding="utf-8").split())
    except OSError:
        return ""
    for core, needed in _BLAS_CORES.items():
        if needed <= flags:
            return core
    return ""


_HAS_OPENBLAS = preload_blas()

import mlx.core as mx  # noqa: E402  (after the BLAS that it shall use)


@cache
def machine() -> Machine:
    """What this machine has, as MLX sees it."""
    from engine.ops.kernels import backend

    name = backend()
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    if name == "CPU":
        blas = "OpenBLAS" if _HAS_OPENBLAS else "MLX's BLAS"
        device = f"{os.cpu_count() or 1} cores" + (f", {blas}" if sys.platform != "darwin" else "")
        return Machine(
            backend=name, device=device, memory_bytes=memory, limit_bytes=int(memory * _CPU_SHARE)
        )
    info = mx.device_info()
    memory = int(info.get("memory_size", memory))
    limit = int(info.get("max_recommended_working_set_size", memory * _CPU_SHARE))
    device = str(info.get("device_name", platform.machine()))
    return Machine(backend=name, device=device, memory_bytes=memory, limit_bytes=limit)
