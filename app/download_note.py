"""What is told of the downloads beside the chats: which one, how far it is, how many more."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication

from app.library_rows import DownloadNote
from app.library_words import download_row, duration
from app.model_rows import word_of
from engine.api import Download, Phase

# Of several the first of these is told of: the one that moves, else the one nearest to that.
_ORDER: tuple[Phase, ...] = (
    "moving", "checking", "retrying", "starting", "offline", "waiting", "failed", "paused", "done",
)  # fmt: skip


def download_note(downloads: Sequence[Download]) -> DownloadNote | None:
    """The note on all of them; None where there are none."""
    if not downloads:
        return None
    told = min(downloads, key=lambda download: _ORDER.index(download.phase))
    row = download_row(told, has_token=False)
    word = _word(told)
    return DownloadNote(
        name=row.name,
        more=len(downloads) - 1,
        text=_with_time(told, word),
        short=word,
        fraction=row.fraction,
        tone=row.tone,
    )


def _word(download: Download) -> str:
    if download.phase == "offline":
        return QCoreApplication.translate("Library", "No network")
    if download.phase == "retrying":
        return QCoreApplication.translate("Library", "Trying again")
    return word_of(download)


def _with_time(download: Download, share: str) -> str:
    if download.phase != "moving" or not download.total_bytes or download.seconds_left is None:
        return share
    words = QCoreApplication.translate("Library", "{share}, {time} left")
    return words.replace("{time}", duration(download.seconds_left)).replace("{share}", share)
