"""A model on its way, on the disk: its own hidden folder until every file is there and right."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from engine.api import RemoteFile, Repository
from engine.disk import disk_errors, sync_folder, write_json
from engine.errors import EngineError
from engine.library_places import check_connected
from engine.licence import MANIFEST

HIDDEN = ".downloads"  # in the models folder; what begins with a dot is never listed


class Staging:
    """MODELS/.downloads/owner--name: a record, and `model/` with the files as they come.

    Renaming `model/` to MODELS/owner/name installs it: the list never shows a part of one."""

    def __init__(self, models: Path, repo: str) -> None:
        self.models, self.repo = models, repo
        self.folder = models / HIDDEN / repo.replace("/", "--")
        self.files = self.folder / "model"
        self.target = models / repo
        self._record = self.folder / "download.json"
        self._lock = FileLock(self.folder / "lock")
        self.revision = "main"  # as it was asked for
        self.repository: Repository | None = None
        self._recall()

    def _recall(self) -> None:
        try:
            record: dict[str, Any] = json.loads(self._record.read_text("utf-8"))
            self.revision = str(record["revision"])
            if known := record["repository"]:
                files = tuple(RemoteFile(**file) for file in known.pop("files"))
                self.repository = Repository(**known, files=files)
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            self.repository = None  # none, or a damaged one: it is looked up again

    def begin(self, revision: str) -> None:
        """Make the folder and the record, so that the wish outlives the app."""
        check_connected()
        with disk_errors(self.folder):
            self.files.mkdir(parents=True, exist_ok=True)
        self.revision = revision
        self.record(None)

    def record(self, repository: Repository | None) -> None:
        """Keep what the model consists of."""
        self.repository = repository
        known = asdict(repository) if repository else None
        kept = {"repo": self.repo, "revision": self.revision, "repository": known}
        with disk_errors(self._record):
            write_json(self._record, kept)

    def lock(self) -> None:
        """Raise EngineError("busy") where another process has this model in hand."""
        with disk_errors(self.folder):
            self.files.mkdir(parents=True, exist_ok=True)
            try:
                self._lock.acquire(blocking=False)
            except Timeout as error:
                raise EngineError("busy", repo=self.repo) from error

    def unlock(self) -> None:
        """Let another process have it."""
        self._lock.release()

    @property
    def total_bytes(self) -> int:
        """Of all files; 0 until they are known."""
        return sum(file.size for file in self.repository.files) if self.repository else 0

    def done_bytes(self) -> int:
        """The bytes that are here, whole files and parts."""
        files = self.repository.files if self.repository else ()
        return sum(self._here(file) for file in files)

    def _here(self, file: RemoteFile) -> int:
        if self.is_here(file):
            return file.size
        try:
            note = json.loads((self.files / f"{file.name}.part.json").read_text("utf-8"))
            return sum(int(at) - int(start) for start, at, _ in note["stretches"])
        except (OSError, ValueError, KeyError, TypeError):
            return 0

    def is_here(self, file: RemoteFile) -> bool:
        """Whether it came whole and passed its check; only then it bears its own name."""
        try:
            return (self.files / file.name).stat().st_size == file.size
        except OSError:
            return False

    def install(self) -> Path:
        """Put the model among the others, in place of an earlier one of its name."""
        assert self.repository is not None
        target = self.target
        with disk_errors(target):
            for left in (*self.files.glob("*.part*"), *self.files.glob("*.bad")):
                left.unlink()
            write_json(self.files / MANIFEST, asdict(self.repository))
            target.parent.mkdir(parents=True, exist_ok=True)
            earlier = self.folder / "earlier"
            shutil.rmtree(earlier, ignore_errors=True)
            if target.exists() or target.is_symlink():
                os.rename(target, earlier)
            os.rename(self.files, target)
            sync_folder(target.parent)
        self.discard()
        return target

    def discard(self) -> None:
        """Delete the folder and all in it."""
        self.unlock()
        with suppress(OSError):  # a disk that refuses has it offered again at the next start
            self._record.unlink(missing_ok=True)  # first: without it the rest is nobody's
        shutil.rmtree(self.folder, ignore_errors=True)


def unfinished(models: Path) -> Iterator[Staging]:
    """The models that were on their way when the app ended; clears what a crash left."""
    try:
        folders = sorted((models / HIDDEN).iterdir())
    except OSError:
        return
    for folder in folders:
        staging = _staged(models, folder)
        if staging is None:
            shutil.rmtree(folder, ignore_errors=True)
        elif not staging.files.is_dir() and (models / staging.repo / MANIFEST).is_file():
            staging.discard()  # it was installed; only this was left to do
        else:
            yield staging


def _staged(models: Path, folder: Path) -> Staging | None:
    try:
        repo = str(json.loads((folder / "download.json").read_text("utf-8"))["repo"])
    except (OSError, ValueError, KeyError, TypeError):
        return None
    staging = Staging(models, repo)
    return staging if staging.folder == folder else None
