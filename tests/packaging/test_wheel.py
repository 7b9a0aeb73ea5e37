"""A wheel and an sdist hold all that the app needs, and the wheel works away from the checkout."""

from __future__ import annotations

import json
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

PROGRAM = """
import json, sys
sys.path.insert(0, sys.argv[1])
from engine import paths
print(json.dumps([str(paths.metal()), str(paths.resources())]))
"""


def wheel(distributions: Path) -> zipfile.ZipFile:
    """The one wheel that was built."""
    (file,) = distributions.glob("*.whl")
    return zipfile.ZipFile(file)


def test_a_wheel_holds_every_data_file(distributions: Path, data_files: dict[str, str]) -> None:
    with wheel(distributions) as archive:
        assert set(data_files.values()) <= set(archive.namelist())


def test_a_wheel_holds_every_module(distributions: Path, root: Path) -> None:
    ours = {
        file.relative_to(root).as_posix()
        for package in ("app", "engine")
        for file in (root / package).rglob("*.py")
    }
    with wheel(distributions) as archive:
        packed = {name for name in archive.namelist() if name.endswith(".py")}
    assert packed == ours


def test_a_wheel_brings_no_other_top_level_name(distributions: Path) -> None:
    with wheel(distributions) as archive:
        tops = {name.partition("/")[0] for name in archive.namelist()}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"app", "engine"}


def test_an_sdist_holds_every_data_file(distributions: Path, data_files: dict[str, str]) -> None:
    (file,) = distributions.glob("*.tar.gz")
    with tarfile.open(file) as archive:
        packed = {name.partition("/")[2] for name in archive.getnames()}
    assert set(data_files) <= packed


def test_an_installed_wheel_finds_its_data_from_any_folder(
    distributions: Path, data_files: dict[str, str], tmp_path: Path
) -> None:
    site, elsewhere = tmp_path / "site", tmp_path / "elsewhere"
    elsewhere.mkdir()
    with wheel(distributions) as archive:
        archive.extractall(site)
    # -I -S: nothing of this environment, so that only the unpacked wheel can be found
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", PROGRAM, str(site)],
        cwd=elsewhere,
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(done.stdout) == [
        str(site / "engine" / "metal"),
        str(site / "app" / "resources"),
    ]
    assert all((site / installed).is_file() for installed in data_files.values())
