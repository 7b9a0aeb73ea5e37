"""A large model is loaded without a second copy of it in memory."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

# In a process of its own, whose highest memory is the loading's.
LOAD = """
import json, re, sys, time
from engine import load_model
from engine.device import mx
mx.eval(mx.ones((64, 64)) @ mx.ones((64, 64)))
peak = lambda: 1024 * int(re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1])
before, began = peak(), time.perf_counter()
model = load_model(sys.argv[1], dtype="bfloat16", bits=json.loads(sys.argv[2]))
seconds = time.perf_counter() - began
print(json.dumps([peak() - before, mx.get_active_memory(), seconds]))
"""
LARGEST = 2 * 50280 * 2560  # bytes of the embedding in bfloat16


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    sys.path.insert(0, str(Path(__file__).parent))
    import make_large_checkpoint

    return make_large_checkpoint.make(tmp_path_factory.mktemp("models") / "mamba-2.8b")


@pytest.mark.bench
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="read from /proc")
@pytest.mark.parametrize("bits", [None, 4])
def test_loading_takes_the_final_weights_a_tenth_and_the_largest_tensor(
    large: Path, bits: int | None, capsys: pytest.CaptureFixture[str]
) -> None:
    command = [sys.executable, "-c", LOAD, str(large), json.dumps(bits)]
    run = subprocess.run(command, capture_output=True, text=True, timeout=1200)
    assert run.returncode == 0, run.stderr
    peak, weights, seconds = json.loads(run.stdout)
    with capsys.disabled():
        told = f"{peak / 1e9:.2f} GB at most for {weights / 1e9:.2f} GB of weights"
        print(f"\n2.8b, {bits or 16} bits: {told}, {seconds:.0f} s")
    assert peak <= 1.1 * weights + LARGEST
