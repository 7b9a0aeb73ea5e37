"""The machine that the engine runs on. MLX is first imported here, on the engine's thread."""

from __future__ import annotations

import ctypes
import os
import platform
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path

from engine.api import Machine

__all__ = ["FORCE", "begin", "machine", "mx"]

# The environment's choice of a backend: Metal, CUDA or CPU.
FORCE = "MAMBA_CHAT_BACKEND"
# MLX's Linux wheel brings a reference BLAS, 15 times slower than OpenBLAS when that stands first.
_OPENBLAS = "libopenblas.so.0"
# OpenBLAS's kernels for AVX2. Its newer ones for AVX-512 read a prompt no faster and write tokens
# a quarter slower; and a release older than the processor falls back to its kernels of 2004.
_BLAS_CORE = "Haswell"
_BLAS_CORE_NEEDS = {"avx2", "fma"}
# Of the memory of a machine without a GPU, the share that models may use.
_CPU_SHARE = 0.7


@cache
def preload_blas() -> bool:
    """Put OpenBLAS before MLX's own BLAS on Linux; True when it is there. Call before MLX."""
    if not sys.platform.startswith("linux"):
        return False
    if _processor_flags() >= _BLAS_CORE_NEEDS:
        os.environ.setdefault("OPENBLAS_CORETYPE", _BLAS_CORE)
    try:
        ctypes.CDLL(_OPENBLAS, ctypes.RTLD_GLOBAL)
    except OSError:
        return False
    return True


def _processor_flags() -> set[str]:
    try:
        return set(Path("/proc/cpuinfo").read_text(encoding="utf-8").split())
    except OSError:
        return set()


_HAS_OPENBLAS = preload_blas()
_limit = 0  # bytes for models, where the user has set it
# Where a GPU has TF32, MLX rounds float32 products to its 10 bits unless told: a prompt's logits
# are then off by 1e-2, and differ from those of the same tokens one by one. Who wants speed has
# bfloat16.
os.environ.setdefault("MLX_ENABLE_TF32", "0")

import mlx.core as mx  # noqa: E402  (after the BLAS that it shall use)

if os.environ.get(FORCE) == "CPU":
    mx.set_default_device(mx.cpu)  # where MLX itself would choose the GPU


def begin(arrays: list[mx.array]) -> None:
    """Compute in the background; MLX leaves this function without types."""
    untyped: Callable[..., None] = mx.async_eval
    untyped(arrays)


def limit_memory(n_bytes: int) -> None:
    """Let models use so much memory from now on; 0: as much as the machine recommends."""
    global _limit
    _limit = n_bytes


def machine() -> Machine:
    """What this machine has, as MLX sees it, and what models may use of it."""
    found = _machine()
    if not _limit:
        return found
    return replace(found, limit_bytes=_limit, recommended_bytes=found.limit_bytes)


@cache
def _machine() -> Machine:
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
