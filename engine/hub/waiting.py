"""Work that cannot be interrupted, such as a question to a silent server, done so that a stop
does not have to wait for it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, TypeVar

from engine.errors import Stopped

T = TypeVar("T")
_TICK_S = 0.02


def unless_stopped(
    work: Callable[[], T], stopped: threading.Event, on_tick: Callable[[], None]
) -> T:
    """What `work` gives or raises, done on another thread; Stopped as soon as `stopped` is set,
    and then what `work` comes to is nobody's business. `on_tick` is called meanwhile."""
    came: dict[str, Any] = {}

    def run() -> None:
        try:
            came["result"] = work()
        except BaseException as error:
            came["error"] = error

    thread = threading.Thread(target=run, name="asking", daemon=True)
    thread.start()
    while thread.is_alive():
        thread.join(_TICK_S)
        on_tick()
        if stopped.is_set():
            raise Stopped
    if "error" in came:
        raise came["error"]
    result: T = came["result"]
    return result
