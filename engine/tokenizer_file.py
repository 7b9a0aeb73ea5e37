"""Which tokenizer.json a model has: its own, or the GPT-NeoX one that came with the app."""

from __future__ import annotations

from pathlib import Path

from engine import paths
from engine.checkpoint import Checkpoint
from engine.errors import EngineError
from engine.legacy_layout import EMBEDDINGS
from engine.neox_layout import EMBEDDINGS as NEOX_EMBEDDINGS

NEOX_END = "<|endoftext|>"
# GPT-NeoX's 50,277 tokens, and the rows to which they are padded at most.
_NEOX_ROWS = range(50_277, 50_304 + 1)
_GPT2_TOKENS = 50_257  # those are padded to 50,304 as well
_OTHERS = ("vocab.json", "tokenizer.model")


def tokenizer_file(checkpoint: Checkpoint) -> Path:
    """The folder's tokenizer.json; the app's own where the folder has no tokenizer at all and the
    embedding is as large as GPT-NeoX's, with which mamba_ssm's models were trained.

    Raises EngineError("missing_file") when neither will do."""
    folder = checkpoint.folder
    file = folder / "tokenizer.json"
    if file.exists():
        return file
    others = file.is_symlink() or any((folder / name).exists() for name in _OTHERS)
    gpt2 = checkpoint.config.get("vocab_size") == _GPT2_TOKENS
    if embedding_rows(checkpoint) in _NEOX_ROWS and not others and not gpt2:
        return neox()
    raise EngineError("missing_file", path=folder, file=file.name)


def neox() -> Path:
    """The GPT-NeoX tokenizer that came with the app."""
    return paths.resources() / "tokenizers" / "gpt-neox" / "tokenizer.json"


def embedding_rows(checkpoint: Checkpoint) -> int:
    """The tokens that the model has room for. Raises EngineError("missing_tensor")."""
    name = NEOX_EMBEDDINGS if checkpoint.family == "gpt_neox" else EMBEDDINGS
    entry = checkpoint.tensors.get(name)
    if entry is None or not entry.shape:
        raise EngineError("missing_tensor", file=checkpoint.folder, name=name)
    return entry.shape[0]
