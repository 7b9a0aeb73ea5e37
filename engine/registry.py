"""Which model types the engine runs, and the module of each."""

from __future__ import annotations

FAMILIES: dict[str, str] = {
    "mamba": "engine.models.mamba",
    "falcon_mamba": "engine.models.falcon_mamba",
}
