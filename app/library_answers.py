"""What the library's threads ask the engine: what is on the disk, what the Hub has. No Qt."""

from __future__ import annotations

from typing import NamedTuple

from engine import library
from engine.api import Machine, ModelInfo, Network, Offer
from engine.errors import EngineError


class Listing(NamedTuple):
    """The installed models, the bytes that they take in the models folder and that are free there,
    and the error where that folder is away."""

    models: list[ModelInfo]
    used: int
    free: int = 0
    gone: EngineError | None = None


def listed(machine: Machine) -> Listing:
    """What is installed, judged for this machine. Raises EngineError."""
    models, used = library.installed(machine), library.used_bytes()
    try:
        return Listing(models, used, library.free_bytes())
    except EngineError as error:
        return Listing(models, used, gone=error)


def searched(network: Network, text: str, *, on_cpu: bool) -> list[Offer]:
    """What the Hub has for `text`. Raises EngineError."""
    from engine.hub.search import search  # takes a while to import

    return search(network, text, on_cpu=on_cpu)
