"""How well a model foretells a text that it was not trained on: the quality in a comparison."""

from __future__ import annotations

import math
import threading
from collections.abc import Generator

from engine import paths
from engine.compare_api import Quality, Step
from engine.device import mx
from engine.errors import Stopped
from engine.language_model import LanguageModel

ROW = 512  # tokens; each row is read from its start
ROWS = 8
TEXT = "texts/heldout.txt"


def text_tokens(model: LanguageModel) -> list[int]:
    """The bundled text, passages of books that are in the public domain, as the model reads it."""
    return model.tokenizer.encode((paths.resources() / TEXT).read_text("utf-8"))


def quality(
    model: LanguageModel, stopped: threading.Event, *, rows: int = ROWS
) -> Generator[Step, None, Quality | None]:
    """Of the first `rows` rows of 512 tokens of the bundled text; a Step before each. None where
    the model's numbers overflow: what is not a number cannot be kept, drawn or compared. Raises
    Stopped between two rows."""
    tokens = text_tokens(model)[: ROW * rows]
    total, count, n_bytes = 0.0, 0, 0
    for start in range(0, len(tokens) - 1, ROW):
        yield Step("quality", start // ROW, rows)
        if stopped.is_set():
            raise Stopped
        row = tokens[start : start + ROW]
        if len(row) < 2:
            break
        total += _nats(model, row)
        count += len(row) - 1
        n_bytes += len(model.tokenizer.decode(row[1:]).encode())
    if not math.isfinite(total):
        return None
    return Quality(total / count, total / n_bytes / math.log(2), count)


def _nats(model: LanguageModel, row: list[int]) -> float:
    """The sum over the row of how surprised the model is by each token after the first."""
    read = mx.array(row, dtype=mx.int32)[None]
    logits, _ = model.forward(read, model.initial_state())
    logits = logits[:, :-1].astype(mx.float32)
    chosen = mx.take_along_axis(logits, read[:, 1:, None], axis=-1)[..., 0]
    return float((mx.logsumexp(logits, axis=-1) - chosen).sum())
