"""What a folder takes on the disk and what the disk has left; writing so that a crash leaves the
old or the new; and what the disk's errors mean."""

from __future__ import annotations

import errno
import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from engine.errors import EngineError

RESERVE = 64 << 20  # bytes that are left free for everything else
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def bytes_in(folder: Path, *, linked: bool = False) -> int:
    """The bytes of the files in the folder, at any depth; with `linked` also those of the files
    that links in it lead to. What cannot be read counts nothing."""
    total = 0
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    total += bytes_in(Path(entry.path), linked=linked)
                elif entry.is_file(follow_symlinks=linked):
                    total += entry.stat(follow_symlinks=linked).st_size
    except OSError:
        pass
    return total


def free_bytes(folder: Path) -> int:
    """What is free on the disk of `folder`, which need not be there yet."""
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    return shutil.disk_usage(folder).free


def sync_folder(folder: Path) -> None:
    """Have the names in the folder on the disk. Where folders cannot be synced nothing happens."""
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(handle)
    except OSError:
        pass
    finally:
        os.close(handle)


def write_json(path: Path, value: Any) -> None:
    """`value` at `path` whole or not at all, also through a crash. Raises OSError."""
    new = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with new.open("w", encoding="utf-8") as file:
            json.dump(value, file, indent=1)  # escaped: a path need not be UTF-8
            file.flush()
            os.fsync(file.fileno())
        new.replace(path)
    finally:
        new.unlink(missing_ok=True)


@contextmanager
def disk_errors(path: Path, missing: int = 0) -> Iterator[None]:
    """Turn the system's errors about `path` into sentences; `missing` bytes are still to come."""
    try:
        yield
    except OSError as error:
        if error.errno in _FULL:
            raise disk_full(path, missing) from error
        detail = error.strerror or str(error)
        raise EngineError("unwritable", path=path, detail=detail) from error


def disk_full(path: Path, missing: int) -> EngineError:
    """The error that says how much room `missing` bytes lack on the disk of `path`."""
    folder = path if path.is_dir() else path.parent
    try:
        free = free_bytes(folder)
    except OSError:
        free = 0
    return EngineError("disk_full", path=folder, needed=max(missing + RESERVE - free, 1 << 20))


def check_room(folder: Path, missing: int) -> None:
    """Raise EngineError("disk_full") unless `missing` bytes can come into `folder`."""
    with disk_errors(folder):
        free = free_bytes(folder)
    if free < missing + RESERVE:
        raise disk_full(folder, missing)
