"""Keeps the engine's events at a rate that a window can show. No Qt, no MLX."""

from __future__ import annotations

import time

from engine.api import Piece


class Pace:
    """Says when the next of at most `per_second` events is due; the first is due at once."""

    def __init__(self, per_second: float) -> None:
        self._gap = 1 / per_second
        self._last = float("-inf")

    def is_due(self) -> bool:
        """True when enough time has passed since the last True."""
        now = time.perf_counter()
        if now - self._last < self._gap:
            return False
        self._last = now
        return True


class Joiner:
    """Pieces of an answer joined into one. True while it holds any."""

    def __init__(self) -> None:
        self._pieces: list[Piece] = []

    def __bool__(self) -> bool:
        return bool(self._pieces)

    def add(self, piece: Piece) -> None:
        """Hold `piece` until the next `take`."""
        self._pieces.append(piece)

    def take(self) -> Piece:
        """All that is held as one piece: texts joined, tokens summed, `ms` the mean a token."""
        pieces, self._pieces = self._pieces, []
        timed = [(p.tokens, p.ms) for p in pieces if p.ms is not None]
        tokens = sum(count for count, _ in timed)
        last = pieces[-1]
        return Piece(
            text="".join(piece.text for piece in pieces),
            tokens=sum(piece.tokens for piece in pieces),
            position=last.position,
            ms=sum(count * ms for count, ms in timed) / tokens if tokens else None,
            ms_per_token=last.ms_per_token,
            ttft_ms=last.ttft_ms,
        )
