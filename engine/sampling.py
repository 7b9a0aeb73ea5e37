"""From logits to the next token: penalties, temperature, filters, a seeded draw.

Everything stays lazy in MLX: the next step's graph is built before this token is known.
"""

from __future__ import annotations

import math
import secrets
from collections.abc import Sequence

from engine.api import Sampling
from engine.device import mx
from engine.errors import EngineError

_OFF = -math.inf
# The filters look at this many of the likeliest tokens: sorting all of a vocabulary would take a
# CPU a quarter of a small model's step.
_CANDIDATES = 4096


def check(sampling: Sampling) -> None:
    """Raise EngineError `bad_value` for a setting out of its range."""
    rules: list[tuple[str, float, bool, str]] = [
        ("temperature", sampling.temperature, sampling.temperature >= 0, "at least 0"),
        ("top_k", sampling.top_k, sampling.top_k >= 0, "at least 0 (0: off)"),
        ("top_p", sampling.top_p, 0 < sampling.top_p <= 1, "above 0 and at most 1 (1: off)"),
        ("min_p", sampling.min_p, 0 <= sampling.min_p <= 1, "between 0 (off) and 1"),
        (
            "repetition_penalty",
            sampling.repetition_penalty,
            sampling.repetition_penalty > 0,
            "above 0 (1: off)",
        ),
        ("max_tokens", sampling.max_tokens, sampling.max_tokens >= 1, "at least 1"),
    ]
    for field, found, good, expected in rules:
        if not (good and math.isfinite(found)):
            raise EngineError("bad_value", field=field, expected=expected, found=found)


class Sampler:
    """Chooses the tokens of one answer. The same seed and logits give the same tokens.

    `size` is the number of tokens that may be chosen: padded rows beyond it never are.
    The repetition penalty looks at `prompt` and the answer, the other two at the answer."""

    def __init__(self, sampling: Sampling, size: int, prompt: Sequence[int] = ()) -> None:
        check(sampling)
        self.settings = sampling
        self.size = size
        seed = secrets.randbits(32) if sampling.seed is None else sampling.seed
        self._key = mx.random.key(seed % 2**64)
        self._counts = mx.zeros((size,)) if self._penalises else None
        self._seen: mx.array | None = None
        if sampling.repetition_penalty != 1:
            seen = mx.zeros((size,))
            ids = [i for i in prompt if i < size]
            self._seen = seen.at[mx.array(ids)].maximum(1.0) if ids else seen

    @property
    def _penalises(self) -> bool:
        return bool(self.settings.presence_penalty or self.settings.frequency_penalty)

    def pick(self, logits: mx.array) -> mx.array:
        """logits (vocab_size,) float32 -> the next token, a scalar int32, not yet evaluated."""
        scores = self._penalised(logits[: self.size])
        if self.settings.temperature == 0:
            token = mx.argmax(scores)
        else:
            self._key, key = mx.random.split(self._key)
            token = self._draw(scores / self.settings.temperature, key)
        token = token.astype(mx.int32)
        if self._counts is not None:
            self._counts = self._counts.at[token].add(1.0)
        if self._seen is not None:
            self._seen = self._seen.at[token].maximum(1.0)
        return token

    def _penalised(self, scores: mx.array) -> mx.array:
        if self._seen is not None:
            penalty = self.settings.repetition_penalty
            worse = mx.where(scores > 0, scores / penalty, scores * penalty)
            scores = mx.where(self._seen > 0, worse, scores)
        if self._counts is not None:
            scores = scores - self.settings.frequency_penalty * self._counts
            scores = scores - self.settings.presence_penalty * (self._counts > 0)
        return scores

    def _draw(self, scores: mx.array, key: mx.array) -> mx.array:
        settings = self.settings
        top_k = 0 < settings.top_k < self.size
        if not top_k and settings.top_p == 1 and settings.min_p == 0:
            return mx.random.categorical(scores, key=key)
        kept = min(settings.top_k if top_k else _CANDIDATES, self.size)
        order = mx.arange(self.size)
        if kept < self.size:
            order = mx.argpartition(-scores, kth=kept - 1)[:kept]
        order = order[mx.argsort(-scores[order])]
        ranked = scores[order]
        if settings.top_p < 1:
            whole = ranked if top_k else scores
            chances = mx.exp(ranked - mx.logsumexp(whole))
            before = mx.cumsum(chances) - chances  # the likeliest is always kept
            ranked = mx.where(before < settings.top_p, ranked, _OFF)
        if settings.min_p > 0:
            ranked = mx.where(ranked >= ranked[0] + math.log(settings.min_p), ranked, _OFF)
        return order[mx.random.categorical(ranked, key=key)]
