"""The shims find what they are for: a kernel with a mistake in it does not pass."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import mlx.core as mx
import numpy as np
import pytest

from engine import paths
from engine.ops import kernels, selective_scan
from engine.ops.geometry import IN_ORDER
from engine.ops.selective_scan import selective_scan_metal, selective_scan_reference

BARRIER = re.compile(r"(?:threadgroup|simdgroup)_barrier\(mem_flags::mem_threadgroup\);")
SOURCES = sorted(path.name for path in paths.metal().glob("*.metal"))
BARRIERS = [
    (source, index)
    for source in SOURCES
    for index in range(len(BARRIER.findall((paths.metal() / source).read_text())))
]


def nth(index: int, replacement: str) -> Callable[[str], str]:
    """Replaces the barrier number `index` of a source."""

    def edit(text: str) -> str:
        found = list(BARRIER.finditer(text))[index]
        return text[: found.start()] + replacement + text[found.end() :]

    return edit


def test_every_barrier_is_in_a_kernel_that_these_tests_run() -> None:
    assert {source for source, _ in BARRIERS} == {"add_norm.metal", "selective_scan.metal"}
    assert len(BARRIERS) == 5


def of_scan(kind: str) -> list[int]:
    """The numbers of the scan's barriers of a kind."""
    text = (paths.metal() / "selective_scan.metal").read_text()
    return [i for i, barrier in enumerate(BARRIER.findall(text)) if barrier.startswith(kind)]


@pytest.mark.parametrize("replacement", ["", "threadgroup_barrier(mem_flags::mem_none);"])
@pytest.mark.parametrize("index", of_scan("threadgroup"))
def test_a_barrier_taken_out_or_without_its_memory_is_found(
    lockstep: Any, scan_case: Any, agree: Any, index: int, replacement: str
) -> None:
    lockstep.edit = nth(index, replacement)
    # One state, so that no other barrier stands between the blocks.
    case = scan_case(1025, 1, mx.float32, seed=1, channels=1)
    with pytest.raises(AssertionError):
        agree(selective_scan_metal, selective_scan_reference, case)


# The first only waits for reads, so that no memory is yet to be seen.
@pytest.mark.parametrize(
    ("index", "replacement"),
    [
        *((index, "") for index in of_scan("simdgroup")),
        *((index, "simdgroup_barrier(mem_flags::mem_none);") for index in of_scan("simdgroup")[1:]),
    ],
)
def test_a_simdgroups_barrier_taken_out_or_without_its_memory_is_found(
    lockstep: Any,
    scan_case: Any,
    agree: Any,
    monkeypatch: pytest.MonkeyPatch,
    index: int,
    replacement: str,
) -> None:
    lockstep.edit = nth(index, replacement)
    # In order and with two tiles, so that no other barrier stands between what they write.
    monkeypatch.setattr(selective_scan, "choose", lambda *_: IN_ORDER)
    case = scan_case(40, 20, mx.float32, seed=1, channels=3)
    with pytest.raises(AssertionError):
        agree(selective_scan_metal, selective_scan_reference, case)


def test_a_barrier_that_only_some_threads_reach_is_found(lockstep: Any, scan_case: Any) -> None:
    lone = "if (thread_index > 3) threadgroup_barrier(mem_flags::mem_threadgroup);"
    lockstep.edit = nth(of_scan("threadgroup")[1], lone)
    with pytest.raises(AssertionError, match="only some threads reach"):
        selective_scan_metal(**scan_case(2, 1, mx.float32, channels=1))


def test_a_shuffle_that_only_some_lanes_reach_is_found(lockstep: Any, scan_case: Any) -> None:
    call = "y[i] = kept + simd_shuffle_xor(given, static_cast<ushort>(of));"
    assert call in kernels.source("selective_scan.metal")
    lockstep.edit = lambda text: text.replace(call, f"if (quarter > 1) {call}")
    with pytest.raises(AssertionError, match="threads"):
        selective_scan_metal(**scan_case(2, 1, mx.float32, channels=1))


@pytest.mark.parametrize(
    ("sound", "wrong"),
    [
        ("min(place, channels - 1)", "place"),  # reads past the last channel
        ("static_cast<ushort>(of)", "static_cast<ushort>(31)"),  # another lane's sums
        ("end[i * COLUMNS + column] = h", "end[(i + 1) * COLUMNS + column] = h"),  # past the end
        ("if (t >= length ||", "if (t + 1 >= length ||"),  # leaves an output unwritten
        (
            "if (thread_index < kSlots) {",
            "if (thread_index % kSlots > 3) {",
        ),  # or threadgroup memory
        ("first + i < end ? dt", "true ? dt"),  # lets a token past the end change the state
        ("B[i * kLanes]", "B[(i + 1) * kLanes]"),  # another token's row
    ],
)
def test_a_wrong_read_or_write_is_found(
    lockstep: Any, scan_case: Any, agree: Any, sound: str, wrong: str
) -> None:
    def edit(text: str) -> str:
        assert sound in text
        return text.replace(sound, wrong)

    lockstep.edit = edit
    case = scan_case(600, 2, mx.float32, seed=1, channels=3)
    with pytest.raises(AssertionError):
        agree(selective_scan_metal, selective_scan_reference, case)


@pytest.mark.parametrize("dtype", [mx.float16, mx.bfloat16])
def test_narrow_floats_round_to_nearest_even(lockstep: Any, dtype: mx.Dtype) -> None:
    """Every value of the type comes back, and float32 values round as MLX rounds them."""
    body = "uint i = thread_position_in_grid.x; y[i] = x[i];"
    convert = lockstep.gpu_kernel("ssm_math.h", ("x",), ("y",), body)

    def converted(x: mx.array, to: mx.Dtype) -> mx.array:
        made: list[mx.array] = convert(
            inputs=[x], template=[("N", 1)], output_shapes=[x.shape], output_dtypes=[to],
            grid=(x.size, 1, 1), threadgroup=(32, 1, 1),
        )  # fmt: skip
        return made[0]

    every = mx.view(mx.arange(1 << 16).astype(mx.uint16), dtype)
    finite = mx.isfinite(every)
    wide = converted(every, mx.float32)
    assert mx.array_equal(wide, every.astype(mx.float32), equal_nan=True)
    narrow = converted(wide, dtype)
    assert mx.all(mx.logical_or(mx.view(narrow, mx.uint16) == mx.view(every, mx.uint16), ~finite))
    halfway = (wide[:-1] + wide[1:]) / 2  # between neighbours: to the even one
    rng = np.random.default_rng(0)
    spread = mx.array((rng.standard_normal(4096) * 10.0 ** rng.uniform(-9, 6, 4096)).astype("f4"))
    for x in (halfway, spread):
        got, expected = converted(x, dtype), x.astype(dtype)
        assert mx.array_equal(got, expected, equal_nan=True)
