"""One loaded model and the chats it answers: reads what is new in a chat, and nothing more."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from engine import library
from engine.api import Finished, ModelInfo, Piece, Reading, ReplyRequest
from engine.device import machine, mx
from engine.dialogue import path_ids, whole_ids
from engine.errors import EngineError
from engine.generate import generate
from engine.language_model import LanguageModel, load_model
from engine.precision import parsed
from engine.quantize_folder import quantize_folder
from engine.snapshots import Snapshots

# Of the memory for models, the share that snapshots of chats may take.
_SNAPSHOT_SHARE = 1 / 16
_WRITING = 0.8  # of the time that it takes to keep a model in fewer bits and to load that


class Session:
    """Lives on the engine's thread and holds one model at a time."""

    def __init__(self) -> None:
        self.model: LanguageModel | None = None
        self.info: ModelInfo | None = None
        self.load_s: float | None = None
        self._snapshots = Snapshots(int(machine().limit_bytes * _SNAPSHOT_SHARE))

    def load(
        self,
        folder: Path,
        *,
        on_progress: Callable[[float], None],
        stopped: threading.Event,
        allow_tight: bool = True,
        precision: str = "",
        keep: int | None = None,
    ) -> ModelInfo:
        """Load the model in `folder` in place of the one that is loaded, in `precision` ("":
        its own). With `keep`, 4 or 8, it is first written in so many bits a number among the
        app's models, unless it is there, and that is loaded.

        One that does not fit is refused, and so is a tight one unless `allow_tight`.

        When that fails or is stopped, the earlier model stays; unless both do not fit into
        memory together: then it is freed first."""
        info = library.describe(folder, machine(), f"{keep}-bit" if keep else precision)
        if info.fit == "too_big" or (info.fit == "tight" and not allow_tight):
            raise EngineError(
                info.fit, name=info.name, needed=info.needed_bytes, limit=machine().limit_bytes
            )
        if keep:
            folder, on_progress = _kept(folder, keep, on_progress, stopped)
            info = library.describe(folder, machine())
        held = self.info.needed_bytes if self.info else 0
        if held + info.needed_bytes > machine().limit_bytes:
            self.unload()
        began = time.perf_counter()
        dtype, bits = parsed(precision)
        model = load_model(folder, dtype=dtype, bits=bits, on_progress=on_progress, stopped=stopped)
        self.unload()
        self.model, self.info = model, info
        self.load_s = time.perf_counter() - began
        return info

    def unload(self) -> None:
        """Free the model and every state of it."""
        self.model, self.info, self.load_s = None, None, None
        self._snapshots.clear()
        mx.clear_cache()

    def close(self) -> None:
        """Free everything, the last that this thread does with MLX: streams that outlive their
        thread abort the process at its exit."""
        self.unload()
        mx.synchronize()
        mx.clear_streams()

    def reply(
        self, request: ReplyRequest, stopped: threading.Event
    ) -> Iterator[Reading | Piece | Finished]:
        """Answer the last message of `request`: Reading and Piece events, at last one Finished.

        A stopped answer is finished too. Raises EngineError when it cannot be given."""
        if self.model is None:
            raise EngineError("no_model")
        tokenizer = self.model.tokenizer
        shares = path_ids(tokenizer, request.messages)
        prompt = (
            tuple(token for share in shares for token in share)
            if shares is not None
            else whole_ids(tokenizer, request.messages)
        )
        if unknown := [token for token in prompt if token >= self.model.config.vocab_size]:
            raise EngineError(
                "bad_value", field="every token", found=unknown[0],
                expected=f"below {self.model.config.vocab_size}",
            )  # fmt: skip
        known, state = self._snapshots.longest(prompt) or (0, self.model.initial_state())
        outcome = yield from generate(
            self.model,
            state,
            prompt[known:],
            request.sampling,
            stopped,
            context=prompt[:known],
            ignore_end=request.write_on,
        )
        if read := outcome.prompt_state.tokens[0]:
            self._snapshots.add(prompt[:read], outcome.prompt_state)
        if outcome.state.tokens[0] >= len(prompt):
            self._snapshots.add(prompt + outcome.ids[: outcome.fed], outcome.state)
        yield Finished(
            text=outcome.text,
            stats=replace(outcome.stats, load_s=self.load_s),
            ids=None if shares is None else (*shares, outcome.ids),
            tokenizer=tokenizer.fingerprint,
        )


def _kept(
    folder: Path, bits: int, on_progress: Callable[[float], None], stopped: threading.Event
) -> tuple[Path, Callable[[float], None]]:
    """The folder of the model in `bits` a number, written where it is not there yet, and what
    hears of the rest of the progress."""
    out = library.copy_of(folder, bits)
    if out.exists():
        return out, on_progress
    library.check_connected()
    quantize_folder(
        folder, out, bits, on_progress=lambda done: on_progress(_WRITING * done), stopped=stopped
    )
    return out, lambda done: on_progress(_WRITING + (1 - _WRITING) * done)
