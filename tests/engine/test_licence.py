"""A model's licence, read off what lies in its folder."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from engine import library
from engine.licence import MANIFEST, licence_of


@pytest.mark.parametrize(
    ("card", "licence"),
    [
        ("---\nlicense: apache-2.0\n---\n# A model\n", "apache-2.0"),
        ("\ufeff---\r\nlanguage: en\r\nlicense: 'MIT' # free\r\n---\r\n", "MIT"),
        ("---\nlicense: other\nlicense_name: falcon-mamba-7b-license\n---\n",
         "falcon-mamba-7b-license"),
        ("---\nlicense_name: own\n---\n", "own"),
        ("---\nlicense: mit\nlicense_name: own\n---\n", "mit"),
        ("---\nlicense: other\n---\n", "other"),
        ("---\nlicense:\n  - cc-by-4.0\n  - mit\n---\n", "cc-by-4.0"),
        ("---\nlicense: [cc-by-4.0, mit]\n---\n", "cc-by-4.0"),
        ("---\nlicense:\n---\n", ""),
        ("---\nmodel:\n  license: mit\n---\n", ""),
        ("---\ntags: x\n---\nlicense: mit\n", ""),
        ("# A model\n\nlicense: mit\n", ""),
        ("", ""),
        ("---\nlicense: a\x07b\x1b[31m\u2028c\n---\n", "ab[31mc"),
        (f"---\nlicense: {'x' * 500}\n---\n", "x" * 60),
    ],
)  # fmt: skip
def test_the_card_names_it(tmp_path: Path, card: str, licence: str) -> None:
    (tmp_path / "README.md").write_text(card, encoding="utf-8", newline="")
    assert licence_of(tmp_path) == licence


@pytest.mark.parametrize(
    ("file", "text", "licence"),
    [
        ("LICENSE", "\n        Apache License\n   Version 2.0, January 2004\n", "apache-2.0"),
        ("LICENSE.txt", "MIT License\n\nCopyright (c) 2024", "mit"),
        ("LICENSE.md", "# GNU General Public License\nVersion 3, 29 June 2007", "gpl-3.0"),
        ("LICENSE", "GNU LESSER GENERAL PUBLIC LICENSE\n Version 3", "lgpl-3.0"),
        ("LICENSE", "My own terms: ask me.", ""),
    ],
)
def test_without_a_card_the_licences_own_text_does(
    tmp_path: Path, file: str, text: str, licence: str
) -> None:
    (tmp_path / file).write_text(text)
    assert licence_of(tmp_path) == licence


def test_what_the_download_noted_goes_before_all(
    tiny_folder: Callable[..., Path],
) -> None:
    folder = tiny_folder()
    assert library.describe(folder).licence == ""
    (folder / "LICENSE").write_text("MIT License")
    assert library.describe(folder).licence == "mit"
    (folder / "README.md").write_text("---\nlicense: apache-2.0\n---\n")
    assert library.describe(folder).licence == "apache-2.0"
    (folder / MANIFEST).write_text(json.dumps({"repo": "o/n", "licence": "falcon-llm"}))
    assert library.describe(folder).licence == "falcon-llm"


@pytest.mark.parametrize(
    "damage", [b"", b"{", b"[]", b"null", b'{"licence": 3}', b'{"licence": ""}', b"\xff" * 99]
)
def test_a_damaged_note_counts_for_nothing(tmp_path: Path, damage: bytes) -> None:
    (tmp_path / MANIFEST).write_bytes(damage)
    (tmp_path / "LICENSE").write_text("MIT License")
    assert licence_of(tmp_path) == "mit"


@pytest.mark.parametrize("name", [MANIFEST, "README.md", "LICENSE"])
def test_what_is_no_file_is_not_waited_for(tmp_path: Path, name: str) -> None:
    os.mkfifo(tmp_path / name)
    assert licence_of(tmp_path) == ""
    (tmp_path / name).unlink()
    (tmp_path / name).symlink_to("nowhere")
    assert licence_of(tmp_path) == ""
    (tmp_path / name).unlink()
    (tmp_path / name).mkdir()
    assert licence_of(tmp_path) == ""
