"""Which model types the engine runs, and the module of each."""

from __future__ import annotations

FAMILIES: dict[str, str] = {
    "mamba": "engine.models.mamba",
    "falcon_mamba": "engine.models.falcon_mamba",
    "gpt_neox": "engine.models.gpt_neox",
}

# Transformers, beside which Mambas are measured: neither suggested, nor searched for, nor named
# among what the app is for.
FOR_COMPARISON = frozenset({"gpt_neox"})
MAMBAS = tuple(family for family in FAMILIES if family not in FOR_COMPARISON)
