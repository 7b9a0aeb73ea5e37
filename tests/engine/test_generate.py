"""Reading and writing with the real starter model."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from engine import LanguageModel, generate, load_model, paths
from engine.api import Piece, Reading, Sampling
from engine.errors import EngineError
from engine.generate import Outcome

STORY = "Tell me a short story about a lighthouse and a goat."


@pytest.fixture(scope="module")
def model() -> LanguageModel:
    return load_model(paths.resources() / "models" / "starter-3m")


def prompt(model: LanguageModel, text: str = STORY) -> list[int]:
    return model.tokenizer.encode(f"<|endoftext|><|user|>\n{text}<|end|>\n<|assistant|>\n")


def answer(
    model: LanguageModel,
    tokens: list[int] | None = None,
    *,
    stopped: threading.Event | None = None,
    state: Any = None,
    **settings: Any,
) -> tuple[list[Reading | Piece], Outcome]:
    """Every event and the outcome of one answer."""
    sampling = Sampling(**({"seed": 1, "max_tokens": 40} | settings))
    steps = generate.generate(
        model,
        state or model.initial_state(),
        prompt(model) if tokens is None else tokens,
        sampling,
        stopped or threading.Event(),
    )
    events: list[Reading | Piece] = []
    while True:
        try:
            events.append(next(steps))
        except StopIteration as end:
            return events, end.value


def pieces(events: list[Reading | Piece]) -> Iterator[Piece]:
    return (event for event in events if isinstance(event, Piece))


def test_the_same_prompt_and_seed_give_the_same_text(model: LanguageModel) -> None:
    first, second = (answer(model, seed=5)[1] for _ in range(2))
    assert first.text == second.text
    assert first.ids == second.ids
    assert answer(model, seed=6)[1].text != first.text


def test_the_pieces_joined_are_the_text_and_the_decoded_tokens(model: LanguageModel) -> None:
    events, outcome = answer(model)
    assert "".join(piece.text for piece in pieces(events)) == outcome.text
    assert outcome.text == model.tokenizer.decode(outcome.ids)
    assert len(outcome.ids) == 40
    assert outcome.stats.stop_reason == "length"


def test_an_answer_ends_with_its_end_token_and_does_not_show_it(model: LanguageModel) -> None:
    _, outcome = answer(model, prompt(model, "Hello! How are you?"), max_tokens=200)
    assert outcome.stats.stop_reason == "end"
    assert outcome.ids[-1] in model.tokenizer.end_ids
    assert "<|end|>" not in outcome.text


def test_a_stop_string_ends_the_answer_before_it(model: LanguageModel) -> None:
    _, free = answer(model, max_tokens=60)
    words = free.text.split()
    stop = " ".join(words[6:8])
    _, outcome = answer(model, max_tokens=60, stop=(stop,))
    assert outcome.stats.stop_reason == "stop"
    assert outcome.text == free.text[: free.text.index(stop)]


def test_the_state_left_has_read_the_prompt_and_what_was_fed(model: LanguageModel) -> None:
    tokens = prompt(model)
    for settings in ({"max_tokens": 1}, {"max_tokens": 12}, {"max_tokens": 300}):
        _, outcome = answer(model, tokens, **settings)
        assert outcome.prompt_state.tokens == (len(tokens) - 1,)
        assert outcome.state.tokens == (len(tokens) + outcome.fed,)
        assert outcome.fed == len(outcome.ids) - 1


def test_an_answer_continued_from_its_prompt_state_is_the_same(model: LanguageModel) -> None:
    tokens = prompt(model)
    _, first = answer(model, tokens)
    events, second = answer(model, tokens[-1:], state=first.prompt_state)
    assert second.ids == first.ids
    assert second.stats.prompt_tokens == 1
    assert [event.total for event in events if isinstance(event, Reading)] == [1]


def test_stop_ends_the_answer_at_once_and_keeps_what_was_written(model: LanguageModel) -> None:
    stopped = threading.Event()
    steps = generate.generate(
        model, model.initial_state(), prompt(model), Sampling(seed=1), stopped
    )
    text = ""
    outcome: Outcome | None = None
    for _ in range(500):
        try:
            event = next(steps)
        except StopIteration as end:
            outcome = end.value
            break
        if isinstance(event, Piece):
            text += event.text
            if text.count(" ") == 5:
                stopped.set()
    assert outcome is not None
    assert outcome.stats.stop_reason == "stopped"
    assert outcome.text == text
    assert outcome.fed == len(outcome.ids)


def test_a_long_prompt_is_read_in_chunks_and_can_be_stopped_between_them(
    model: LanguageModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(generate.CHUNK, "CPU", 64)
    tokens = prompt(model, STORY * 20)
    events, whole = answer(model, tokens, max_tokens=4)
    done = [event.done for event in events if isinstance(event, Reading)]
    assert done == [0, *range(64, len(tokens) - 1, 64), len(tokens) - 1]
    stopped = threading.Event()
    steps = generate.generate(model, model.initial_state(), tokens, Sampling(), stopped)
    for event in iter(lambda: next(steps), None):
        if isinstance(event, Reading) and event.done >= 128:
            stopped.set()
            break
    with pytest.raises(StopIteration) as end:
        next(steps)
    outcome: Outcome = end.value.value
    assert outcome.stats.stop_reason == "stopped"
    assert outcome.stats.prompt_tokens == outcome.prompt_state.tokens[0] == 128
    assert outcome.ids == ()
    # What was read is not lost: going on from it gives the answer of the whole.
    _, rest = answer(model, tokens[128:], state=outcome.prompt_state, max_tokens=4)
    assert rest.ids == whole.ids


def test_the_figures_are_those_of_our_own_clock(model: LanguageModel) -> None:
    _, one = answer(model, max_tokens=1)
    assert one.stats.ms_per_token is None
    assert one.stats.tokens_per_s is None
    assert one.stats.ttft_ms is not None
    events, outcome = answer(model, max_tokens=30)
    stats = outcome.stats
    gaps = [piece.ms for piece in pieces(events) if piece.ms is not None]
    assert stats.ms_per_token == pytest.approx(np.mean(gaps))
    assert stats.tokens_per_s == pytest.approx(1000 / np.mean(gaps))
    assert stats.prompt_tokens == len(prompt(model))
    assert stats.new_tokens == 30
    assert stats.state_bytes == model.initial_state().nbytes
    assert stats.peak_memory_bytes > stats.state_bytes
    assert stats.backend == "CPU"


def test_an_empty_prompt_is_refused_in_one_sentence(model: LanguageModel) -> None:
    with pytest.raises(EngineError, match="some text"):
        answer(model, [])


def test_memory_that_runs_out_is_told_with_the_place(
    model: LanguageModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = []
    forward = model.forward

    def failing(*args: Any, **kwargs: Any) -> Any:
        calls.append(args)
        if len(calls) > 6:
            raise RuntimeError("[malloc] Unable to allocate 8589934592 bytes.")
        return forward(*args, **kwargs)

    monkeypatch.setattr(model, "forward", failing)
    with pytest.raises(EngineError, match="ran out of memory at token") as error:
        answer(model)
    assert error.value.code == "out_of_memory"
