"""What MLX makes of our sources: each pointer in its address space, each source its own name."""

from __future__ import annotations

import platform
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import mlx.core as mx
import pytest

from engine import paths
from engine.ops import add_norm, causal_conv, kernels, selective_scan, ssm_step

# As much of CUDA's C++ as our shims ask for.
CUDA = """
#define __device__
#define __forceinline__ inline
#define __shared__ static
typedef unsigned long size_t;
struct Index { unsigned x, y, z; };
extern Index threadIdx, blockIdx, blockDim;
void __syncthreads();
void __syncwarp();
float __shfl_sync(unsigned, float, int), __shfl_up_sync(unsigned, float, int);
float __shfl_down_sync(unsigned, float, int), __shfl_xor_sync(unsigned, float, int);
float rsqrtf(float), fabsf(float), fmaxf(float, float), fmaf(float, float, float);
void* memcpy(void*, const void*, size_t);
struct Strides { long operator[](int) const; };
unsigned min(unsigned, unsigned);
int min(int, int);
"""
SCAN_VALUES = (
    "int STATES = 16, LANES = 16, B_GROUPS = 1, C_GROUPS = 2, CHUNKS = 8, THREADS = 256, WIDTH = 48"
)
FLAGS = "bool SOFTPLUS = true, GATED = true, RAGGED = true, SILU = true, PROJECTED = true"

Sources = Callable[[Callable[[], Any]], Any]


@pytest.fixture
def source_of(monkeypatch: pytest.MonkeyPatch, generate: Any) -> Sources:
    """Gives the source that MLX would compile for a `*_metal` call."""

    class MadeError(Exception):
        pass

    def kernel(*arguments: Any, **options: Any) -> Callable[..., Any]:
        def call(**given: Any) -> Any:
            raise MadeError(generate(kernels.gpu_kernel(*arguments, **options), given))

        return call

    for module in (add_norm, causal_conv, selective_scan, ssm_step):
        monkeypatch.setattr(module, "gpu_kernel", kernel)

    def source(call: Callable[[], Any]) -> Any:
        with pytest.raises(MadeError) as made:
            call()
        return made.value.args[0]

    return source


def calls(size: int, dtype: mx.Dtype) -> list[Callable[[], Any]]:
    """One of each op; a `size` of 1 makes arrays so small that MLX puts them in constant memory."""
    b, length, d, n = size, 2 * size, 3 * size, 4 * size

    def zeros(*shape: int, of: mx.Dtype = dtype) -> mx.array:
        return mx.zeros(shape, of)

    wide: dict[str, Any] = {name: zeros(d, of=mx.float32) for name in ("D", "delta_bias")}
    wide["A"] = zeros(d, n, of=mx.float32)
    over_time: dict[str, Any] = {name: zeros(b, length, d) for name in ("u", "delta", "z")}
    token: dict[str, Any] = {name: zeros(b, d) for name in ("u", "delta", "z")}
    return [
        lambda: selective_scan.selective_scan_metal(
            **over_time, **wide, B=zeros(b, length, n), C=zeros(b, length, 3, n)
        ),
        lambda: selective_scan.selective_scan_metal(
            **over_time, **wide, B=zeros(d, n), C=zeros(b, length, n), delta_softplus=True
        ),
        lambda: ssm_step.ssm_step_metal(
            **token, **wide, B=zeros(b, n), C=zeros(b, 3, n), state=mx.zeros((b, d, n))
        ),
        lambda: ssm_step.ssm_step_metal(
            **token | {"delta": zeros(b, n)},
            **wide,
            B=zeros(b, n),
            C=zeros(b, n),
            state=mx.zeros((b, d, n)),
            dt_proj=zeros(d, n),
        ),
        lambda: causal_conv.causal_conv1d_metal(zeros(b, length, d), zeros(d, 4)),
        lambda: add_norm.add_norm_metal(
            zeros(b, d, of=mx.float32), zeros(b, d), zeros(d), eps=1e-5
        ),
    ]


@pytest.mark.parametrize("dtype", [mx.float32, mx.float16])
@pytest.mark.parametrize("size", [1, 3])
def test_every_pointer_is_in_its_address_space(
    source_of: Sources, compiler: Any, compat: Path, tmp_path: Path, size: int, dtype: mx.Dtype
) -> None:
    """clang, told that address spaces are part of a type, accepts what MLX generates."""
    for index, call in enumerate(calls(size, dtype)):
        made = source_of(call)
        text = made.with_memory(lambda of, name, _: declared(of, name))
        types = ", ".join(of for of, _, _ in made.parameters)
        path = tmp_path / f"{index}.cpp"
        path.write_text(
            f"#include <metal_stdlib>\nusing namespace metal;\n{text}\n"
            f"template void {made.name}{made.arguments}({types});\n"
        )
        command = [
            compiler("clang++"), "-std=c++17", "-fsyntax-only", "-nostdinc", f"-I{compat}/check",
            "-Wall", "-Wextra", "-Werror", "-Wno-unused-const-variable", "-Wno-unknown-attributes",
            "-Wno-ignored-attributes", str(path),
        ]  # fmt: skip
        if platform.machine() == "x86_64":
            command.append("-mavx512fp16")  # or there is no half
        result = subprocess.run(command, capture_output=True, text=True, check=False)
        assert result.returncode == 0, result.stderr


def declared(of: str, name: str) -> str:
    """A threadgroup array as clang takes it: "float4[8]" of the name "a"."""
    element, size = of[:-1].split("[")
    return f"extern threadgroup {element} {name}[{size}];"


def test_small_inputs_are_constant_and_large_ones_are_on_the_device(source_of: Sources) -> None:
    """The case that templates on the pointer are for; if MLX changes it, we want to know."""
    spaces = [
        {name: of for of, name, _ in source_of(calls(size, mx.float32)[0]).parameters}
        for size in (1, 3)
    ]
    assert spaces[0]["D"] == "const constant float*"
    assert spaces[1]["D"] == "const device float*"
    assert spaces[1]["y"] == "device float*"


def test_a_kernels_name_carries_a_hash_of_its_source(
    source_of: Sources, monkeypatch: pytest.MonkeyPatch
) -> None:
    """MLX tells kernels apart by name alone: another source must have another name."""
    call = calls(3, mx.float32)[0]
    before = source_of(call).name
    assert re.match(r"custom_kernel_selective_scan_[0-9a-f]{12}_", before)
    text = kernels.source("selective_scan.metal")
    kernels.gpu_kernel.cache_clear()
    monkeypatch.setattr(kernels, "source", lambda *_: text + "\n// changed")
    assert source_of(call).name != before
    kernels.gpu_kernel.cache_clear()


def test_a_source_stands_alone_with_its_headers_put_in() -> None:
    text = kernels.source("selective_scan.metal")
    assert "log_one_plus" in text
    assert '#include "' not in text
    assert "#pragma once" not in text


@pytest.mark.parametrize("file", sorted(path.name for path in paths.metal().glob("*.metal")))
def test_a_source_file_compiles_as_it_is(compiler: Any, compat: Path, file: str) -> None:
    """As `xcrun metal -c` would take it."""
    command = [
        compiler("clang++"), "-std=c++17", "-fsyntax-only", "-nostdinc", f"-I{compat}/check",
        "-Wall", "-Wextra", "-Werror", "-Wno-unused-const-variable", "-xc++",
        str(compat.parent / file),
    ]  # fmt: skip
    if platform.machine() == "x86_64":
        command.append("-mavx512fp16")
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr


@pytest.mark.parametrize("op", [selective_scan, ssm_step, causal_conv, add_norm])
def test_the_shims_make_the_source_cuda(compiler: Any, tmp_path: Path, op: Any) -> None:
    """What NVRTC would be given compiles once CUDA's own words are known."""
    name = "causal_conv1d" if op is causal_conv else op.__name__.split(".")[-1]
    inputs = [f"const {'int' if name == 'lengths' else 'float'}* {name}" for name in op._INPUTS]
    outputs = [f"float* {name}" for name in op._OUTPUTS]
    shapes = [f"const int* {name}_shape" for name in op._INPUTS if f"{name}_sh" in op._BODY]
    strides = [f"const Strides {name}_strides" for name in op._INPUTS if f"{name}_str" in op._BODY]
    path = tmp_path / "kernel.cpp"
    # clang for this machine does not know the registers of NVIDIA's assembly.
    source = re.sub(r"asm\(.*?\);", "y = 0;", kernels.cuda_source(f"{name}.metal"))
    path.write_text(
        f"{CUDA}{source}"
        f"void kernel({', '.join([*inputs, *shapes, *strides, *outputs])}) {{\n"
        f"constexpr {SCAN_VALUES}, KERNEL = 4;\nconstexpr {FLAGS};\n{op._BODY}}}\n"
    )
    command = [compiler("clang++"), "-std=c++17", "-fsyntax-only", "-nostdinc", str(path)]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
