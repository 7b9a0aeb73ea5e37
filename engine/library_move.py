"""Moves the models folder: all is at the new place before anything goes from the old one."""

from __future__ import annotations

import errno
import os
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from engine import library_places, paths
from engine.errors import EngineError
from engine.library_folders import models_in
from engine.library_places import FORCE, Places, check_connected, volume_of
from engine.relocation import Part, Relocation, parts_of

SUBFOLDER = "Mamba Chat Models"  # in a folder that holds other things
UNFINISHED = ".downloads"  # what is still coming down
_AROUND = 1  # folders within a folder that is looked at for other things
_NO_ROOM = (errno.ENOSPC, errno.EDQUOT)


def move_models(
    to: str | Path,
    *,
    on_progress: Callable[[float], None] | None = None,
    stopped: threading.Event | None = None,
) -> Path:
    """Move the installed models and the unfinished downloads to the folder `to`, or to one of our
    own in it where it holds other things; that is the models folder from then on, and is given.

    Within one file system no byte is copied. Until all is there the old folder is whole and in
    use, whatever happens; one on a disk that is not connected is left as it is. No download may
    run meanwhile. `on_progress` hears the fraction of bytes that is there. Raises EngineError:
    inside_models, exists where another file has a name already, disk_full, unreadable,
    unwritable, bad_value where MAMBA_CHAT_MODELS says where the models are; Stopped."""
    if forced := os.environ.get(FORCE):
        raise EngineError("bad_value", field=FORCE, expected="unset", found=forced)
    old = paths.models()
    new = _landing(Path(os.path.expanduser(to)).absolute(), old)
    if _is_same(new, old):
        return old
    parts = _parts(old)
    relocation = Relocation(old, new, on_progress, stopped)
    try:
        relocation.bring(parts)
        library_places.change(lambda places: _chosen(places, new))
    except OSError as error:
        told = _told(error, old, new, relocation.lacking_bytes)
        relocation.undo()
        raise told from error
    except BaseException:
        relocation.undo()
        raise
    _clear(old, parts)
    return new


def _landing(to: Path, old: Path) -> Path:
    """The folder in which the models are to lie. Raises EngineError."""
    if _is_same(to, old):
        return old
    try:
        holds_more = os.path.ismount(to) or not _is_ours(to)
    except FileNotFoundError:
        holds_more = False
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        detail = getattr(error, "strerror", None) or str(error)
        raise EngineError("unwritable", path=to, detail=detail) from error
    new = to / SUBFOLDER if holds_more else to
    if any(_is_same(parent, old) for parent in Path(os.path.realpath(new)).parents):
        raise EngineError("inside_models", path=to)
    return new


def _is_ours(folder: Path) -> bool:
    """Whether there is nothing in it but models, or it was a models folder. Raises OSError."""
    shown = [name for name in os.listdir(folder) if not name.startswith(".")]
    if folder.name == SUBFOLDER or (folder / UNFINISHED).is_dir():
        return True
    return all((folder / name).is_dir() for name in shown) and all(
        os.path.exists(model / "config.json") for _, model in models_in(folder, _AROUND)
    )


def _is_same(one: Path, other: Path) -> bool:
    """Whether both are one folder, however it is written."""
    try:
        return one == other or os.path.samefile(one, other)
    except (OSError, ValueError):
        return False


def _parts(old: Path) -> list[Part]:
    """What is to be moved; nothing where the folder is not there."""
    try:
        check_connected()
    except EngineError:
        return []
    try:
        items = [_first_link(folder, old) for _, folder in models_in(old)]
    except FileNotFoundError:
        return []
    if (old / UNFINISHED).is_dir():
        items.append(old / UNFINISHED)
    try:
        return [part for item in dict.fromkeys(items) for part in parts_of(item, old)]
    except OSError as error:
        raise _unreadable(error, old) from error


def _first_link(folder: Path, old: Path) -> Path:
    """The link through which the folder is seen in `old`, else the folder."""
    way = [parent for parent in folder.parents if old in parent.parents]
    return next((step for step in reversed(way) if step.is_symlink()), folder)


def _chosen(places: Places, folder: Path) -> Places:
    if folder == paths.home() / "models":
        return replace(places, chosen=None, volume=None)
    return replace(places, chosen=folder, volume=volume_of(folder))


def _told(error: OSError, old: Path, new: Path, lacking_bytes: int) -> EngineError:
    if error.errno in _NO_ROOM:
        return EngineError("disk_full", needed=lacking_bytes, path=new)
    if error.filename and Path(os.fsdecode(error.filename)).is_relative_to(old):
        return _unreadable(error, old)
    return EngineError("unwritable", path=new, detail=error.strerror or str(error))


def _unreadable(error: OSError, old: Path) -> EngineError:
    path = os.fsdecode(error.filename) if error.filename else old
    return EngineError("unreadable", path=path, detail=error.strerror)


def _clear(old: Path, parts: list[Part]) -> None:
    """Remove from the old folder what was moved, and the folders that are empty then. What cannot
    be removed stays: it is at the new place as well."""
    for part in parts:
        with suppress(OSError):
            (old / part.path).unlink()
    emptied = {parent for part in parts for parent in (old / part.path).parents}
    for folder in sorted(emptied, key=lambda folder: len(folder.parts), reverse=True):
        if folder.is_relative_to(old):
            with suppress(OSError):
                folder.rmdir()
