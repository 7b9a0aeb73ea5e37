"""What the engine makes of the machine it runs on."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="a Mac's BLAS is Accelerate")
def test_openblas_never_falls_back_to_kernels_older_than_the_processor() -> None:
    ask = (
        "import ctypes, engine.device;"
        "lib = ctypes.CDLL('libopenblas.so.0');"
        "lib.openblas_get_corename.restype = ctypes.c_char_p;"
        "print(lib.openblas_get_corename().decode())"
    )
    run = subprocess.run([sys.executable, "-c", ask], capture_output=True, text=True, timeout=60)
    assert run.returncode == 0, f"install libopenblas0-pthread: {run.stderr}"
    if "avx2" in Path("/proc/cpuinfo").read_text(encoding="utf-8"):
        assert run.stdout.strip() not in {"Prescott", "Core2", "Nehalem", "Generic"}


@pytest.mark.parametrize(("chosen", "expected"), [(None, "0"), ("1", "1")])
def test_float32_is_float32_unless_the_environment_says_otherwise(
    monkeypatch: pytest.MonkeyPatch, chosen: str | None, expected: str
) -> None:
    """Read by MLX at its first product; the goldens on a GPU show what it does."""
    monkeypatch.delenv("MLX_ENABLE_TF32", raising=False)
    if chosen:
        monkeypatch.setenv("MLX_ENABLE_TF32", chosen)
    ask = "import os, engine.device; print(os.environ['MLX_ENABLE_TF32'])"
    run = subprocess.run([sys.executable, "-c", ask], capture_output=True, text=True, timeout=60)
    assert run.stdout.strip() == expected, run.stderr


def test_the_machine_is_described_with_memory_and_a_limit_below_it() -> None:
    from engine.device import machine

    found = machine()
    assert found.backend in {"CPU", "Metal", "CUDA"}
    assert found.device
    assert 0 < found.limit_bytes < found.memory_bytes
