"""One open app for each home: two would write into the same chats."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path
from typing import TextIO

from PySide6.QtCore import QFileSystemWatcher, QObject, Signal

NAME = "open.lock"


class Place(QObject):
    """The place of the one app that has `home` open, if it is `mine`. `called` when another app
    was started over it. Raises OSError where nothing can be written.

    The system holds the lock for as long as the process lives, so a crash leaves none behind."""

    called = Signal()

    def __init__(self, home: Path) -> None:
        super().__init__()
        home.mkdir(parents=True, exist_ok=True)
        self._path = home / NAME
        self._file = self._path.open("a", encoding="utf-8")
        self.mine = _lock(self._file)
        if not self.mine:
            self._file.close()
        else:
            self._watcher = QFileSystemWatcher([str(self._path)], self)
            self._watcher.fileChanged.connect(lambda _: self.called.emit())

    def call(self) -> None:
        """Tell the app whose place it is."""
        os.utime(self._path)

    def leave(self) -> None:
        """Let another app have it."""
        self._file.close()


def _lock(file: TextIO) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return True  # a disk without locks, such as some servers': better one app too many
    return True
