"""What the tests' Hub holds: files of bytes, of the disk or made up as they are read, in trees."""

from __future__ import annotations

import hashlib
import json
import random
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from math import prod
from pathlib import Path
from typing import Any

BLOCK = 1 << 20
_LARGE = 10 << 20  # from here on every file is in LFS, as on the Hub
_LFS_ENDINGS = (".safetensors", ".bin", ".gguf", ".pth", ".model")
_TOKEN_FIELDS = ("bos_token", "eos_token", "unk_token", "pad_token", "chat_template")

Source = bytes | str | Path | tuple[int, int]  # (size, seed): made up, the same every time


class Content:
    """The bytes of a file, read a block at a time; its hashes are worked out when asked for."""

    def __init__(self, source: Source, *, lfs: bool) -> None:
        self.source = source.encode() if isinstance(source, str) else source
        self.lfs = lfs

    @cached_property
    def size(self) -> int:
        """In bytes."""
        if isinstance(self.source, Path):
            return self.source.stat().st_size
        return self.source[0] if isinstance(self.source, tuple) else len(self.source)

    def pieces(self, start: int, end: int) -> Iterator[memoryview]:
        """The bytes from `start` to before `end`."""
        if isinstance(self.source, Path):
            with self.source.open("rb") as file:
                file.seek(start)
                while start < end and (piece := file.read(min(BLOCK, end - start))):
                    start += len(piece)
                    yield memoryview(piece)
            return
        while start < end:
            number, skipped = divmod(start, BLOCK)
            block = self._block(number)
            piece = block[skipped : skipped + end - start]
            start += len(piece)
            yield piece

    def _block(self, number: int) -> memoryview:
        """Of made up content each block begins with its number, so that none is like another."""
        if isinstance(self.source, tuple):
            return memoryview(number.to_bytes(8, "little") + _noise(self.source[1]))
        return memoryview(self.source)[number * BLOCK : (number + 1) * BLOCK]

    @cached_property
    def sha256(self) -> str:
        """In hex."""
        digest = hashlib.sha256()
        for piece in self.pieces(0, self.size):
            digest.update(piece)
        return digest.hexdigest()

    @cached_property
    def git_id(self) -> str:
        """Git's id of the blob: of a file in LFS, that of its pointer."""
        digest = hashlib.sha1(b"blob %d\0" % (len(self.pointer) if self.lfs else self.size))
        for piece in [self.pointer] if self.lfs else self.pieces(0, self.size):
            digest.update(piece)
        return digest.hexdigest()

    @cached_property
    def pointer(self) -> bytes:
        """What git holds in the place of a file that is in LFS."""
        text = "version https://git-lfs.github.com/spec/v1\noid sha256:{}\nsize {}\n"
        return text.format(self.sha256, self.size).encode()

    @property
    def etag(self) -> str:
        """With its quotes."""
        return f'"{self.sha256 if self.lfs else self.git_id}"'


@cache
def _noise(seed: int) -> bytes:
    return random.Random(seed).randbytes(BLOCK - 8)


@dataclass(eq=False)
class Tree:
    """A repository at one commit."""

    repo: str
    commit: str
    files: dict[str, Content]
    facts: dict[str, Any] = field(default_factory=dict)  # of the listing, beside the files
    gated: bool = False
    private: bool = False
    granted: set[str] = field(default_factory=set)  # the tokens that may have the files
    changed: dict[str, Content] = field(default_factory=dict)  # what is sent in their place

    def siblings(self, *, blobs: bool) -> list[dict[str, Any]]:
        """The files as model_info tells them."""
        if not blobs:
            return [{"rfilename": name} for name in self.files]
        return [
            {"rfilename": name, "size": file.size, "blobId": file.git_id}
            | ({"lfs": _lfs(file, "sha256")} if file.lfs else {})
            for name, file in self.files.items()
        ]

    def entries(self, under: str, *, recursive: bool) -> list[dict[str, Any]]:
        """The files and folders as the tree's listing tells them."""
        prefix = f"{under}/" if under else ""
        found: dict[str, dict[str, Any]] = {}
        for name, file in self.files.items():
            if not name.startswith(prefix):
                continue
            folder, slash, _ = name.removeprefix(prefix).partition("/")
            if slash:
                path = prefix + folder
                oid = hashlib.sha1(path.encode()).hexdigest()
                found[path] = {"type": "directory", "oid": oid, "size": 0, "path": path}
            if not slash or recursive:
                lfs = {"lfs": _lfs(file, "oid")} if file.lfs else {}
                found[name] = {
                    "type": "file", "oid": file.git_id, "size": file.size, "path": name, **lfs,
                }  # fmt: skip
        return list(found.values())


def _lfs(file: Content, key: str) -> dict[str, Any]:
    return {key: file.sha256, "size": file.size, "pointerSize": len(file.pointer)}


def make_tree(
    repo: str,
    files: Path | Mapping[str, Source],
    *,
    licence: str = "",
    commit: str = "",
    no_sha: tuple[str, ...] = (),
    gated: bool = False,
    private: bool = False,
    **facts: Any,
) -> Tree:
    """The repository of a folder's files or of those given. `no_sha` names weights that are not
    in LFS. The listing's facts are read off the files as the Hub does; `facts` overrule them."""
    if isinstance(files, Path):
        inside = sorted(path for path in files.rglob("*") if path.is_file())
        files = {path.relative_to(files).as_posix(): path for path in inside}
    contents = {}
    for name, source in files.items():
        content = Content(source, lfs=name.endswith(_LFS_ENDINGS))
        content.lfs = name not in no_sha and (content.lfs or content.size >= _LARGE)
        contents[name] = content
    listing = json.dumps([repo, [(name, file.size) for name, file in contents.items()]])
    told: dict[str, Any] = {
        "id": repo,
        "modelId": repo,
        "private": private,
        "gated": "manual" if gated else False,
        "disabled": False,
        "downloads": 0,
        "likes": 0,
        "library_name": "transformers",
        "tags": [*([f"license:{licence}"] if licence else []), "region:us"],
        "cardData": {"license": licence} if licence else {},
        **_read_facts(contents),
    }
    told["tags"] = ["transformers", *_model_types(told), *told["tags"]]
    return Tree(
        repo,
        commit or hashlib.sha1(listing.encode()).hexdigest(),
        contents,
        {name: value for name, value in (told | facts).items() if value is not None},
        gated,
        private,
    )


def _model_types(told: dict[str, Any]) -> list[str]:
    kind = told.get("config", {}).get("model_type")
    return [kind] if isinstance(kind, str) else []


def _read_facts(files: Mapping[str, Content]) -> dict[str, Any]:
    """What the Hub's listing tells of config.json, the tokenizer and safetensors files."""
    config = _object(files, "config.json")
    kept = ("architectures", "model_type", "quantization_config")
    facts: dict[str, Any] = {"config": {name: config[name] for name in kept if name in config}}
    tokens = _object(files, "tokenizer_config.json")
    facts["config"]["tokenizer_config"] = {
        name: tokens[name] for name in _TOKEN_FIELDS if name in tokens
    }
    if "chat_template.jinja" in files:
        text = b"".join(files["chat_template.jinja"].pieces(0, files["chat_template.jinja"].size))
        facts["config"]["chat_template_jinja"] = text.decode()
    counts: Counter[str] = Counter()
    for name, file in files.items():
        if name.endswith(".safetensors") and "/" not in name:
            counts.update(_parameters(file))
    if counts:
        facts["safetensors"] = {"parameters": dict(counts), "total": counts.total()}
    return facts


def _object(files: Mapping[str, Content], name: str) -> dict[str, Any]:
    if name not in files:
        return {}
    try:
        value = json.loads(b"".join(files[name].pieces(0, files[name].size)))
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def _parameters(file: Content) -> Counter[str]:
    """How many numbers of each type there are; none for what is no safetensors file."""
    counts: Counter[str] = Counter()
    length = int.from_bytes(b"".join(file.pieces(0, min(8, file.size))), "little")
    if 0 < length <= file.size - 8:
        try:
            header = json.loads(b"".join(file.pieces(8, 8 + length)))
            for name, entry in header.items():
                if name != "__metadata__":
                    counts[entry["dtype"]] += prod(entry["shape"])
        except (ValueError, KeyError, TypeError, AttributeError):
            return Counter()
    return counts
