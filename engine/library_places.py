"""Where models are looked for: the models folder, imported folders, whether the shared cache."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from engine import paths
from engine.disk import write_json
from engine.errors import EngineError

# The environment's choice of the models folder, before the user's.
FORCE = "MAMBA_CHAT_MODELS"
_PATIENCE_S = 10.0  # for another Mamba Chat that is writing the file


class Imported(NamedTuple):
    """A folder that is used where it is, under a name that no later import changes."""

    name: str
    folder: Path


@dataclass(frozen=True, slots=True)
class Places:
    """What the user chose."""

    chosen: Path | None = None  # the models folder; None: the one in the app's home
    volume: Path | None = None  # where the disk of the chosen one is mounted
    imported: tuple[Imported, ...] = ()
    share_cache: bool = True  # the Hugging Face cache is read too

    @property
    def models(self) -> Path:
        """The models folder: the environment's, else the chosen one, else the app's own."""
        if forced := os.environ.get(FORCE):
            return Path(forced).expanduser().absolute()
        return self.chosen or paths.home() / "models"


def file() -> Path:
    """Where the choices are kept."""
    return paths.home() / "library.json"


def places() -> Places:
    """What was chosen. What cannot be read counts as not chosen, and a damaged file is set
    aside."""
    try:
        return _read()
    except (EngineError, OSError):
        return Places()


def change(how: Callable[[Places], Places]) -> Places:
    """Keep what `how` makes of the choices, whole or not at all; gives that.

    Raises EngineError: unreadable or unwritable."""
    path = file()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with _alone():
            made = how(_read())
            _write(path, made)
    except OSError as error:
        raise EngineError("unwritable", path=path, detail=error.strerror) from error
    return made


def check_connected() -> None:
    """Raise EngineError("folder_gone") where the models folder is on a disk that is not connected.
    One that was never made, or was deleted from a disk that is there, is not gone."""
    now = places()
    folder = now.models
    if os.path.exists(folder):
        return
    lost = os.path.islink(folder)
    if folder != paths.home() / "models":
        unmounted = folder == now.chosen and now.volume and not os.path.ismount(now.volume)
        lost = lost or bool(unmounted) or not os.path.exists(folder.parent)
    if lost:
        raise EngineError("folder_gone", path=folder)


def volume_of(folder: Path) -> Path:
    """Where the disk is mounted that an existing folder is on."""
    folder = Path(os.path.realpath(folder))
    while not os.path.ismount(folder):
        folder = folder.parent
    return folder


@contextmanager
def _alone() -> Iterator[None]:
    """No other Mamba Chat changes the choices meanwhile."""
    from filelock import FileLock, Timeout  # only who changes something needs it

    try:
        with FileLock(paths.home() / ".library.lock", timeout=_PATIENCE_S):
            yield
    except Timeout as error:
        detail = "another Mamba Chat is changing it"
        raise EngineError("unwritable", path=file(), detail=detail) from error


def _read() -> Places:
    """The file's content. Raises EngineError("unreadable")."""
    path = file()
    try:
        content = json.loads(path.read_bytes())
    except FileNotFoundError:
        return Places()
    except OSError as error:
        raise EngineError("unreadable", path=path, detail=error.strerror) from error
    except (ValueError, RecursionError):
        content = None
    if not isinstance(content, dict):
        stamp = datetime.now().strftime("%Y%m%d-%H%M%S")
        path.replace(path.with_name(f"{path.stem}-unreadable-{stamp}{path.suffix}"))
        return Places()
    imported = content.get("imported")
    return Places(
        chosen=_path(content.get("models")),
        volume=_path(content.get("volume")),
        imported=tuple(_imported(imported if isinstance(imported, list) else [])),
        share_cache=content.get("share_cache") is not False,
    )


def _imported(values: list[Any]) -> Iterator[Imported]:
    for value in values:
        if isinstance(value, dict) and (folder := _path(value.get("folder"))):
            name = value.get("name")
            yield Imported(name if isinstance(name, str) and name else folder.name, folder)


def _path(value: Any) -> Path | None:
    """A whole path, or nothing where the file says something else."""
    usable = isinstance(value, str) and os.path.isabs(value) and "\0" not in value
    return Path(value) if usable else None


def _write(path: Path, made: Places) -> None:
    content: dict[str, Any] = {"share_cache": made.share_cache}
    if made.chosen:
        content |= {"models": str(made.chosen), "volume": str(made.volume or made.chosen.anchor)}
    content["imported"] = [{"name": name, "folder": str(where)} for name, where in made.imported]
    write_json(path, content)
