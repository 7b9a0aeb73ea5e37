"""Writing so that a crash leaves the old or the new, and what the disk's errors mean."""

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
        free = shutil.disk_usage(folder).free
    except OSError:
        free = 0
    return EngineError("disk_full", path=folder, needed=max(missing + RESERVE - free, 1 << 20))


def check_room(folder: Path, missing: int) -> None:
    """Raise EngineError("disk_full") unless `missing` bytes can come into `folder`."""
    with disk_errors(folder):
        free = shutil.disk_usage(folder).free
    if free < missing + RESERVE:
        raise disk_full(folder, missing)


def write_json(path: Path, value: Any) -> None:
    """`value` at `path` whole or not at all, also through a crash."""
    new = path.with_name(f"{path.name}.new")
    with disk_errors(path):
        with new.open("w", encoding="utf-8") as file:
            json.dump(value, file, ensure_ascii=False, indent=1)
            file.flush()
            os.fsync(file.fileno())
        os.replace(new, path)


def sync_folder(folder: Path) -> None:
    """Make sure that what was renamed in `folder` stays so."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
