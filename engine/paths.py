"""Where things are: our data files, and the user's models, chats, logs and settings."""

from __future__ import annotations

import os
import sys
from pathlib import Path

APP_NAME = "Mamba Chat"


def _data(package: str, name: str) -> Path:
    """The folder `name`: at the top of a checkout, else inside `package`, where a wheel and the
    frozen app hold it."""
    frozen = getattr(sys, "_MEIPASS", None)
    root = Path(frozen) if frozen else Path(__file__).resolve().parent.parent
    if not frozen and (root / "pyproject.toml").is_file():
        return root / name
    return root / package / name


def metal() -> Path:
    """The folder of the `.metal` sources."""
    return _data("engine", "metal")


def resources() -> Path:
    """The folder of icons, translations, tokenizers, the catalogue and the starter models."""
    return _data("app", "resources")


def licences() -> Path | None:
    """The folder of the licences of all that is in the frozen app; None in a checkout."""
    frozen = getattr(sys, "_MEIPASS", None)
    return Path(frozen) / "licences" if frozen else None


def home() -> Path:
    """The folder of all that the app keeps; MAMBA_CHAT_HOME moves it."""
    if chosen := os.environ.get("MAMBA_CHAT_HOME"):
        return Path(chosen).expanduser().absolute()
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / APP_NAME
    base = os.environ.get("XDG_DATA_HOME")
    return (Path(base) if base else Path.home() / ".local" / "share") / "mamba-chat"


def models() -> Path:
    """The folder of the models that the user installed; MAMBA_CHAT_MODELS moves it, else what
    the user chose."""
    from engine.library_places import places  # which finds its own file by `home`

    return places().models


def database() -> Path:
    """The file of the chats."""
    return home() / "chats.sqlite"


def logs() -> Path:
    """The folder of the logs."""
    if sys.platform == "darwin" and not os.environ.get("MAMBA_CHAT_HOME"):
        return Path.home() / "Library" / "Logs" / APP_NAME
    return home() / "logs"
