"""The selective scan's Metal kernel, run on the CPU, against the float64 reference."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mlx.core as mx
import pytest

from engine.ops import selective_scan
from engine.ops.geometry import GEOMETRIES, Geometry
from engine.ops.selective_scan import selective_scan_metal, selective_scan_reference

LENGTHS = (1, 2, 3, 31, 32, 33, 63, 64, 65, 127, 1023, 1024, 1025, 2049)
STATES = (1, 8, 16, 64, 128)
DTYPES = (mx.float32, mx.float16, mx.bfloat16)
GROUPS = ((1, 1), (0, 2), (2, 0))
BLOCK = 64  # tokens side by side
HEAVY = 512  # states times blocks, from which on two schedules and one threadgroup must do

# Every length meets every number of states, type, kind of B and C, and geometry; so do the others.
PAIRWISE = [
    (length, states, DTYPES[(i + j) % 3], GROUPS[(i + 2 * j) % 3], i + j, (i + j // 2) % 2)
    for i, length in enumerate(LENGTHS)
    for j, states in enumerate(STATES)
]
EVERYTHING = [
    (length, states, dtype, groups, seed, geometry)
    for length in LENGTHS
    for states in STATES
    for dtype in DTYPES
    for seed, groups in enumerate(GROUPS)
    for geometry in range(len(GEOMETRIES))
]


@pytest.fixture
def spread(monkeypatch: pytest.MonkeyPatch) -> Callable[[Geometry], None]:
    """Has the kernel spread as it is told."""
    return lambda geometry: monkeypatch.setattr(selective_scan, "choose", lambda *_: geometry)


Case = tuple[int, int, mx.Dtype, tuple[int, int], int, int]


def check(lockstep: Any, scan_case: Any, agree: Any, spread: Any, case: Case) -> None:
    length, states, dtype, groups, seed, geometry = case
    spread(GEOMETRIES[geometry])
    heavy = states * -(-length // BLOCK) >= HEAVY
    if heavy:
        lockstep.schedules = (*lockstep.schedules[:1], *lockstep.schedules[-1:])
    made = scan_case(length, states, dtype, groups, seed, channels=4 if heavy else 6)
    agree(selective_scan_metal, selective_scan_reference, made)


@pytest.mark.parametrize("case", PAIRWISE, ids=str)
def test_the_scan_kernel_agrees_with_float64(
    lockstep: Any, scan_case: Any, agree: Any, spread: Any, case: Case
) -> None:
    check(lockstep, scan_case, agree, spread, case)


@pytest.mark.soak
@pytest.mark.parametrize("case", EVERYTHING, ids=str)
def test_the_scan_kernel_agrees_with_float64_in_every_combination(
    lockstep: Any, scan_case: Any, agree: Any, spread: Any, case: Case
) -> None:
    check(lockstep, scan_case, agree, spread, case)


@pytest.mark.parametrize("geometry", GEOMETRIES)
def test_the_scan_kernel_reads_up_to_256_states(
    lockstep: Any, scan_case: Any, agree: Any, spread: Any, geometry: Geometry
) -> None:
    spread(geometry)
    agree(selective_scan_metal, selective_scan_reference, scan_case(40, 256, mx.float32, seed=7))


@pytest.mark.parametrize("groups", GROUPS)
@pytest.mark.parametrize("geometry", GEOMETRIES)
def test_every_axis_is_read_by_its_stride(
    lockstep: Any,
    scan_case: Any,
    agree: Any,
    spread: Any,
    geometry: Geometry,
    groups: tuple[int, int],
) -> None:
    """With channels and states apart too, so that no four of them can be loaded at once."""
    spread(geometry)
    lockstep.step = 2
    case = scan_case(70, 16, mx.float32, groups, seed=1, batch=2, channels=6)
    agree(selective_scan_metal, selective_scan_reference, case)


@pytest.mark.parametrize("geometry", GEOMETRIES)
def test_a_row_shorter_than_the_batch_is_scanned_as_if_alone(
    lockstep: Any,
    scan_case: Callable[..., dict[str, Any]],
    agree: Any,
    spread: Any,
    geometry: Geometry,
) -> None:
    """To the bit: a token past the end is the identity, not a small step."""
    spread(geometry)
    case = scan_case(600, 16, mx.float32, seed=5, batch=3, channels=3)
    ends = [530, 0, 600]
    agree(selective_scan_metal, selective_scan_reference, case | {"lengths": mx.array(ends)})
    y, state = selective_scan_metal(**case, lengths=mx.array(ends))
    of_row = ("u", "delta", "B", "C", "z")
    for row, end in enumerate(ends):
        alone = {name: case[name][row : row + 1, :end] for name in of_row}
        initial = case["initial_state"][row : row + 1]
        alone_y, alone_state = selective_scan_metal(**case | alone | {"initial_state": initial})
        assert mx.array_equal(state[row], alone_state[0])
        assert mx.array_equal(y[row, :end], alone_y[0])
        assert not mx.any(y[row, end:])


def test_a_scan_may_be_split_anywhere(lockstep: Any, scan_case: Any) -> None:
    case = scan_case(70, 8, mx.float32, seed=1)
    y, state = selective_scan_metal(**case)
    parts, carried = [], case["initial_state"]
    for start, stop in ((0, 1), (1, 33), (33, 33), (33, 70)):
        part = {name: case[name][:, start:stop] for name in ("u", "delta", "B", "C", "z")}
        part_y, carried = selective_scan_metal(**case | part | {"initial_state": carried})
        parts.append(part_y)
    assert mx.allclose(mx.concatenate(parts, axis=1), y, rtol=1e-5, atol=1e-5)
    assert mx.allclose(carried, state, rtol=1e-5, atol=1e-6)


def test_one_program_serves_every_length(lockstep: Any, scan_case: Any) -> None:
    """The length is no template value: a chat's prompts must not each compile a kernel."""
    lockstep.names.clear()
    for length in (9, 40, 700):
        selective_scan_metal(**scan_case(length, 8, mx.float32, seed=1))
    assert len(lockstep.names) == 1
