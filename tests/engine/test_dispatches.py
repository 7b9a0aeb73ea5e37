"""What a layer costs a GPU in dispatches, counted where there is none."""

from __future__ import annotations

import pytest

import engine
from engine import dispatches, paths
from engine.ops.kernels import backend, pretending


@pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16"])
def test_a_layers_step_is_at_most_six_dispatches(dtype: str) -> None:
    """Sum and norm, three products of matrices, the convolution, the step of the state."""
    model = engine.load_model(paths.resources() / "models" / "starter-3m", dtype=dtype)
    assert dispatches.of_a_layer(model) <= 6


def test_only_what_is_pretended_takes_another_backends_path() -> None:
    here = backend()
    with pretending("Metal"):
        assert backend() == "Metal"
    assert backend() == here
