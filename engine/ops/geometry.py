"""How metal/selective_scan.metal is spread over a GPU: in order or side by side, in which pieces.

The sizes and the rule were measured on an H200 (tests/bench/RESULTS.md). For Apple's GPUs, of which
we have none, the same rule is applied to their count of SIMD units.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from engine.device import mx

CHANNELS = 8  # of a SIMD-group: four of its 32 lanes share one
_SIMD_WIDTH = 32
_SIMDS_OF_A_CORE = 4  # Apple's and NVIDIA's
# Cores of Apple's GPUs by the last word of the chip's name, the smaller where there are two sizes.
_CORES = {"Pro": 16, "Max": 32, "Ultra": 64}
_CORES_OF_A_PLAIN_CHIP = 8
_CORES_OF_NVIDIA = 132  # an H100's or H200's


@dataclass(frozen=True, slots=True)
class Geometry:
    """The shape of a threadgroup."""

    simdgroups: int
    side_by_side: bool  # the SIMD-groups take chunks of the same channels; else channels each

    @property
    def threads(self) -> int:
        """Of a threadgroup."""
        return _SIMD_WIDTH * self.simdgroups

    @property
    def chunks(self) -> int:
        """That a threadgroup takes at once."""
        return self.simdgroups if self.side_by_side else 1

    @property
    def channels(self) -> int:
        """Of a threadgroup."""
        return CHANNELS * self.simdgroups // self.chunks


IN_ORDER = Geometry(simdgroups=2, side_by_side=False)
SIDE_BY_SIDE = Geometry(simdgroups=8, side_by_side=True)
GEOMETRIES = (IN_ORDER, SIDE_BY_SIDE)
# SIMD-groups in order for each SIMD unit: with so many the units do not wait for memory, and the
# work of combining chunks is saved. At 1.8 it is faster in order by 5 to 8%, at 1.2 slower by 25%.
_ENOUGH = 1.6


def choose(rows: int, channels: int, simds: int) -> Geometry:
    """The geometry for a batch of `rows`, each of `channels`, on a GPU of `simds` SIMD units."""
    return IN_ORDER if rows * channels / CHANNELS / simds >= _ENOUGH else SIDE_BY_SIDE


@cache
def simds() -> int:
    """The SIMD units of this machine's GPU."""
    if not mx.metal.is_available():
        return _SIMDS_OF_A_CORE * _CORES_OF_NVIDIA
    kind = str(mx.device_info().get("device_name", "")).split(" ")[-1]
    return _SIMDS_OF_A_CORE * _CORES.get(kind, _CORES_OF_A_PLAIN_CHIP)
