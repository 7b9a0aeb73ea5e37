"""Whatever is wrong with a model's folder is told in one sentence, and nothing crashes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from folder_damage import (
    WEIGHTS,
    Case,
    as_a_stranger,
    check_refused,
    cut,
    empty,
    gone,
    make_folder,
    make_link,
    make_pipe,
    one_sentence,
    remove,
    replace_weights,
    set_fields,
    set_template,
    write,
)

from engine.errors import EngineError
from engine.language_model import load_model

TinyFolder = Callable[..., Path]

CASES: dict[str, Case] = {
    "missing": (gone, "not_found", ("no model at",)),
    "empty": (empty, "empty_folder", ("config.json",)),
    "config missing but weights there": (remove("config.json"), "empty_folder", ("config.json",)),
    "config not JSON": (write("config.json", "{not json"), "corrupt", ("JSON", "line 1")),
    "config cut": (cut("config.json", 40), "corrupt", ("JSON",)),
    "config empty": (write("config.json", ""), "corrupt", ("JSON",)),
    "config a list": (write("config.json", "[1]"), "corrupt", ("not an object",)),
    "config deep": (write("config.json", "[" * 100_000), "corrupt", ("JSON",)),
    "config in Latin-1": (write("config.json", b'{"\xe9": 1}'), "corrupt", ("UTF-8",)),
    "config a number too long": (write("config.json", "9" * 9999), "corrupt", ("JSON",)),
    "config half a letter": (write("config.json", '{"a": "\\ud800"}'), "corrupt", ("JSON",)),
    "config a folder": (make_folder("config.json"), "corrupt", ("config.json",)),
    "config a pipe": (make_pipe("config.json"), "corrupt", ("config.json",)),
    "config a link to nothing": (
        make_link("config.json", "nowhere"),
        "missing_file",
        ("config.json",),
    ),
    "config a link to itself": (
        make_link("config.json", "config.json"),
        "unreadable",
        ("config.json",),
    ),
    "weights a link to themselves": (
        make_link("model.safetensors", "model.safetensors"),
        "unreadable",
        ("model.safetensors",),
    ),
    "unknown type of model": (
        set_fields("config.json", model_type="gpt2"),
        "unsupported",
        ("gpt2",),
    ),
    "mamba2": (set_fields("config.json", model_type="mamba2"), "unsupported", ("mamba2",)),
    "mamba3": (set_fields("config.json", model_type="mamba3"), "unsupported", ("mamba3",)),
    "mamba2 in disguise": (
        set_fields("config.json", ssm_cfg={"layer": "Mamba2"}),
        "unsupported",
        ("mamba2",),
    ),
    "type of many lines": (
        set_fields("config.json", model_type="a\nb" * 999),
        "unsupported",
        ("a",),
    ),
    "no type": (set_fields("config.json", model_type=...), "bad_config", ("model_type", "null")),
    "type a number": (set_fields("config.json", model_type=3), "bad_config", ("model_type", "3")),
    "original layout with attention": (
        set_fields("config.json", model_type=..., d_model=32, n_layer=2, attn_layer_idx=[1]),
        "unsupported_format",
        ("mamba_ssm", "Mamba1 with attention"),
    ),
    "original layout of Mamba-2": (
        set_fields(
            "config.json", model_type=..., d_model=32, n_layer=2, ssm_cfg={"layer": "Mamba2"}
        ),
        "unsupported_format",
        ("mamba_ssm", "Mamba2"),
    ),
    "bitsandbytes": (
        set_fields("config.json", quantization_config={"quant_method": "bitsandbytes"}),
        "unsupported_format",
        ("bitsandbytes",),
    ),
    "quantized in another of MLX's modes": (
        set_fields("config.json", quantization={"group_size": 32, "bits": 4, "mode": "mxfp4"}),
        "unsupported_format",
        ("mxfp4",),
    ),
    "quantized in words": (
        set_fields("config.json", quantization_config="awq"),
        "unsupported_format",
        ("awq",),
    ),
    "epsilon of text": (
        set_fields("config.json", layer_norm_epsilon="small"),
        "bad_config",
        ("layer_norm_epsilon", "small"),
    ),
    "end of text": (set_fields("config.json", eos_token_id="end"), "bad_config", ("eos_token_id",)),
    "GGUF": (replace_weights("model.gguf"), "unsupported_format", ("GGUF",)),
    "PyTorch": (replace_weights("pytorch_model.bin"), "corrupt", ("PyTorch", "zip")),
    "PyTorch of another name": (replace_weights("model.bin"), "unsupported_format", (".bin",)),
    "Mistral": (replace_weights("consolidated.safetensors"), "unsupported_format", ("Mistral",)),
    "shards without index": (
        replace_weights("model-00001-of-00003.safetensors"),
        "missing_file",
        ("model.safetensors.index.json",),
    ),
    "generation not JSON": (write("generation_config.json", "{"), "corrupt", ("JSON",)),
    "no tokenizer": (remove("tokenizer.json"), "missing_file", ("tokenizer.json",)),
    "tokenizer cut": (cut("tokenizer.json", 3000), "bad_tokenizer", ("tokenizer.json",)),
    "tokenizer of another kind": (write("tokenizer.json", "{}"), "bad_tokenizer", ("odel",)),
    "tokenizer no text": (write("tokenizer.json", b"\xff\xfe"), "bad_tokenizer", ()),
    "tokenizer that panics": (
        set_fields(
            "tokenizer.json", model={"type": "BPE", "vocab": {"a": 0}, "merges": [["a", "a"]]}
        ),
        "bad_tokenizer",
        ("tokenizer.json",),
    ),
    "tokenizer without words": (
        set_fields(
            "tokenizer.json", added_tokens=[], model={"type": "BPE", "vocab": {}, "merges": []}
        ),
        "bad_tokenizer",
        ("tokenizer.json",),
    ),
    "tokenizer too large": (
        set_fields(
            "tokenizer.json",
            added_tokens=[
                {
                    "id": 9000 + at,
                    "content": f"<{at}>",
                    "single_word": False,
                    "lstrip": False,
                    "rstrip": False,
                    "normalized": False,
                    "special": True,
                }
                for at in range(20)
            ],
        ),
        "vocabulary",
        ("320",),
    ),
    "tokenizer's config not JSON": (write("tokenizer_config.json", "x"), "corrupt", ("JSON",)),
    "template that raises": (
        set_template("{{ raise_exception('Only two roles') }}"),
        "bad_template",
        ("Only two roles",),
    ),
    "template not whole": (set_template("{% if"), "bad_template", ()),
    "template that reaches outside": (
        set_template("{{ cycler.__init__.__globals__.os.getcwd() }}"),
        "bad_template",
        ("__init__",),
    ),
    "template without end": (
        set_template(
            "{% for a in range(9999) %}{% for b in range(9999) %}{% endfor %}{% endfor %}"
        ),
        "bad_template",
        ("end",),
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_a_bad_folder_is_refused_in_one_sentence(tiny_folder: TinyFolder, name: str) -> None:
    folder = tiny_folder()
    load_model(folder)  # it was good
    check_refused(folder, CASES[name])


def test_a_file_instead_of_a_folder_is_told(tiny_folder: TinyFolder, tmp_path: Path) -> None:
    with pytest.raises(EngineError, match="is a file; choose the folder"):
        load_model(tiny_folder() / WEIGHTS)
    gguf = tmp_path / "model.Q4.GGUF"
    gguf.write_bytes(b"GGUF")
    with pytest.raises(EngineError, match="GGUF"):
        load_model(gguf)
    with pytest.raises(EngineError, match="no model at"):
        load_model(gguf / "within")
    with pytest.raises(EngineError):
        load_model("a\0b")


@pytest.mark.parametrize("name", [".", "config.json", "model.safetensors", "tokenizer.json"])
def test_what_may_not_be_read_is_told(tiny_folder: TinyFolder, name: str) -> None:
    good = tiny_folder()
    load_model(good)
    files = {file.name: file.read_bytes() for file in good.iterdir()}
    with as_a_stranger() as folder:
        for file, content in files.items():
            (folder / file).write_bytes(content)
        load_model(folder)
        (folder / name).chmod(0)
        with pytest.raises(EngineError, match="cannot be read") as caught:
            load_model(folder)
        assert caught.value.code == "unreadable"
        assert "Permission denied" in one_sentence(caught.value)


def test_config_fields_that_lie_about_sizes_do_no_harm(tiny_folder: TinyFolder) -> None:
    folder = tiny_folder()
    set_fields(
        "config.json", hidden_size=9, d_model=2048, intermediate_size=160, state_size="x",
        time_step_rank="auto", num_hidden_layers=32, n_layer=48, vocab_size=50277, expand=16,
        tie_word_embeddings=False, use_bias=True, use_conv_bias=False, conv_kernel=0,
    )(folder)  # fmt: skip
    model = load_model(folder)
    assert (model.config.d_model, model.config.d_inner, model.config.n_layer) == (32, 64, 2)
