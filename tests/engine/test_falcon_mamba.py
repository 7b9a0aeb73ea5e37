"""Falcon-Mamba keeps to the contract, and is told from Mamba by its model type alone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from model_contract import check_model, logits_of, some_tokens

from engine import LanguageModel, load_model
from engine.errors import EngineError

TinyFolder = Callable[..., Path]


def falcon(tiny_folder: TinyFolder, **fields: Any) -> LanguageModel:
    fields = {"model_type": "falcon_mamba", "tie_word_embeddings": False, **fields}
    return load_model(tiny_folder(name=str(len(str(fields))), **fields), dtype="float32")


def logits(model: LanguageModel) -> np.ndarray:
    return logits_of(model, some_tokens(model, 20), [])[0]


@pytest.mark.parametrize("eps", [1e-6, 1e-1])
def test_a_text_is_the_same_however_it_is_cut_batched_or_saved(
    tiny_folder: TinyFolder, tmp_path: Path, eps: float
) -> None:
    check_model(falcon(tiny_folder, mixer_rms_eps=eps), tmp_path)


def test_the_norms_and_their_epsilon_are_in_what_it_says(tiny_folder: TinyFolder) -> None:
    """The tensors are the same: an early upload calls itself mamba, and would lose the norms."""
    plain = load_model(tiny_folder(tie_word_embeddings=False), dtype="float32")
    first, large = falcon(tiny_folder), falcon(tiny_folder, mixer_rms_eps=0.5)
    assert np.abs(logits(first) - logits(plain)).max() > 0.1
    assert np.abs(logits(large) - logits(first)).max() > 0.1
    same = falcon(tiny_folder, mixer_rms_eps=1e-6)
    assert np.array_equal(logits(same), logits(first))


def test_an_epsilon_that_is_none_is_refused(tiny_folder: TinyFolder) -> None:
    with pytest.raises(EngineError, match="mixer_rms_eps"):
        falcon(tiny_folder, mixer_rms_eps="small")


def test_several_end_tokens_all_end_an_answer(tiny_folder: TinyFolder) -> None:
    """As Falcon3's: the config names one, its generation_config two others."""
    folder = tiny_folder(model_type="falcon_mamba", tie_word_embeddings=False, eos_token_id=0)
    (folder / "generation_config.json").write_text('{"eos_token_id": [10, 11]}')
    assert {0, 10, 11} <= load_model(folder).tokenizer.end_ids
