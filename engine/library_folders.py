"""Every place where models are installed, gone through in one order: names are given here."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from engine import paths
from engine.api import Place
from engine.errors import EngineError
from engine.library_places import places
from engine.shared_cache import cached_models, repository_name

DEFAULT_MODEL = "starter-12m"
_DEEPEST = 4  # folders within folders: owner/name and a little more


class Entry(NamedTuple):
    """An installed model; no two have one name."""

    name: str
    folder: Path
    place: Place


def entries() -> Iterator[Entry]:
    """The installed models: the starters, the default first; the models folder by path; imported
    folders as they were imported; the Hugging Face cache by name. Where two have one name the
    first has it: an imported one gets a number, a shared one is left out.

    Raises EngineError when the models folder cannot be read; one on a disk that is not connected
    holds nothing."""
    now = places()
    taken: set[str] = set()
    for entry in (*_bundled(), *_own(now.models)):
        if entry.name not in taken:
            taken.add(entry.name)
            yield entry
    for wanted, folder in now.imported:
        name = unique(wanted, taken)
        taken.add(name)
        yield Entry(name, folder, "imported")
    if now.share_cache:
        for name, folder in cached_models():
            if name not in taken:
                yield Entry(name, folder, "shared")


def entry_at(folder: Path) -> Entry:
    """The entry that the model in `folder` (absolute) is or would be, known from the path alone;
    one that is nowhere among the installed counts as imported, under its folder's name."""
    now = places()
    if _starters() in folder.parents:
        return Entry(folder.relative_to(_starters()).as_posix(), folder, "bundled")
    if now.models in folder.parents:
        place: Place = "own" if _is_within(folder, now.models) else "linked"
        return Entry(folder.relative_to(now.models).as_posix(), folder, place)
    for name, imported in now.imported:
        if imported == folder:
            return Entry(name, folder, "imported")
    if repository := repository_name(folder):
        return Entry(repository, folder, "shared")
    return Entry(folder.name, folder, "imported")


def unique(name: str, taken: set[str]) -> str:
    """`name`, with the first number that makes it a new one: "name (2)"."""
    made, number = name, 1
    while made in taken:
        number += 1
        made = f"{name} ({number})"
    return made


def models_in(root: Path, depth: int = _DEEPEST) -> Iterator[tuple[str, Path]]:
    """The models under `root`, within `depth` folders of it, each named by its path: "owner/name".

    Raises EngineError("unreadable"); FileNotFoundError where there is no such folder."""
    try:
        found = sorted(_walk(root, depth), key=lambda folder: str(folder).casefold())
    except FileNotFoundError:
        raise
    except OSError as error:
        raise EngineError("unreadable", path=root, detail=error.strerror) from error
    for folder in found:
        yield folder.relative_to(root).as_posix(), folder


def _starters() -> Path:
    return paths.resources() / "models"


def _bundled() -> Iterator[Entry]:
    folders = sorted(file.parent for file in _starters().glob("*/config.json"))
    for folder in sorted(folders, key=lambda folder: folder.name != DEFAULT_MODEL):
        yield Entry(folder.name, folder, "bundled")


def _own(root: Path) -> Iterator[Entry]:
    try:
        for name, folder in models_in(root):
            yield Entry(name, folder, "own" if _is_within(folder, root) else "linked")
    except FileNotFoundError:
        return


def _is_within(folder: Path, root: Path) -> bool:
    """Whether what bears the folder's name, be it a link, really lies in `root`."""
    return Path(os.path.realpath(folder.parent)).is_relative_to(os.path.realpath(root))


def _walk(folder: Path, depth: int) -> Iterator[Path]:
    """The folders below that hold a model or nothing that could lead to one."""
    for entry in folder.iterdir():
        if entry.name.startswith("."):
            continue
        if entry.is_symlink() and not entry.exists():
            yield entry
        elif entry.is_dir() and not _leads_back(entry):
            yield from _inside(entry, depth)


def _leads_back(entry: Path) -> bool:
    """Whether it is a link to a folder that it lies in: all that is there is listed already."""
    return entry.is_symlink() and entry.parent.resolve().is_relative_to(entry.resolve())


def _inside(folder: Path, depth: int) -> Iterator[Path]:
    """`folder` itself when it is a model, else the models in it."""
    try:
        names = [entry for entry in folder.iterdir() if not entry.name.startswith(".")]
        holds_folders = any(entry.is_dir() for entry in names)
        is_model = (folder / "config.json").exists() or not holds_folders or depth == 0
    except OSError:  # a folder that may not be read is listed with that problem
        is_model = True
    if is_model:
        yield folder
        return
    with suppress(FileNotFoundError):  # it has gone meanwhile
        yield from _walk(folder, depth - 1)
