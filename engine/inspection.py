"""What `python -m engine inspect` tells of a folder, from its headers and small files alone."""

from __future__ import annotations

import json
import math
from dataclasses import asdict
from importlib import import_module
from pathlib import Path
from typing import Any

from engine import library
from engine.chat_template import OWN, find_template
from engine.checkpoint import Checkpoint, check_tensors, open_checkpoint
from engine.device import machine
from engine.overruled import overruled
from engine.quantization import stored_shapes
from engine.registry import FAMILIES
from engine.tokenizer import load_tokenizer

# The sizes that are told, by their name in a family's Config. A family may lack some.
_SIZES = {
    "n_layer": "layers",
    "d_model": "d_model",
    "n_head": "heads",
    "d_inner": "d_inner",
    "d_state": "d_state",
    "dt_rank": "dt_rank",
    "d_conv": "d_conv",
    "vocab_size": "vocabulary_rows",
    "context": "context",
}
_LARGE = ("parameters", "disk_bytes", "needed_bytes", "state_bytes", "state_bytes_per_token")


def inspect(folder: Path) -> dict[str, Any]:
    """The model in `folder` by name: sizes as the tensors have them, bytes as this machine would
    need them. Raises EngineError when the model could not be loaded."""
    info = library.describe(folder, machine())
    checkpoint = open_checkpoint(folder)
    config = import_module(FAMILIES[checkpoint.family]).Config.read(
        checkpoint.config, checkpoint.tensors
    )
    check_tensors(checkpoint, stored_shapes(config.shapes(), checkpoint.tensors))
    sizes = asdict(config)
    told = {shown: sizes[name] for name, shown in _SIZES.items() if name in sizes}
    fields = overruled(checkpoint.config, sizes)
    return {
        "name": info.name,
        "folder": str(info.folder),
        "family": info.family,
        **told,
        "head": "tied" if config.tied else "untied",
        "parameters": info.parameters,
        "dtype": info.dtype,
        "disk_bytes": info.disk_bytes,
        **_text(checkpoint),
        "needed_bytes": info.needed_bytes,
        "state_bytes": info.state_bytes,
        "state_bytes_per_token": info.state_bytes_per_token,
        "fit": info.fit,
        "overruled": [field._asdict() | {"config": _strict(field.config)} for field in fields],
    }


def _text(checkpoint: Checkpoint) -> dict[str, Any]:
    """The tokenizer, the template and what ends an answer."""
    tokenizer = load_tokenizer(checkpoint)
    source = find_template(checkpoint.folder, checkpoint.config)
    ends = [{"id": end, "text": tokenizer.special_text(end)} for end in sorted(tokenizer.end_ids)]
    return {
        "tokens": tokenizer.size,
        "template": source.form if source else None,
        "end_tokens": ends,
        "end_text": tokenizer.stop,
    }


def _strict(value: Any) -> Any:
    """`value`, or as text what JSON proper has no number for: Infinity."""
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value


def report(described: dict[str, Any]) -> str:
    """What `inspect` found, one line for each."""
    lines = []
    for name, value in described.items():
        if name == "overruled":
            lines += [_line("overruled", _overruled(field)) for field in value]
        elif value != "":
            lines.append(_line(name, _shown(name, value)))
    return "\n".join(lines)


def _line(name: str, value: str) -> str:
    return f"{name.replace('_', ' '):<21} {value}"


def _shown(name: str, value: Any) -> str:
    if name == "template":
        known = f"none in the folder; by its name the model's is {value}"
        none = "none: the text is continued as it stands"
        return none if value is None else OWN if value == OWN else known
    if name == "end_tokens":
        return ", ".join(f"{end['id']} {_json(end['text'])}" for end in value) or "none"
    if name in _LARGE:
        return f"{value:,}"
    return _json(value) if name == "end_text" else str(value)


def _overruled(field: dict[str, Any]) -> str:
    name, config, tensors = field["field"], field["config"], field["tensors"]
    return f"{name} {_json(config)} in config.json, {_json(tensors)} in the tensors"


def _json(value: Any) -> str:
    """Any value on one line, of bounded length."""
    return json.dumps(value, ensure_ascii=False)[:80]
