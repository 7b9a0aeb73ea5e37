"""What the app asks of a machine by itself: every kernel, near to float64."""

from __future__ import annotations

import json
import math
import random
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from engine import paths, self_check
from engine.ops.add_norm import add_norm_reference
from engine.ops.causal_conv import causal_conv1d_reference
from engine.ops.selective_scan import selective_scan_reference
from engine.ops.ssm_step import ssm_step_reference

REFERENCES: dict[str, Any] = {
    "add_norm": add_norm_reference,
    "causal_conv1d": causal_conv1d_reference,
    "selective_scan": selective_scan_reference,
    "ssm_step": ssm_step_reference,
}


def test_every_kernel_is_asked() -> None:
    files = {file.stem for file in paths.metal().glob("*.metal")}
    assert set(self_check.CASES) == files


def test_every_kernel_is_right_here() -> None:
    assert max(self_check.kernels().values()) < self_check.LIMIT


@pytest.mark.parametrize("name", REFERENCES)
def test_it_is_held_to_what_the_ops_are_held_to(name: str) -> None:
    _, reference, draw = self_check.CASES[name]
    values = draw(random.Random(1))
    arrays = {
        key: np.array(value) if isinstance(value, list) else value for key, value in values.items()
    }
    exact = [part.tolist() for part in REFERENCES[name](**arrays)]
    assert self_check.error(reference(**values), exact) < 1e-12


@pytest.mark.parametrize("name", REFERENCES)
def test_a_kernel_that_is_off_is_noticed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    op, reference, draw = self_check.CASES[name]

    def off(**values: Any) -> Any:
        first, second = op(**values)
        return first * 1.001, second

    monkeypatch.setitem(self_check.CASES, name, (off, reference, draw))
    errors = self_check.kernels()
    assert [each for each, error in errors.items() if error > self_check.LIMIT] == [name]


def test_a_kernel_that_gives_no_number_is_off() -> None:
    assert self_check.error([[math.nan]], [[1.0]]) == math.inf


def test_it_needs_no_numpy() -> None:
    code = (
        "import json, sys; from engine import self_check; self_check.kernels(); "
        "print(json.dumps('numpy' in sys.modules))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert json.loads(ran.stdout) is False
