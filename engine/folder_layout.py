"""What lies in a model's folder: its layout named, and refused where the engine cannot run it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from engine.errors import EngineError
from engine.quantization import check_method
from engine.registry import FAMILIES
from engine.small_files import read_object

WEIGHTS = "model.safetensors"
INDEX = "model.safetensors.index.json"


def check_folder(folder: Path) -> None:
    """Raise EngineError unless there is a folder that can be listed."""
    try:
        if folder.suffix.lower() == ".gguf" and folder.is_file():
            raise EngineError("unsupported_format", name=folder.name, found="GGUF")
        if folder.is_file():
            raise EngineError("not_a_folder", path=folder)
        next(folder.iterdir(), None)
    except (FileNotFoundError, NotADirectoryError) as error:
        raise EngineError("not_found", path=folder) from error
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        detail = getattr(error, "strerror", None) or str(error)
        raise EngineError("unreadable", path=folder, detail=detail) from error


def read_config(folder: Path) -> dict[str, Any]:
    """config.json; where there is none, say what the folder holds instead."""
    config = folder / "config.json"
    if config.exists() or config.is_symlink():
        return read_object(config)
    if any(folder.glob("*.gguf")):
        raise EngineError("unsupported_format", name=folder.name, found="GGUF")
    if (folder / "params.json").exists():
        raise EngineError("unsupported_format", name=folder.name, found="Mistral's own format")
    raise EngineError("empty_folder", path=folder)


def family_of(folder: Path, config: dict[str, Any]) -> str:
    """The model type if the engine runs it, else an EngineError that names it."""
    family = config.get("model_type")
    layer = config["ssm_cfg"].get("layer") if isinstance(config.get("ssm_cfg"), dict) else None
    if family is None and "d_model" in config and "n_layer" in config:
        found = f"the original mamba_ssm layout ({layer or 'Mamba1'})"
        raise EngineError("unsupported_format", name=folder.name, found=found)
    if family == "mamba" and layer == "Mamba2":
        family = "mamba2"
    check_method(folder, config)
    if not isinstance(family, str):
        expected, found = "the name of a model type", _json(family)
        file = folder / "config.json"
        raise EngineError(
            "bad_config", file=file, field="model_type", expected=expected, found=found
        )
    if family not in FAMILIES:
        supported = ", ".join(FAMILIES)
        raise EngineError("unsupported", name=folder.name, family=family, supported=supported)
    return family


def weight_files(folder: Path) -> list[Path]:
    """The safetensors files of the model: one, or those that the index names."""
    if (folder / WEIGHTS).exists() or (folder / WEIGHTS).is_symlink():
        return [folder / WEIGHTS]
    if not (folder / INDEX).exists():
        raise _no_weights(folder)
    files = sorted(set(read_index(folder).values()))
    for file in files:
        if not (folder / file).exists():
            raise EngineError("missing_file", path=folder, file=file)
    return [folder / file for file in files]


def _no_weights(folder: Path) -> EngineError:
    """The error for a folder without an entry to its weights, by what it holds instead."""
    if any(folder.glob("model-*-of-*.safetensors")):
        return EngineError("missing_file", path=folder, file=INDEX)
    for pattern, found in (
        ("*.gguf", "GGUF"),
        ("*.bin", "a PyTorch .bin file"),
        ("*.pth", "a PyTorch .pth file"),
        ("consolidated*.safetensors", "Mistral's own format"),
    ):
        if any(folder.glob(pattern)):
            return EngineError("unsupported_format", name=folder.name, found=found)
    return EngineError("no_weights", path=folder)


def read_index(folder: Path) -> dict[str, str]:
    """The index's map from tensor to file; each must be a plain name in the folder."""
    path = folder / INDEX
    table = read_object(path).get("weight_map")
    if not isinstance(table, dict) or not table:
        found = _json(table)
        raise EngineError(
            "bad_config", file=path, field="weight_map", expected="a table of files", found=found
        )
    for file in table.values():
        # A symbolic link may lead out, as in the Hub's cache; a name may not.
        plain = isinstance(file, str) and Path(file).name == file != ""
        if not plain or "\\" in file or "\0" in file:
            raise EngineError("outside", file=path, found=_json(file))
        if not file.endswith(".safetensors"):
            raise EngineError("unsupported_format", name=folder.name, found=file)
    return table


def _json(value: Any) -> str:
    return json.dumps(value)[:80]
