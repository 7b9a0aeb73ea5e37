"""What the user changes in the library: a folder imported, a model removed or forgotten."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from engine import disk, library_places, paths
from engine.api import Machine, ModelInfo
from engine.errors import EngineError
from engine.library import describe, entry_of
from engine.library_folders import Entry, entries, models_in, unique
from engine.library_places import Imported, Places
from engine.shared_cache import repository_name

_AROUND = 1  # a model is looked for in a folder's folders and in theirs
_FINDERS_OWN = ".DS_Store"  # an empty folder that was looked at holds it


def import_folder(path: str | Path, machine: Machine | None = None) -> ModelInfo:
    """List the model at `path`, its folder, a file in that, or a folder around it, from now on;
    it is used where it is, never copied and never deleted.

    One that is installed already is described, no more. Raises EngineError when there is no one
    model at `path` or it cannot be loaded."""
    folder = _model_at(Path(os.path.expanduser(path)).absolute())
    info = describe(folder, machine)
    for entry in entries():
        if _same(entry.folder, folder):
            return replace(describe(entry.folder, machine), name=entry.name)
    taken = {entry.name for entry in entries()}
    name = unique(repository_name(folder) or folder.name, taken)
    _change_imported(lambda known: (*known, Imported(name, folder)))
    return replace(info, name=name)


def remove(name_or_folder: str | Path) -> int:
    """Move an installed model to the Trash; gives the bytes of the models folder that it took.

    An imported one is only forgotten, of a link only the link goes: 0. Raises EngineError:
    not_found, bundled, shared, no_trash where it cannot be moved and stays."""
    entry = entry_of(name_or_folder)
    if entry.place in ("bundled", "shared"):
        raise EngineError(entry.place, name=entry.name)
    if entry.place == "imported":
        _change_imported(lambda known: tuple(each for each in known if each.folder != entry.folder))
        return 0
    if entry.place == "linked":
        raise EngineError("no_trash", path=entry.folder, detail="it is in a folder elsewhere")
    freed = _to_trash(entry)
    _tidy(entry.folder.parent)
    return freed


def share_cache(on: bool) -> None:
    """Whether the models in the Hugging Face cache are listed."""
    library_places.change(lambda places: replace(places, share_cache=on))


def _model_at(path: Path) -> Path:
    """The folder of the one model that `path` leads to; `path` itself where there is none, which
    describing it tells best."""
    if os.path.isfile(path) and path.suffix.lower() != ".gguf":
        path = path.parent
    if not os.path.isdir(path) or _is_model(path):
        return path
    found = [folder for _, folder in models_in(path, _AROUND) if _is_model(folder)]
    if len(found) > 1:
        raise EngineError("several_models", path=path, found=len(found))
    return found[0] if found else path


def _is_model(folder: Path) -> bool:
    return os.path.exists(folder / "config.json")


def _same(one: Path, other: Path) -> bool:
    try:
        return one == other or one.samefile(other)
    except OSError:  # one that is gone
        return False


def _change_imported(how: Callable[[tuple[Imported, ...]], tuple[Imported, ...]]) -> None:
    def changed(places: Places) -> Places:
        return replace(places, imported=how(places.imported))

    library_places.change(changed)


def _to_trash(entry: Entry) -> int:
    # Late: on a Mac it brings the frameworks of the system.
    from send2trash import send2trash  # type: ignore[import-untyped]

    folder = entry.folder
    try:
        if folder.is_symlink():  # the Trash would not take one that leads nowhere
            folder.unlink()
            return 0
        freed = disk.bytes_in(folder)
        send2trash(folder)
    except OSError as error:
        if not os.path.lexists(folder):
            raise EngineError("not_found", path=folder) from error
        detail = error.strerror or str(error)
        raise EngineError("no_trash", path=folder, detail=detail) from error
    return freed


def _tidy(folder: Path) -> None:
    """Remove the folders around what went that are empty now, below the models folder."""
    while paths.models() in folder.parents:
        with suppress(OSError):
            if os.listdir(folder) == [_FINDERS_OWN]:
                (folder / _FINDERS_OWN).unlink()
        try:
            folder.rmdir()
        except OSError:
            return
        folder = folder.parent
