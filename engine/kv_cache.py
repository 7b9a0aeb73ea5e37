"""A Transformer layer's part of a state: the keys and values of every token that was read."""

from __future__ import annotations

from dataclasses import dataclass

from engine.device import mx

# Reading one more token copies those after the last whole block: few enough not to be felt, and a
# block is long enough that joining it to all before, every so many tokens, is not either.
BLOCK = 256
_TIME = 3  # the axis of the tokens


@dataclass(frozen=True, slots=True)
class KeysValues:
    """Arrays (batch, 2, heads, tokens, head_dim), keys and values: `past` holds whole blocks and
    is shared by the states that follow, `recent` the up to BLOCK tokens after them.

    `tokens` counts what each row has read; beyond that a shorter row holds zeros."""

    past: mx.array
    recent: mx.array
    tokens: tuple[int, ...]

    @staticmethod
    def empty(batch: int, heads: int, head_dim: int, dtype: mx.Dtype) -> KeysValues:
        """Of `batch` rows that have read nothing."""
        nothing = mx.zeros((batch, 2, heads, 0, head_dim), dtype)
        return KeysValues(nothing, nothing, (0,) * batch)

    @property
    def arrays(self) -> dict[str, mx.array]:
        """Both, by name."""
        return {"past": self.past, "recent": self.recent}

    def after(self, tokens: tuple[int, ...]) -> KeysValues:
        """Zeros as large as what is kept of rows that have read `tokens`."""
        shape = list(self.past.shape)
        shape[_TIME] = max(tokens)
        return _cut(mx.zeros(shape, self.past.dtype), tokens)

    def joined(self) -> mx.array:
        """All of it as one array."""
        if not self.past.shape[_TIME]:
            return self.recent
        return mx.concatenate([self.past, self.recent], axis=_TIME)

    def extended(self, new: mx.array, counts: tuple[int, ...] | None) -> KeysValues:
        """With the first `counts` tokens of each row of `new` (batch, 2, heads, length, head_dim);
        None: with all of them."""
        length = new.shape[_TIME]
        added = (length,) * len(self.tokens) if counts is None else counts
        tokens = tuple(old + more for old, more in zip(self.tokens, added, strict=True))
        if counts is not None or len(set(self.tokens)) > 1:
            whole = mx.concatenate([self.joined(), new], axis=_TIME)
            return _cut(_packed_left(whole, self.tokens, tokens, length), tokens)
        longer = KeysValues(self.past, mx.concatenate([self.recent, new], axis=_TIME), tokens)
        if longer.recent.shape[_TIME] <= BLOCK:
            return longer
        return _cut(longer.joined(), tokens)

    def attend(self, q: mx.array, before: KeysValues, counts: tuple[int, ...] | None) -> mx.array:
        """What the queries q (batch, heads, length, head_dim) of the tokens that were read after
        `before`, in the way that `extended` was told, draw from all up to themselves."""
        scale = q.shape[-1] ** -0.5
        even = counts is None and len(set(self.tokens)) == 1
        if even and q.shape[2] == 1 and self.past.shape[_TIME]:
            return self._attend_once(q * scale)
        whole = self.joined()
        if not whole.shape[_TIME]:
            return mx.zeros_like(q)
        mask = "causal" if even else _mask(before.tokens, q.shape[2], whole.shape[_TIME])
        return mx.fast.scaled_dot_product_attention(
            q, whole[:, 0], whole[:, 1], scale=scale, mask=mask
        )

    def _attend_once(self, q: mx.array) -> mx.array:
        """The same for one scaled query a row, in two parts, so that the past is not copied."""
        parts = (self.past, self.recent)
        scores = mx.concatenate([q @ part[:, 0].swapaxes(-1, -2) for part in parts], axis=-1)
        weights = mx.softmax(scores, axis=-1, precise=True)
        shares = mx.split(weights, [self.past.shape[_TIME]], axis=-1)
        past, recent = (share @ part[:, 1] for share, part in zip(shares, parts, strict=True))
        return past + recent


def _cut(whole: mx.array, tokens: tuple[int, ...]) -> KeysValues:
    """All tokens in one array, parted after the last whole block with another token behind it."""
    blocks = max(max(tokens) - 1, 0) // BLOCK * BLOCK
    return KeysValues(whole[:, :, :, :blocks], whole[:, :, :, blocks:], tokens)


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
