"""The Metal kernels on the CPU: what MLX would compile for the device, through metal/compat."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import struct
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine import paths
from engine.device import mx  # with the fast BLAS before it
from engine.ops import add_norm, causal_conv, kernels, selective_scan, ssm_step

COMPAT = paths.metal() / "compat"
# Each an order of the threads (0 forward, 1 backward, others shuffled), and 1 where what a thread
# writes to threadgroup memory stays unseen until a barrier that names that memory.
SCHEDULES = ((0, 0), (1, 0), (2, 0), (3, 1))
SANITIZE = ("-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-g1")
RUN_WITH = {"ASAN_OPTIONS": "detect_leaks=0", "UBSAN_OPTIONS": "print_stacktrace=1"}
SPARE = 4  # elements between the rows of an array that a kernel reads by its strides
WIDTH = {2: mx.uint16, 4: mx.uint32}
PACKAGES = {"g++": "g++", "clang++": "clang"}


class LockstepError(AssertionError):
    """The kernel did what a kernel must not: a race, a read past the end, a lone barrier."""


def found(name: str) -> str:
    """The path of a compiler; a test that needs a missing one fails with the package's name."""
    path = shutil.which(name)
    if path is None:
        pytest.fail(f"{name} is missing: install the Debian package {PACKAGES[name]}")
    return path


@dataclass(frozen=True)
class Generated:
    """The source that MLX hands to Metal's compiler for a call."""

    text: str  # without the instantiation
    name: str
    arguments: str  # of the template: "<16, 1, 1, true, true>"
    parameters: tuple[tuple[str, str, str], ...]  # type, name, attribute

    def with_memory(self, declared: Callable[[str, str, int], str]) -> str:
        """The text with its threadgroup variables declared by `declared(type, name, index)`."""
        lines, count = [], 0
        for line in self.text.splitlines():
            if match := re.fullmatch(r"threadgroup (.*) (\w+)\[(.*)\];", line):
                line = declared(f"{match[1]}[{match[3]}]", match[2], count)
                count += 1
            lines.append(line)
        return "\n".join(lines)


def generated(kernel: Any, call: dict[str, Any]) -> Generated:
    """What MLX prints for this call while it is traced, which needs no Metal."""
    rest = {key: value for key, value in call.items() if key != "inputs"}

    def traced(*values: mx.array) -> list[mx.array]:
        made: list[mx.array] = kernel(inputs=list(values), verbose=True, **rest)
        return made

    with tempfile.TemporaryFile() as printed, tempfile.TemporaryDirectory() as folder:
        kept = os.dup(1)
        os.dup2(printed.fileno(), 1)
        try:
            mx.export_function(f"{folder}/traced.mlxfn", traced, *call["inputs"])
        finally:
            os.dup2(kept, 1)
            os.close(kept)
        printed.seek(0)
        text = printed.read().decode().split("```")[1]
    text, instance = text.split("\ntemplate [[host_name")
    match = re.search(r"decltype\((\w+)(<.*>)\)", instance)
    assert match
    declared = text.split(f"void {match[1]}(\n")[1].split(") {\n")[0]
    parameters = re.findall(r"^\s*(.*?) ?(\w+) \[\[(.*)\]\]", declared, re.MULTILINE)
    return Generated(text, match[1], match[2], tuple(parameters))


def data(x: mx.array, spare: int = 0, step: int = 1) -> bytes:
    """An array's values, row after row: `step` elements from one to the next and `spare` more after
    each row; what lies between is no number."""
    values = np.array(mx.view(mx.contiguous(x), WIDTH[x.dtype.size]))
    if spare:
        rows = (*values.shape[:-1], values.shape[-1] * step + spare)
        laid_out = np.full(rows, np.iinfo(values.dtype).max, values.dtype)
        laid_out[..., :-spare:step] = values
        values = laid_out.reshape(-1)[:-spare]
    return values.tobytes()


def strides(shape: tuple[int, ...], spare: int, step: int) -> list[int]:
    """Of an array as `data` lays it out, in elements."""
    found = [shape[-1] * step + spare, step]
    for size in shape[-2:0:-1]:
        found.insert(0, found[0] * size)
    return found[-len(shape) :]


def ints(*values: int) -> bytes:
    """Numbers as request.cpp reads them."""
    return struct.pack(f"{len(values)}q", *values)


class Lockstep:
    """Compiles kernels for the CPU and runs them under every schedule."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.programs: dict[str, Path] = {}
        self.names: set[str] = set()  # of the kernels that ran
        self.edit: Callable[[str], str] = lambda text: text
        self.schedules = SCHEDULES
        self.step = 1  # elements apart, in arrays that a kernel reads by their strides
        self.objects: list[str] = []

    def gpu_kernel(
        self,
        file: str,
        inputs: tuple[str, ...],
        outputs: tuple[str, ...],
        body: str,
        **options: Any,
    ) -> Callable[..., list[mx.array]]:
        """Stands in for engine.ops.kernels.gpu_kernel: the same calls, run here."""
        real = kernels.gpu_kernel(file, inputs, outputs, body, **options)

        def call(**given: Any) -> list[mx.array]:
            made = generated(real, given)
            self.names.add(made.name)
            program = self.program(made)
            held = dict(zip(inputs, given["inputs"], strict=True))
            return self.run(program, made, held, outputs, given)

        return call

    def compile(self, *arguments: str) -> None:
        """Compile with every warning an error."""
        warnings = ("-Wall", "-Wextra", "-Werror", "-Wno-attributes", "-Wno-unknown-pragmas")
        command = [found("g++"), "-std=c++17", *warnings, f"-I{COMPAT / 'cpu'}", *arguments]
        result = subprocess.run(command, capture_output=True, text=True, check=False)
        assert result.returncode == 0, result.stderr

    def program(self, made: Generated) -> Path:
        """The program that runs a generated kernel."""
        arguments = []
        for index, (of, _, attribute) in enumerate(made.parameters):
            of = re.sub(r"\b(device|constant)\b", "", of)
            if attribute.startswith("buffer"):
                value = f"static_cast<{of.rstrip('&*')}*>(buffers[{index}])"
                arguments.append(f"*{value}" if of.endswith("&") else value)
            elif of == "uint3":
                arguments.append(
                    f"uint3(here.{attribute}.x, here.{attribute}.y, here.{attribute}.z)"
                )
            else:
                arguments.append(f"here.{attribute}")
        text = made.with_memory(
            lambda of, name, index: f"auto& {name} = lockstep::shared<{of}>({index});"
        )
        text = f"""#include <metal_stdlib>
using namespace metal;
{self.edit(text)}
void kernel_body([[maybe_unused]] void** buffers) {{
  [[maybe_unused]] const lockstep::Place& here = lockstep::here();
  {made.name}{made.arguments}({", ".join(arguments)});
}}
"""
        key = hashlib.sha256(text.encode()).hexdigest()[:16]
        if key not in self.programs:
            if not self.objects:
                for name in ("lockstep", "request"):
                    built = str(self.folder / f"{name}.o")
                    self.compile("-O2", "-c", str(COMPAT / "cpu" / f"{name}.cpp"), "-o", built)
                    self.objects.append(built)
            path = self.folder / f"{key}.cpp"
            path.write_text(text)
            built = str(path.with_suffix(""))
            self.compile("-O1", *SANITIZE, str(path), *self.objects, "-o", built)
            self.programs[key] = Path(built)
        return self.programs[key]

    def run(
        self,
        program: Path,
        made: Generated,
        inputs: dict[str, mx.array],
        outputs: tuple[str, ...],
        given: dict[str, Any],
    ) -> list[mx.array]:
        """Run under every schedule; the outputs, if they are always the same to the bit."""
        shaped = list(zip(given["output_shapes"], given["output_dtypes"], strict=True))
        sizes = [prod(shape) * dtype.size for shape, dtype in shaped]
        buffers = [name for _, name, attribute in made.parameters if "buffer" in attribute]
        request = ints(*given["grid"], *given["threadgroup"], len(self.schedules))
        request += b"".join(ints(*schedule) for schedule in self.schedules) + ints(len(buffers))
        for name in buffers:
            if name in outputs:
                request += ints(1, sizes[outputs.index(name)])
                continue
            of = inputs[name.removesuffix("_shape").removesuffix("_strides")]
            spare = SPARE if f"{name.removesuffix('_strides')}_strides" in buffers else 0
            held = data(of, spare, self.step if spare else 1)
            if name.endswith("_shape"):
                held = np.array(of.shape, "i4").tobytes()
            elif name.endswith("_strides"):
                held = ints(*strides(of.shape, spare, self.step))
            request += ints(0, len(held)) + held
        first = self.always(program, request, sum(sizes))
        arrays = []
        for (shape, dtype), size in zip(shaped, sizes, strict=True):
            raw = mx.array(np.frombuffer(first[:size], f"u{dtype.size}"))
            arrays.append(mx.view(raw, dtype).reshape(shape))
            first = first[size:]
        return arrays

    def always(self, program: Path, request: bytes, size: int) -> bytes:
        """What the program answers under every schedule, `size` bytes each, if it is one thing."""
        asked, answered = self.folder / "request", self.folder / "result"
        asked.write_bytes(request)
        command, environment = [program, asked, answered], os.environ | RUN_WITH
        ran = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
        if ran.returncode:
            raise LockstepError(ran.stderr[:4000])
        result = answered.read_bytes()
        for index, schedule in enumerate(self.schedules):
            if result[index * size : (index + 1) * size] != result[:size]:
                raise LockstepError(f"a race: schedule {schedule} gives another result")
        return result[:size]


@pytest.fixture
def compiler() -> Callable[[str], str]:
    """The path of a compiler, by its name."""
    return found


@pytest.fixture
def compat() -> Path:
    """The folder of the shims."""
    return COMPAT


@pytest.fixture
def generate() -> Callable[..., Generated]:
    """The source that MLX makes of a call."""
    return generated


@pytest.fixture(scope="session")
def shared_lockstep(tmp_path_factory: pytest.TempPathFactory) -> Lockstep:
    """One for the session, so that a program is compiled once."""
    return Lockstep(tmp_path_factory.mktemp("lockstep"))


@pytest.fixture
def lockstep(shared_lockstep: Lockstep, monkeypatch: pytest.MonkeyPatch) -> Iterator[Lockstep]:
    """Every `*_metal` path runs on the CPU; `edit` may change the source first."""
    for module in (add_norm, causal_conv, selective_scan, ssm_step):
        monkeypatch.setattr(module, "gpu_kernel", shared_lockstep.gpu_kernel)
    yield shared_lockstep
    shared_lockstep.edit = lambda text: text
    shared_lockstep.schedules = SCHEDULES
    shared_lockstep.step = 1
