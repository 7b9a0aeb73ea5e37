"""The models on this machine: the starters that came with the app and what the user installed."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from engine import paths
from engine.api import Fit, Machine, ModelInfo, Need
from engine.chat_template import find_template
from engine.checkpoint import Checkpoint, open_checkpoint
from engine.errors import EngineError
from engine.precision import SMALLER, check_unpacked, needed_bytes, state_bytes
from engine.tokenizer_file import tokenizer_file

DEFAULT_MODEL = "starter-12m"
_FITS, _TIGHT = 0.6, 0.9  # of the memory that models may use
_DEEPEST = 4  # folders within folders: owner/name and a little more


def installed(machine: Machine | None = None) -> list[ModelInfo]:
    """Every model: the starters, the default first, then the app's folder by name.

    One that cannot be loaded is listed with its `problem`; a folder that bears a starter's name
    is hidden by it. `machine` None is this one. Raises EngineError when the app's folder cannot
    be read."""
    if machine is None:
        from engine.device import machine as this_machine  # imports MLX

        machine = this_machine()
    return [_listed(name, folder, machine) for name, folder in _folders().items()]


def find(name_or_folder: str) -> Path:
    """The folder of an installed model's name, or the folder itself.

    Raises EngineError("not_found") for neither."""
    folders = _folders()
    if name_or_folder in folders:
        return folders[name_or_folder]
    folder = Path(os.path.expanduser(name_or_folder))
    try:
        if name_or_folder and (folder.exists() or folder.is_symlink()):
            return folder.absolute()
    except (OSError, ValueError) as error:  # a name too long, or with a NUL
        raise EngineError("not_found", path=name_or_folder) from error
    raise EngineError("not_found", path=name_or_folder)


def describe(folder: Path, machine: Machine | None = None, precision: str = "") -> ModelInfo:
    """What the folder's headers tell of the model, kept in `precision` ("": its own); `fit` is
    judged only for a given `machine`.

    Raises EngineError when the model cannot be loaded."""
    folder = folder.absolute()
    checkpoint = open_checkpoint(folder)
    tokenizer_file(checkpoint)
    check_unpacked(checkpoint, precision)
    on_cpu = machine is None or machine.backend == "CPU"
    needed = needed_bytes(checkpoint, precision, on_cpu=on_cpu)
    fit = _fit(needed, machine) if machine else "fits"
    own = f"{checkpoint.bits}-bit" if checkpoint.bits else checkpoint.dtype
    return ModelInfo(
        name=_name(folder),
        folder=folder,
        family=checkpoint.family,
        chat=find_template(folder, checkpoint.config) is not None,
        parameters=checkpoint.parameters,
        dtype=precision or own,
        precision=precision,
        disk_bytes=_disk_bytes(folder),
        needed_bytes=needed,
        state_bytes=state_bytes(checkpoint),
        fit=fit,
        smaller=_smaller(checkpoint, machine) if machine and fit == "too_big" else None,
        bundled=_starters() in folder.parents,
    )


def _smaller(checkpoint: Checkpoint, machine: Machine) -> Need | None:
    """The largest precision in which the model can be loaded here."""
    if checkpoint.bits:
        return None
    for precision in SMALLER:
        needed = needed_bytes(checkpoint, precision, on_cpu=machine.backend == "CPU")
        if _fit(needed, machine) != "too_big":
            return Need(precision, needed)
    return None


def copy_of(folder: Path, bits: int) -> Path:
    """Where the app keeps the model in `folder` in `bits` a number."""
    return paths.models() / f"{_name(folder.absolute())}-{bits}bit"


def _starters() -> Path:
    return paths.resources() / "models"


def _folders() -> dict[str, Path]:
    """The folder of every installed model by its name, in the order of the list."""
    bundled = sorted(file.parent for file in _starters().glob("*/config.json"))
    bundled.sort(key=lambda folder: folder.name != DEFAULT_MODEL)
    found = {folder.name: folder for folder in bundled}
    for name, folder in _models_in(paths.models()):
        found.setdefault(name, folder)
    return found


def _models_in(root: Path) -> Iterator[tuple[str, Path]]:
    """The models under `root` at any depth, each named by its path: "owner/name"."""
    try:
        found = sorted(_walk(root, _DEEPEST), key=lambda folder: str(folder).casefold())
    except FileNotFoundError:
        return
    except OSError as error:
        raise EngineError("unreadable", path=root, detail=error.strerror) from error
    for folder in found:
        yield folder.relative_to(root).as_posix(), folder


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
    except OSError:  # a folder that may not be read is listed with that problem
        yield folder
        return
    holds_folders = any(entry.is_dir() for entry in names)
    if (folder / "config.json").exists() or not holds_folders or depth == 0:
        yield folder
    else:
        yield from _walk(folder, depth - 1)


def _listed(name: str, folder: Path, machine: Machine) -> ModelInfo:
    """The folder described, or with its problem where it cannot be."""
    try:
        return describe(folder, machine)
    except EngineError as error:
        return ModelInfo(
            name=name,
            folder=folder,
            family="",
            chat=False,
            parameters=0,
            dtype="",
            disk_bytes=_disk_bytes(folder),
            needed_bytes=0,
            state_bytes=0,
            bundled=_starters() in folder.parents,
            problem=str(error),
        )


def _name(folder: Path) -> str:
    """The path below the app's folder or the starters', else the folder's own name."""
    for root in (_starters(), paths.models()):
        if root in folder.parents:
            return folder.relative_to(root).as_posix()
    return folder.name


def _disk_bytes(folder: Path) -> int:
    """The bytes of the files in the folder."""
    try:
        return sum(entry.stat().st_size for entry in folder.iterdir() if entry.is_file())
    except OSError:
        return 0


def _fit(needed: int, machine: Machine) -> Fit:
    if needed <= _FITS * machine.limit_bytes:
        return "fits"
    return "tight" if needed <= _TIGHT * machine.limit_bytes else "too_big"
