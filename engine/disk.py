"""What a folder takes on the disk, and what the disk has left."""

from __future__ import annotations

import os
import shutil
from pathlib import Path


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
