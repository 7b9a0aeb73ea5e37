"""Writes a model again with its matrices in a few bits a number, as MLX's own conversions are."""

from __future__ import annotations

import errno
import json
import os
import shutil
import threading
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from engine.checkpoint import Checkpoint, check_tensors, load_tensors, open_checkpoint
from engine.device import mx
from engine.errors import EngineError
from engine.folder_layout import INDEX, WEIGHTS
from engine.precision import check_unpacked
from engine.quantization import BITS, GROUP_SIZE, packed, quantizable
from engine.registry import FAMILIES

_SHARD = 2 << 30  # bytes of a file, and of weights in memory
_COPIED = {".json", ".jinja", ".model", ".txt", ".md", ""}
_LONGEST = 64 << 20  # of a file that is copied along


def quantize_folder(
    source: Path,
    out: Path,
    bits: int,
    *,
    on_progress: Callable[[float], None] | None = None,
    stopped: threading.Event | None = None,
) -> None:
    """Write the model in `source` into a new folder `out`, `bits` (4 or 8) a number.

    Scales are of the file's own type. `out` appears only when it is whole. Raises EngineError for
    whatever is wrong with either, Stopped once `stopped` is set."""
    if bits not in BITS:
        raise EngineError("bad_value", field="bits", expected="4 or 8", found=bits)
    if out.exists():
        raise EngineError("exists", path=out)
    checkpoint = open_checkpoint(source)
    check_unpacked(checkpoint, f"{bits}-bit")
    family = import_module(FAMILIES[checkpoint.family])
    check_tensors(checkpoint, family.Config.read(checkpoint.config, checkpoint.tensors).shapes())
    unfinished = out.with_name(f".{out.name}.{os.getpid()}")
    try:
        unfinished.mkdir(parents=True)
        _write_weights(checkpoint, bits, unfinished, on_progress, stopped)
        _copy_rest(checkpoint, bits, unfinished)
        unfinished.rename(out)
    except OSError as error:
        raise EngineError("unwritable", path=out, detail=error.strerror) from error
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)


def _write_weights(
    checkpoint: Checkpoint,
    bits: int,
    folder: Path,
    on_progress: Callable[[float], None] | None,
    stopped: threading.Event | None,
) -> None:
    shards = _Shards(folder)
    dtype = getattr(mx, checkpoint.dtype)
    for name, array in load_tensors(checkpoint, on_progress, stopped):
        parts = packed(array.astype(dtype), bits) if quantizable(name) else None
        if parts is None:
            shards.add({name: array})
        else:
            base = name.removesuffix(".weight")
            named = (name, f"{base}.scales", f"{base}.biases")
            shards.add(dict(zip(named, parts, strict=True)))
    shards.close()


class _Shards:
    """Safetensors files of bounded size, named when it is known how many there are."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._held: dict[str, mx.array] = {}
        self._names: list[list[str]] = []  # of the tensors in each file

    def add(self, arrays: dict[str, mx.array]) -> None:
        """Take tensors, and write what is held where it is enough for a file."""
        mx.eval(arrays)
        self._held |= arrays
        if sum(array.nbytes for array in self._held.values()) > _SHARD:
            self._write()

    def _write(self) -> None:
        path = self._folder / f"{len(self._names)}.safetensors"
        try:
            mx.save_safetensors(str(path), self._held, {"format": "mlx"})
        except RuntimeError as error:  # what MLX raises for a full disk
            raise OSError(errno.EIO, str(error).splitlines()[0]) from error
        with path.open("rb+") as file:
            os.fsync(file.fileno())
        self._names.append(list(self._held))
        self._held.clear()

    def close(self) -> None:
        """Write the rest, the names and the index."""
        if self._held:
            self._write()
        count = len(self._names)
        where: dict[str, str] = {}
        for i, names in enumerate(self._names):
            file = WEIGHTS if count == 1 else f"model-{i + 1:05}-of-{count:05}.safetensors"
            (self._folder / f"{i}.safetensors").rename(self._folder / file)
            where |= dict.fromkeys(names, file)
        if count > 1:
            _write_json(self._folder / INDEX, {"metadata": {}, "weight_map": where})


def _copy_rest(checkpoint: Checkpoint, bits: int, folder: Path) -> None:
    """The config, which says how the numbers are packed, and all that is no weights."""
    table = {"group_size": GROUP_SIZE, "bits": bits, "mode": "affine"}
    config = checkpoint.config | {"quantization": table, "quantization_config": table}
    _write_json(folder / "config.json", config)
    for file in sorted(checkpoint.folder.iterdir()):
        small = file.is_file() and file.stat().st_size <= _LONGEST
        other = file.name != "config.json" and ".index." not in file.name
        if small and other and file.suffix in _COPIED:
            shutil.copyfile(file, folder / file.name)


def _write_json(path: Path, value: dict[str, Any]) -> None:
    path.write_text(json.dumps(value, indent=2) + "\n", encoding="utf-8")
