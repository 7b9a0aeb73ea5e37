"""The cache that Hugging Face's own tools fill, read in place and never written to.

A repository is a folder models--owner--name: refs/main names a commit, snapshots/COMMIT holds
links to its files, which are in blobs."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from engine.errors import EngineError
from engine.folder_layout import weight_files
from engine.legacy_layout import legacy_layer
from engine.registry import FAMILIES
from engine.small_files import read_object, read_text

_PREFIX = "models--"
_LONGEST_CONFIG = 1 << 20  # bytes


def cache_folder() -> Path:
    """Where the cache is, by the variables that Hugging Face's tools follow."""
    set_ = os.environ
    base = set_.get("XDG_CACHE_HOME") or os.path.join("~", ".cache")
    home = set_.get("HF_HOME") or os.path.join(base, "huggingface")
    hub = set_.get("HF_HUB_CACHE") or set_.get("HUGGINGFACE_HUB_CACHE")
    folder = hub or os.path.join(home, "hub")
    return Path(os.path.expandvars(os.path.expanduser(folder))).absolute()


def cached_models() -> Iterator[tuple[str, Path]]:
    """The Mamba models in the cache by name, each with the folder of one whole snapshot.

    Other models, and those of which a file has not come yet, are passed over without a word; so
    is a cache that cannot be read."""
    try:
        with os.scandir(cache_folder()) as entries:
            found = sorted(e.name for e in entries if e.name.startswith(_PREFIX) and e.is_dir())
    except OSError:
        return
    for folder in sorted(found, key=str.casefold):
        repository = cache_folder() / folder
        if snapshot := _snapshot(repository):
            yield _name(repository), snapshot


def repository_name(folder: Path) -> str:
    """The name of the repository that `folder` is a snapshot of: "owner/name"; "" for others."""
    repository = folder.parent.parent
    is_snapshot = folder.parent.name == "snapshots" and repository.name.startswith(_PREFIX)
    return _name(repository) if is_snapshot else ""


def _name(repository: Path) -> str:
    return repository.name.removeprefix(_PREFIX).replace("--", "/")


def _snapshot(repository: Path) -> Path | None:
    """The snapshot that main is, else the newest; only one that is whole and a Mamba."""
    main = _main(repository)
    if main and (config := _config(main)):
        if not _is_mamba(config):
            return None
        if _is_whole(main):
            return main
    for snapshot in _newest_first(repository / "snapshots"):
        config = _config(snapshot)
        if config and _is_mamba(config) and _is_whole(snapshot):
            return snapshot
    return None


def _main(repository: Path) -> Path | None:
    try:
        commit = read_text(repository / "refs" / "main").strip()
    except (EngineError, OSError):
        return None
    return repository / "snapshots" / commit if commit.isalnum() else None  # no way out


def _newest_first(snapshots: Path) -> list[Path]:
    try:
        with os.scandir(snapshots) as entries:
            dated = [(entry.stat().st_mtime_ns, entry.name) for entry in entries if entry.is_dir()]
    except OSError:
        return []
    return [snapshots / name for _, name in sorted(dated, reverse=True)]


def _config(snapshot: Path) -> dict[str, Any] | None:
    file = snapshot / "config.json"
    try:
        small = file.stat().st_size <= _LONGEST_CONFIG
        return read_object(file) if small else None
    except (EngineError, OSError):
        return None


def _is_mamba(config: dict[str, Any]) -> bool:
    """Whether the engine runs it, or it is near enough to be listed with what it is."""
    kinds = config.get("architectures")
    named = [config.get("model_type"), *(kinds if isinstance(kinds, list) else [])]
    is_mamba = any("mamba" in str(name).casefold() for name in named)
    return is_mamba or named[0] in FAMILIES or legacy_layer(config) is not None


def _is_whole(snapshot: Path) -> bool:
    """Whether the weights are all there; they come last."""
    try:
        return all(file.is_file() for file in weight_files(snapshot))
    except (EngineError, OSError):
        return False
