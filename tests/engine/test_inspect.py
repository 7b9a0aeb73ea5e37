"""`inspect` tells a model's sizes as its tensors have them, and which fields say otherwise."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from model_contract import logits_of, some_tokens

from engine import load_model
from engine.__main__ import main
from engine.inspection import inspect, report
from engine.library import describe

TinyFolder = Callable[..., Path]
# What configs in the wild have said beside tensors of another size, by where it was seen.
BROKEN: dict[str, tuple[dict[str, Any], list[tuple[str, Any, Any]]]] = {
    "mamba-790m": ({"d_model": 2048}, [("d_model", 2048, 32)]),
    "mamba-370m": ({"d_inner": 160, "dt_rank": "auto"}, [("d_inner", 160, 64)]),
    "mamba-2.8b-slimpj": ({"d_inner": 1536, "expand": 2}, [("d_inner", 1536, 64)]),
    "mamba-1.4b": ({"n_layer": 48}, [("n_layer", 48, 2)]),
    "falcon": ({"expand": 16}, [("expand", 16, 2)]),
    "time step": ({"dt_rank": 256}, [("dt_rank", 256, 2)]),
    "tied": ({"tie_embeddings": False}, [("tie_embeddings", False, True)]),
    "biases": ({"bias": True, "conv_bias": True}, [("bias", True, False)]),
    "words for numbers": (
        {"d_state": "sixteen", "d_conv": [4]},
        [("d_state", "sixteen", 16), ("d_conv", [4], 4)],
    ),
    "no number": ({"d_inner": float("inf")}, [("d_inner", "inf", 64)]),
    "nulls": ({"d_model": None, "dt_rank": None}, []),
    "GPT's fields": ({"fused_mlp": True, "n_head": 12, "n_inner": 1, "time_step_max": 9.0}, []),
    "Infinity": ({"time_step_limit": [0.0, float("inf")]}, []),
}


def without(folder: Path, *fields: str, **changed: Any) -> Path:
    """The folder with fields of its config taken out or changed, and its tensors as they were."""
    file = folder / "config.json"
    config = json.loads(file.read_text(encoding="utf-8"))
    kept = {name: value for name, value in config.items() if name not in fields}
    file.write_text(json.dumps(kept | changed), encoding="utf-8")
    return folder


def named(described: dict[str, Any]) -> list[tuple[str, Any, Any]]:
    return [tuple(field.values()) for field in described["overruled"]]


@pytest.mark.parametrize("seen", BROKEN)
def test_a_config_that_is_wrong_changes_nothing_and_is_named(
    tiny_folder: TinyFolder, seen: str
) -> None:
    fields, wanted = BROKEN[seen]
    right, wrong = tiny_folder(name="right"), tiny_folder(name="wrong", **fields)
    models = load_model(right), load_model(wrong)
    tokens = some_tokens(models[0], 9)
    first, second = (logits_of(model, tokens, [])[0] for model in models)
    assert (first == second).all()
    described = inspect(wrong)
    assert named(described) == wanted
    assert json.loads(json.dumps(described, allow_nan=False))["d_inner"] == 64
    assert named(inspect(right)) == []


@pytest.mark.parametrize(
    ("field", "value", "tensors"),
    [
        ("num_hidden_layers", 32, 2),
        ("hidden_size", 2048, 32),
        ("intermediate_size", 1536, 64),
        ("state_size", 8, 16),
        ("time_step_rank", 256, 2),
        ("conv_kernel", 3, 4),
        ("vocab_size", 500, 320),
        ("use_bias", True, False),
        ("use_conv_bias", False, True),
        ("tie_word_embeddings", False, True),
    ],
)
def test_each_size_of_the_hub_s_own_config_is_compared(
    tiny_folder: TinyFolder, field: str, value: Any, tensors: Any
) -> None:
    folder = without(tiny_folder(), **{field: value})
    assert load_model(folder).config.n_layer == 2
    assert named(inspect(folder)) == [(field, value, tensors)]
    found, believed = json.dumps(value), json.dumps(tensors)
    line = f"{field} {found} in config.json, {believed} in the tensors"
    assert line in report(inspect(folder))


def test_a_config_without_sizes_is_enough(tiny_folder: TinyFolder) -> None:
    folder = tiny_folder()
    whole = inspect(folder)
    without(folder, "hidden_size", "intermediate_size", "num_hidden_layers", "expand", "vocab_size")
    bare = inspect(folder)
    assert bare | {"disk_bytes": 0} == whole | {"disk_bytes": 0}
    assert (bare["layers"], bare["d_model"], bare["overruled"]) == (2, 32, [])


@pytest.mark.parametrize(
    ("rows", "said", "agrees"),
    [(320, 313, True), (320, 306, True), (328, 321, True), (320, 303, False), (320, 321, False)],
)
def test_rows_added_to_reach_a_multiple_of_8_or_16_are_no_disagreement(
    tiny_folder: TinyFolder, rows: int, said: int, agrees: bool
) -> None:
    folder = without(tiny_folder(vocab_size=rows, tokenizer_size=300), vocab_size=said)
    assert (named(inspect(folder)) == []) is agrees


@pytest.mark.parametrize(("rank", "agrees"), [(3, True), (2, False)])
def test_auto_is_a_sixteenth_of_the_width_rounded_up(
    tiny_folder: TinyFolder, rank: int, agrees: bool
) -> None:
    folder = tiny_folder(hidden_size=40, intermediate_size=80, time_step_rank=rank)
    without(folder, time_step_rank="auto")
    assert (named(inspect(folder)) == []) is agrees


def test_an_expansion_may_be_a_fraction(tiny_folder: TinyFolder) -> None:
    sizes = {"hidden_size": 32, "intermediate_size": 48}
    assert named(inspect(tiny_folder(name="right", expand=1.5, **sizes))) == []
    assert named(inspect(tiny_folder(name="wrong", expand=2, **sizes))) == [("expand", 2, 1.5)]


def test_what_is_told_of_a_model(tiny_folder: TinyFolder) -> None:
    folder = tiny_folder(tie_word_embeddings=False, dtype="bfloat16", eos_token_id=[4, 7])
    described, info = inspect(folder), describe(folder)
    sizes = {
        "family": "mamba", "layers": 2, "d_model": 32, "d_inner": 64, "d_state": 16, "dt_rank": 2,
        "d_conv": 4, "vocabulary_rows": 320, "head": "untied", "dtype": "bfloat16", "tokens": 314,
        "template": "own",
    }  # fmt: skip
    assert {name: described[name] for name in sizes} == sizes
    assert described["parameters"] == info.parameters
    assert described["disk_bytes"] == sum(file.stat().st_size for file in folder.iterdir())
    assert described["state_bytes"] == load_model(folder).initial_state().nbytes
    assert described["needed_bytes"] > 2 * info.parameters
    ends = {end["id"]: end["text"] for end in described["end_tokens"]}
    assert (ends[0], ends[4]) == ("<|endoftext|>", "<|end|>")
    assert 7 in ends


@pytest.mark.parametrize(
    ("name", "form", "end", "line"),
    [
        ("mine", None, "", "none: the text is continued as it stands"),
        ("mamba-chat", "Zephyr", "", "none in the folder; by its name the model's is Zephyr"),
        ("falcon-mamba-7b-instruct", "ChatML", "<|im_end|>", 'end text              "<|im_end|>"'),
    ],
)
def test_the_template_is_told_and_where_it_is_from(
    tiny_folder: TinyFolder,
    capsys: pytest.CaptureFixture[str],
    name: str,
    form: str | None,
    end: str,
    line: str,
) -> None:
    folder = tiny_folder(name=name)
    (folder / "tokenizer_config.json").unlink()
    assert main(["inspect", str(folder), "--json"]) == 0
    described = json.loads(capsys.readouterr().out)
    assert (described["template"], described["end_text"]) == (form, end)
    assert main(["inspect", str(folder)]) == 0
    assert line in capsys.readouterr().out


def test_end_tokens_that_the_config_has_wrong_are_told_as_they_are_written(
    tiny_folder: TinyFolder,
) -> None:
    folder = tiny_folder(bos_token_id=1, eos_token_id=2)
    assert '2 "<|user|>", 4 "<|end|>"' in report(inspect(folder))
