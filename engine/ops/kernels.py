"""Which backend runs the ops here, and the kernels built from metal/*.metal on first use."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

from engine import paths
from engine.device import FORCE, mx
from engine.errors import EngineError

BACKENDS = ("Metal", "CUDA", "CPU")
_CUDA = "compat/cuda"
_pretended: list[str] = []
RESIDENT_THREADS = 512  # of a multiprocessor that has 128 registers for each


def backend() -> str:
    """ "Metal", "CUDA" or "CPU": the path that the ops take on MLX's default device.

    MAMBA_CHAT_BACKEND may name one; one that cannot be used raises EngineError("no_backend").
    """
    if _pretended:
        return _pretended[-1]
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


@contextmanager
def pretending(name: str) -> Iterator[None]:
    """Within, the ops take the path of the backend `name`: to trace it where it cannot run."""
    _pretended.append(name)
    try:
        yield
    finally:
        _pretended.pop()


def source(name: str, shims: str = "") -> str:
    """The text of metal/`name`, with each of our own headers put in once: MLX compiles it from
    memory. A header that the folder `shims` has too is taken from there."""
    return "\n".join(_lines(name, shims, set())) + "\n"  # or MLX's next line would end our last


def _lines(name: str, shims: str, seen: set[str]) -> Iterator[str]:
    seen.add(name)
    file = paths.metal() / shims / name
    for line in (file if file.exists() else paths.metal() / name).read_text("utf-8").splitlines():
        if line.startswith('#include "'):
            if (header := line.split('"')[1]) not in seen:
                yield from _lines(header, shims, seen)
        elif line != "#pragma once":
            yield line


def cuda_source(name: str) -> str:
    """The same for NVRTC: without address spaces, between shims for the rest of Metal's words."""
    text = re.sub(r"\b(device|constant|thread|threadgroup) ", "", source(name, _CUDA))
    text = text.replace("#include <metal_stdlib>", source(f"{_CUDA}/metal_stdlib"))
    return text + source(f"{_CUDA}/epilogue.h")


@cache
def gpu_kernel(
    file: str,
    inputs: tuple[str, ...],
    outputs: tuple[str, ...],
    body: str,
    *,
    strided: bool = False,
    threads: int = 0,
) -> Callable[..., list[mx.array]]:
    """The kernel that calls into metal/`file` from `body`, made once. Inputs that are not stored
    row after row are copied so, unless the kernel is `strided`: then it goes by their strides.
    `threads` of a threadgroup let CUDA give each its share of 512 threads' registers; Metal's
    compiler decides by itself.

    Its name carries a hash of the source, for MLX tells kernels apart by their names.
    """
    on_cuda = backend() == "CUDA"
    header = cuda_source(file) + _launch_bounds(threads) if on_cuda else source(file)
    digest = hashlib.sha256((header + body).encode()).hexdigest()[:12]
    make = mx.fast.cuda_kernel if on_cuda else mx.fast.metal_kernel
    made: Any = make(
        name=f"{file.split('.')[0]}_{digest}",
        input_names=list(inputs),
        output_names=list(outputs),
        source=body,
        header=header,
        ensure_row_contiguous=not strided,
    )
    return made  # type: ignore[no-any-return]


def _launch_bounds(threads: int) -> str:
    if not threads:
        return ""
    bounds = f"__launch_bounds__({threads}, {RESIDENT_THREADS // threads})"
    return f"#undef __global__\n#define __global__ __attribute__((global)) {bounds}\n"


def zeros_if_none(value: mx.array | None, shape: tuple[int, ...]) -> mx.array:
    """An optional float32 argument of a kernel, in its own precision."""
    return mx.zeros(shape) if value is None else value.astype(mx.float32)
