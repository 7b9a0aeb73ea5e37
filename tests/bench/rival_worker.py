"""Times one engine on one checkpoint, once for each line on stdin, a line of JSON on stdout each.

Used by compare_rivals.py, which starts it with the Python that has the engine:

    python rival_worker.py ours|mlx-lm|transformers FOLDER PROMPT_TOKENS NEW_TOKENS

Every engine does the same: load and read the prompt once to warm up; then for each line read it
from nothing (the time of prefill, to the last token's logits) and write greedily, the next token
known each time. Before the first line comes one that says what the engine runs on.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

# read(tokens): logits (vocab,) of the last token and a state; write(token, state): the same
Read = Callable[[list[int]], tuple[Any, Any]]
Write = Callable[[int, Any], tuple[Any, Any]]
# and the likeliest token of some logits
Engine = tuple[Read, Write, Callable[[Any], int]]


def ours(folder: Path) -> Engine:
    """This project's engine through its public forward."""
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
    import engine

    model = engine.load_model(folder, dtype="float32")
    from engine.device import mx

    def forward(tokens: list[int], state: Any) -> tuple[Any, Any]:
        logits, state = model.forward(mx.array([tokens]), state, last_only=True)
        mx.eval(logits, state.arrays)
        return logits[0, -1], state

    return (
        lambda tokens: forward(tokens, model.initial_state()),
        lambda token, state: forward([token], state),
        lambda logits: int(mx.argmax(logits).item()),
    )


def mlx_lm(folder: Path) -> Engine:
    """mlx-lm through its model and cache, as its own generate_step calls them."""
    import mlx.core as mx
    from mlx_lm.models.cache import make_prompt_cache
    from mlx_lm.utils import load_model

    model = load_model(folder)[0]

    def forward(tokens: list[int], cache: Any) -> tuple[Any, Any]:
        logits = model(mx.array([tokens]), cache=cache)[0, -1]
        mx.eval(logits, [layer.state for layer in cache])
        return logits, cache

    def read(tokens: list[int]) -> tuple[Any, Any]:
        # All but the last token without its logits, as generate_step does.
        cache = make_prompt_cache(model)
        model(mx.array([tokens[:-1]]), cache=cache)
        mx.eval([layer.state for layer in cache])
        return forward(tokens[-1:], cache)

    return (
        read,
        lambda token, cache: forward([token], cache),
        lambda logits: int(mx.argmax(logits).item()),
    )


def transformers(folder: Path) -> Engine:
    """transformers through its model and cache."""
    import torch
    from transformers import MambaForCausalLM
    from transformers.utils import logging

    logging.set_verbosity_error()
    logging.disable_progress_bar()
    model = MambaForCausalLM.from_pretrained(folder, dtype=torch.float32).eval()

    def forward(tokens: list[int], cache: Any) -> tuple[Any, Any]:
        with torch.no_grad():
            out = model(torch.tensor([tokens]), cache=cache, use_cache=True, logits_to_keep=1)
        return out.logits[0, -1], out.cache

    return (
        lambda tokens: forward(tokens, None),
        lambda token, cache: forward([token], cache),
        lambda logits: int(logits.argmax()),
    )


ENGINES = {"ours": ours, "mlx-lm": mlx_lm, "transformers": transformers}
PACKAGES = {"ours": ["mlx"], "mlx-lm": ["mlx", "mlx-lm"], "transformers": ["torch", "transformers"]}


def blas_in_use() -> list[str]:
    """The BLAS libraries mapped into this process but for numpy's own, by file name (Linux).

    MLX binds `sgemm_` to the one that was preloaded, whatever it brings along; torch's own is
    inside it."""
    maps = Path("/proc/self/maps")
    files = {line.split()[-1] for line in maps.read_text().splitlines()} if maps.exists() else set()
    named = {Path(file).name for file in files if file.startswith("/")}
    return sorted(name for name in named if "blas" in name and "scipy" not in name)


def measure(engine: Engine, prompt: list[int], new_tokens: int) -> dict[str, Any]:
    """Read once and write once; seconds, milliseconds and some of the logits after the prompt."""
    read, write, best = engine
    began = time.perf_counter()
    logits, state = read(prompt)
    prefill = time.perf_counter() - began
    first = logits.tolist()
    token, times = best(logits), []
    for _ in range(new_tokens):
        began = time.perf_counter()
        logits, state = write(token, state)
        token = best(logits)
        times.append(1e3 * (time.perf_counter() - began))
    steady = times[min(4, len(times) // 2) :]  # the first steps warm the path of one token up
    return {
        "prefill_s": prefill,
        "ms_per_token": sum(steady) / len(steady),
        "logits": first[:: max(1, len(first) // 64)],
    }


def main() -> None:
    """Answer each line on stdin with one measurement."""
    name, folder, length, new_tokens = sys.argv[1:]
    engine = ENGINES[name](Path(folder))
    prompt = np.random.default_rng(1).integers(0, 50277, int(length)).tolist()
    measure(engine, prompt, 1)
    packages = {package: version(package) for package in PACKAGES[name]}
    print(json.dumps({"blas": blas_in_use(), "versions": packages}), flush=True)
    for _ in sys.stdin:
        print(json.dumps(measure(engine, prompt, int(new_tokens))), flush=True)


if __name__ == "__main__":
    main()
