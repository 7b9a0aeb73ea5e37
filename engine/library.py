"""The models on this machine: the starters that came with the app and what the user installed."""

from __future__ import annotations

import os
import unicodedata
from pathlib import Path

from engine import disk, paths
from engine.api import Fit, Machine, ModelInfo, Need
from engine.chat_template import find_template
from engine.checkpoint import Checkpoint, open_checkpoint
from engine.errors import EngineError
from engine.library_folders import DEFAULT_MODEL, Entry, entries, entry_at
from engine.library_places import check_connected
from engine.licence import licence_of
from engine.precision import (
    SMALLER,
    check_unpacked,
    needed_bytes,
    state_bytes,
    state_bytes_per_token,
)
from engine.tokenizer_file import tokenizer_file

__all__ = [
    "DEFAULT_MODEL",
    "check_connected",
    "copy_of",
    "describe",
    "entry_of",
    "find",
    "free_bytes",
    "installed",
    "used_bytes",
]
_FITS, _TIGHT = 0.6, 0.9  # of the memory that models may use


def installed(machine: Machine | None = None) -> list[ModelInfo]:
    """Every model, in the order of library_folders.entries.

    One that cannot be loaded is listed with its `problem`; a folder that bears a starter's name
    is hidden by it. `machine` None is this one. Raises EngineError when the models folder cannot
    be read; of one on a disk that is not connected `check_connected` tells."""
    if machine is None:
        from engine.device import machine as this_machine  # imports MLX

        machine = this_machine()
    return [_listed(entry, machine) for entry in entries()]


def find(name_or_folder: str) -> Path:
    """The folder of an installed model's name, or the folder itself.

    Raises EngineError("not_found") for neither."""
    if entry := _named(name_or_folder):
        return entry.folder
    folder = Path(os.path.expanduser(name_or_folder))
    try:
        if name_or_folder and (folder.exists() or folder.is_symlink()):
            return folder.absolute()
    except (OSError, ValueError) as error:  # a name too long, or with a NUL
        raise EngineError("not_found", path=name_or_folder) from error
    raise EngineError("not_found", path=name_or_folder)


def still(folder: Path) -> Path:
    """`folder`, or where its model is now: the models folder may have been moved meanwhile."""
    if not folder.is_dir() and (entry := _named(folder.name)):
        return entry.folder
    return folder


def entry_of(name_or_folder: str | Path) -> Entry:
    """The installed model of that name or in that folder.

    Raises EngineError("not_found") where none is installed so."""
    if entry := _named(str(name_or_folder)):
        return entry
    folder = Path(os.path.expanduser(name_or_folder)).absolute()
    for entry in entries():
        if entry.folder == folder:
            return entry
    raise EngineError("not_found", path=name_or_folder)


def _named(name: str) -> Entry | None:
    """The entry of that name; else of one that differs in how its accents are written only."""
    alike: Entry | None = None
    for entry in entries():
        if entry.name == name:
            return entry
        if not alike and _composed(entry.name) == _composed(name):
            alike = entry
    return alike


def _composed(name: str) -> str:
    return unicodedata.normalize("NFC", name)


def describe(folder: Path, machine: Machine | None = None, precision: str = "") -> ModelInfo:
    """What the folder's headers tell of the model, kept in `precision` ("": its own); `fit` is
    judged only for a given `machine`.

    Raises EngineError when the model cannot be loaded."""
    return _described(entry_at(folder.absolute()), machine, precision)


def _described(entry: Entry, machine: Machine | None, precision: str = "") -> ModelInfo:
    folder = entry.folder
    checkpoint = open_checkpoint(folder)
    tokenizer_file(checkpoint)
    check_unpacked(checkpoint, precision)
    on_cpu = machine is None or machine.backend == "CPU"
    needs = _needs(checkpoint, on_cpu=on_cpu)
    needed = needs[0].needed_bytes
    if precision:
        needed = needed_bytes(checkpoint, precision, on_cpu=on_cpu)
    fit = fit_of(needed, machine) if machine else "fits"
    return ModelInfo(
        name=entry.name,
        folder=folder,
        family=checkpoint.family,
        chat=find_template(folder, checkpoint.config) is not None,
        parameters=checkpoint.parameters,
        dtype=precision or needs[0].precision,
        precision=precision,
        disk_bytes=disk.bytes_in(folder, linked=True),
        needed_bytes=needed,
        state_bytes=state_bytes(checkpoint),
        state_bytes_per_token=state_bytes_per_token(checkpoint, precision, on_cpu=on_cpu),
        fit=fit,
        smaller=_smaller(checkpoint, machine) if machine and fit == "too_big" else None,
        needs=needs,
        licence=licence_of(folder),
        place=entry.place,
    )


def _needs(checkpoint: Checkpoint, *, on_cpu: bool) -> tuple[Need, ...]:
    """The memory in its own precision, which a CPU holds as float32, then in each that is
    offered; a packed model has only its own."""
    own = f"{checkpoint.bits}-bit" if checkpoint.bits else checkpoint.dtype
    needs = [Need(own, needed_bytes(checkpoint, "", on_cpu=on_cpu))]
    for precision in SMALLER if not checkpoint.bits else ():
        if precision != own:
            needs.append(Need(precision, needed_bytes(checkpoint, precision, on_cpu=on_cpu)))
    return tuple(needs)


def _smaller(checkpoint: Checkpoint, machine: Machine) -> Need | None:
    """The largest precision in which the model can be loaded here."""
    if checkpoint.bits:
        return None
    for precision in SMALLER:
        needed = needed_bytes(checkpoint, precision, on_cpu=machine.backend == "CPU")
        if fit_of(needed, machine) != "too_big":
            return Need(precision, needed)
    return None


def copy_of(folder: Path, bits: int) -> Path:
    """Where the app keeps the model in `folder` in `bits` a number."""
    return paths.models() / f"{entry_at(folder.absolute()).name}-{bits}bit"


def used_bytes() -> int:
    """What the installed models in the models folder take on its disk."""
    return sum(
        disk.bytes_in(entry.folder)
        for entry in entries()
        if entry.place == "own" and not entry.folder.is_symlink()
    )


def free_bytes() -> int:
    """What is free on the models folder's disk. Raises EngineError("folder_gone")."""
    check_connected()
    return disk.free_bytes(paths.models())


def _listed(entry: Entry, machine: Machine) -> ModelInfo:
    """The model described, or with its problem where it cannot be."""
    try:
        return _described(entry, machine)
    except EngineError as error:
        return ModelInfo(
            name=entry.name,
            folder=entry.folder,
            family="",
            chat=False,
            parameters=0,
            dtype="",
            disk_bytes=disk.bytes_in(entry.folder, linked=True),
            needed_bytes=0,
            state_bytes=0,
            licence=licence_of(entry.folder),
            place=entry.place,
            problem=str(error),
        )


def fit_of(needed: int, machine: Machine) -> Fit:
    """How so many bytes stand to the memory that models may use."""
    if needed <= _FITS * machine.limit_bytes:
        return "fits"
    return "tight" if needed <= _TIGHT * machine.limit_bytes else "too_big"
