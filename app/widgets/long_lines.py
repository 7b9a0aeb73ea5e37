"""Where a line that is too long to lay out at once is cut."""

from __future__ import annotations


def fitting(text: str, used: int, limit: int) -> tuple[int, bool]:
    """How many characters of `text` go on a line that holds `used`, and whether it is full then.

    It ends at a space in its last fifth, so that words stay whole, else at `limit`."""
    early, room = max(0, limit * 4 // 5 - used), max(0, limit - used)
    space = text.find(" ", early, room)
    return (space + 1, True) if space >= 0 else (min(room, len(text)), len(text) > room)
