"""Whether a measurement can be believed: the machine was awake and had little else to do."""

from __future__ import annotations

import os
import time
from pathlib import Path

from engine.compare_api import Doubt

_SLEPT_S = 1.0
_BUSY = 0.15  # of all cores, taken by others while it was measured
_STAT = Path("/proc/stat")


class Watch:
    """Begins when it is made."""

    def __init__(self) -> None:
        self._asleep, self._others = _asleep_s(), _others_s()
        self._began = time.monotonic()

    def doubt(self) -> Doubt:
        """Why the times since then are nothing to go by; "" where nothing speaks against them."""
        if _asleep_s() - self._asleep > _SLEPT_S:
            return "slept"
        took = time.monotonic() - self._began
        share = (_others_s() - self._others) / (max(took, 0.01) * (os.cpu_count() or 1))
        return "busy" if share > _BUSY else ""


def _asleep_s() -> float:
    """For how long the machine has slept since it was started: what the clock that goes on through
    a sleep is ahead of the one that does not. 0 where the system does not tell them apart."""
    for through, awake in (("BOOTTIME", "MONOTONIC"), ("MONOTONIC_RAW", "UPTIME_RAW")):
        first = getattr(time, f"CLOCK_{through}", None)
        second = getattr(time, f"CLOCK_{awake}", None)
        if first is not None and second is not None:
            return time.clock_gettime(first) - time.clock_gettime(second)
    return 0.0


def _others_s() -> float:
    """The seconds of all cores that went to other processes so far; 0 where that is not told: on
    a Mac only sleep is noticed."""
    try:
        fields = _STAT.read_text("ascii").splitlines()[0].split()[1:]
    except (OSError, IndexError):
        return 0.0
    user, nice, system = (int(field) for field in fields[:3])
    mine = os.times()
    return (user + nice + system) / os.sysconf("SC_CLK_TCK") - mine.user - mine.system
