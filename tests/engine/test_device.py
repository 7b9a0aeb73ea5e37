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


def test_the_machine_is_described_with_memory_and_a_limit_below_it() -> None:
    from engine.device import machine

    found = machine()
    assert found.backend in {"CPU", "Metal", "CUDA"}
    assert found.device
    assert 0 < found.limit_bytes < found.memory_bytes
