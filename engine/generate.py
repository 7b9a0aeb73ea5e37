"""Reads a prompt in chunks and writes an answer token by token, as a generator of events."""

from __future__ import annotations

import threading
import time
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from engine.api import Piece, Reading, Sampling, Stats, StopReason
from engine.device import begin, machine, mx
from engine.errors import EngineError, Stopped
from engine.language_model import LanguageModel
from engine.sampling import Sampler
from engine.state import State
from engine.stop_strings import StopStrings

# Tokens read at once. A CPU takes the smaller chunk so that Stop and progress stay quick.
CHUNK = {"Metal": 2048, "CUDA": 2048, "CPU": 256}
# MLX keeps freed buffers; give them back now and then so that memory stays flat.
_CLEAR_EVERY = 256


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What is left when an answer ended.

    `ids` were sampled; `state` has read the prompt and `fed` of them (the last one sampled is
    not read yet). `prompt_state` has read the prompt but for its last token, from which another
    answer can start at once; or less, when it was stopped."""

    text: str
    ids: tuple[int, ...]
    prompt_state: State
    state: State
    fed: int
    stats: Stats


@dataclass(slots=True)
class _Clock:
    """The times of one answer, in seconds of our own clock."""

    start: float = field(default_factory=time.perf_counter)
    read: float | None = None
    first: float | None = None
    last: float | None = None
    tokens: int = 0

    def tick(self) -> float | None:
        """Count a token; the milliseconds since the one before it, None for the first."""
        now, before = time.perf_counter(), self.last
        self.tokens, self.last = self.tokens + 1, now
        if before is None:
            self.first = now
            return None
        return 1e3 * (now - before)

    @property
    def ttft_ms(self) -> float | None:
        return None if self.first is None else 1e3 * (self.first - self.start)

    @property
    def ms_per_token(self) -> float | None:
        """From the first token to the last: what came before the first does not count."""
        if self.tokens < 2 or self.first is None or self.last is None:
            return None
        return 1e3 * (self.last - self.first) / (self.tokens - 1)


def generate(
    model: LanguageModel,
    state: State,
    tokens: Sequence[int],
    sampling: Sampling,
    stopped: threading.Event,
    *,
    context: Sequence[int] = (),
    ignore_end: bool = False,
) -> Generator[Reading | Piece, None, Outcome]:
    """Read `tokens` after `state`, then write until the end of a turn, a stop string, a limit (the
    setting's, or a Transformer's own) or `stopped`. `context` are the tokens that `state` has
    read, for the repetition penalty; `ignore_end` writes on past the end of a turn, for measuring.

    Yields Reading while it reads, Piece while it writes; returns the Outcome. Raises EngineError
    for a bad setting, for more than a Transformer can read, or when memory runs out."""
    _check_length(tokens, state.tokens[0] + len(tokens), model.context)
    sampler = Sampler(sampling, model.vocab_size, [*context, *tokens])
    clock = _Clock()
    mx.reset_peak_memory()
    with _running_out_told(state, clock):
        prompt_state = yield from _read(model, state, tokens, stopped)
        writer = _Writer(model, sampler, sampling, stopped, clock, prompt_state)
        if ignore_end:
            writer.end_ids, writer.stops = frozenset(), StopStrings(sampling.stop)
        read = prompt_state.tokens[0] - state.tokens[0]
        if read == len(tokens) - 1 and not stopped.is_set():
            read += 1
            yield from writer.run(tokens[-1])
    return Outcome(
        text="".join(writer.parts),
        ids=tuple(writer.ids),
        prompt_state=prompt_state,
        state=writer.state,
        fed=max(writer.state.tokens[0] - state.tokens[0] - len(tokens), 0),
        stats=_stats(clock, writer, read),
    )


def _check_length(tokens: Sequence[int], length: int, context: int | None) -> None:
    """Raise EngineError where there is nothing to read, or `length` is more than can be read."""
    if not tokens:
        raise EngineError("bad_value", field="the prompt", expected="some text", found="empty")
    if context is not None and length > context:
        raise EngineError("too_long", found=length, expected=context)


@contextmanager
def _running_out_told(state: State, clock: _Clock) -> Iterator[None]:
    """Turn MLX's failed allocation into a sentence with the place in the text."""
    try:
        yield
    except RuntimeError as error:
        if "alloc" not in str(error).lower():
            raise
        position = state.tokens[0] + clock.tokens
        raise EngineError("out_of_memory", position=position) from error


def _stats(clock: _Clock, writer: _Writer, read: int) -> Stats:
    seconds = (clock.read or time.perf_counter()) - clock.start
    ms = clock.ms_per_token
    return Stats(
        prompt_tokens=read,
        new_tokens=len(writer.ids),
        load_s=None,
        ttft_ms=clock.ttft_ms,
        prefill_tokens_per_s=read / seconds if read and seconds else None,
        ms_per_token=ms,
        tokens_per_s=1e3 / ms if ms else None,
        state_bytes=writer.state.nbytes,
        peak_memory_bytes=mx.get_peak_memory(),
        stop_reason=writer.reason,
        backend=machine().backend,
        position=writer.state.tokens[0],
    )


def _read(
    model: LanguageModel, state: State, tokens: Sequence[int], stopped: threading.Event
) -> Generator[Reading, None, State]:
    """Read all but the last token, in chunks. The state after the chunks read before Stop."""
    size, total, start = CHUNK[machine().backend], len(tokens) - 1, state.tokens[0]
    began = time.perf_counter()
    yield Reading(0, total + 1, start, None)
    for at in range(0, total, size):
        chunk = mx.array([tokens[at : min(at + size, total)]], dtype=mx.int32)
        if stopped.is_set():
            break
        try:
            _, state = model.forward(chunk, state, last_only=True, stopped=stopped)
        except Stopped:
            break
        mx.eval(state.arrays)
        mx.clear_cache()
        done = min(at + size, total)
        left = (time.perf_counter() - began) / done * (total - done)
        yield Reading(done, total + 1, start, left)
    return state


def _number(token: mx.array) -> int:
    value: Any = token.item()
    return int(value)


class _Writer:
    """The decode loop: the next step's graph is built while this step's token is computed."""

    def __init__(
        self,
        model: LanguageModel,
        sampler: Sampler,
        sampling: Sampling,
        stopped: threading.Event,
        clock: _Clock,
        state: State,
    ) -> None:
        self.model, self.sampler, self.stopped, self.clock = model, sampler, stopped, clock
        self.limit = sampling.max_tokens
        if model.context is not None:  # the last token that is written need not be read
            self.limit = min(self.limit, model.context - state.tokens[0])
        self.end_text = model.tokenizer.stop
        self.stops = StopStrings((*sampling.stop, self.end_text))
        self.stream = model.tokenizer.stream()
        self.end_ids = model.tokenizer.end_ids
        self.ids: list[int] = []
        self.parts: list[str] = []
        self.state = state
        self.reason: StopReason = "stopped"

    def run(self, last: int) -> Generator[Piece, None, None]:
        """Read the prompt's `last` token and write."""
        token, state = self._step(mx.array(last, dtype=mx.int32), self.state)
        mx.eval(token)
        self.clock.read = time.perf_counter()
        while True:
            self.state = state
            if self.stopped.is_set():
                break
            following = self._step(token, state) if len(self.ids) + 1 < self.limit else None
            chosen = _number(token)
            if self.stopped.is_set():  # a token that nobody will see
                break
            ms = self.clock.tick()
            self.ids.append(chosen)
            if chosen in self.end_ids:
                self.reason = "end"
                break
            text = self.stops.feed(self.stream.feed(chosen))
            yield self._piece(text, ms)
            if self.stops.hit:
                self.reason = "end" if self.stops.hit == self.end_text else "stop"
                return
            if following is None:
                self.reason = "length"
                break
            token, state = following
            if len(self.ids) % _CLEAR_EVERY == 0:
                mx.clear_cache()
        if rest := self.stops.feed(self.stream.close()) + self.stops.close():
            yield self._piece(rest, None, tokens=0)

    def _step(self, token: mx.array, state: State) -> tuple[mx.array, State]:
        logits, state = self.model.forward(token.reshape(1, 1), state, last_only=True)
        following = self.sampler.pick(logits[0, -1])
        begin([following, *state.arrays])
        return following, state

    def _piece(self, text: str, ms: float | None, tokens: int = 1) -> Piece:
        self.parts.append(text)
        return Piece(
            text=text,
            tokens=tokens,
            position=self.state.tokens[0] + tokens,
            ms=ms,
            ms_per_token=self.clock.ms_per_token,
            ttft_ms=self.clock.ttft_ms or 0.0,
        )
