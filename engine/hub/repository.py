"""What of a repository is brought down: the files that loading needs, at one commit."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from huggingface_hub import ModelInfo

from engine.api import Network, RemoteFile, Repository
from engine.errors import EngineError
from engine.folder_layout import (
    INDEX,
    TORCH_INDEX,
    TORCH_WEIGHTS,
    WEIGHTS,
    family_of,
    no_weights,
)
from engine.hub.address import host
from engine.hub.faults import NO_LISTING
from engine.hub.listing import CONFIG, read_listing
from engine.hub.names import MAIN

MOST_FILES = 500
_LARGEST_PAGE = 1 << 20  # of a README or a licence
_SMALL = (
    CONFIG,
    "generation_config.json",
    "tokenizer.json",
    "tokenizer_config.json",
    "special_tokens_map.json",
    "chat_template.jinja",
    "chat_template.json",
    "tokenizer.model",
    "vocab.json",
    "merges.txt",
)
_PAGE = re.compile(r"README\.md|LICEN[SC]E[\w.-]*", re.IGNORECASE)
_SHARD = re.compile(r"(model|pytorch_model)-(\d{5})-of-(\d{5})\.(safetensors|bin)")
_COMMIT = re.compile(r"[0-9a-f]{40}")
_SHA256 = re.compile(r"[0-9a-f]{64}")


def look_up(network: Network, repo: str, revision: str = MAIN) -> Repository:
    """The repository at the commit that `revision` is now, and its files that loading needs.

    Raises EngineError where it cannot be had, cannot be run, or has a dangerous name in it."""
    info = read_listing(network, repo, revision)
    files = listed_files(network, repo, info)
    if info.config and "model_type" in info.config:
        family_of(Path(repo), info.config)
    return Repository(
        repo=repo,
        revision=commit_of(network, info),
        files=wanted_files(repo, files),
        licence=licence_of(info),
        gated=bool(info.gated),
    )


def commit_of(network: Network, info: ModelInfo) -> str:
    """The commit that the listing is of. Raises EngineError("hub_trouble") where it tells none."""
    if not isinstance(info.sha, str) or not _COMMIT.fullmatch(info.sha):
        raise _no_listing(network)
    return info.sha


def listed_files(network: Network, repo: str, info: ModelInfo) -> dict[str, RemoteFile]:
    """The files right in the repository, by name.

    Raises EngineError("bad_name") where any name, in a folder too, could lead out of one, and
    EngineError("hub_trouble") for a listing without names or sizes."""
    files: dict[str, RemoteFile] = {}
    for sibling in info.siblings or []:
        name, size = sibling.rfilename, sibling.size
        if not isinstance(name, str) or type(size) is not int or size < 0:
            raise _no_listing(network)
        if not _stays_inside(name):
            raise EngineError("bad_name", repo=repo, found=name)
        if "/" in name:
            continue
        sha256 = _hex(_SHA256, sibling.lfs.sha256) if sibling.lfs else ""
        git_id = "" if sibling.lfs else _hex(_COMMIT, sibling.blob_id)
        files[name] = RemoteFile(name=name, size=size, sha256=sha256, git_id=git_id)
    return files


def wanted_files(repo: str, files: Mapping[str, RemoteFile]) -> tuple[RemoteFile, ...]:
    """Those of a repository's files that loading needs, the weights last.

    Raises EngineError where a model would lack its config or weights, or have too many files."""
    weights = weight_names(repo, files)
    if CONFIG not in files:
        if "params.json" in files:
            name, found = Path(repo).name, "Mistral's own format"
            raise EngineError("unsupported_format", name=name, found=found)
        raise EngineError("missing_file", path=Path(repo), file=CONFIG)
    names = [name for name in _SMALL if name in files]
    pages: dict[str, str] = {}  # two names that differ in case are one on most Macs
    for name in files:
        if _PAGE.fullmatch(name) and files[name].size <= _LARGEST_PAGE:
            pages.setdefault(name.casefold(), name)
    names += [*pages.values(), *weights]
    if len(names) > MOST_FILES:
        raise EngineError("too_many_files", repo=repo, found=len(names), expected=MOST_FILES)
    return tuple(files[name] for name in names)


def weight_names(repo: str, names: Iterable[str]) -> list[str]:
    """The files that the weights are in, by the order in which a folder's are looked for.

    Raises EngineError where there are none that can be read, or a part is missing."""
    known = set(names)
    for whole, index in ((WEIGHTS, INDEX), (TORCH_WEIGHTS, TORCH_INDEX)):
        if whole in known:
            return [whole]
        if index in known:
            return [index, *_shards(repo, index, known)]
    raise no_weights(Path(repo), known)


def _shards(repo: str, index: str, names: Iterable[str]) -> list[str]:
    """The parts that belong to `index`: of each count of parts that is there in full."""
    sets: dict[str, set[int]] = {}
    stem, _, ending = index.removesuffix(".index.json").rpartition(".")
    for name in names:
        found = _SHARD.fullmatch(name)
        if found and (found[1], found[4]) == (stem, ending):
            sets.setdefault(found[3], set()).add(int(found[2]))

    def part(number: int, count: str) -> str:
        return f"{stem}-{number:05}-of-{count}.{ending}"

    missing = f"{stem}-00001-of-*.{ending}"
    chosen: list[str] = []
    for count, numbers in sorted(sets.items()):
        lacking = next((n for n in range(1, int(count) + 1) if n not in numbers), None)
        if lacking is None:
            chosen += [part(number, count) for number in sorted(numbers)]
        else:
            missing = part(lacking, count)
    if not chosen:
        raise EngineError("missing_file", path=Path(repo), file=missing)
    return chosen


def licence_of(info: ModelInfo) -> str:
    """The licence as the card names it: "apache-2.0"; "" where it names none."""
    card: Any = info.card_data
    told = card.get("license") if card is not None and hasattr(card, "get") else None
    if told == "other" and isinstance(name := card.get("license_name"), str):
        return name
    if isinstance(told, str):
        return told
    named = (tag for tag in info.tags or [] if tag.startswith("license:"))
    return next(named, "").removeprefix("license:")


def _stays_inside(name: str) -> bool:
    """Whether a file of that name lies in the folder that it is put into, on any system."""
    parts = name.split("/")
    return not (
        "\\" in name or "\0" in name or parts[0][1:2] == ":" or {"", ".", ".."} & set(parts)
    )


def _hex(pattern: re.Pattern[str], text: Any) -> str:
    return text if isinstance(text, str) and pattern.fullmatch(text) else ""


def _no_listing(network: Network) -> EngineError:
    return EngineError("hub_trouble", host=host(network.endpoint), status=NO_LISTING)
