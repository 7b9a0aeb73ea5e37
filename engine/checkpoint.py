"""A model's folder: its config and table of tensors, checked; then its weights, one by one."""

from __future__ import annotations

import hashlib
import json
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.errors import EngineError, Stopped
from engine.folder_layout import (
    check_folder,
    family_of,
    read_config,
    read_index,
    weight_entry,
    weight_files,
)
from engine.legacy_layout import huggingface_names
from engine.neox_layout import transformers_names
from engine.quantization import STORED_BITS, is_quantized
from engine.safetensors_header import TensorEntry, read_header
from engine.small_files import read_object
from engine.torch_file import read_torch

if TYPE_CHECKING:
    import mlx.core as mx

PACKED = "U32"  # words of a quantized matrix
DTYPES = {"F32": "float32", "F16": "float16", "BF16": "bfloat16"}
_SAMPLE = 512  # bytes to each side of a tensor's middle
_BLOCK = 32 << 20
# The exponent bits: all of them set is an infinity or not a number.
_EXPONENT = {"F32": 0x7F800000, "F16": 0x7C00, "BF16": 0x7F80}


@dataclass(frozen=True)
class Checkpoint:
    """A folder whose config and headers hold together; no weights are in memory."""

    folder: Path
    config: dict[str, Any]
    generation: dict[str, Any]  # generation_config.json, {} without one
    family: str
    tensors: dict[str, TensorEntry]

    @property
    def dtype(self) -> str:
        """The type of most of the weights: "float16"."""
        sizes: Counter[str] = Counter()
        for entry in self.tensors.values():
            if entry.dtype in DTYPES:  # packed words are of no such type, their scales are
                sizes[entry.dtype] += entry.size
        return DTYPES[sizes.most_common(1)[0][0]]

    @property
    def bits(self) -> int | None:
        """Of a number in the packed matrices; None where none is packed."""
        if not any(name.endswith(".scales") for name in self.tensors):
            return None
        for field in ("quantization", "quantization_config"):
            table = self.config.get(field)
            if isinstance(table, dict) and table.get("bits") in STORED_BITS:
                return int(table["bits"])
        return 4

    @property
    def parameters(self) -> int:
        """How many numbers the weights are."""
        count = 0
        for name, entry in self.tensors.items():
            if entry.dtype == PACKED:
                count += entry.size * 32 // (self.bits or 32)
            elif not name.endswith((".scales", ".biases")):
                count += entry.size
        return count


def open_checkpoint(folder: Path) -> Checkpoint:
    """Check everything about the folder but the weights' values; reads only headers.

    Raises EngineError for whatever is wrong."""
    folder = folder.absolute()  # it is named in errors, even when given as "."
    check_folder(folder)
    config = read_config(folder)
    family = family_of(folder, config)
    tensors: dict[str, TensorEntry] = {}
    for file in weight_files(folder):
        torch = file.suffix == ".bin"
        for name, entry in (read_torch(file) if torch else read_header(file)).items():
            if name in tensors:
                detail = f"{name} is also in {tensors[name].file.name}"
                kind = "PyTorch" if torch else "safetensors"
                raise EngineError("corrupt", file=file, format=kind, detail=detail)
            tensors[name] = entry
    _check_index(folder, tensors)
    tensors = transformers_names(tensors) if family == "gpt_neox" else huggingface_names(tensors)
    _check_dtypes(folder, tensors)
    generation = read_object(folder / "generation_config.json", missing={})
    return Checkpoint(folder, config, generation, family, tensors)


def check_tensors(checkpoint: Checkpoint, expected: Mapping[str, tuple[int, ...]]) -> None:
    """Compare the table of tensors with the names and shapes that the family has.

    Raises EngineError: missing_tensor, wrong_shape or unexpected_tensor."""
    for name, shape in expected.items():
        if name not in checkpoint.tensors:
            raise EngineError("missing_tensor", file=checkpoint.folder, name=name)
        found = checkpoint.tensors[name].shape
        if found != tuple(shape):
            raise EngineError("wrong_shape", name=name, expected=list(shape), found=list(found))
    for name, entry in checkpoint.tensors.items():
        if name not in expected:
            family = checkpoint.family
            raise EngineError("unexpected_tensor", file=entry.file, name=name, family=family)


def load_tensors(
    checkpoint: Checkpoint,
    on_progress: Callable[[float], None] | None = None,
    stopped: threading.Event | None = None,
) -> Iterator[tuple[str, mx.array]]:
    """The weights one by one, as their file has them, each read whole and checked finite.

    `on_progress` hears the fraction of bytes that is in. Raises Stopped once `stopped` is set,
    EngineError when a file cannot be read or a value is not a number."""
    total = sum(entry.end - entry.start for entry in checkpoint.tensors.values())
    done = 0
    for name, entry in checkpoint.tensors.items():
        raw = bytearray()
        for block in _blocks(entry):
            if stopped is not None and stopped.is_set():
                raise Stopped()
            raw += block
            done += len(block)
            if on_progress is not None:
                on_progress(done / total)
        array = [_array(name, entry, raw)]
        del raw
        yield name, array.pop()  # nothing of it stays here while it is converted


def _blocks(entry: TensorEntry) -> Iterator[bytes]:
    """The bytes of a tensor, a block at a time."""
    left = entry.end - entry.start
    try:
        with entry.file.open("rb", buffering=0) as file:
            file.seek(entry.start)
            while left:
                block = file.read(min(left, _BLOCK))
                if not block:
                    found = entry.end - left
                    raise EngineError(
                        "incomplete", file=entry.file, found=found, expected=entry.end
                    )
                left -= len(block)
                yield block
    except OSError as error:
        raise EngineError("unreadable", path=entry.file, detail=error.strerror) from error


def _array(name: str, entry: TensorEntry, raw: bytearray) -> mx.array:
    """The tensor's bytes as an array. MLX is imported only now that weights are loaded."""
    from engine.device import mx

    data: Any = memoryview(raw)  # MLX's stubs do not know that it takes buffers
    words = mx.array(data).view(mx.uint32 if entry.dtype in ("F32", PACKED) else mx.uint16)
    if entry.dtype == PACKED:
        return words.reshape(entry.shape)
    exponent = _EXPONENT[entry.dtype]
    if words.size and mx.max(words & exponent).item() == exponent:
        raise EngineError("not_finite", name=name)
    array: mx.array = words.view(getattr(mx, DTYPES[entry.dtype])).reshape(entry.shape)
    return array


def identity(checkpoint: Checkpoint, dtype: str) -> str:
    """What tells this model, in this precision, from every other: a sha256 in hex.

    It covers the config, the tensors' names, types and shapes, and a few bytes of each, so that
    two tunes of one model differ; how the tensors are spread over files makes no difference."""
    digest = hashlib.sha256(json.dumps([checkpoint.config, dtype], sort_keys=True).encode())
    for name, entry in sorted(checkpoint.tensors.items()):
        digest.update(json.dumps([name, entry.dtype, entry.shape]).encode())
        middle = (entry.start + entry.end) // 2
        begin, end = max(entry.start, middle - _SAMPLE), min(entry.end, middle + _SAMPLE)
        try:
            with entry.file.open("rb") as file:
                file.seek(begin)
                digest.update(file.read(end - begin))
        except OSError as error:
            raise EngineError("unreadable", path=entry.file, detail=error.strerror) from error
    return digest.hexdigest()


def _check_index(folder: Path, tensors: Mapping[str, TensorEntry]) -> None:
    """Every tensor that the index names must be in the file that it names."""
    entry = weight_entry(folder)
    if entry.suffix != ".json":
        return
    for name, file in read_index(entry).items():
        if name not in tensors or tensors[name].file.name != file:
            raise EngineError("missing_tensor", file=folder / file, name=name)


def _check_dtypes(folder: Path, tensors: Mapping[str, TensorEntry]) -> None:
    """Only plain floating-point weights are run."""
    if not tensors:
        raise EngineError("no_weights", path=folder)
    if any(".quant_state." in name for name in tensors):
        found = "bitsandbytes-quantized numbers"
        raise EngineError("unsupported_format", name=folder.name, found=found)
    for name, entry in tensors.items():
        words = name.endswith(".weight") and is_quantized(tensors, name)
        expected = [PACKED] if words else list(DTYPES)
        if entry.dtype not in expected:
            kinds = ", ".join(DTYPES.get(kind, "packed words") for kind in expected)
            raise EngineError("bad_dtype", name=name, expected=kinds, found=entry.dtype)
