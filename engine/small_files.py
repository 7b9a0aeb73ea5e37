"""The small files of a model's folder, read with their faults named."""

from __future__ import annotations

import json
import stat
from pathlib import Path
from typing import Any

from engine.errors import EngineError

_LARGEST = 64 << 20  # the largest index of a large model is a few MB


def read_object(path: Path, *, missing: dict[str, Any] | None = None) -> dict[str, Any]:
    """The JSON object in the file, `missing` where there is no file and that is given.

    Infinity and NaN are numbers here, as Python writes them. Raises EngineError."""
    try:
        text = read_text(path)
    except FileNotFoundError as error:
        if missing is not None and not path.is_symlink():
            return missing
        raise EngineError("missing_file", path=path.parent, file=path.name) from error
    try:
        value = json.loads(text)
        json.dumps(value, ensure_ascii=False).encode()  # half a surrogate pair is no text
    except (ValueError, RecursionError) as error:
        raise EngineError("corrupt", file=path, format="JSON", detail=str(error)) from error
    if not isinstance(value, dict):
        detail = "it is not an object"
        raise EngineError("corrupt", file=path, format="JSON", detail=detail)
    return value


def read_text(path: Path) -> str:
    """The file's UTF-8 text. Raises FileNotFoundError, and EngineError for all else."""
    try:
        return read_bytes(path).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise EngineError("corrupt", file=path, format="UTF-8", detail=error.reason) from error


def read_bytes(path: Path) -> bytes:
    """A file of text, whole. Raises FileNotFoundError, and EngineError for all else."""
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode) or status.st_size > _LARGEST:  # a pipe would wait
            detail = f"it is no file of at most {_LARGEST} bytes"
            raise EngineError("corrupt", file=path, format="text", detail=detail)
        return path.read_bytes()
    except FileNotFoundError:
        raise
    except OSError as error:
        raise EngineError("unreadable", path=path, detail=error.strerror) from error
