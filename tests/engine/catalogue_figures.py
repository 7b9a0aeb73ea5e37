"""Works out the figures of the catalogue from each model's sizes, with the engine's own formula.

`python tests/engine/catalogue_figures.py` writes them into resources/models.json."""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path
from typing import Any

from engine import paths
from engine.catalogue import FILE
from engine.checkpoint import DTYPES, PACKED, Checkpoint
from engine.precision import SMALLER, is_packed, needed_bytes
from engine.registry import FAMILIES
from engine.safetensors_header import BITS, TensorEntry

KINDS = {name: kind for kind, name in DTYPES.items()}
_CONFIG = {
    "bias": False,
    "conv_bias": True,
    "norm_eps": 1e-5,
    "residual_in_fp32": True,
}


def imagined(entry: dict[str, Any]) -> Checkpoint:
    """The checkpoint that the entry's model is, without its weights.

    `sizes` are those of the family's Config. `stored` says how: "scales" (their type) and "group"
    of packed matrices, and "float32", the ends of the names of tensors that are kept so."""
    sizes, stored, dtype = entry["sizes"], entry["stored"], entry["dtype"]
    bits = int(dtype.removesuffix("-bit")) if is_packed(dtype) else 0
    more = {"mixer_rms_eps": 1e-6} if entry["family"] == "falcon_mamba" else {}
    module = import_module(FAMILIES[entry["family"]])
    config = module.Config(**sizes, **_CONFIG, **more, conv_last=bits > 0)
    tensors: dict[str, TensorEntry] = {}

    def put(name: str, kind: str, *shape: int) -> None:
        size = BITS[kind] // 8
        for length in shape:
            size *= length
        tensors[name] = TensorEntry(Path(), kind, shape, 0, size)

    plain = KINDS[stored["scales"] if bits else dtype]
    for name, shape in config.shapes().items():
        if name.endswith(tuple(stored.get("float32", ()))):
            put(name, "F32", *shape)
        elif bits and _is_packed_by_mlx(name, shape, stored["group"]):
            rows, columns = shape
            put(name, PACKED, rows, columns * bits // 32)
            for part in ("scales", "biases"):
                base = name.removesuffix("weight")
                put(base + part, plain, rows, columns // stored["group"])
        else:
            put(name, plain, *shape)
    fields = {"quantization": {"bits": bits, "group_size": stored["group"]}} if bits else {}
    return Checkpoint(Path(), fields, {}, entry["family"], tensors)


def _is_packed_by_mlx(name: str, shape: tuple[int, ...], group: int) -> bool:
    """mlx-lm packs every matrix whose rows are whole groups: the convolution is none."""
    return len(shape) == 2 and name.endswith(".weight") and shape[1] % group == 0


def figures(entry: dict[str, Any]) -> dict[str, Any]:
    """The entry's figures as they must be."""
    checkpoint = imagined(entry)
    return {
        "parameters": checkpoint.parameters,
        "disk_bytes": sum(tensor.end for tensor in checkpoint.tensors.values()),
        "needs": _needs(checkpoint, entry["dtype"], on_cpu=False),
        "needs_on_cpu": _needs(checkpoint, entry["dtype"], on_cpu=True),
    }


def _needs(checkpoint: Checkpoint, dtype: str, *, on_cpu: bool) -> dict[str, int]:
    """In its own precision, then in those that are smaller; a packed model has no other."""
    needs = {dtype: needed_bytes(checkpoint, "", on_cpu=on_cpu)}
    if not checkpoint.bits:
        for precision in SMALLER:
            if is_packed(precision) or dtype == "float32":
                needs[precision] = needed_bytes(checkpoint, precision, on_cpu=on_cpu)
    return needs


def entries() -> list[dict[str, Any]]:
    """The catalogue's entries as they are written."""
    found = json.loads((paths.resources() / FILE).read_text(encoding="utf-8"))["models"]
    assert isinstance(found, list)
    return found


def main() -> None:
    """Write the figures beside what they are worked out of."""
    models = [entry | figures(entry) for entry in entries()]
    text = json.dumps({"models": models}, indent=2, ensure_ascii=False)
    (paths.resources() / FILE).write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
