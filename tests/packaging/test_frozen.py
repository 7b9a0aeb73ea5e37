"""The frozen app holds what it needs and nothing else, and chats on its own from any folder."""

from __future__ import annotations

import json
import os
import subprocess
from importlib.metadata import distribution, entry_points, packages_distributions
from pathlib import Path
from typing import Any

import pytest

SMOKE_TEST_SECONDS = 240  # so that a hang fails; no measure of speed


def smoke_test(program: Path, home: Path, **environment: str) -> dict[str, Any]:
    """What the app prints when it chats with itself, with next to no environment, at `/`."""
    given = {"HOME": str(home), "QT_QPA_PLATFORM": "offscreen", **environment}
    if "TMPDIR" in os.environ:  # macOS gives it to every app
        given["TMPDIR"] = os.environ["TMPDIR"]
    done = subprocess.run(
        [program, "--smoke-test"],
        cwd="/",
        env=given,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=SMOKE_TEST_SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    result: dict[str, Any] = json.loads(done.stdout.strip())
    return result


@pytest.mark.parametrize("language", ["", "ja"])
def test_the_frozen_app_chats(frozen: Any, tmp_path: Path, language: str) -> None:
    result = smoke_test(frozen.program, tmp_path, MAMBA_CHAT_LANG=language)
    assert result["model"] == "starter-12m"
    assert result["answer"].strip()


def test_the_frozen_app_has_a_library(frozen: Any, root: Path, tmp_path: Path) -> None:
    library = smoke_test(frozen.program, tmp_path)["library"]
    catalogue = json.loads((root / "resources" / "models.json").read_text("utf-8"))
    assert library["offers"] == len(catalogue["models"])
    here = {store.name for store in entry_points(group="keyring.backends")}
    assert set(library["key_stores"]) == here


def test_it_holds_every_key_store_that_is_found_by_name(frozen: Any) -> None:
    stores = {store.value for store in entry_points(group="keyring.backends")}
    assert sorted(stores - frozen.modules) == []


def test_it_holds_every_data_file(frozen: Any, data_files: dict[str, str]) -> None:
    assert sorted(set(data_files.values()) - frozen.files) == []


def test_it_holds_every_module_of_ours(frozen: Any, root: Path) -> None:
    ours = {
        ".".join(file.relative_to(root).with_suffix("").parts).removesuffix(".__init__")
        for package in ("app", "engine")
        for file in (root / package).rglob("*.py")
    }
    assert sorted(ours - frozen.modules) == []


def test_it_holds_what_mlx_imports_from_its_own_core(frozen: Any) -> None:
    assert {"mlx._reprlib_fix", "mlx.__array_api_info"} <= frozen.modules


@pytest.mark.parametrize(
    "part", ["iconengines/libqsvgicon", "imageformats/libqsvg", "translations/qtbase_ja.qm"]
)
def test_it_holds_the_parts_of_qt_that_are_loaded_by_name(frozen: Any, part: str) -> None:
    assert [name for name in frozen.files if f"/Qt/{part}" in name or f"/plugins/{part}" in name]


@pytest.mark.parametrize(
    "package",
    [
        "numpy",
        "torch",
        "PIL",
        "tkinter",
        "setuptools",
        "pip",
        "pytest",
        "_pytest",
        "PyInstaller",
        "tests",
    ],
)
def test_it_holds_no_package_that_it_does_not_use(frozen: Any, package: str) -> None:
    names = {name.replace("/", ".") for name in frozen.files | frozen.modules}
    assert [name for name in names if name == package or name.startswith(package + ".")] == []


@pytest.mark.parametrize("module", ["QtCore", "QtGui", "QtWidgets", "QtSvg"])
def test_it_holds_the_modules_of_qt_that_it_uses(frozen: Any, module: str) -> None:
    assert [name for name in frozen.files if name.startswith(f"PySide6/{module}.")]


@pytest.mark.parametrize("module", ["QtQml", "QtQuick", "QtNetwork", "QtSql", "QtTest"])
def test_it_holds_no_module_of_qt_that_it_does_not_use(frozen: Any, module: str) -> None:
    assert [name for name in frozen.files if name.startswith(f"PySide6/{module}.")] == []


def test_it_passes_on_the_licence_of_every_distribution_that_is_in_it(frozen: Any) -> None:
    owners = packages_distributions()
    tops = {module.partition(".")[0] for module in frozen.modules}
    names = {name for top in tops for name in owners.get(top, ())} - {"mamba-chat"}
    folder = next(frozen.program.parents[1].rglob("licences"))
    folders = {file.name for file in folder.iterdir() if file.is_dir() and any(file.iterdir())}
    others = (folder / "OTHERS.txt").read_text("utf-8")
    inside = [distribution(name) for name in sorted(names)]
    assert len(inside) > 15
    missing = [
        each.name
        for each in inside
        if f"{each.name}-{each.version}" not in folders
        and f"{each.name} {each.version}: " not in others
    ]
    assert missing == []


@pytest.mark.parametrize(
    ("file", "words"),
    [
        ("Mamba Chat/LICENSE", "Apache License"),
        ("Python/LICENSE.txt", "PYTHON SOFTWARE FOUNDATION LICENSE"),
        ("Qt/LGPL-3.0.txt", "GNU LESSER GENERAL PUBLIC LICENSE"),
        ("Qt/GPL-3.0.txt", "GNU GENERAL PUBLIC LICENSE"),
        ("Qt/QT.txt", "may be replaced by versions"),
        ("Qt/VERSIONS.txt", "PySide6_Essentials 6.9.3\n"),
        ("OTHERS.txt", "tokenizers "),
    ],
)
def test_it_holds_the_licences_that_no_wheel_brings(frozen: Any, file: str, words: str) -> None:
    folder = next(frozen.program.parents[1].rglob("licences"))
    assert words in (folder / file).read_text("utf-8")


def test_it_says_where_the_ones_without_a_licence_text_live(frozen: Any) -> None:
    folder = next(frozen.program.parents[1].rglob("licences"))
    lines = (folder / "OTHERS.txt").read_text("utf-8").splitlines()
    of_wheels = [line for line in lines if ": " in line and ", " in line]
    assert of_wheels
    assert [line for line in of_wheels if "https://" not in line or "not stated" in line] == []
