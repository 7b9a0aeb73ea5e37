"""How long the frozen app takes from its start until its window is on the screen."""

from __future__ import annotations

import json
import os
import platform
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

STARTS = 7
AIM_S = 1.0


def first_paint(program: Path, home: Path) -> float:
    """Seconds, of a start with a home of its own."""
    environment = {
        "HOME": str(home),
        "QT_QPA_PLATFORM": "cocoa" if sys.platform == "darwin" else "offscreen",
        **{name: os.environ[name] for name in ("TMPDIR",) if name in os.environ},
        "MAMBA_CHAT_BEGAN": repr(time.time()),
    }
    command = [program, "--smoke-test"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    seconds: float = json.loads(done.stdout)["first_paint_s"]
    return seconds


@pytest.mark.bench
def test_the_time_until_the_window_is_painted(frozen: Any, tmp_path: Path) -> None:
    cold, *warm = [first_paint(frozen.program, tmp_path) for _ in range(STARTS)]
    print(
        f"\nfirst paint of the frozen app: {statistics.median(warm):.2f} s "
        f"({min(warm):.2f} to {max(warm):.2f}, {len(warm)} starts; the first {cold:.2f}; "
        f"aim {AIM_S:.0f}), {platform.system()} {platform.machine()}, {os.cpu_count()} cores"
    )
    assert min(warm) > 0
