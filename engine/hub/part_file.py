"""A file that is coming down: its bytes in NAME.part, and beside them what they are bytes of."""

from __future__ import annotations

import json
import os
import threading
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.api import RemoteFile
from engine.disk import disk_errors, sync_folder, write_json
from engine.errors import EngineError

_NOTE_ROOM = 64 << 10
SPLIT_BYTES = 16 << 20  # a stretch is halved for another connection while each half is as large


@dataclass
class Stretch:
    """The bytes from `at` up to `end` are missing; those before `at` are here."""

    start: int
    at: int
    end: int
    taken: bool = False  # a connection is at work on it


class PartFile:
    """The bytes of `wanted` that are here. Its methods may be called from any thread.

    The note beside it (NAME.part.json) is written once the bytes are on the disk, so that after a
    crash it never tells of more than there is. Raises EngineError where the disk refuses."""

    def __init__(self, folder: Path, wanted: RemoteFile) -> None:
        self.wanted = wanted
        self.path = folder / f"{wanted.name}.part"
        self._note = folder / f"{wanted.name}.part.json"
        self._lock = threading.Lock()
        self.round = 0  # grows when it starts over: what was read before is worth nothing
        self.etag = ""
        self.ranges = False  # the server is known to send parts
        self._stretches = [Stretch(0, 0, wanted.size)]
        with disk_errors(self.path):
            self._file = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        self._recall()

    def _recall(self) -> None:
        """Go on from the note, where it is about this file and agrees with the bytes."""
        try:
            note: dict[str, Any] = json.loads(self._note.read_text("utf-8"))
            stretches = [Stretch(int(a), int(b), int(c)) for a, b, c in note["stretches"]]
            same = note["file"] == _described(self.wanted) and _tile(stretches, self.wanted.size)
            here = os.fstat(self._file).st_size >= max((s.at for s in stretches), default=0)
            if same and here:
                self._stretches, self.etag = stretches, str(note["etag"])
        except (OSError, ValueError, KeyError, TypeError):
            pass  # no note, or a damaged one: the file is fetched from its start

    @property
    def done_bytes(self) -> int:
        """How many of the file's bytes are here."""
        with self._lock:
            return self._done()

    def _done(self) -> int:
        return sum(stretch.at - stretch.start for stretch in self._stretches)

    @property
    def missing_bytes(self) -> int:
        """How many are still to come; whether those here are right is not known yet."""
        return self.wanted.size - self.done_bytes

    def prefix(self) -> tuple[int, int]:
        """(round, bytes that are here without a gap from the first on)."""
        with self._lock:
            end = 0
            for stretch in sorted(self._stretches, key=lambda each: each.start):
                end = stretch.at
                if stretch.at < stretch.end:
                    break
            return self.round, end

    def take(self) -> Stretch | None:
        """A stretch for one connection: one that no other is at, else half of the largest where
        the server sends parts."""
        with self._lock:
            free = [s for s in self._stretches if not s.taken and s.at < s.end]
            if not free and not self.ranges:
                return None
            if not free:
                largest = max(self._stretches, key=lambda each: each.end - each.at)
                if largest.end - largest.at < 2 * SPLIT_BYTES:
                    return None
                middle = (largest.at + largest.end) // 2
                free = [Stretch(middle, middle, largest.end)]
                largest.end = middle
                self._stretches += free
            free[0].taken = True
            return free[0]

    def give_back(self, stretch: Stretch) -> None:
        """The connection is done with `stretch`, or has failed at it."""
        with self._lock:
            stretch.taken = False

    def write(self, stretch: Stretch, data: memoryview) -> int:
        """Put what came for `stretch` into its place; how many bytes it still wants.

        What lies beyond its end is left out: another connection brings that."""
        with self._lock:
            if not any(stretch is each for each in self._stretches):
                return 0  # the file started over meanwhile
            data = data[: stretch.end - stretch.at]
            at = stretch.at
        with disk_errors(self.path, self.missing_bytes):
            while data:
                written = os.pwrite(self._file, data, at)
                data, at = data[written:], at + written
        with self._lock:
            stretch.at = at
            return max(0, stretch.end - at)

    def read(self, at: int, size: int) -> bytes:
        """Bytes that are here already."""
        with disk_errors(self.path):
            return os.pread(self._file, size, at)

    def start_over(self, etag: str = "", keep: Stretch | None = None) -> None:
        """Forget all bytes; `keep` becomes the one stretch, from the first byte on."""
        with self._lock:
            self.round += 1
            self.etag = etag
            whole = keep or Stretch(0, 0, 0)
            whole.start, whole.at, whole.end = 0, 0, self.wanted.size
            self._stretches = [whole]
        with disk_errors(self.path):
            self._empty()
        self.save()

    def _empty(self) -> None:
        """No bytes, also not those that another name shares: `adopt` took them from there."""
        if os.fstat(self._file).st_nlink < 2:
            os.ftruncate(self._file, 0)
            return
        new = self.path.with_name(f"{self.path.name}.new")
        fresh = os.open(new, os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o644)
        os.replace(new, self.path)
        os.dup2(fresh, self._file, inheritable=False)  # whoever writes has the new one at once
        os.close(fresh)

    def save(self) -> None:
        """Write the note of what is here, once that is on the disk."""
        with disk_errors(self.path, self.missing_bytes):
            os.fsync(self._file)
        try:
            self._write_note()
        except EngineError as error:
            if error.code != "disk_full":
                raise
            self._make_room()
            self._write_note()

    def _write_note(self) -> None:
        with self._lock:
            etag, stretches = self.etag, [[s.start, s.at, s.end] for s in self._stretches]
        note = {"file": _described(self.wanted), "etag": etag, "stretches": stretches}
        with disk_errors(self._note):
            write_json(self._note, note)

    def _make_room(self) -> None:
        """Give the last bytes up, so that a full disk can hold the note of all others."""
        with self._lock:
            last = max(self._stretches, key=lambda each: (each.at > each.start, each.at))
            last.at = max(last.start, last.at - _NOTE_ROOM)
            os.ftruncate(self._file, max(each.at for each in self._stretches))

    def close(self) -> None:
        """Let go of the file; what is here stays."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def finish(self) -> Path:
        """The file under its own name, on the disk for good. Closes it."""
        final = self.path.with_name(self.wanted.name)
        with disk_errors(self.path):
            os.ftruncate(self._file, self.wanted.size)
            os.fsync(self._file)
            self.close()
            os.replace(self.path, final)
            self._note.unlink(missing_ok=True)
            sync_folder(final.parent)
        return final

    def set_aside(self) -> None:
        """Keep the bytes that failed their check under NAME.bad, not to be used. Closes it."""
        self.close()
        with disk_errors(self.path):
            os.replace(self.path, self.path.with_name(f"{self.wanted.name}.bad"))
            self._note.unlink(missing_ok=True)


def adopt(source: Path, folder: Path, wanted: RemoteFile) -> None:
    """Begin with the bytes of `source`, a file that may be `wanted`, where nothing is here yet and
    its size is right. They are shared, not copied; whether they are right the check will tell."""
    part = folder / f"{wanted.name}.part"
    with suppress(OSError):  # another disk, or a file system without links: it is fetched
        if source.stat().st_size == wanted.size and not part.exists():
            os.link(source.resolve(), part)
            whole = [[0, wanted.size, wanted.size]]
            note = {"file": _described(wanted), "etag": "", "stretches": whole}
            write_json(folder / f"{wanted.name}.part.json", note)


def _described(file: RemoteFile) -> dict[str, Any]:
    return {"size": file.size, "sha256": file.sha256, "git_id": file.git_id}


def _tile(stretches: list[Stretch], size: int) -> bool:
    """Whether they cover the file once."""
    end = 0
    for stretch in sorted(stretches, key=lambda each: each.start):
        if stretch.start != end or not stretch.start <= stretch.at <= stretch.end:
            return False
        end = stretch.end
    return end == size
