"""Waits for an answer that may be long in coming, and no longer than it is wanted."""

from __future__ import annotations

import threading
from collections.abc import Callable
from queue import Empty, SimpleQueue
from typing import TypeVar

from engine.errors import Stopped

T = TypeVar("T")
_TICK_S = 0.02


def answer_of(
    question: Callable[[], T], stopped: threading.Event, on_tick: Callable[[], None]
) -> T:
    """What `question` gives or raises, on a thread of its own that is left to itself once `stopped`
    is set: a server that does not answer, and a name that is looked up, cannot be interrupted.

    `on_tick` is called many times a second. Raises Stopped."""
    answers: SimpleQueue[tuple[T] | BaseException] = SimpleQueue()

    def ask() -> None:
        try:
            answers.put((question(),))
        except BaseException as error:
            answers.put(error)

    threading.Thread(target=ask, name="hub", daemon=True).start()
    while not stopped.is_set():
        on_tick()
        try:
            answer = answers.get(timeout=_TICK_S)
        except Empty:
            continue
        if isinstance(answer, BaseException):
            raise answer
        return answer[0]
    raise Stopped
