"""In what a model's numbers may be kept, and the memory that it takes then."""

from __future__ import annotations

from engine.checkpoint import PACKED, Checkpoint
from engine.errors import EngineError
from engine.neox_layout import context_of
from engine.quantization import GROUP_SIZE, quantizable

# What is offered where a model's own precision does not fit, from the largest to the smallest.
SMALLER = ("bfloat16", "8-bit", "4-bit")
_BITS = {"8-bit": 8, "4-bit": 4}
_BYTES = {"float32": 4, "float16": 2, "bfloat16": 2}
NAMES = (*_BYTES, *_BITS)
# While a chunk is read, this many arrays of d_inner numbers (a Transformer's: of its MLP, in place
# of how it weighs the tokens before) stand in memory for each token. A CPU reads smaller chunks and
# keeps more for each: together about as much.
_CHUNK, _WIDTHS = 2048, 8


def is_packed(precision: str) -> bool:
    """Whether matrices are kept in a few bits a number: "4-bit"."""
    return precision.endswith("-bit")


def parsed(precision: str) -> tuple[str | None, int | None]:
    """`load_model`'s dtype and bits of a name: "bfloat16", "4-bit"; "" is the model's own.

    Raises EngineError("bad_value") for another name."""
    if precision in _BITS:
        return None, _BITS[precision]
    if precision and precision not in _BYTES:
        expected = ", ".join(NAMES)
        raise EngineError("bad_value", field="the precision", expected=expected, found=precision)
    return precision or None, None


def check_unpacked(checkpoint: Checkpoint, precision: str) -> None:
    """Raise EngineError("bad_value") where `precision` is asked of a model that is stored packed:
    it has no other than its own."""
    if checkpoint.bits and precision:
        own = f"that of the model as it is stored, {checkpoint.bits}-bit"
        raise EngineError("bad_value", field="the precision", expected=own, found=precision)


def state_bytes(checkpoint: Checkpoint) -> int:
    """The bytes of one chat's state in float32, before it has read a token: d_state and d_conv - 1
    numbers a channel of a Mamba, nothing of a Transformer."""
    numbers = 0
    for name, entry in checkpoint.tensors.items():
        if name.endswith("A_log"):
            numbers += entry.size
        elif name.endswith("conv1d.weight") and entry.shape:
            numbers += entry.size - entry.shape[0]
    return 4 * numbers


def state_bytes_per_token(checkpoint: Checkpoint, precision: str, *, on_cpu: bool) -> int:
    """What each token adds to the state: of a Transformer a key and a value in every layer, in the
    type of its activations; of a Mamba nothing."""
    queries_keys_values = [
        entry.shape[0]
        for name, entry in checkpoint.tensors.items()
        if name.endswith("query_key_value.weight") and entry.shape
    ]
    return sum(queries_keys_values) * 2 // 3 * _number(checkpoint, precision, on_cpu)


def _number(checkpoint: Checkpoint, precision: str, on_cpu: bool) -> int:
    """The bytes of a number that is not packed."""
    dtype, _ = parsed(precision)
    return _BYTES[dtype or ("float32" if on_cpu else checkpoint.dtype)]


def needed_bytes(checkpoint: Checkpoint, precision: str, *, on_cpu: bool) -> int:
    """An estimate of the memory at its peak, which is while a prompt is read: the weights in
    `precision` ("": the model's own), the state at its longest, and a chunk's activations.

    Raises EngineError("bad_config") where a Transformer's longest is not told."""
    _, bits = parsed(precision)
    number = _number(checkpoint, precision, on_cpu)
    weights, d_inner = 0, 0
    for name, entry in checkpoint.tensors.items():
        whole_groups = len(entry.shape) == 2 and entry.shape[1] % GROUP_SIZE == 0
        if entry.dtype == PACKED:
            weights += entry.end - entry.start
        elif bits and quantizable(name) and whole_groups:  # and a scale and a bias a group
            weights += entry.size * bits // 8 + 2 * number * entry.size // GROUP_SIZE
        else:
            weights += entry.size * number
        if name.endswith(("A_log", "dense_h_to_4h.weight")) and entry.shape:
            d_inner = max(d_inner, entry.shape[0])
    state = state_bytes(checkpoint)
    if a_token := state_bytes_per_token(checkpoint, precision, on_cpu=on_cpu):
        state += a_token * context_of(checkpoint.config)
    return weights + state + 4 * _CHUNK * _WIDTHS * d_inner
