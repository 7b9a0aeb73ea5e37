"""What the Models view says of a download: one sentence, the bar's tone, what can be asked for."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QLocale

from app import format as text
from app.errors_text import sentence
from app.library_rows import DownloadRow, Tone, Wish
from engine.api import Download
from engine.errors import EngineError

_DONE = 0.999  # "100 %" is for a file that is here


def name_of(repo: str) -> str:
    """A model's name without its owner's."""
    return repo.rpartition("/")[2]


def owner_of(repo: str) -> str:
    """Who publishes it; "" where the name does not say."""
    return repo.rpartition("/")[0]


def download_row(download: Download, *, has_token: bool) -> DownloadRow:
    """A download as the view shows it; without a token a gated one leads to the settings."""
    done, total = download.done_bytes, download.total_bytes
    if download.phase == "checking":
        done = download.checked_bytes
    return DownloadRow(
        id=download.repo,
        name=name_of(download.repo),
        owner=owner_of(download.repo),
        text=_text(download),
        fraction=min(done / total, _DONE) if total and done < total else 1.0 if total else None,
        tone=_tone(download),
        wishes=_wishes(download, has_token),
    )


def _tone(download: Download) -> Tone:
    if download.phase == "failed":
        return "error"
    return "other" if download.phase in ("paused", "waiting", "offline") else "accent"


def _wishes(download: Download, has_token: bool) -> tuple[Wish, ...]:
    if download.phase == "failed":
        code = download.error.code if isinstance(download.error, EngineError) else ""
        if code == "gated":
            return ("page", "retry" if has_token else "settings", "cancel")
        if code in ("bad_token", "proxy"):
            return ("settings", "retry", "cancel")
        return ("retry", "cancel")
    if download.phase == "paused":
        return ("resume", "cancel")
    if download.phase == "checking":
        return ("cancel",)
    return ("pause", "cancel")


def _text(download: Download) -> str:
    phase = download.phase
    if phase == "moving":
        return _moving(download)
    if phase == "paused":
        return _paused(download)
    if phase == "waiting":
        return _waiting(download)
    if phase == "checking":
        words = QCoreApplication.translate("Library", "Checking {size} against its SHA-256")
        return words.replace("{size}", bytes_of(download.total_bytes))
    if phase == "retrying":
        return _retrying(download)
    if phase == "offline":
        return QCoreApplication.translate("Library", "No network. Downloads go on when it returns.")
    if phase == "failed" and download.error is not None:
        return failure(download.error)
    return QCoreApplication.translate("Library", "Asking Hugging Face what there is to get")


def failure(error: Exception) -> str:
    """Why a download does not go on, in the few words of a row."""
    if isinstance(error, EngineError):
        if error.code == "gated":
            words = QCoreApplication.translate(
                "Library", "{owner} asks you to accept its licence first."
            )
            return words.replace("{owner}", str(error.values["owner"]))
        if error.code == "check_failed":
            words = QCoreApplication.translate(
                "Library", "{file} failed its check twice and was set aside"
            )
            return words.replace("{file}", str(error.values["file"]))
        if error.code == "disk_full":
            words = QCoreApplication.translate(
                "Library", "Needs {size} more disk space. What is here is kept."
            )
            return words.replace("{size}", bytes_of(int(error.values["needed"])))
    return sentence(error)


def _moving(download: Download) -> str:
    share = share_of(download.done_bytes, download.total_bytes)
    speed = download.bytes_per_s
    if not speed:
        return share
    if download.seconds_left is None:
        words = QCoreApplication.translate("Library", "{share}, {speed}")
    else:
        words = QCoreApplication.translate("Library", "{share}, {speed}, {time} left")
        words = words.replace("{time}", duration(download.seconds_left))
    return words.replace("{share}", share).replace("{speed}", rate(speed))


def _paused(download: Download) -> str:
    if not download.total_bytes:
        return QCoreApplication.translate("Library", "Paused before it began")
    words = QCoreApplication.translate("Library", "Paused at {share}")
    return words.replace("{share}", share_of(download.done_bytes, download.total_bytes))


def _waiting(download: Download) -> str:
    if not download.after:
        return QCoreApplication.translate("Library", "Starting")
    words = QCoreApplication.translate("Library", "Waiting for {name}")
    return words.replace("{name}", name_of(download.after))


def _retrying(download: Download) -> str:
    if download.idle_s:
        words = QCoreApplication.translate(
            "Library", "No data for {idle}. Trying again in {time} ({attempt} of {attempts})"
        )
    else:
        words = QCoreApplication.translate(
            "Library", "The connection broke. Trying again in {time} ({attempt} of {attempts})"
        )
    return (
        words.replace("{idle}", duration(download.idle_s))
        .replace("{time}", duration(download.retry_in_s))
        .replace("{attempts}", str(download.attempts))
        .replace("{attempt}", str(download.attempt))
    )


def share_of(done: int, total: int) -> str:
    """How much is here, in the unit of the whole: "1.34 of 3.17 GB"."""
    whole, unit = text.size(total)
    decimals = len(whole.partition(".")[2])
    part = f"{done / {'kB': 1e3, 'MB': 1e6, 'GB': 1e9}[unit]:,.{decimals}f}"
    if QLocale().language() == QLocale.Language.Japanese:
        part = f"{part} {unit}"  # it stands behind the whole there, and ends with its own unit
    words = QCoreApplication.translate("Library", "{done} of {total}")
    return words.replace("{done}", part).replace("{total}", f"{whole} {unit}")


def bytes_of(n_bytes: int) -> str:
    """A size with its unit: "1.49 GB", "24.2 MB"."""
    return " ".join(text.size(n_bytes))


def rate(bytes_per_s: float) -> str:
    """A speed: "38.4 MB/s"."""
    return f"{bytes_of(round(bytes_per_s))}/s"


def duration(seconds: float) -> str:
    """A time to wait, no finer than is known: "48 s", "14 min", "2 h 5 min"."""
    whole = max(0, round(seconds))
    if whole < 100:
        words = QCoreApplication.translate("Library", "{s} s")
        return words.replace("{s}", str(whole))
    minutes = round(whole / 60)
    if minutes < 100:
        return QCoreApplication.translate("Library", "{min} min").replace("{min}", str(minutes))
    words = QCoreApplication.translate("Library", "{h} h {min} min")
    return words.replace("{h}", str(minutes // 60)).replace("{min}", str(minutes % 60))
