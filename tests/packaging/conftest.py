"""What the packaging tests share: the wheel, the sdist and the frozen app, each built once."""

from __future__ import annotations

import ast
import importlib.util
import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]
# packaging/ is no package, as there is one of that name; and the helpers beside the tests
sys.path[:0] = [str(ROOT / "packaging"), str(Path(__file__).parent)]
DATA = {"metal": "engine/metal", "resources": "app/resources"}  # in a checkout: once installed


@dataclass(frozen=True)
class Frozen:
    """The frozen app, and the names of all that was packed into it."""

    program: Path
    entries: tuple[tuple[str, str, str], ...]  # a target, its source, its kind
    modules: frozenset[str]

    @property
    def files(self) -> frozenset[str]:
        """The names of all that is in the app's folder."""
        return frozenset(target for target, *_ in self.entries)


def run(command: list[str], cwd: Path, **environment: str) -> None:
    """Run a build step; its last lines are the failure when it fails."""
    done = subprocess.run(
        command,
        cwd=cwd,
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode:
        pytest.fail(f"{' '.join(command)} failed:\n{done.stdout[-3000:]}")


def _entries(toc: Path) -> tuple[tuple[str, str, str], ...]:
    """What is in a table of contents that PyInstaller wrote."""
    return tuple(
        (entry[0].replace(os.sep, "/"), *entry[1:3])
        for part in ast.literal_eval(toc.read_text("utf-8"))
        if isinstance(part, list)
        for entry in part
    )


@pytest.fixture(scope="session")
def root() -> Path:
    """The top of the checkout."""
    return ROOT


@pytest.fixture(scope="session")
def data_files() -> dict[str, str]:
    """Every file of metal/ and resources/: its path in the checkout, and once installed."""
    files = {}
    for folder, installed in DATA.items():
        for file in sorted((ROOT / folder).rglob("*")):
            if file.is_file() and not file.name.startswith("."):  # tools' own files
                inside = file.relative_to(ROOT / folder).as_posix()
                files[f"{folder}/{inside}"] = f"{installed}/{inside}"
    return files


@pytest.fixture(scope="session")
def plist() -> ModuleType:
    """packaging/plist.py, which is loaded by its path because packaging/ is no package."""
    spec = importlib.util.spec_from_file_location("plist", ROOT / "packaging" / "plist.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def distributions(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with the sdist, and the wheel that was built from that sdist."""
    work = tmp_path_factory.mktemp("distributions")
    # From a copy: what an earlier build left in the checkout would be packed again.
    checkout, out = work / "checkout", work / "out"
    for folder in ("app", "engine", *DATA):
        shutil.copytree(ROOT / folder, checkout / folder)
    for file in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / file, checkout)
    build = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(out)]
    run([*build, str(checkout)], work)
    yield out
    shutil.rmtree(work)  # tens of megabytes, of which pytest would keep three


@pytest.fixture(scope="session")
def frozen(tmp_path_factory: pytest.TempPathFactory, plist: ModuleType) -> Iterator[Frozen]:
    """The app frozen from packaging/mamba-chat.spec, in a folder with an awkward name."""
    if sys.platform == "linux":
        if not sysconfig.get_config_var("Py_ENABLE_SHARED"):
            pytest.fail(f"{sys.base_prefix} was built without --enable-shared: no app can be made")
        if not shutil.which("objdump"):
            pytest.fail("the Debian package binutils is missing: there is no objdump")
    work = tmp_path_factory.mktemp("frozen")
    yield freeze(work, plist)
    shutil.rmtree(work)


@pytest.fixture
def frozen_again(tmp_path: Path, plist: ModuleType) -> Iterator[Frozen]:
    """The app frozen once more, with nothing kept from before and names hashed in another way."""
    yield freeze(tmp_path, plist, PYTHONHASHSEED="7")
    shutil.rmtree(tmp_path)


def freeze(work: Path, plist: ModuleType, **environment: str) -> Frozen:
    """Freeze the app."""
    dist = work / "置き場所 with spaces"
    command = [sys.executable, "-m", "PyInstaller", "--noconfirm", "--log-level", "WARN"]
    command += ["--distpath", str(dist), "--workpath", str(work / "build")]
    command += [str(ROOT / "packaging" / "mamba-chat.spec")]
    run(command, work, PYINSTALLER_CONFIG_DIR=str(work / "cache"), **environment)
    name = plist.EXE_NAME
    tables = work / "build" / name
    program = dist / name / name
    if sys.platform == "darwin":
        program = dist / f"{plist.APP_NAME}.app" / "Contents" / "MacOS" / name
    modules = frozenset(name for name, *_ in _entries(tables / "PYZ-00.toc"))
    return Frozen(program, _entries(tables / "COLLECT-00.toc"), modules)
