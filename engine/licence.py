"""Under which licence a model is, as its folder tells: the download's note, card or LICENSE."""

from __future__ import annotations

import json
import os
import re
import stat
from pathlib import Path

MANIFEST = ".mamba-chat.json"  # what a download leaves: {"repo", "revision", "licence"}
_MOST_READ = 32 << 10  # bytes; a card's front matter is a page at most
_LONGEST = 60
_FILES = ("LICENSE", "LICENSE.txt", "LICENSE.md", "LICENCE", "COPYING")
# How well-known licences begin, by the names that cards give them.
_OPENINGS = (
    ("apache license", "apache-2.0"),
    ("mit license", "mit"),
    ("bsd 3-clause", "bsd-3-clause"),
    ("bsd 2-clause", "bsd-2-clause"),
    ("cc0 1.0", "cc0-1.0"),
    ("creative commons attribution 4.0", "cc-by-4.0"),
    ("attribution 4.0 international", "cc-by-4.0"),
    ("attribution-sharealike 4.0", "cc-by-sa-4.0"),
    ("attribution-noncommercial 4.0", "cc-by-nc-4.0"),
    ("mozilla public license version 2.0", "mpl-2.0"),
    ("gnu general public license version 3", "gpl-3.0"),
    ("gnu general public license version 2", "gpl-2.0"),
    ("gnu affero general public license", "agpl-3.0"),
    ("gnu lesser general public license", "lgpl-3.0"),
)
_FIELD = re.compile(r"^(license|license_name):[ \t]*(.*?)[ \t]*$", re.MULTILINE)


def licence_of(folder: Path) -> str:
    """The licence as the model's card names it: "apache-2.0"; "" where nothing tells it."""
    name = _of_manifest(folder) or _of_card(folder) or _of_file(folder)
    return "".join(c for c in name.strip() if c.isprintable())[:_LONGEST]


def _of_manifest(folder: Path) -> str:
    try:
        licence = json.loads(_head(folder / MANIFEST))["licence"]
    except (ValueError, RecursionError, KeyError, TypeError):
        return ""
    return licence if isinstance(licence, str) else ""


def _of_card(folder: Path) -> str:
    """What the fields at the head of README.md say; the name of a licence of its own, where it
    has one."""
    opening, _, rest = _head(folder / "README.md").lstrip("\ufeff\r\n").partition("\n")
    if opening.rstrip() != "---":
        return ""
    front = re.split(r"^---", rest.replace("\r\n", "\n"), maxsplit=1, flags=re.MULTILINE)[0]
    fields: dict[str, str] = {}
    for match in _FIELD.finditer(front):
        value = match[2]
        if not value and (item := re.match(r"\n[ \t]*-[ \t]+(.*)", front[match.end() :])):
            value = item[1]  # the first of a list
        fields.setdefault(match[1], _plain(value))
    licence = fields.get("license", "")
    own = fields.get("license_name", "")
    return own if own and licence in ("", "other") else licence


def _plain(value: str) -> str:
    """The text of a scalar of YAML, or of the first in a list on one line."""
    value = re.sub(r"\s#.*$", "", value)
    if value.startswith("["):
        value = value.strip("[]").split(",")[0]
    return value.strip().strip("'\"")


def _of_file(folder: Path) -> str:
    """What the first lines of the licence's own text say it is."""
    for file in _FILES:
        if text := " ".join(_head(folder / file).split()).lower()[:400]:
            for opening, name in _OPENINGS:
                if opening in text:
                    return name
    return ""


def _head(path: Path) -> str:
    """The file's first text; "" for what is no file or cannot be read."""
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):  # a pipe would wait
            return ""
        with path.open("rb") as file:
            return file.read(_MOST_READ).decode("utf-8", errors="replace")
    except OSError:
        return ""
