"""A large model is loaded without a second copy of it in memory."""

from __future__ import annotations

import json
import subprocess
import sys
import time
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


@pytest.mark.bench
def test_a_legacy_file_of_130ms_size_gives_the_logits_of_the_same_weights(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[1] / "engine")]
    import make_checkpoint
    import torch_zip

    from engine import load_model
    from engine.device import mx

    folder = make_checkpoint.make(tmp_path / "safetensors")
    legacy = tmp_path / "legacy"
    legacy.mkdir()
    weights = make_checkpoint.weights()
    weights["backbone.embedding.weight"] = weights.pop(torch_zip.EMBEDDINGS)
    stored = {name: ("F32", x.shape, x.tobytes()) for name, x in weights.items()}
    torch_zip.save_torch(legacy / "pytorch_model.bin", stored)
    fields = {"d_model": 768, "n_layer": 24, "vocab_size": 50277, "ssm_cfg": {}}
    (legacy / "config.json").write_text(json.dumps(fields))
    tokens = mx.array([[5, 50_000, 7, 11] * 8], dtype=mx.int32)
    found = []
    for at in (folder, legacy):
        began = time.perf_counter()
        model = load_model(at, dtype="float32")
        seconds = time.perf_counter() - began
        found.append(model.forward(tokens, model.initial_state())[0])
        with capsys.disabled():
            print(f"\n130m from {at.name}: {seconds:.1f} s")
    assert mx.array_equal(*found)
