"""The catalogue: its figures are the engine's own, its order is a ladder, and it suggests well."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import catalogue_figures
import neox_folder
import pytest

from engine import library
from engine.api import Machine, Need, Offer
from engine.catalogue import catalogue, read_catalogue, suggest
from engine.checkpoint import open_checkpoint
from engine.hub.names import is_repo
from engine.known_templates import known_form
from engine.models import gpt_neox, mamba
from engine.precision import needed_bytes
from engine.quantize_folder import quantize_folder

# As the Hub shows the sizes of the weights' files, in GB.
PUBLISHED = {
    "state-spaces/mamba-130m-hf": 0.52,
    "state-spaces/mamba-370m-hf": 1.49,
    "state-spaces/mamba-790m-hf": 3.17,
    "state-spaces/mamba-1.4b-hf": 5.49,
    "state-spaces/mamba-2.8b-hf": 11.07,
    "xiuyul/mamba-2.8b-zephyr": 5.54,
    "havenhq/mamba-chat": 5.55,
    "mattreid/mamba-chat-2.8b-slimpj": 5.55,
    "tiiuae/falcon-mamba-7b": 14.56,
    "tiiuae/Falcon3-Mamba-7B-Instruct": 14.55,
    "mlx-community/falcon-mamba-7b-4bit": 4.11,
    "mlx-community/Falcon3-Mamba-7B-Instruct-8bits": 7.74,
    "EleutherAI/pythia-1.4b": 2.93,
    "EleutherAI/pythia-2.8b": 5.68,
}
# As the Pythia paper counts them, without the embedding and the head.
PYTHIA_WITHOUT_EMBEDDINGS = {
    "EleutherAI/pythia-160m": 85_056_000,
    "EleutherAI/pythia-410m": 302_311_424,
    "EleutherAI/pythia-1b": 805_736_448,
    "EleutherAI/pythia-1.4b": 1_208_602_624,
    "EleutherAI/pythia-2.8b": 2_517_652_480,
}


def mac(limit_gb: float) -> Machine:
    limit = int(limit_gb * 1e9)
    return Machine(backend="Metal", device="test", memory_bytes=2 * limit, limit_bytes=limit)


@pytest.mark.parametrize("entry", catalogue_figures.entries(), ids=lambda entry: entry["repo"])
def test_every_figure_follows_from_the_models_sizes(entry: dict[str, Any]) -> None:
    figures = catalogue_figures.figures(entry)
    assert {name: entry[name] for name in figures} == figures
    assert [list(entry[name]) for name in ("needs", "needs_on_cpu")] == [
        list(figures["needs"]), list(figures["needs_on_cpu"]),
    ]  # fmt: skip


def test_the_bytes_on_the_disk_are_those_of_the_published_files() -> None:
    sizes = {offer.repo: round(offer.disk_bytes / 1e9, 2) for offer in catalogue()}
    assert {repo: sizes[repo] for repo in PUBLISHED} == PUBLISHED


@pytest.mark.parametrize("packed", [False, True])
def test_a_model_worked_out_of_its_sizes_is_as_a_folder_of_those_sizes(
    tiny_folder: Callable[..., Path], tmp_path: Path, packed: bool
) -> None:
    folder = tiny_folder(dtype="bfloat16", hidden_size=64, intermediate_size=128)
    config = mamba.Config.read({}, open_checkpoint(folder).tensors)
    sizes = {name: getattr(config, name) for name in catalogue_figures.entries()[0]["sizes"]}
    entry = {"family": "mamba", "sizes": sizes, "dtype": "bfloat16", "stored": {}}
    if packed:
        quantize_folder(folder, tmp_path / "packed", 4)
        folder = tmp_path / "packed"
        entry |= {"dtype": "4-bit", "stored": {"scales": "bfloat16", "group": 64}}
    real = open_checkpoint(folder)
    figures = catalogue_figures.figures(entry)
    assert figures["parameters"] == real.parameters
    assert figures["needs"][entry["dtype"]] == needed_bytes(real, "", on_cpu=False)
    on_cpu = library.describe(folder).needed_bytes
    assert figures["needs_on_cpu"][entry["dtype"]] == on_cpu


def test_the_catalogue_is_a_ladder_with_chats_after_what_they_were_made_of() -> None:
    offers = [offer for offer in catalogue() if not offer.for_comparison]
    rungs = [(offer.parameters, offer.chat) for offer in offers]
    assert rungs == sorted(rungs)
    assert [offer.repo for offer in offers[:2]] == [
        "state-spaces/mamba-130m-hf", "state-spaces/mamba-370m-hf",
    ]  # fmt: skip
    for offer in offers:
        assert is_repo(offer.repo)
        assert offer.about.endswith(".")
        assert (offer.problem, offer.gated, offer.revision) == ("", False, "main")
        needed = [need.needed_bytes for need in offer.needs]
        assert needed == sorted(needed, reverse=True)
        assert offer.needs[0].precision == offer.dtype
        if known_form(Path(offer.repo), {}):
            assert offer.chat, offer.repo


def test_transformers_of_the_same_sizes_come_last_and_are_no_suggestion() -> None:
    offers = catalogue()
    compared = [offer for offer in offers if offer.for_comparison]
    assert offers[-len(compared) :] == compared
    assert {offer.repo for offer in compared} == PYTHIA_WITHOUT_EMBEDDINGS.keys()
    assert [offer.parameters for offer in compared] == sorted(o.parameters for o in compared)
    sizes = {entry["repo"]: entry["sizes"] for entry in catalogue_figures.entries()}
    for offer in compared:
        assert (offer.chat, offer.problem, offer.licence) == (False, "", "apache-2.0")
        assert "for comparison" in offer.about
        embeddings = 2 * sizes[offer.repo]["vocab_size"] * sizes[offer.repo]["d_model"]
        assert offer.parameters - embeddings == PYTHIA_WITHOUT_EMBEDDINGS[offer.repo]
    for limit in (1, 48):
        assert suggest(compared, mac(limit)) is None


def test_a_transformer_worked_out_of_its_sizes_is_as_a_folder_of_those_sizes(
    tiny_folder: Callable[..., Path],
) -> None:
    folder = neox_folder.write(tiny_folder(), dtype="float16", buffered=True)
    real = open_checkpoint(folder)
    config = gpt_neox.Config.read(real.config, real.tensors)
    (entry,) = [e for e in catalogue_figures.entries() if e["repo"].endswith("pythia-160m")]
    sizes = {name: getattr(config, name) for name in entry["sizes"]}
    figures = catalogue_figures.figures(entry | {"sizes": sizes})
    assert figures["parameters"] == real.parameters
    stored = (folder / "model.safetensors").stat().st_size
    assert 0 < stored - figures["disk_bytes"] < 4096  # the header and what is tiny
    assert figures["needs"]["float16"] == needed_bytes(real, "", on_cpu=False)
    assert figures["needs_on_cpu"]["8-bit"] == needed_bytes(real, "8-bit", on_cpu=True)


def test_on_a_cpu_half_precision_needs_as_much_as_float32() -> None:
    on_gpu = {offer.repo: offer.needs[0].needed_bytes for offer in catalogue()}
    for offer in catalogue(on_cpu=True):
        more = offer.needs[0].needed_bytes - on_gpu[offer.repo]
        if offer.for_comparison:  # its state is halved as well
            assert more > 2 * offer.parameters
        else:
            assert more == {"float32": 0, "bfloat16": 2 * offer.parameters}.get(offer.dtype, more)


@pytest.mark.parametrize(
    ("limit_gb", "repo"),
    [
        (0.5, "state-spaces/mamba-130m-hf"),
        (1.0, "state-spaces/mamba-370m-hf"),
        (5.6, "xiuyul/mamba-2.8b-zephyr"),
        (11.8, "mlx-community/Falcon3-Mamba-7B-Instruct-4bits"),
        (22, "mlx-community/Falcon3-Mamba-7B-Instruct-8bits"),
        (48, "tiiuae/Falcon3-Mamba-7B-Instruct"),
    ],
)
def test_the_largest_chat_that_fits_is_suggested_else_the_largest_base(
    limit_gb: float, repo: str
) -> None:
    found = suggest(catalogue(), mac(limit_gb))
    assert found is not None
    assert found.repo == repo


def test_nothing_is_suggested_that_does_not_fit_or_cannot_be_had() -> None:
    assert suggest(catalogue(), mac(0.1)) is None
    assert suggest([], mac(48)) is None
    needs = (Need("bfloat16", 10),)

    def offer(**fields: Any) -> Offer:
        given = {"repo": "a/b", "family": "mamba", "chat": True, "needs": needs} | fields
        return Offer(**given)

    assert suggest([offer()], mac(1)) is not None
    for fields in ({"gated": True}, {"problem": "It is broken."}, {"needs": ()}):
        assert suggest([offer(**fields)], mac(1)) is None


@pytest.mark.parametrize(
    "change",
    [
        {"repo": "no-owner"},
        {"repo": None},
        {"family": "mamba9"},
        {"chat": "yes"},
        {"parameters": 0},
        {"disk_bytes": 1.5},
        {"parameters": True},
        {"about": ""},
        {"needs": {}},
        {"needs": {"4-bit": 5}},
        {"needs": {"float32": -1}},
        {"needs_on_cpu": {"float32": 1, "int3": 1}},
        {"surprise": 1},
    ],
)
def test_a_bad_file_is_a_fault_of_ours(tmp_path: Path, change: dict[str, Any]) -> None:
    entry = catalogue_figures.entries()[0]
    file = tmp_path / "models.json"
    file.write_text(json.dumps({"models": [entry]}))
    assert len(read_catalogue(file)) == 1
    file.write_text(json.dumps({"models": [entry | change]}))
    with pytest.raises(ValueError, match=r" of | is | should "):
        read_catalogue(file)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"models": []}', '{"models": [1]}'])
def test_a_file_that_lists_nothing_is_a_fault_of_ours(tmp_path: Path, text: str) -> None:
    file = tmp_path / "models.json"
    file.write_text(text)
    with pytest.raises(ValueError, match=r"lists no models|fields|Expecting value"):
        read_catalogue(file)


def test_a_model_is_listed_once(tmp_path: Path) -> None:
    file = tmp_path / "models.json"
    file.write_text(json.dumps({"models": catalogue_figures.entries()[:1] * 2}))
    with pytest.raises(ValueError, match="twice"):
        read_catalogue(file)
