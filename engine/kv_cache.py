"""A Transformer layer's part of a state: the keys and values of every token that was read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from engine.device import mx

# Reading one more token copies those after the last whole block: few enough not to be felt. Nor
# are the products with each block by itself, as long as there are few blocks.
BLOCK = 256
_TIME = 3  # the axis of the tokens


@dataclass(frozen=True, slots=True)
class KeysValues:
    """Arrays (batch, 2, heads, tokens, head_dim), keys and values: whole blocks, which the states
    that follow share, and last the up to BLOCK tokens after them.

    `tokens` counts what each row has read; beyond that a shorter row holds zeros."""

    parts: tuple[mx.array, ...]
    tokens: tuple[int, ...]

    @staticmethod
    def empty(batch: int, heads: int, head_dim: int, dtype: mx.Dtype) -> KeysValues:
        """Of `batch` rows that have read nothing."""
        return KeysValues((mx.zeros((batch, 2, heads, 0, head_dim), dtype),), (0,) * batch)

    @property
    def arrays(self) -> dict[str, mx.array]:
        """The parts by their place."""
        return {str(at): part for at, part in enumerate(self.parts)}

    def after(self, tokens: tuple[int, ...]) -> KeysValues:
        """Zeros as large as what is kept of rows that have read `tokens`."""
        shape = list(self.parts[0].shape)
        shape[_TIME] = max(tokens)
        return KeysValues(_cut(mx.zeros(shape, self.parts[0].dtype)), tokens)

    def holding(self, arrays: Mapping[str, mx.array]) -> KeysValues:
        """The same of other numbers."""
        return KeysValues(tuple(arrays.values()), self.tokens)

    def joined(self) -> mx.array:
        """All of it as one array."""
        return self.parts[0] if len(self.parts) == 1 else mx.concatenate([*self.parts], axis=_TIME)

    def extended(self, new: mx.array, counts: tuple[int, ...] | None) -> KeysValues:
        """With the first `counts` tokens of each row of `new` (batch, 2, heads, length, head_dim);
        None: with all of them."""
        length = new.shape[_TIME]
        added = (length,) * len(self.tokens) if counts is None else counts
        tokens = tuple(old + more for old, more in zip(self.tokens, added, strict=True))
        if counts is not None or len(set(self.tokens)) > 1:
            whole = mx.concatenate([*self.parts, new], axis=_TIME)
            return KeysValues(_cut(_packed_left(whole, self.tokens, tokens, length)), tokens)
        *blocks, rest = self.parts
        rest = mx.concatenate([rest, new], axis=_TIME)
        return KeysValues((*blocks, *_cut(rest)), tokens)

    def attend(self, q: mx.array, before: KeysValues, counts: tuple[int, ...] | None) -> mx.array:
        """What the queries q (batch, heads, length, head_dim) of the tokens that were read after
        `before`, in the way that `extended` was told, draw from all up to themselves."""
        scale = q.shape[-1] ** -0.5
        even = counts is None and len(set(self.tokens)) == 1
        if even and q.shape[2] == 1 and len(self.parts) > 1:
            return self._attend_once(q * scale)
        whole = self.joined()
        if not whole.shape[_TIME]:
            return mx.zeros_like(q)
        mask = "causal" if even else _mask(before.tokens, q.shape[2], whole.shape[_TIME])
        return mx.fast.scaled_dot_product_attention(
            q, whole[:, 0], whole[:, 1], scale=scale, mask=mask
        )

    def _attend_once(self, q: mx.array) -> mx.array:
        """The same for one scaled query a row, part by part, so that none of it is copied."""
        column = q.swapaxes(-1, -2)  # on a CPU that is faster than a row with the turned keys
        scores = mx.concatenate([part[:, 0] @ column for part in self.parts], axis=-2)
        weights = mx.softmax(scores.swapaxes(-1, -2), axis=-1, precise=True)
        places = [BLOCK * (at + 1) for at in range(len(self.parts) - 1)]
        shares = mx.split(weights, places, axis=-1)
        drawn = [share @ part[:, 1] for share, part in zip(shares, self.parts, strict=True)]
        return sum(drawn[1:], start=drawn[0])


def _cut(whole: mx.array) -> tuple[mx.array, ...]:
    """All tokens of an array in blocks, the last of them whole or not; at least one."""
    count = max(-(-whole.shape[_TIME] // BLOCK), 1)
    if count == 1:
        return (whole,)
    return tuple(whole[:, :, :, BLOCK * at : BLOCK * (at + 1)] for at in range(count))


def _packed_left(
    whole: mx.array, before: tuple[int, ...], after: tuple[int, ...], length: int
) -> mx.array:
    """Each row's tokens one after another, of old ones padded to the longest row and `length` new
    ones, padded too; zeros beyond them."""
    old, new = mx.array(before)[:, None], mx.array(after)[:, None]
    at = mx.arange(max(after))[None]
    source = mx.where(at < old, at, at - old + max(before))
    source = mx.minimum(source, max(before) + length - 1)
    rows = mx.take_along_axis(whole, source[:, None, None, :, None], axis=_TIME)
    return mx.where((at < new)[:, None, None, :, None], rows, mx.zeros((), whole.dtype))


def _mask(before: tuple[int, ...], length: int, total: int) -> mx.array:
    """Whether a row's query sees a token: (batch, 1, length, total). At least the first one, so
    that padding in front of nothing is a number."""
    position = mx.array(before)[:, None] + mx.arange(length)[None]
    return (mx.arange(total)[None, None] <= position[:, :, None])[:, None]
