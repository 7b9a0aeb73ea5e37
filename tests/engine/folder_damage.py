"""Ways to spoil a model's folder, and what every sentence about one must be like."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.errors import EngineError
from engine.language_model import load_model

Damage = Callable[[Path], object]
Case = tuple[Damage, str, tuple[str, ...]]  # the damage, the code, what the sentence must name
WEIGHTS = "model.safetensors"
_NOBODY = 65534
INDEX = "model.safetensors.index.json"
A_LOG = "backbone.layers.0.mixer.A_log"


def set_fields(name: str, **fields: Any) -> Damage:
    """Set fields of a JSON file; ... takes one out."""

    def damage(folder: Path) -> None:
        file = folder / name
        content = json.loads(file.read_text(encoding="utf-8")) | fields
        kept = {key: value for key, value in content.items() if value is not ...}
        file.write_text(json.dumps(kept), encoding="utf-8")

    return damage


def write(name: str, content: str | bytes) -> Damage:
    """Write a file's whole content."""

    def damage(folder: Path) -> None:
        (folder / name).write_bytes(content.encode() if isinstance(content, str) else content)

    return damage


def remove(*names: str) -> Damage:
    """Delete files."""

    def damage(folder: Path) -> None:
        for name in names:
            (folder / name).unlink()

    return damage


def cut(name: str, keep: int) -> Damage:
    """Keep the first bytes of a file."""

    def damage(folder: Path) -> None:
        os.truncate(folder / name, keep)

    return damage


def read_weights(path: Path) -> tuple[dict[str, Any], bytes]:
    """A safetensors file's header and data."""
    content = path.read_bytes()
    length = int.from_bytes(content[:8], "little")
    return json.loads(content[8 : 8 + length]), content[8 + length :]


def change_header(change: Callable[[dict[str, Any]], object], *, grow: int = 0) -> Damage:
    """Change the header of the weights, and let the data grow by some bytes."""

    def damage(folder: Path) -> None:
        header, data = read_weights(folder / WEIGHTS)
        change(header)
        text = json.dumps(header).encode()
        length = len(text).to_bytes(8, "little")
        (folder / WEIGHTS).write_bytes(length + text + data + bytes(grow))

    return damage


def set_value(tensor: str, value: float) -> Damage:
    """Put a value into a float32 tensor."""

    def damage(folder: Path) -> None:
        header, data = read_weights(folder / WEIGHTS)
        at = header[tensor]["data_offsets"][0] + 4
        raw = data[:at] + np.float32(value).tobytes() + data[at + 4 :]
        file = folder / WEIGHTS
        file.write_bytes(file.read_bytes()[: -len(data)] + raw)

    return damage


def empty(folder: Path) -> None:
    """Delete every file."""
    for file in folder.iterdir():
        file.unlink()


def gone(folder: Path) -> None:
    """Delete the folder."""
    shutil.rmtree(folder)


def replace_weights(name: str) -> Damage:
    """Nothing but a config and a file of another format."""

    def damage(folder: Path) -> None:
        (folder / WEIGHTS).unlink()
        (folder / name).write_bytes(b"xxxx")

    return damage


def make_pipe(name: str) -> Damage:
    """A pipe in a file's place: reading it would wait for ever."""

    def damage(folder: Path) -> None:
        (folder / name).unlink()
        os.mkfifo(folder / name)

    return damage


def make_folder(name: str) -> Damage:
    """A folder in a file's place."""

    def damage(folder: Path) -> None:
        (folder / name).unlink()
        (folder / name).mkdir()

    return damage


def make_link(name: str, target: str) -> Damage:
    """A link in a file's place: to nothing, or to itself."""

    def damage(folder: Path) -> None:
        (folder / name).unlink()
        (folder / name).symlink_to(folder / target)

    return damage


def change_entry(**fields: Any) -> Damage:
    """Change A_LOG's entry in the header of the weights."""
    return change_header(lambda header: header[A_LOG].update(fields))


def set_template(source: str) -> Damage:
    """Set the chat template."""
    return set_fields("tokenizer_config.json", chat_template=source)


def change_map(**files: str) -> Damage:
    """Change the index's map."""

    def damage(folder: Path) -> None:
        index = json.loads((folder / INDEX).read_text(encoding="utf-8"))
        index["weight_map"] |= files
        (folder / INDEX).write_text(json.dumps(index), encoding="utf-8")

    return damage


def one_sentence(error: EngineError) -> str:
    """The error's sentence, which must be one, on one line, with what to do."""
    text = str(error)
    assert text.isprintable(), text
    assert text.endswith("."), text
    assert "Traceback" not in text
    assert "Error" not in text, text  # no name of an exception of Python's
    assert len(text) < 800, text
    assert "; " in text or "Mamba Chat runs mamba, " in text, text
    return text


def check_refused(folder: Path, case: Case) -> None:
    """Damage a good folder; loading it must then give the case's error in one sentence."""
    damage, code, named = case
    damage(folder)
    with pytest.raises(EngineError) as caught:
        load_model(folder)
    text = one_sentence(caught.value)
    assert caught.value.code == code, text
    for fragment in named:
        assert fragment in text


@contextmanager
def as_a_stranger() -> Iterator[Path]:
    """A folder that all may enter, and a user whom permissions bind: root becomes nobody."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    before = os.geteuid()
    if before == 0:
        os.chown(folder, _NOBODY, _NOBODY)
        os.seteuid(_NOBODY)
    try:
        yield folder
    finally:
        os.seteuid(before)
        folder.chmod(0o755)
        for path in folder.rglob("*"):
            path.chmod(0o755)
        shutil.rmtree(folder)
