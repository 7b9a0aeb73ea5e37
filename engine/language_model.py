"""A language model loaded from a folder: tokens and a state in, logits and a new state out."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from engine.checkpoint import Checkpoint, check_tensors, identity, open_checkpoint
from engine.device import begin, machine, mx
from engine.errors import EngineError, Stopped
from engine.precision import check_unpacked
from engine.quantization import BITS, stored_shapes
from engine.registry import FAMILIES
from engine.state import Layer, LayerState, State
from engine.tokenizer import Tokenizer, load_tokenizer
from engine.weights import load_weights, read_bytes

DTYPES = {"float32": mx.float32, "float16": mx.float16, "bfloat16": mx.bfloat16}


class LanguageModel:
    """A model that can be asked for the next token.

    `config` holds its sizes, `tokenizer` its text, `identity` tells it from every other model
    and precision. All of it belongs to the thread that loaded it."""

    def __init__(
        self, model: Any, tokenizer: Tokenizer, identity: str, folder: Path, read_bytes: int
    ) -> None:
        """`read_bytes` of its weights are read for each token that it writes."""
        self._model = model
        self.read_bytes = read_bytes
        self.config = model.config
        self.tokenizer = tokenizer
        self.identity = identity
        self.folder = folder
        # Built from Python anew, a step would take a GPU's host longer than the GPU. A CPU has no
        # such gain, and MLX would need a compiler there; a state that grows is another each step.
        replayed = machine().backend != "CPU" and self.context is None
        self._step = compiled_step(model) if replayed else None

    @property
    def dtype(self) -> str:
        """The weights' precision: "float32", "float16", "bfloat16", or "4-bit" for packed ones."""
        if bits := self._model.bits:
            return f"{bits}-bit"
        return str(self._model.dtype).removeprefix("mlx.core.")

    @property
    def vocab_size(self) -> int:
        """The tokens that may be sampled; rows of the head beyond them are padding."""
        return min(self.tokenizer.size, int(self.config.vocab_size))

    @property
    def context(self) -> int | None:
        """The tokens that a state can have read at most; None for a Mamba, which has no end."""
        return getattr(self.config, "context", None)

    def initial_state(self, batch: int = 1) -> State:
        """The state of `batch` rows that have read nothing."""
        if batch < 1:
            raise ValueError(f"batch should be at least 1 and is {batch}")
        return State(self._model.initial_layers(batch), (0,) * batch, self.identity)

    def forward(
        self,
        tokens: mx.array,
        state: State,
        *,
        lengths: Sequence[int] | mx.array | None = None,
        last_only: bool = False,
        stopped: threading.Event | None = None,
    ) -> tuple[mx.array, State]:
        """Read tokens (batch, length) int32 after `state`.

        `lengths` (batch,) counts the new tokens of each right-padded row; 0 leaves a row's state
        as it was. Returns logits (batch, length, vocab_size) float32, or (batch, 1, vocab_size)
        at each row's last token, and the new state. With `stopped` each layer is evaluated as it
        is built and Stopped raised once the event is set."""
        batch, length = self._check(tokens, state)
        counts = self._counts(lengths, batch, length)
        if self._step and length == 1 and counts is None and stopped is None:
            return self._step(tokens, state)
        hidden, layers = self._model(
            tokens,
            state.layers,
            None if counts is None else mx.array(counts, dtype=mx.int32),
            None if stopped is None else _watch(stopped),
        )
        read = [length] * batch if counts is None else counts
        if last_only:
            last = mx.array([max(count - 1, 0) for count in read]).reshape(batch, 1, 1)
            hidden = mx.take_along_axis(hidden, last, axis=1) if counts else hidden[:, -1:]
        tokens_read = tuple(old + new for old, new in zip(state.tokens, read, strict=True))
        return self._model.head(hidden), State(layers, tokens_read, self.identity)

    def _check(self, tokens: mx.array, state: State) -> tuple[int, int]:
        if tokens.ndim != 2 or tokens.shape[1] == 0:
            raise ValueError(f"tokens should be (batch, length >= 1) and are {tokens.shape}")
        if state.identity != self.identity:
            raise EngineError(
                "other_model", file="The state", found=state.identity[:12],
                expected=self.identity[:12],
            )  # fmt: skip
        if len(state.tokens) != tokens.shape[0]:
            raise ValueError(f"state has {len(state.tokens)} rows, tokens have {tokens.shape[0]}")
        return tokens.shape[0], tokens.shape[1]

    @staticmethod
    def _counts(
        lengths: Sequence[int] | mx.array | None, batch: int, length: int
    ) -> list[int] | None:
        if lengths is None:
            return None
        listed: Any = lengths.tolist() if isinstance(lengths, mx.array) else list(lengths)
        if len(listed) != batch or not all(0 <= count <= length for count in listed):
            raise ValueError(f"lengths should be {batch} counts up to {length} and are {listed}")
        return [int(count) for count in listed]


def compiled_step(model: Any) -> Callable[[mx.array, State], tuple[mx.array, State]]:
    """`forward` for one token of each row: traced once for each count of rows, then replayed."""

    def step(tokens: mx.array, arrays: list[mx.array]) -> list[mx.array]:
        pairs = zip(arrays[::2], arrays[1::2], strict=True)
        hidden, layers = model(tokens, tuple(LayerState(*pair) for pair in pairs), None)
        return [model.head(hidden), *(part for each in layers for part in (each.conv, each.ssm))]

    replay = mx.compile(step)

    def forward(tokens: mx.array, state: State) -> tuple[mx.array, State]:
        logits, *arrays = replay(tokens, state.arrays)
        layers = tuple(map(LayerState, arrays[::2], arrays[1::2]))
        return logits, State(layers, tuple(count + 1 for count in state.tokens), state.identity)

    return forward


def _watch(stopped: threading.Event) -> Callable[[mx.array, Layer], None]:
    """Computes each layer while the next one's graph is built, and stops between two."""
    begun: list[mx.array] = []

    def after_layer(y: mx.array, layer: Layer) -> None:
        begin([y, *layer.arrays.values()])
        mx.eval(begun)
        begun[:] = [y]
        if stopped.is_set():
            raise Stopped()

    return after_layer


def load_model(
    path: str | Path,
    *,
    dtype: str | mx.Dtype | None = None,
    bits: int | None = None,
    on_progress: Callable[[float], None] | None = None,
    stopped: threading.Event | None = None,
) -> LanguageModel:
    """Load the model in the folder `path`.

    `dtype` None is float32 on a CPU, where half precision is far slower, and the file's own on a
    GPU. `bits` (4 or 8) packs the matrices; None keeps them as they are stored. Raises EngineError
    for whatever is wrong with the folder or asked for, Stopped once `stopped` is set.
    """
    checkpoint = open_checkpoint(Path(path))
    family = import_module(FAMILIES[checkpoint.family])
    config = family.Config.read(checkpoint.config, checkpoint.tensors)
    shapes = config.shapes()
    check_tensors(checkpoint, stored_shapes(shapes, checkpoint.tensors))
    tokenizer = load_tokenizer(checkpoint)
    kept = _precision(dtype, checkpoint)
    if bits not in (None, *BITS):
        expected = " or ".join(map(str, BITS))
        raise EngineError("bad_value", field="bits", expected=expected, found=bits)
    check_unpacked(checkpoint, f"{bits}-bit" if bits else "")
    weights = load_weights(checkpoint, family, shapes, kept, bits, on_progress, stopped)
    model = family.Model(config, weights, kept)
    precision = str(kept).removeprefix("mlx.core.") + (f", {bits} bits" if bits else "")
    name = identity(checkpoint, precision)
    return LanguageModel(model, tokenizer, name, checkpoint.folder, read_bytes(weights))


def _precision(dtype: str | mx.Dtype | None, checkpoint: Checkpoint) -> mx.Dtype:
    if isinstance(dtype, mx.Dtype):
        return dtype
    if dtype is None and machine().backend == "CPU":
        return mx.float32
    name = dtype or checkpoint.dtype
    if name not in DTYPES:
        expected = ", ".join(DTYPES)
        raise EngineError("bad_value", field="the precision", expected=expected, found=name)
    return DTYPES[name]
