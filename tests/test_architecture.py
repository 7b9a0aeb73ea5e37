"""The house's own rules that no linter checks: names, what importing costs, sizes, what ships."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = ("app", "engine", "metal", "resources", "tests", "packaging", ".ci", ".github")
CODE = sorted([*ROOT.glob("app/**/*.py"), *ROOT.glob("engine/**/*.py")])
MAX_FILE, MAX_FUNCTION = 300, 40
HEAVY = ("mlx", "PySide6", "shiboken6", "numpy", "tokenizers", "huggingface_hub", "jinja2")


def our_text_files() -> Iterator[Path]:
    """Every file of ours that people read: not the weights, vocabularies and compiled files."""
    kinds = {".py", ".md", ".toml", ".txt", ".yml", ".metal", ".h", ".svg", ".ts", ".qss"}
    kinds |= {".spec", ".plist", ".cpp", ".cu", ""}
    inside = [f for folder in FOLDERS for f in (ROOT / folder).rglob("*") if f.is_file()]
    for file in [*(f for f in ROOT.iterdir() if f.is_file()), *inside]:
        if file.suffix in kinds and "__pycache__" not in file.parts:
            yield file


def run_python(code: str, cwd: Path) -> str:
    """What a fresh interpreter of this environment prints for `code`."""
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=cwd, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("name", ["app", "engine"])
def test_our_names_mean_this_checkout_from_any_folder(name: str, tmp_path: Path) -> None:
    found = run_python(f"import {name}; print({name}.__file__)", tmp_path).strip()
    assert Path(found).resolve() == ROOT / name / "__init__.py"


@pytest.mark.parametrize(
    "modules", ["engine, engine.api, engine.errors, engine.paths", "app, app.values, app.format"]
)
def test_importing_values_brings_no_mlx_and_no_qt(modules: str) -> None:
    code = f"import {modules}, json, sys; print(json.dumps(sorted(sys.modules)))"
    loaded = {name.partition(".")[0] for name in json.loads(run_python(code, ROOT))}
    assert not loaded & set(HEAVY)


def test_packaging_still_means_the_library_of_that_name() -> None:
    found = run_python("import packaging.version as v; print(v.__file__)", ROOT).strip()
    assert ROOT / "packaging" not in Path(found).parents


@pytest.mark.parametrize("folder", ["tests", "packaging"])
def test_no_package_hides_another_of_the_same_name(folder: str) -> None:
    assert not list((ROOT / folder).rglob("__init__.py"))


def test_no_folder_joins_the_namespace_of_mlx() -> None:
    assert not (ROOT / "mlx").exists()


def test_test_files_have_names_of_their_own() -> None:
    names = [file.name for file in ROOT.glob("tests/**/test_*.py")]
    assert sorted(names) == sorted(set(names))


def test_files_stay_short() -> None:
    lengths = {file: len(file.read_text("utf-8").splitlines()) for file in CODE}
    assert not {str(f.relative_to(ROOT)): n for f, n in lengths.items() if n > MAX_FILE}


def test_functions_stay_short() -> None:
    long = {}
    for file in CODE:
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                lines = (node.end_lineno or 0) - node.lineno + 1
                if lines > MAX_FUNCTION:
                    long[f"{file.relative_to(ROOT)}:{node.name}"] = lines
    assert not long


def test_every_module_says_what_it_is() -> None:
    silent = [f for f in CODE if not ast.get_docstring(ast.parse(f.read_text("utf-8")))]
    assert not [str(file.relative_to(ROOT)) for file in silent]


def test_no_file_of_ours_names_a_place_on_one_machine() -> None:
    place = re.compile(r"(?<![\w.$}])/(?:work|root|home|Users)/\w")
    named = [f for f in our_text_files() if place.search(f.read_text("utf-8"))]
    assert not [str(file.relative_to(ROOT)) for file in named]


def test_the_version_is_written_once() -> None:
    version = run_python("import engine; print(engine.__version__)", ROOT).strip()
    assert re.fullmatch(r"\d+\.\d+\.\d+", version)
    pattern = re.compile(rf'version\w*\s*=\s*"{re.escape(version)}"')
    assert not pattern.search((ROOT / "pyproject.toml").read_text("utf-8"))
