"""The starters' nats per token on the held-out text, as their card states them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from safetensors import safe_open

import engine
from engine import paths

GOLDEN = Path(__file__).resolve().parents[1] / "golden"
CARD = {"starter-3m": 3.37074, "starter-12m": 3.20596}
ROW, ROWS, AT_ONCE = 512, 40, 8
TOLERANCE = 1e-3


def nats_by_row(
    name: str, rows: int, dtype: str = "float32", bits: int | None = None
) -> np.ndarray:
    """Nats per token (rows,) of the next token within each of the first rows of the text."""
    from engine.device import mx

    model = engine.load_model(paths.resources() / "models" / name, dtype=dtype, bits=bits)
    tokens = model.tokenizer.encode(
        (paths.resources() / "texts" / "heldout.txt").read_text("utf-8")
    )[: ROW * rows]
    nats: list[float] = []
    for start in range(0, rows, AT_ONCE):
        batch = tokens[ROW * start : ROW * min(start + AT_ONCE, rows)]
        read = mx.array(batch, dtype=mx.int32).reshape(-1, ROW)
        logits, _ = model.forward(read, model.initial_state(read.shape[0]))
        chosen = mx.take_along_axis(logits[:, :-1], read[:, 1:, None], axis=-1)[..., 0]
        nats += (mx.logsumexp(logits[:, :-1], axis=-1) - chosen).mean(axis=-1).tolist()
    return np.array(nats)


@pytest.mark.parametrize("name", CARD)
def test_the_first_rows_have_the_nats_of_transformers(name: str) -> None:
    with safe_open(GOLDEN / f"{name}.safetensors", framework="numpy") as data:
        expected = data.get_tensor("heldout.nats")
    assert expected.mean() == pytest.approx(CARD[name], abs=TOLERANCE)
    assert nats_by_row(name, 2) == pytest.approx(expected[:2], abs=TOLERANCE)


# A minute for the larger one on two cores; every `make test` reads its first rows above.
@pytest.mark.parametrize(
    "name", ["starter-3m", pytest.param("starter-12m", marks=pytest.mark.soak)]
)
def test_nats_per_token_are_as_the_card_says(name: str) -> None:
    assert nats_by_row(name, ROWS).mean() == pytest.approx(CARD[name], abs=TOLERANCE)


@pytest.mark.soak
@pytest.mark.parametrize("name", CARD)
@pytest.mark.parametrize(
    ("dtype", "bits", "cost"),
    [("bfloat16", None, 2e-3), ("float32", 8, 1e-3), ("float32", 4, 0.05)],
)
def test_a_smaller_precision_costs_few_nats(
    name: str, dtype: str, bits: int | None, cost: float
) -> None:
    """The table in README.md."""
    assert abs(nats_by_row(name, ROWS, dtype, bits).mean() - CARD[name]) < cost
