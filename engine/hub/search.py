"""Models that the Hub offers: those that a search finds, and the one that a name means."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from huggingface_hub import ModelInfo

from engine.api import Network, Offer
from engine.catalogue import catalogue
from engine.checkpoint import DTYPES
from engine.errors import EngineError
from engine.folder_layout import family_of
from engine.hub.listing import CONFIG, find_models, read_config, read_listing
from engine.hub.names import MAIN, is_repo, parse
from engine.hub.repository import (
    commit_of,
    licence_of,
    listed_files,
    wanted_files,
    weight_names,
)
from engine.known_templates import known_form
from engine.quantization import GROUP_SIZE, STORED_BITS
from engine.registry import MAMBAS
from engine.safetensors_header import BITS

PACKED = "U32"
_RELATED = {*MAMBAS, "mamba2", "mamba3"}  # told of, though some cannot be run
# A config in mamba_ssm's own layout names no type; what the model's name tells then stands in.
_LATER = re.compile(r"mamba-?([23])(?=$|[-_])", re.IGNORECASE)
_TASKS = {None, "text-generation"}
_TEMPLATES = {"chat_template.jinja", "chat_template.json"}


def search(network: Network, text: str, limit: int = 30, *, on_cpu: bool = False) -> list[Offer]:
    """The Mamba models whose names have the words of `text`, those that can be loaded first; or the
    model that it names, as owner/name or by its address. What they need is as on a GPU or a CPU.

    Raises EngineError where the Hub cannot be asked, and where what is named is not there."""
    words = text.strip()
    if not words:
        return []
    if "/" in words:
        return [offer(network, *parse(words), on_cpu=on_cpu)]
    found: dict[str, Offer] = {}
    known = _known(on_cpu)
    for tag in ("", *MAMBAS):
        # Nothing but their names tells models in mamba_ssm's layout from all others.
        asked = words if tag or "mamba" in words.lower() else f"mamba {words}"
        for info in find_models(network, asked, tag, limit):
            if info.id not in found and is_repo(info.id) and _is_mamba(info):
                found[info.id] = _with_known(_found(info), known)
    offers = sorted(found.values(), key=lambda each: each.problem != "")
    return offers[:limit]


def offer(network: Network, repo: str, revision: str = MAIN, *, on_cpu: bool = False) -> Offer:
    """What is told of `repo` before it is got, at the commit that `revision` is now; with a
    `problem` where it could not be loaded. Raises EngineError where it cannot be had."""
    info = read_listing(network, repo, revision)
    files = listed_files(network, repo, info)
    config = _config(network, info) if CONFIG in files else {}
    described = replace(
        _described(repo, info, files, config),
        revision=commit_of(network, info),
        problem=_problem(repo, files, config),
    )
    if not described.problem:
        size = sum(file.size for file in wanted_files(repo, files))
        described = replace(described, disk_bytes=size)
    return _with_known(described, _known(on_cpu))


def _config(network: Network, info: ModelInfo) -> Mapping[str, Any]:
    try:
        return read_config(network, info)
    except EngineError as error:
        if error.code == "gated":  # the listing is for all, the files are not
            return _guessed(info.id)
        raise


def _is_mamba(info: ModelInfo) -> bool:
    """Whether what a search found is a language model of a family that is told of."""
    if info.pipeline_tag not in _TASKS:
        return False
    if info.config and "model_type" in info.config:
        return info.config["model_type"] in _RELATED
    names = _names(info)
    readable = CONFIG in names or any(name.endswith(".gguf") for name in names)
    return readable and "mamba" in info.id.partition("/")[2].lower()


def _found(info: ModelInfo) -> Offer:
    """What the list that a search gives tells of a model."""
    config = info.config or {}
    if "model_type" not in config:
        config = config | _guessed(info.id)
    names = _names(info)
    described = _described(info.id, info, names, config)
    return replace(described, problem=_problem(info.id, names, config))


def _described(
    repo: str, info: ModelInfo, names: Collection[str], config: Mapping[str, Any]
) -> Offer:
    parameters, dtype, size = _numbers(info, config)
    family = config.get("model_type") or "mamba"
    return Offer(
        repo=repo,
        family=family if isinstance(family, str) else "",
        chat=_chats(repo, info, names),
        licence=licence_of(info),
        parameters=parameters,
        dtype=dtype,
        disk_bytes=size,
        gated=bool(info.gated),
    )


def _problem(repo: str, names: Collection[str], config: Mapping[str, Any]) -> str:
    """The sentence that says why the model cannot be loaded; "" where nothing speaks against it."""
    try:
        weight_names(repo, names)
        if CONFIG not in names:
            raise EngineError("missing_file", path=Path(repo), file=CONFIG)
        family_of(Path(repo), dict(config))
    except EngineError as error:
        return str(error)
    return ""


def _guessed(repo: str) -> dict[str, Any]:
    """A config in mamba_ssm's own layout, as far as the model's name tells of it."""
    later = _LATER.search(repo.partition("/")[2])
    layer = {"layer": f"Mamba{later[1]}"} if later else {}
    return {"d_model": 0, "n_layer": 0, "ssm_cfg": layer}


def _chats(repo: str, info: ModelInfo, names: Collection[str]) -> bool:
    """Whether the model has a chat template, is tagged so, or is known to be made for chats."""
    config = info.config or {}
    tokenizer = config.get("tokenizer_config")
    own = isinstance(tokenizer, dict) and bool(tokenizer.get("chat_template"))
    return bool(
        own
        or config.get("chat_template_jinja")
        or _TEMPLATES & set(names)
        or "conversational" in (info.tags or [])
        or known_form(Path(repo), {})
    )


def _numbers(info: ModelInfo, config: Mapping[str, Any]) -> tuple[int, str, int]:
    """The count of parameters, their type, and the bytes of all weights, as the Hub counted them in
    the safetensors files; 0 and "" where it did not."""
    told = info.safetensors.parameters if info.safetensors else {}
    counts = {kind: count for kind, count in told.items() if kind in BITS and type(count) is int}
    size = sum(count * BITS[kind] // 8 for kind, count in counts.items())
    plain = {kind: count for kind, count in counts.items() if kind in DTYPES}
    if not plain:
        return 0, "", size
    bits, group = _packing(config)
    if PACKED in counts and bits:
        packed = counts[PACKED] * 32 // bits
        scales = 2 * packed // group  # and as many biases
        return packed + sum(plain.values()) - scales, f"{bits}-bit", size
    return sum(plain.values()), DTYPES[max(plain, key=lambda kind: plain[kind])], size


def _packing(config: Mapping[str, Any]) -> tuple[int, int]:
    """The bits of a number in packed matrices, 0 where none are, and the numbers of a group."""
    for field in ("quantization", "quantization_config"):
        table = config.get(field)
        if isinstance(table, dict) and table.get("bits") in STORED_BITS:
            group = table.get("group_size")
            return int(table["bits"]), group if group in (32, 64, 128) else GROUP_SIZE
    return 0, GROUP_SIZE


def _names(info: ModelInfo) -> list[str]:
    """The files right in the repository."""
    names = [sibling.rfilename for sibling in info.siblings or []]
    return [name for name in names if isinstance(name, str) and "/" not in name]


def _known(on_cpu: bool) -> dict[str, Offer]:
    return {each.repo: each for each in catalogue(on_cpu=on_cpu)}


def _with_known(found: Offer, known: Mapping[str, Offer]) -> Offer:
    """The offer with what the catalogue knows beside it; what the Hub says goes before that."""
    ours = known.get(found.repo)
    if ours is None or found.problem:
        return found
    return replace(
        found,
        chat=found.chat or ours.chat,
        licence=found.licence or ours.licence,
        parameters=found.parameters or ours.parameters,
        dtype=found.dtype or ours.dtype,
        disk_bytes=found.disk_bytes or ours.disk_bytes,
        needs=ours.needs,
        about=ours.about,
    )
