"""Where things are: our data files, and the user's models, chats, logs and settings."""

from __future__ import annotations

import os
import sys
from pathlib import Path

APP_NAME = "Mamba Chat"
_HERE = Path(__file__).resolve().parent


def _data(checkout: str, installed: Path) -> Path:
    """A data folder: in the checkout if this is one, else where a wheel puts it."""
    in_checkout = _HERE.parent / checkout
    return in_checkout if in_checkout.is_dir() else installed


def metal() -> Path:
    """The folder of the `.metal` sources."""
    return _data("metal", _HERE / "metal")


def resources() -> Path:
    """The folder of icons, translations, the catalogue and the starter models."""
    return _data("resources", _HERE.parent / "app" / "resources")


def home() -> Path:
    """The folder of all that the app keeps; MAMBA_CHAT_HOME moves it."""
    if chosen := os.environ.get("MAMBA_CHAT_HOME"):
        return Path(chosen).expanduser()
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / APP_NAME
    base = os.environ.get("XDG_DATA_HOME")
    return (Path(base) if base else Path.home() / ".local" / "share") / "mamba-chat"


def models() -> Path:
    """The folder of the models that the user installed."""
    return home() / "models"


def database() -> Path:
    """The file of the chats."""
    return home() / "chats.sqlite"


def logs() -> Path:
    """The folder of the logs."""
    if sys.platform == "darwin" and not os.environ.get("MAMBA_CHAT_HOME"):
        return Path.home() / "Library" / "Logs" / APP_NAME
    return home() / "logs"
