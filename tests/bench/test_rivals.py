"""Ours against mlx-lm and transformers, in turn on one checkpoint: the ratios that we promise."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
# The Python that has the rivals; they are no dependency of the project.
RIVALS = os.environ.get("MAMBA_CHAT_RIVALS", sys.executable)
PREFILL, DECODE = 2.0, 1.2


@pytest.mark.bench
def test_prompts_are_read_twice_and_answers_written_1_2_times_as_fast_as_by_mlx_lm(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(HERE))
    import compare_rivals
    import make_checkpoint

    rivals = compare_rivals.present(RIVALS)
    if "mlx-lm" not in rivals:
        pytest.skip(f"{RIVALS} lacks mlx-lm; name a Python that has it in MAMBA_CHAT_RIVALS")
    folder = make_checkpoint.make(tmp_path / "mamba-130m")
    results = compare_rivals.compare(RIVALS, rivals, folder, rounds=5)
    print(compare_rivals.table(results))
    assert compare_rivals.ratio(results, "mlx-lm", "prefill_s") >= PREFILL
    assert compare_rivals.ratio(results, "mlx-lm", "ms_per_token") >= DECODE
