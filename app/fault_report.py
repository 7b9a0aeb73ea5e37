"""The file that a fault of ours leaves in the logs' folder, fit to be sent to somebody."""

from __future__ import annotations

import platform
import re
import traceback
from datetime import datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from types import TracebackType

from PySide6.QtCore import qVersion

from engine import __version__, paths

KEPT = 5
_PATTERN = "report-*.txt"
# Whose the folder is, is nobody's business: ours, or where the program was built.
_SOMEBODYS = re.compile(r"/(?:Users|home)/[^/\s\"']+")
_written: dict[str, Path] = {}  # by what it says: a fault at each painting is one report


def write(error: BaseException, trace: TracebackType | None, backend: str = "") -> Path:
    """Keep a report of `error`, the last five of all; its file. Raises OSError.

    It holds no messages of errors: those may quote a chat. The log has them."""
    text = nameless("".join([*_facts(backend), "\n", *_places(error, trace)]))
    known = _written.get(text)
    if known is not None and known.is_file():
        return known
    folder = paths.logs()
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"report-{datetime.now():%Y%m%d-%H%M%S-%f}.txt"
    file.write_text(text, "utf-8")
    for old in sorted(folder.glob(_PATTERN))[:-KEPT]:
        old.unlink(missing_ok=True)
    _written[text] = file
    return file


def nameless(text: str) -> str:
    """`text` with ~ for the user's home and for anyone's."""
    home = str(Path.home())
    if len(home) > 1:
        text = text.replace(home, "~")
    return _SOMEBODYS.sub("~", text)


def _facts(backend: str) -> list[str]:
    facts = {
        paths.APP_NAME: __version__,
        "System": f"{platform.platform()} {platform.machine()}",
        "Python": platform.python_version(),
        "Qt": qVersion(),
        "MLX": _mlx(),
        "Backend": backend or "not known yet",
    }
    return [f"{name}: {value}\n" for name, value in facts.items()]


def _mlx() -> str:
    try:
        return version("mlx")
    except PackageNotFoundError:
        return "unknown"


def _places(error: BaseException, trace: TracebackType | None) -> list[str]:
    """Where `error` came from, and before it what it came from: files, lines and kinds."""
    cause = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    before = [] if cause is None else [*_places(cause, cause.__traceback__), "\nled to\n\n"]
    kind = type(error)
    return [*before, *traceback.format_tb(trace), f"{kind.__module__}.{kind.__qualname__}\n"]
