"""One command makes the environment, every version in it is pinned, CI installs what is missing."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from importlib.metadata import requires, version
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

TARGETS = ["run", "test", "metal", "soak", "bench", "screenshots", "translations"]


def pins(root: Path) -> dict[str, str]:
    """constraints.txt: name to version."""
    lines = (root / "constraints.txt").read_text("utf-8").splitlines()
    pairs = [line.split("==") for line in lines if line and not line.startswith("#")]
    return {canonicalize_name(name): exact for name, exact in pairs}


def installed_for(requirement: Requirement, seen: dict[str, str]) -> None:
    """Collect the versions of all that `requirement` brings into this environment."""
    for extra in {"", *requirement.extras}:
        for text in requires(requirement.name) or []:
            needed = Requirement(text)
            if needed.marker and not needed.marker.evaluate({"extra": extra}):
                continue
            name = canonicalize_name(needed.name)
            if name not in seen or needed.extras:
                seen[name] = version(needed.name)
                installed_for(needed, seen)


def test_every_version_is_pinned_and_this_is_what_is_installed(root: Path) -> None:
    seen: dict[str, str] = {}
    installed_for(Requirement("mamba-chat[dev]"), seen)
    pinned = pins(root)
    assert {name: pinned.get(name) for name in seen} == seen


def test_the_mac_gets_its_metal_library_at_the_same_version(root: Path) -> None:
    pinned = pins(root)
    assert pinned["mlx"] == pinned["mlx-metal"] == pinned["mlx-cpu"]


def test_the_pins_name_no_package_index(root: Path) -> None:
    text = (root / "constraints.txt").read_text("utf-8")
    assert not re.search(r"://|^-|@", text, re.MULTILINE)


def dry_run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """What make would do."""
    make = shutil.which("make")
    assert make, "the Debian package make is missing"
    clean = {key: value for key, value in os.environ.items() if not key.startswith("MAKE")}
    return subprocess.run(
        [make, *arguments], cwd=folder, env=clean, capture_output=True, text=True, check=False
    )


@pytest.fixture
def bare(root: Path, tmp_path: Path) -> Path:
    """A checkout in which nothing was made yet."""
    for name in ("Makefile", "pyproject.toml", "constraints.txt"):
        shutil.copy(root / name, tmp_path)
    return tmp_path


@pytest.mark.parametrize("target", TARGETS)
def test_every_command_first_makes_the_environment(bare: Path, target: str) -> None:
    done = dry_run(bare, "-n", f"PYTHON={sys.executable}", target)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    installing = next(n for n, line in enumerate(lines) if ' -e ".[dev]"' in line or "-e" in line)
    last_use = max(n for n, line in enumerate(lines) if line.startswith(".venv/bin/"))
    assert "-c constraints.txt" in done.stdout
    assert installing < last_use


def test_make_test_checks_style_types_imports_and_behaviour(bare: Path) -> None:
    commands = dry_run(bare, "-n", f"PYTHON={sys.executable}", "test").stdout
    tools = ["ruff check", "ruff format --check", "mypy", "lint-imports", "pytest"]
    assert [tool for tool in tools if tool not in commands] == []
    assert "not soak and not bench and not metal" in commands


def test_a_machine_without_a_fitting_python_is_told_so(bare: Path) -> None:
    done = dry_run(bare, "PYTHON=", "run")
    assert done.returncode == 2
    assert "Mamba Chat needs Python 3.11, 3.12 or 3.13" in done.stderr


STUB = """#!/bin/sh
echo "${0##*/} $*" >> "$LOG"
%s
"""


@pytest.fixture
def ci(root: Path, tmp_path: Path) -> Path:
    """A checkout with the CI script, and a Debian that has g++ and nothing else."""
    for name in (".ci/run", "packaging/apt.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(root / name, tmp_path / name)
    programs = tmp_path / "bin"
    programs.mkdir()
    has_one = 'for last; do :; done; [ "$last" = g++ ] && echo installed'
    bodies = {"dpkg-query": has_one, "sudo": 'exec "$@"', "apt-get": "", "make": "exit 7"}
    for name, body in bodies.items():
        (programs / name).write_text(STUB % body)
        (programs / name).chmod(0o755)
    return tmp_path


@pytest.mark.skipif(sys.platform == "darwin", reason=".ci/run is for Debian, and needs bash 4")
def test_ci_installs_what_is_missing_and_then_passes_the_tests(ci: Path) -> None:
    log = ci / "log"
    path = f"{ci / 'bin'}:{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "LOG": str(log)}
    done = subprocess.run([ci / ".ci" / "run"], cwd="/", env=environment, check=False)
    assert done.returncode == 7, "the status of the tests is the status of CI"
    calls = [line for line in log.read_text().splitlines() if line.startswith(("apt-get", "make"))]
    assert calls[0].startswith("apt-get update")
    assert calls[1].startswith("apt-get install")
    assert {"clang", "fonts-noto-cjk"} <= set(calls[1].split())
    assert "g++" not in calls[1].split()
    assert calls[2:] == ["make test"]
