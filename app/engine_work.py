"""What the engine's thread is asked for: each can be stopped, and is ended by one of two."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

from engine.api import Finished, ReplyRequest, Stats
from engine.compare_api import CompareRequest


class Work:
    """A load or a reply. Whoever claims it first ends it: the worker, or a stop before that."""

    def __init__(self) -> None:
        self.stopped = threading.Event()
        self._claimed = threading.Lock()

    def claim(self) -> bool:
        """True for the first caller only."""
        return self._claimed.acquire(blocking=False)


class Load(Work):
    def __init__(self, folder: Path, name: str, wishes: dict[str, Any]) -> None:
        super().__init__()
        self.folder, self.name, self.wishes = folder, name, wishes


class Ask(Work):
    def __init__(self, request: ReplyRequest) -> None:
        super().__init__()
        self.request = request


class Comparison(Work):
    """One prompt for several models; `stops` end one answer each."""

    def __init__(self, request: CompareRequest) -> None:
        super().__init__()
        self.request = request
        self.stops = [threading.Event() for _ in request.contestants]


def never_begun() -> Finished:
    """The end of a reply that was stopped while it waited."""
    stats = Stats(
        prompt_tokens=0,
        new_tokens=0,
        load_s=None,
        ttft_ms=None,
        prefill_tokens_per_s=None,
        ms_per_token=None,
        tokens_per_s=None,
        state_bytes=0,
        peak_memory_bytes=0,
        stop_reason="stopped",
        backend="",
    )
    return Finished(text="", stats=stats, ids=None, tokenizer="")
