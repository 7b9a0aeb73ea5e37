"""How the scan is spread over GPUs that are not here."""

from __future__ import annotations

import pytest

from engine.device import mx
from engine.ops.geometry import GEOMETRIES, IN_ORDER, SIDE_BY_SIDE, choose, simds

M1, M4_MAX, H200 = 4 * 8, 4 * 40, 4 * 132  # SIMD units


@pytest.mark.parametrize("simds", [M4_MAX, H200])
def test_one_chat_with_a_small_model_is_scanned_side_by_side_on_a_large_gpu(simds: int) -> None:
    assert choose(1, 1536, simds) is SIDE_BY_SIDE


def test_where_the_channels_fill_the_gpu_they_are_scanned_in_order() -> None:
    assert choose(1, 1536, M1) is IN_ORDER
    assert choose(8, 5120, H200) is IN_ORDER


def test_every_geometry_fits_into_every_gpu() -> None:
    """Metal gives a threadgroup 32 KB; 256 states are 16 tiles of a float4 for each lane."""
    for geometry in GEOMETRIES:
        slots = 32 if geometry.side_by_side else geometry.threads
        of_chunks = 2 * geometry.threads if geometry.side_by_side else 2
        assert 16 * (16 * slots + of_chunks) <= 32_768
        assert geometry.threads <= 256


@pytest.mark.parametrize(
    ("name", "cores"),
    [("Apple M1", 8), ("Apple M4 Pro", 16), ("Apple M4 Max", 32), ("Apple M2 Ultra", 64), ("", 8)],
)
def test_a_macs_gpu_is_known_by_its_chips_name(
    monkeypatch: pytest.MonkeyPatch, name: str, cores: int
) -> None:
    monkeypatch.setattr(mx.metal, "is_available", lambda: True)
    monkeypatch.setattr(mx, "device_info", lambda: {"device_name": name})
    assert simds.__wrapped__() == 4 * cores
