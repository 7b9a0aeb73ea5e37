"""Mamba Chat's engine: everything that knows about models, and nothing about windows.

Importing it imports no MLX: that happens when a model is loaded, on the thread that loads it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from engine.language_model import LanguageModel, load_model
    from engine.state import State

__all__ = ["LanguageModel", "State", "load_model"]
__version__ = "0.1.0"

_HOMES = {
    "LanguageModel": "engine.language_model",
    "load_model": "engine.language_model",
    "State": "engine.state",
}


def __getattr__(name: str) -> Any:
    """Import the public names on first use, so that `engine.api` stays light."""
    if name not in _HOMES:
        raise AttributeError(f"module 'engine' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)
