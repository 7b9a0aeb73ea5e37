"""An answer while it is being read, written and timed: its text so far and its figures."""

from __future__ import annotations

import time

from app.pacing import Pace
from app.values import LiveFigures, Trace
from engine.api import Piece, Reading, Stats

_POINTS = 256  # of the sparkline, before neighbours are joined
_SAVES_PER_S = 1.0


class LiveReply:
    """What is known of an answer that has not ended. Times are in milliseconds."""

    def __init__(self, message: str, chat: str) -> None:
        self.message = message
        self.chat = chat
        self.text = ""
        self.tokens = 0  # written
        self.reading: Reading | None = None  # while the prompt is read
        self.began = False  # the engine has taken it up
        self._save_pace = Pace(_SAVES_PER_S)
        self._save_pace.is_due()
        self.read_began = 0.0  # of our own clock
        self._read: tuple[tuple[int, int], ...] = ()
        self._points: list[tuple[int, float]] = []
        self._piece: Piece | None = None

    def read(self, reading: Reading) -> None:
        """The prompt was read up to here."""
        if not self.began:
            self.began, self.read_began = True, time.perf_counter()
        self.reading = reading
        self._read = ((reading.start, reading.start + reading.done),)

    def write(self, piece: Piece) -> None:
        """More of the answer came."""
        if self.reading is not None:  # the last token of the prompt is read with the first step
            self._read = ((self.reading.start, self.reading.start + self.reading.total),)
            self.reading = None
        self.began = True
        self.text += piece.text
        self.tokens += piece.tokens
        self._piece = piece
        if piece.ms is not None:
            self._points.append((piece.position, piece.ms))
        if len(self._points) > _POINTS:
            self._points = joined(self._points)

    def is_due_for_saving(self) -> bool:
        """True once a second."""
        return self._save_pace.is_due()

    @property
    def position(self) -> int:
        """The tokens in the state."""
        if self.reading is not None:
            return self.reading.start + self.reading.done
        return self._piece.position if self._piece else 0

    def figures(self) -> LiveFigures:
        """What the strip shows now."""
        if self.reading is not None:
            return self._reading_figures(self.reading)
        piece = self._piece
        ms = piece.ms_per_token if piece else None
        return LiveFigures(
            ms_per_token=ms,
            tokens_per_s=1e3 / ms if ms else None,
            ttft_ms=piece.ttft_ms if piece else None,
            position=self.position,
        )

    def _reading_figures(self, reading: Reading) -> LiveFigures:
        passed = 1e3 * (time.perf_counter() - self.read_began)
        ms = passed / reading.done if reading.done else None
        return LiveFigures(
            ms_per_token=ms,
            tokens_per_s=1e3 / ms if ms else None,
            position=self.position,
            reading=True,
        )

    def trace(self) -> Trace:
        """This answer's part of the sparkline."""
        if self.reading is not None:
            end = self.reading.start + self.reading.total
        else:
            end = max([self.position, *(stop for _, stop in self._read)])
        return Trace(points=tuple(self._points), read=self._read, end=end)


def joined(points: list[tuple[int, float]]) -> list[tuple[int, float]]:
    """Half as many points, each the mean of two neighbours at the place of the second."""
    pairs = zip(points[::2], points[1::2], strict=False)
    half = [(at, (first + ms) / 2) for (_, first), (at, ms) in pairs]
    return half + points[len(points) // 2 * 2 :]


def ended_figures(stats: Stats | None) -> LiveFigures:
    """What the strip shows of an answer that has ended."""
    if stats is None:
        return LiveFigures()
    return LiveFigures(
        ms_per_token=stats.ms_per_token,
        tokens_per_s=stats.tokens_per_s,
        ttft_ms=stats.ttft_ms,
        position=stats.position,
        state_bytes=stats.state_bytes or None,
    )


def whole_trace(parts: list[Trace]) -> Trace:
    """The sparkline of a chat from those of its answers, first to last.

    One that read again what was read before (another model, or a state that was lost) begins
    the line anew: the positions before it were another state's."""
    kept: list[Trace] = []
    for part in parts:
        if kept and part.read and part.read[0][0] < kept[-1].end:
            kept = []
        kept.append(part)
    return Trace(
        points=tuple(point for part in kept for point in part.points),
        read=tuple(stretch for part in kept for stretch in part.read),
        end=max((part.end for part in kept), default=0),
    )
