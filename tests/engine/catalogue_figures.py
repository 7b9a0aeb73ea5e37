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
_NEOX_CONFIG = {
    "rotary": 2,
    "rotary_base": 1e4,
    "attention_bias": True,
    "parallel_residual": True,
    "exact_gelu": True,
    "norm_eps": 1e-5,
}


def imagined(entry: dict[str, Any]) -> Checkpoint:
    """The checkpoint that the entry's model is, without its weights.

    `sizes` are those of the family's Config. `stored` says how: "scales" (their type) and "group"
    of packed matrices, "float32", the ends of the names of tensors that are kept so, and "mask",
    the length of the causal masks that are stored beside each layer."""
    sizes, stored, dtype = entry["sizes"], entry["stored"], entry["dtype"]
    bits = int(dtype.removesuffix("-bit")) if is_packed(dtype) else 0
    config = _config(entry["family"], sizes, packed=bits > 0)
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
    fields: dict[str, Any] = {}
    if bits:
        fields["quantization"] = {"bits": bits, "group_size": stored["group"]}
    if "context" in sizes:
        fields["max_position_embeddings"] = sizes["context"]
    return Checkpoint(Path(), fields, {}, entry["family"], tensors)


def _config(family: str, sizes: dict[str, Any], *, packed: bool) -> Any:
    """The family's Config of these sizes; the rest of it decides no figure."""
    module = import_module(FAMILIES[family])
    if family == "gpt_neox":
        return module.Config(**sizes, **_NEOX_CONFIG)
    more = {"mixer_rms_eps": 1e-6} if family == "falcon_mamba" else {}
    return module.Config(**sizes, **_CONFIG, **more, conv_last=packed)


def _is_packed_by_mlx(name: str, shape: tuple[int, ...], group: int) -> bool:
    """mlx-lm packs every matrix whose rows are whole groups: the convolution is none."""
    return len(shape) == 2 and name.endswith(".weight") and shape[1] % group == 0


def figures(entry: dict[str, Any]) -> dict[str, Any]:
    """The entry's figures as they must be."""
    checkpoint = imagined(entry)
    masks = entry["sizes"]["n_layer"] * entry["stored"].get("mask", 0) ** 2  # a byte each
    return {
        "parameters": checkpoint.parameters,
        "disk_bytes": masks + sum(tensor.end for tensor in checkpoint.tensors.values()),
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
