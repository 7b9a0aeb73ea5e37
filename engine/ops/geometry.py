"""How metal/selective_scan.metal is spread over a GPU: in order or side by side, in which pieces.

Measured on an H200 (tests/bench/RESULTS.md); for Apple's GPUs, of which we have none, the same
rule is applied to their count of SIMD units. A threadgroup is told its share of the registers of
a core, which is what the pieces are small enough for.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from engine.device import mx

LANES = 4  # that share a channel
SIMD_WIDTH = 32
_SIMDS_OF_A_CORE = 4  # Apple's and NVIDIA's
# Cores of Apple's GPUs by the last word of the chip's name, the smaller where there are two sizes.
_CORES = {"Pro": 16, "Max": 32, "Ultra": 64}
_CORES_OF_A_PLAIN_CHIP = 8
_CORES_OF_NVIDIA = 132  # an H100's or H200's


@dataclass(frozen=True, slots=True)
class Geometry:
    """The shape of a threadgroup."""

    tokens: int  # of a chunk
    parts: int  # chunks of a SIMD-group at once
    simdgroups: int
    side_by_side: bool  # the SIMD-groups take chunks of the same channels; else channels each

    @property
    def threads(self) -> int:
        """Of a threadgroup."""
        return SIMD_WIDTH * self.simdgroups

    @property
    def chunks(self) -> int:
        """That a threadgroup takes at once."""
        return self.parts * self.simdgroups if self.side_by_side else 1

    @property
    def channels(self) -> int:
        """Of a threadgroup."""
        of_a_simdgroup = SIMD_WIDTH // LANES // self.parts
        return of_a_simdgroup * (1 if self.side_by_side else self.simdgroups)


IN_ORDER = Geometry(tokens=8, parts=1, simdgroups=2, side_by_side=False)
# Few channels: they are split among many threadgroups. Many: a load takes more of them at once.
SPLIT = Geometry(tokens=8, parts=2, simdgroups=4, side_by_side=True)
JOINED = Geometry(tokens=8, parts=1, simdgroups=8, side_by_side=True)
GEOMETRIES = (IN_ORDER, SPLIT, JOINED)
# SIMD-groups for each SIMD unit, when each takes 8 channels in order: with so many the units do
# not wait for memory, and the work of combining chunks is saved.
_ENOUGH = 8.0
_FEW = 0.5


def choose(rows: int, channels: int, simds: int) -> Geometry:
    """The geometry for a batch of `rows`, each of `channels`, on a GPU of `simds` SIMD units."""
    each = rows * channels / (SIMD_WIDTH // LANES) / simds
    return IN_ORDER if each >= _ENOUGH else SPLIT if each < _FEW else JOINED


@cache
def simds() -> int:
    """The SIMD units of this machine's GPU."""
    if not mx.metal.is_available():
        return _SIMDS_OF_A_CORE * _CORES_OF_NVIDIA
    kind = str(mx.device_info().get("device_name", "")).split(" ")[-1]
    return _SIMDS_OF_A_CORE * _CORES.get(kind, _CORES_OF_A_PLAIN_CHIP)
