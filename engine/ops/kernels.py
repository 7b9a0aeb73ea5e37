"""Which backend runs the ops here, and the kernels built from metal/*.metal on first use."""

from __future__ import annotations

import os

import mlx.core as mx

from engine.errors import EngineError

FORCE = "MAMBA_CHAT_BACKEND"
BACKENDS = ("Metal", "CUDA", "CPU")


def backend() -> str:
    """ "Metal", "CUDA" or "CPU": the path that the ops take on MLX's default device.

    MAMBA_CHAT_BACKEND may name one; one that cannot be used raises EngineError("no_backend").
    """
    forced = os.environ.get(FORCE)
    on_gpu = mx.default_device().type == mx.gpu
    natural = "CPU" if not on_gpu else "Metal" if mx.metal.is_available() else "CUDA"
    if not forced or forced == natural:
        return natural
    if forced not in BACKENDS:
        raise EngineError("no_backend", backend=forced, detail="it is none of Metal, CUDA, CPU")
    raise EngineError(
        "no_backend", backend=forced, detail=f"MLX's default device here runs {natural}"
    )
