"""What lies in a model's folder: its layout named, and refused where the engine cannot run it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from fnmatch import filter as filter_names
from pathlib import Path
from typing import Any

from engine.errors import EngineError
from engine.legacy_layout import legacy_layer, named_layer
from engine.quantization import check_method
from engine.registry import FAMILIES, MAMBAS
from engine.small_files import read_object

WEIGHTS = "model.safetensors"
INDEX = "model.safetensors.index.json"
TORCH_WEIGHTS = "pytorch_model.bin"
TORCH_INDEX = "pytorch_model.bin.index.json"


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
    legacy = legacy_layer(config)
    if legacy == "Mamba1":
        family = "mamba"
    elif legacy is not None:
        found = f"the original mamba_ssm layout ({legacy})"
        raise EngineError("unsupported_format", name=folder.name, found=found)
    elif family == "mamba" and named_layer(config) == "Mamba2":
        family = "mamba2"
    check_method(folder, config)
    if not isinstance(family, str):
        expected, found = "the name of a model type", _json(family)
        file = folder / "config.json"
        raise EngineError(
            "bad_config", file=file, field="model_type", expected=expected, found=found
        )
    if family not in FAMILIES:
        supported = ", ".join(MAMBAS)
        raise EngineError("unsupported", name=folder.name, family=family, supported=supported)
    return family


def weight_entry(folder: Path) -> Path:
    """The file that leads to the weights: they themselves or their index, safetensors first."""
    for name in (WEIGHTS, INDEX, TORCH_WEIGHTS, TORCH_INDEX):
        if (folder / name).exists() or (folder / name).is_symlink():
            return folder / name
    raise no_weights(folder, [file.name for file in folder.iterdir()])


def weight_files(folder: Path) -> list[Path]:
    """The files of the model's weights: one, or those that the index names."""
    entry = weight_entry(folder)
    if entry.suffix != ".json":
        return [entry]
    files = sorted(set(read_index(entry).values()))
    for file in files:
        if not (folder / file).exists():
            raise EngineError("missing_file", path=folder, file=file)
    return [folder / file for file in files]


def no_weights(path: Path, names: Iterable[str]) -> EngineError:
    """The error for a model without an entry to its weights, by the files that it has instead."""
    found = list(names)
    for pattern, index in (
        ("model-*-of-*.safetensors", INDEX),
        ("pytorch_model-*-of-*.bin", TORCH_INDEX),
    ):
        if filter_names(found, pattern):
            return EngineError("missing_file", path=path, file=index)
    for pattern, kind in (
        ("*.gguf", "GGUF"),
        ("*.bin", f"a .bin file of another name than {TORCH_WEIGHTS}"),
        ("*.pth", "a PyTorch .pth file"),
        ("consolidated*.safetensors", "Mistral's own format"),
    ):
        if filter_names(found, pattern):
            return EngineError("unsupported_format", name=path.name, found=kind)
    return EngineError("no_weights", path=path)


def read_index(path: Path) -> dict[str, str]:
    """The index's map from tensor to file; each must be a plain name in the index's folder."""
    ending = ".bin" if path.name == TORCH_INDEX else ".safetensors"
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
        if not file.endswith(ending):
            raise EngineError("unsupported_format", name=path.parent.name, found=file)
    return table


def _json(value: Any) -> str:
    return json.dumps(value)[:80]
