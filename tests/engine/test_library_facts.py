"""What the list tells of a model in each precision, at what cost, and on which thread it may."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from engine import library
from engine.api import Machine
from engine.quantize_folder import quantize_folder

TinyFolder = Callable[..., Path]
ROOT = Path(__file__).resolve().parents[2]
CPU = Machine(backend="CPU", device="test", memory_bytes=10**10, limit_bytes=7 * 10**9)
GPU = Machine(backend="Metal", device="test", memory_bytes=10**10, limit_bytes=7 * 10**9)


@pytest.mark.parametrize(
    ("dtype", "offered"),
    [
        ("float32", ["float32", "bfloat16", "8-bit", "4-bit"]),
        ("float16", ["float16", "bfloat16", "8-bit", "4-bit"]),
        ("bfloat16", ["bfloat16", "8-bit", "4-bit"]),
    ],
)
def test_the_needs_are_told_in_its_own_precision_first_and_in_each_only_once(
    tiny_folder: TinyFolder, dtype: str, offered: list[str]
) -> None:
    folder = tiny_folder(dtype=dtype, hidden_size=64, intermediate_size=128)
    for machine in (CPU, GPU):
        info = library.describe(folder, machine)
        assert [need.precision for need in info.needs] == offered
        assert info.needs[0].needed_bytes == info.needed_bytes
        sizes = [need.needed_bytes for need in info.needs]
        assert sizes == sorted(sizes, reverse=True)
        for precision, needed in info.needs[1:]:
            assert library.describe(folder, machine, precision).needed_bytes == needed


def test_a_cpu_holds_the_models_own_precision_as_float32(tiny_folder: TinyFolder) -> None:
    half, whole = tiny_folder(dtype="float16", name="half"), tiny_folder(name="whole")
    on_cpu = [library.describe(folder, CPU).needs[0].needed_bytes for folder in (half, whole)]
    assert on_cpu[0] == on_cpu[1]
    on_gpu = [library.describe(folder, GPU).needs[0].needed_bytes for folder in (half, whole)]
    assert on_gpu[0] < on_gpu[1]


def test_a_packed_model_has_only_its_own_precision(tiny_folder: TinyFolder, tmp_path: Path) -> None:
    source = tiny_folder(hidden_size=64, intermediate_size=128)
    quantize_folder(source, tmp_path / "packed", 4)
    info = library.describe(tmp_path / "packed", CPU)
    assert [need.precision for need in info.needs] == ["4-bit"] == [info.dtype]
    asked = library.describe(source, CPU, "8-bit")
    assert (asked.dtype, asked.needs[0].precision) == ("8-bit", "float32")


def test_what_was_asked_for_changes_nothing_about_where_a_model_belongs(
    tiny_folder: TinyFolder, models: Path
) -> None:
    shutil.copytree(tiny_folder(), models / "mine")
    owned = {info.name: info.owned for info in library.installed(CPU)}
    assert owned == {"starter-12m": False, "starter-3m": False, "mine": True}
    assert library.describe(models / "mine", CPU, "4-bit").owned
    assert not library.describe(tiny_folder(name="nowhere"), CPU).owned


LISTED = """
import json, sys
from engine import library, library_changes, library_move
from engine.api import Machine
from engine.hub import tokens
machine = Machine(backend="CPU", device="test", memory_bytes=10**10, limit_bytes=7 * 10**9)
names = [info.name for info in library.installed(machine)]
heavy = [name for name in ("mlx", "PySide6", "keyring", "send2trash") if name in sys.modules]
print(json.dumps([names, heavy]))
"""


def test_the_list_is_made_without_mlx_so_that_any_thread_may_ask_for_it(models: Path) -> None:
    run = subprocess.run(
        [sys.executable, "-c", LISTED], cwd=ROOT, capture_output=True, text=True, check=True
    )
    names, heavy = json.loads(run.stdout)
    assert names == ["starter-12m", "starter-3m"]
    assert heavy == []
