"""Which repository a pasted name or address means."""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple
from urllib.parse import unquote

from engine.errors import EngineError

MAIN = "main"
_LONGEST = 96  # the Hub's own limit
_PART = re.compile(r"[A-Za-z0-9_](?:[A-Za-z0-9._-]*[A-Za-z0-9_])?")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")
_HOSTS = {"huggingface.co", "www.huggingface.co", "hf.co", "www.hf.co"}
# What follows a model's name in the address of one of its pages, before a revision.
_VIEWS = {"tree", "blob", "resolve", "raw", "blame", "commit", "commits"}
_NO_MODELS = {"datasets", "spaces", "models", "collections", "papers", "docs", "buckets"}


class Address(NamedTuple):
    """A repository, and the revision of it that was meant."""

    repo: str  # "state-spaces/mamba-130m-hf"
    revision: str = MAIN  # a branch, a tag, a commit


def is_repo(text: str) -> bool:
    """Whether the text is owner/name as the Hub has it; a folder may then bear that name."""
    parts = text.split("/")
    return (
        len(parts) == 2
        and len(text) <= _LONGEST
        and all(_PART.fullmatch(part) for part in parts)
        and "--" not in text
        and ".." not in text
        and not text.endswith(".git")
    )


def parse(text: str) -> Address:
    """What "owner/name", an address of the Hub's or a mirror's, or "hf://owner/name@revision"
    means. Raises EngineError("bad_repo")."""
    plain = unicodedata.normalize("NFKC", text).strip().strip("<>\"'`").strip()
    address = _SCHEME.match(plain)
    scheme = address[0].lower() if address else ""
    rest = re.split(r"[?#]", plain[len(scheme) :], maxsplit=1)[0]
    parts = [part for part in rest.split("/") if part]
    if scheme in ("http://", "https://") or (not scheme and _starts_with_host(parts)):
        parts = parts[1:]
    elif scheme not in ("", "hf://") or rest.startswith("/"):  # a path of this machine
        raise _bad(text)
    if parts[:2] == ["api", "models"]:
        parts = parts[2:]
    elif scheme == "hf://" and parts[:1] == ["models"]:
        parts = parts[1:]
    if len(parts) < 2 or parts[0] in _NO_MODELS:
        raise _bad(text)
    name, _, revision = parts[1].partition("@")
    repo = f"{parts[0]}/{name}"
    revision = unquote(revision) or _revision(parts[2:])
    if not is_repo(repo) or not _is_revision(revision):
        raise _bad(text)
    return Address(repo, revision)


def _starts_with_host(parts: list[str]) -> bool:
    """Whether an address without its scheme begins with a host: the Hub's, or a mirror's."""
    if not parts:
        return False
    return parts[0].lower() in _HOSTS or (
        len(parts) >= 3 and "." in parts[0] and parts[2] not in _VIEWS
    )


def _revision(rest: list[str]) -> str:
    """The revision that an address names after owner/name; "main" where it names none."""
    if len(rest) < 2 or rest[0] not in _VIEWS | {"revision"}:
        return MAIN
    if rest[1] == "refs":  # refs/pr/2, whose slashes are escaped in most addresses
        return "/".join(rest[1:4])
    return unquote(rest[1])


def _is_revision(text: str) -> bool:
    return 0 < len(text) <= 255 and text.isprintable() and ".." not in text and " " not in text


def _bad(text: str) -> EngineError:
    return EngineError("bad_repo", found=text.strip() or "an empty name")
