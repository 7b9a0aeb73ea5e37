"""What of a repository is brought down: its files at one commit, or one sentence why not."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest
from hub_server import HubServer

from engine.api import Network
from engine.errors import EngineError
from engine.hub.repository import look_up

REPO = "owner/name"
CONFIG = json.dumps({"model_type": "mamba"})
WEIGHTS = "model.safetensors"
INDEX = "model.safetensors.index.json"
PLAIN: dict[str, Any] = {"config.json": CONFIG, WEIGHTS: b"weights", "tokenizer.json": b"{}"}


def names(hub: HubServer, files: dict[str, Any], **facts: Any) -> list[str]:
    hub.add(REPO, files, **facts)
    return [file.name for file in look_up(Network(endpoint=hub.url), REPO).files]


def refused(hub: HubServer, files: dict[str, Any], **facts: Any) -> EngineError:
    hub.add(REPO, files, **facts)
    with pytest.raises(EngineError) as caught:
        look_up(Network(endpoint=hub.url), REPO)
    return caught.value


def test_a_repository_is_pinned_with_every_files_size_and_hash(hub: HubServer) -> None:
    tree = hub.add(REPO, PLAIN, licence="apache-2.0")
    found = look_up(Network(endpoint=hub.url), REPO)
    assert (found.repo, found.revision, found.licence, found.gated) == (
        REPO, tree.commit, "apache-2.0", False,
    )  # fmt: skip
    files = {file.name: file for file in found.files}
    weights, config = files[WEIGHTS], files["config.json"]
    assert (weights.size, weights.git_id) == (7, "")
    assert weights.sha256 == hashlib.sha256(b"weights").hexdigest()
    blob = b"blob %d\0" % len(CONFIG) + CONFIG.encode()
    assert (config.sha256, config.git_id) == ("", hashlib.sha1(blob).hexdigest())


def test_weights_outside_of_lfs_are_known_by_gits_id(hub: HubServer) -> None:
    hub.add(REPO, PLAIN, no_sha=(WEIGHTS,))
    weights = look_up(Network(endpoint=hub.url), REPO).files[-1]
    assert (weights.name, weights.sha256, len(weights.git_id)) == (WEIGHTS, "", 40)


def test_a_revision_is_looked_up_as_it_is_named(hub: HubServer) -> None:
    hub.add(REPO, PLAIN)
    tree = hub.add(REPO, PLAIN | {WEIGHTS: b"others"}, revision="refs/pr/2")
    network = Network(endpoint=hub.url)
    assert look_up(network, REPO, "refs/pr/2").revision == tree.commit
    assert look_up(network, REPO, tree.commit).files[-1].size == 6


def test_only_what_loading_needs_is_taken(hub: HubServer) -> None:
    extra = {
        "README.md": b"# Card", "LICENSE": b"words", "license.txt": b"more",
        "License": b"on a Mac this is LICENSE", "generation_config.json": b"{}",
        "chat_template.jinja": b"x", "special_tokens_map.json": b"{}", "training_args.bin": b"x",
        "pytorch_model.bin": b"twice", INDEX: b"{}", "model-00001-of-00001.safetensors": b"",
        "onnx/model.onnx": b"x", "original/config.json": b"{}", "optimizer.pt": b"x",
    }  # fmt: skip
    assert names(hub, PLAIN | extra) == [
        "config.json", "generation_config.json", "tokenizer.json", "special_tokens_map.json",
        "chat_template.jinja", "README.md", "LICENSE", "license.txt", WEIGHTS,
    ]  # fmt: skip


def test_a_card_of_many_megabytes_stays_where_it_is(hub: HubServer) -> None:
    assert "README.md" not in names(hub, PLAIN | {"README.md": (2 << 20, 1)})


@pytest.mark.parametrize("stem", ["model.safetensors", "pytorch_model.bin"])
def test_an_index_comes_with_its_parts_and_no_others(hub: HubServer, stem: str) -> None:
    name, _, ending = stem.rpartition(".")
    parts = [f"{name}-{number:05}-of-00003.{ending}" for number in (1, 2, 3)]
    others = [f"{name}-00001-of-00002.{ending}", f"more/{name}-00001-of-00001.{ending}", "x.bin"]
    index = f"{stem}.index.json"
    files = {"config.json": CONFIG} | dict.fromkeys([*parts[::-1], *others, index], b"{}")
    assert names(hub, files) == ["config.json", index, *parts]


@pytest.mark.parametrize(
    ("weights", "code", "named"),
    [
        ([], "no_weights", "owner/name holds no model.safetensors"),
        (["model-00001-of-00002.safetensors"], "missing_file", INDEX),
        ([INDEX], "missing_file", "model-00001-of-"),
        ([INDEX, "model-00001-of-00003.safetensors", "model-00003-of-00003.safetensors"],
         "missing_file", "model-00002-of-00003.safetensors"),
        (["mamba-q4.gguf"], "unsupported_format", "GGUF"),
        (["weights.bin"], "unsupported_format", ".bin file of another name"),
        (["consolidated.safetensors"], "unsupported_format", "Mistral"),
    ],
)  # fmt: skip
def test_weights_that_are_missing_or_of_another_kind_are_told_before_anything_comes(
    hub: HubServer, weights: list[str], code: str, named: str
) -> None:
    error = refused(hub, {"config.json": CONFIG} | dict.fromkeys(weights, b"x"))
    assert error.code == code
    assert named in str(error)


@pytest.mark.parametrize(
    ("config", "code", "named"),
    [
        ({"model_type": "llama"}, "unsupported", "is a llama model"),
        ({"model_type": "mamba2"}, "unsupported", "Mamba Chat runs mamba, falcon_mamba"),
        ({"model_type": "mamba", "quantization_config": {"quant_method": "bitsandbytes"}},
         "unsupported_format", "bitsandbytes"),
    ],
)  # fmt: skip
def test_a_model_that_cannot_be_run_is_told_before_anything_comes(
    hub: HubServer, config: dict[str, Any], code: str, named: str
) -> None:
    error = refused(hub, PLAIN | {"config.json": json.dumps(config)})
    assert (error.code, named in str(error)) == (code, True)


def test_a_config_without_a_type_is_left_to_be_read_itself(hub: HubServer) -> None:
    legacy = {"config.json": b'{"d_model": 8, "n_layer": 2}', "pytorch_model.bin": b"x"}
    assert names(hub, legacy) == ["config.json", "pytorch_model.bin"]
    assert [request.file for request in hub.asked()] == [""]


def test_without_a_config_there_is_nothing_to_load(hub: HubServer) -> None:
    assert refused(hub, {WEIGHTS: b"x"}).code == "missing_file"
    assert refused(hub, {WEIGHTS: b"x", "params.json": b"{}"}).code == "unsupported_format"


@pytest.mark.parametrize(
    "name",
    [
        "../evil",
        "a/../../b",
        "/etc/passwd",
        "a\\b",
        "..",
        "x\0y",
        "C:evil",
        "a//b",
        "./config.json",
    ],
)
def test_a_name_that_could_lead_out_of_the_folder_stops_everything(
    hub: HubServer, name: str
) -> None:
    error = refused(hub, PLAIN | {name: b"x"})
    assert error.code == "bad_name"
    assert str(error).isprintable()


def test_a_listing_of_ten_thousand_files_is_read_and_too_many_parts_are_not(
    hub: HubServer,
) -> None:
    assert len(names(hub, PLAIN | {f"notes/{n}.txt": b"" for n in range(10_000)})) == 3
    parts = {f"model-{n:05}-of-00600.safetensors": b"" for n in range(1, 601)}
    error = refused(hub, {"config.json": CONFIG, INDEX: b"{}"} | parts)
    assert (error.code, error.values["found"]) == ("too_many_files", 602)


@pytest.mark.parametrize(
    ("card", "licence"),
    [
        ({"license": "mit"}, "mit"),
        ({"license": "other", "license_name": "falcon-llm-license"}, "falcon-llm-license"),
        ({"license": "other"}, "other"),
        ({"license": ["mit", "apache-2.0"]}, ""),
        ({}, ""),
        (None, ""),
    ],
)
def test_the_licence_is_the_cards(hub: HubServer, card: Any, licence: str) -> None:
    hub.add(REPO, PLAIN, cardData=card)
    assert look_up(Network(endpoint=hub.url), REPO).licence == licence


def test_a_gated_repository_says_so(hub: HubServer) -> None:
    hub.add(REPO, PLAIN, gated=True)
    assert look_up(Network(endpoint=hub.url), REPO).gated
