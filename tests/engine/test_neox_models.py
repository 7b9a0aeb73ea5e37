"""A GPT-NeoX model goes the ways that a Mamba goes: described, loaded in any precision, asked."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import neox_folder
import numpy as np
import pytest
from model_contract import check_model, logits_of, some_tokens
from torch_zip import TORCH, save_torch

from engine import library, load_model
from engine.api import Finished, Message, Piece, Reading, ReplyRequest, Sampling
from engine.bench_command import bench
from engine.bench_command import report as bench_report
from engine.checkpoint import open_checkpoint
from engine.device import mx
from engine.errors import EngineError
from engine.inspection import inspect, report
from engine.quantize_folder import quantize_folder
from engine.session import Session

TinyFolder = Callable[..., Path]
# Rows of whole groups, so that matrices can be packed.
WIDE: dict[str, Any] = {"hidden_size": 64, "intermediate_size": 128}
# A Pythia of 14 million: its layers, and a context that is soon full.
SMALL: dict[str, Any] = {
    "hidden_size": 128, "intermediate_size": 512, "num_hidden_layers": 6,
    "max_position_embeddings": 96,
}  # fmt: skip


@pytest.fixture
def folder(tiny_folder: TinyFolder) -> Path:
    return neox_folder.write(tiny_folder(), **WIDE)


@pytest.fixture
def small(tiny_folder: TinyFolder) -> Path:
    folder = neox_folder.write(tiny_folder(name="small"), **SMALL)
    (folder / "tokenizer_config.json").unlink()  # it has a chat template
    return folder


def far(folder: Path, like: Path, **given: Any) -> float:
    """The relative distance of the logits of two folders' models."""
    exact, found = load_model(like, dtype="float32"), load_model(folder, **given)
    tokens = some_tokens(exact, 24)
    cuts = [20, 21, 22, 23]
    expected = logits_of(exact, tokens, cuts)[0]
    apart = logits_of(found, tokens, cuts)[0] - expected
    return float(np.linalg.norm(apart) / np.linalg.norm(expected))


def test_what_is_saved_beside_the_weights_is_no_part_of_the_model(
    tiny_folder: TinyFolder, folder: Path
) -> None:
    more = neox_folder.write(
        tiny_folder(name="more"), **WIDE, buffered=True, max_position_embeddings=64
    )
    assert far(more, folder, dtype="float32") == 0
    assert library.describe(more).parameters == library.describe(folder).parameters
    assert not [name for name in open_checkpoint(more).tensors if "masked" in name]
    neox_folder.write(more, **WIDE, attention_bias=False)  # a mask is no bias of the projection
    assert load_model(more).config.attention_bias is False


def test_another_tensor_is_still_one_too_many(folder: Path) -> None:
    weights = dict(mx.load(str(folder / "model.safetensors")))
    weights["gpt_neox.layers.0.attention.rotary_emb.other"] = mx.ones((2,))
    mx.save_safetensors(str(folder / "model.safetensors"), weights)
    with pytest.raises(EngineError) as caught:
        load_model(folder)
    assert caught.value.code == "unexpected_tensor"


def test_a_bin_file_is_the_same_model(tiny_folder: TinyFolder, folder: Path) -> None:
    copy = tiny_folder(name="torch")
    fields = json.loads((folder / "config.json").read_text())
    tensors = {
        name: ("F32", array.shape, np.array(array).tobytes())
        for name, array in neox_folder.weights(fields).items()
    }
    (copy / "model.safetensors").unlink()
    (copy / "config.json").write_text(json.dumps(fields))
    save_torch(copy / TORCH, tensors)
    assert far(copy, folder, dtype="float32") == 0


@pytest.mark.parametrize(("bits", "least", "most"), [(4, 1e-3, 0.4), (8, 1e-5, 0.03)])
def test_it_is_packed_at_load_and_kept_packed(
    folder: Path, tmp_path: Path, bits: int, least: float, most: float
) -> None:
    assert least < far(folder, folder, dtype="float32", bits=bits) < most
    quantize_folder(folder, tmp_path / "kept", bits)
    assert least < far(tmp_path / "kept", folder, dtype="float32") < most
    model, info = load_model(tmp_path / "kept"), library.describe(tmp_path / "kept")
    assert model.dtype == info.dtype == f"{bits}-bit"
    assert all(linear.matrix.bits == bits for linear in model._model.layers[1].linears)
    assert info.parameters == library.describe(folder).parameters
    assert info.needed_bytes < library.describe(folder).needed_bytes
    check_model(model, tmp_path)


def test_a_conversion_by_mlxs_tools_is_read_under_their_names(folder: Path, tmp_path: Path) -> None:
    quantize_folder(folder, tmp_path / "kept", 4)
    file = tmp_path / "kept" / "model.safetensors"
    expected = far(tmp_path / "kept", folder, dtype="float32")
    renamed = {
        f"model.{name.replace('gpt_neox.layers.', 'h.').replace('gpt_neox.', '')}": array
        for name, array in dict(mx.load(str(file))).items()
    }
    assert {"model.h.1.mlp.dense_4h_to_h.scales", "model.embed_out.weight"} <= renamed.keys()
    mx.eval(renamed)
    mx.save_safetensors(str(file), renamed)
    assert far(tmp_path / "kept", folder, dtype="float32") == expected


@pytest.mark.parametrize("precision", ["float32", "bfloat16", "4-bit"])
def test_its_state_and_what_it_needs_are_told_before_it_is_loaded(
    folder: Path, precision: str
) -> None:
    info = library.describe(folder, precision=precision)
    a_token = 2 * 2 * 64 * (2 if precision == "bfloat16" else 4)
    assert (info.state_bytes, info.state_bytes_per_token) == (0, a_token)
    assert info.for_comparison
    model = load_model(
        folder,
        dtype="bfloat16" if precision == "bfloat16" else "float32",
        bits=4 if precision == "4-bit" else None,
    )
    state = logits_of(model, some_tokens(model, 30), [])[1]
    assert state.nbytes == 30 * a_token
    longer = neox_folder.write(folder, **WIDE, max_position_embeddings=4096)
    more = library.describe(longer, precision=precision).needed_bytes - info.needed_bytes
    assert more == 2048 * a_token


def test_reading_a_full_context_takes_no_more_memory_than_was_told(tiny_folder: TinyFolder) -> None:
    sizes = SMALL | {"vocab_size": 2048, "max_position_embeddings": 1024}
    folder = neox_folder.write(tiny_folder(name="long", vocab_size=2048), **sizes)
    before = mx.get_active_memory()
    (run,) = bench(str(folder), [1024], 1)["runs"]
    told = library.describe(folder).needed_bytes
    assert told / 2 < run["peak_memory_bytes"] - before < told


def test_a_mambas_state_is_told_to_be_constant(tiny_folder: TinyFolder) -> None:
    info = library.describe(tiny_folder())
    assert info.state_bytes > 0
    assert info.state_bytes_per_token == 0
    assert not info.for_comparison


def test_inspect_tells_its_sizes_and_what_the_config_has_wrong(folder: Path) -> None:
    neox_folder.write(folder, **WIDE)
    file = folder / "config.json"
    wrong = {"hidden_size": 99, "num_hidden_layers": 7, "attention_bias": False}
    file.write_text(json.dumps(json.loads(file.read_text()) | wrong))
    told = inspect(folder)
    sizes = {
        "family": "gpt_neox", "layers": 2, "d_model": 64, "heads": 4, "d_inner": 128,
        "context": 2048, "vocabulary_rows": 320, "head": "untied", "state_bytes": 0,
        "state_bytes_per_token": 1024,
    }  # fmt: skip
    assert {name: told[name] for name in sizes} == sizes
    assert {field["field"]: field["config"] for field in told["overruled"]} == wrong
    assert "context               2048\n" in report(told)


def test_a_context_that_is_no_count_is_a_problem_of_the_model(folder: Path) -> None:
    neox_folder.write(folder, **WIDE, max_position_embeddings=-1)
    for ask in (library.describe, load_model):
        with pytest.raises(EngineError, match="max_position_embeddings"):
            ask(folder)


def answers(session: Session, ids: list[int], most: int) -> tuple[list[Any], Finished]:
    """The events of an answer to a prompt of these tokens, and the last."""
    assert session.model is not None
    message = Message(
        role="user", text="", ids=tuple(ids), tokenizer=session.model.tokenizer.fingerprint
    )
    sampling = Sampling(temperature=0, max_tokens=most)
    request = ReplyRequest(id="a", chat="a", messages=(message,), sampling=sampling)
    events = list(session.reply(request, threading.Event()))
    assert isinstance(events[-1], Finished)
    return events, events[-1]


def test_a_session_answers_and_tells_the_bytes_that_its_state_has_then(small: Path) -> None:
    session = Session()
    info = session.load(small, on_progress=lambda _: None, stopped=threading.Event())
    assert not info.chat
    assert session.model is not None
    tokens = some_tokens(session.model, 20)
    events, first = answers(session, tokens, 12)
    assert [type(event) for event in events[:2]] == [Reading, Reading]
    assert any(isinstance(event, Piece) and event.text for event in events)
    for end in (first, answers(session, tokens[:5], 4)[1]):
        assert end.stats.position > 0
        assert end.stats.state_bytes == end.stats.position * info.state_bytes_per_token
    again, _ = answers(session, tokens, 12)
    assert isinstance(again[0], Reading)
    assert again[0].start == len(tokens) - 1  # the state that read it was kept
    assert answers(session, tokens, 12)[1].text == first.text


@pytest.mark.parametrize(("prompt", "written"), [(90, 7), (95, 2), (96, 1)])
def test_an_answer_ends_where_the_context_does(small: Path, prompt: int, written: int) -> None:
    session = Session()
    session.load(small, on_progress=lambda _: None, stopped=threading.Event())
    assert session.model is not None
    assert session.model.context == 96
    session.model.tokenizer.end_ids = frozenset()
    tokens = some_tokens(session.model, prompt)
    stats = answers(session, tokens, 1000)[1].stats
    assert (stats.new_tokens, stats.stop_reason, stats.position) == (written, "length", 96)
    assert answers(session, tokens, 1)[1].stats.new_tokens == 1


def test_a_prompt_that_is_longer_than_the_context_is_not_begun(small: Path) -> None:
    session = Session()
    session.load(small, on_progress=lambda _: None, stopped=threading.Event())
    assert session.model is not None
    with pytest.raises(EngineError, match="has 97 tokens and the model reads at most 96") as caught:
        answers(session, some_tokens(session.model, 97), 5)
    assert caught.value.code == "too_long"


def test_the_command_line_continues_a_text(small: Path) -> None:
    command = [sys.executable, "-m", "engine", "generate", "--model", str(small)]
    run = subprocess.run(
        [*command, "--prompt", "Once upon a time", "--max-tokens", "9", "--seed", "3", "--json"],
        capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    events = [json.loads(line) for line in run.stdout.splitlines()]
    assert "".join(event.get("text", "") for event in events)
    stats = events[-1]["stats"]
    assert stats["new_tokens"] >= 1
    assert stats["state_bytes"] == stats["position"] * 2 * 6 * 128 * 4


def test_a_benchmark_tells_the_state_of_each_length(small: Path) -> None:
    result = bench(str(small), [16, 64], 8)
    assert [run["state_bytes"] for run in result["runs"]] == [
        (length + 7) * 2 * 6 * 128 * 4 for length in (16, 64)
    ]
    assert "state 0.14 MB" in bench_report(result)
