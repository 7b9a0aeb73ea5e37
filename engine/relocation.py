"""Files brought to another folder, linked or copied, so that they can be taken away again."""

from __future__ import annotations

import filecmp
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from engine import disk
from engine.errors import EngineError, Stopped

_BLOCK = 8 << 20


@dataclass(frozen=True, slots=True)
class Part:
    """A file, or a link that leads somewhere, by its path below the folder it is brought from."""

    path: Path
    size: int = 0
    is_link: bool = False


def parts_of(item: Path, root: Path) -> Iterator[Part]:
    """What is to be brought of `item`, a link or a folder below `root`. Raises OSError."""
    if item.is_symlink():
        yield Part(item.relative_to(root), is_link=True)
        return
    with os.scandir(item) as entries:
        for entry in sorted(entries, key=lambda entry: entry.name):
            path = Path(entry.path)
            if entry.is_symlink() or entry.is_dir():
                yield from parts_of(path, root)
            elif entry.is_file():  # nothing else can be part of a model
                yield Part(path.relative_to(root), entry.stat().st_size)


class Relocation:
    """Brings parts from the folder `old` to `new`, and leaves `old` as it is.

    A file is there at once under both names where the file system can do that, else a copy."""

    def __init__(
        self,
        old: Path,
        new: Path,
        on_progress: Callable[[float], None] | None = None,
        stopped: threading.Event | None = None,
    ) -> None:
        self._old, self._new = old, new
        self._on_progress, self._stopped = on_progress, stopped
        self._made: list[Path] = []  # in this order
        self._total = self._done = 0  # bytes
        self._has_room = False  # for what is copied

    def bring(self, parts: list[Part]) -> None:
        """Have every part in the new folder and on its disk.

        What is there already, the same to the last byte, stays. Raises EngineError: exists where
        it is not the same, disk_full, unreadable where a file changes; Stopped; OSError."""
        self._total = sum(part.size for part in parts)
        self._make_folder(self._new, self._new.parent)
        for part in parts:
            source, target = self._old / part.path, self._new / part.path
            self._make_folder(target.parent, self._new)
            if part.is_link:
                self._bring_link(source, target)
            elif not self._is_there(source, target):
                self._bring_file(source, target, part.size)
            else:
                self._advance(part.size)
        for folder in {path.parent for path in self._made}:
            disk.sync_folder(folder)

    def undo(self) -> None:
        """Take away what was brought; what cannot be taken away stays."""
        for path in reversed(self._made):
            with suppress(OSError):
                if path.is_dir() and not path.is_symlink():
                    path.rmdir()
                else:
                    path.unlink()

    @property
    def lacking_bytes(self) -> int:
        """How much more room is needed for what has not been brought yet; at least 1."""
        return max(1, self._total - self._done - disk.free_bytes(self._new))

    def _make_folder(self, folder: Path, root: Path) -> None:
        """The folder and those above it below `root`, which must be there: a disk that is not
        connected has none."""
        missing = []
        while folder != root and not os.path.isdir(folder):
            missing.append(folder)
            folder = folder.parent
        for each in reversed(missing):
            each.mkdir()
            self._made.append(each)

    def _is_there(self, source: Path, target: Path) -> bool:
        if not os.path.lexists(target):
            return False
        if os.path.isfile(target) and (
            os.path.samefile(source, target) or filecmp.cmp(source, target, shallow=False)
        ):
            return True
        raise EngineError("exists", path=target.parent)

    def _bring_link(self, source: Path, target: Path) -> None:
        """A link that leads where the old one leads: one into `old` now leads into `new`."""
        text = os.readlink(source)
        end = Path(os.path.normpath(source.parent / text))
        if not end.is_relative_to(self._old):
            text = str(end)
        elif os.path.isabs(text):
            text = str(self._new / end.relative_to(self._old))
        if not os.path.lexists(target):
            target.symlink_to(text)
            self._made.append(target)
        elif not target.is_symlink() or os.readlink(target) != text:
            raise EngineError("exists", path=target)

    def _bring_file(self, source: Path, target: Path, size: int) -> None:
        try:
            os.link(source, target)
        except OSError:  # another disk, or a file system that gives a file one name only
            self._copy(source, target, size)
        else:
            self._made.append(target)
            self._advance(size)

    def _copy(self, source: Path, target: Path, size: int) -> None:
        if not self._has_room and self._total - self._done > disk.free_bytes(self._new):
            raise EngineError("disk_full", needed=self.lacking_bytes, path=self._new)
        self._has_room = True
        unfinished = target.with_name(f".{target.name}.moving")
        self._made.append(unfinished)
        with source.open("rb", buffering=0) as read, unfinished.open("wb") as write:
            while write.tell() <= size and (block := read.read(_BLOCK)):  # it may still grow
                write.write(block)
                self._advance(len(block))
            write.flush()
            os.fsync(write.fileno())
        if unfinished.stat().st_size != size:
            detail = "it changed while it was moved"
            raise EngineError("unreadable", path=source, detail=detail)
        unfinished.replace(target)
        self._made[-1] = target

    def _advance(self, size: int) -> None:
        self._done += size
        if self._stopped is not None and self._stopped.is_set():
            raise Stopped()
        if self._on_progress is not None:
            self._on_progress(min(1.0, self._done / max(1, self._total)))
