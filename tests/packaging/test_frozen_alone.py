"""The frozen app holds nothing that it does not use, and the same each time that it is frozen."""

from __future__ import annotations

import hashlib
import re
import subprocess
import sys
from collections import Counter
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import Any

import mac_wheels
import pytest
import qt_parts
from packaging.markers import default_environment
from packaging.utils import canonicalize_name

CODE = ("BINARY", "EXTENSION")
TESTS = re.compile(r"(^|[/.])(_?pytest|conftest|tests?|testing_?)([/.]|$)")
# Names like those of tests that are none: jinja's tests of a value, a language that is coloured.
MEANT = {"jinja2.tests", "pygments.lexers.testing"}
FOR_DEVELOPERS = (".pyi", ".h", ".hpp", ".cmake", ".a", ".c", ".cpp", ".pxd", ".pyx")

on_linux = pytest.mark.skipif(sys.platform != "linux", reason="the libraries are of ELF")


def libraries(frozen: Any) -> list[tuple[str, Path]]:
    """The code in the app, by its places, and where it came from."""
    return [(target, Path(source)) for target, source, kind in frozen.entries if kind in CODE]


def test_it_holds_only_distributions_that_the_app_needs(frozen: Any) -> None:
    needed = {*mac_wheels.needed({**default_environment(), "extra": ""}), "mamba-chat"}
    needed |= {"mlx-cpu"}  # what mlx[cpu] brings
    owners = packages_distributions()
    tops = {re.split(r"[./]", name)[0] for name in frozen.files | frozen.modules}
    strange = {}
    for top in tops:
        owned_by = {canonicalize_name(name) for name in owners.get(top, ())}
        if owned_by and not owned_by & needed:
            strange[top] = owned_by
    assert strange == {}


def test_it_holds_no_library_twice(frozen: Any) -> None:
    names = Counter(Path(target).name.partition(".so")[0] for target, _ in libraries(frozen))
    assert [name for name, count in names.items() if count > 1] == []
    contents = Counter(
        hashlib.sha256(source.read_bytes()).hexdigest() for _, source in libraries(frozen)
    )
    assert [text for text, count in contents.items() if count > 1] == []


@on_linux
def test_it_holds_no_library_that_nothing_is_linked_to(frozen: Any) -> None:
    command = ["objdump", "-p", *(str(source) for _, source in libraries(frozen))]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    linked = set(re.findall(r"NEEDED\s+(\S+)", told))
    # By name, by Qt, by the program and by ctypes; and by the system's libxcb, which stays outside.
    loaded = ("/plugins/", "libpython", "libobjc.", "libXau.", "libXdmcp.")
    unused = [
        target
        for target, _, kind in frozen.entries
        if kind == "BINARY" and Path(target).name not in linked
    ]
    assert [name for name in unused if not any(words in name for words in loaded)] == []


def test_it_holds_no_tests(frozen: Any) -> None:
    found = {name for name in frozen.files | frozen.modules if TESTS.search(name)}
    assert sorted(found - MEANT) == []


def test_it_holds_nothing_for_those_who_would_build_on_it(frozen: Any) -> None:
    found = [name for name in frozen.files if name.endswith(FOR_DEVELOPERS)]
    assert [name for name in found if not name.startswith("engine/metal/")] == []
    assert [name for name in frozen.files if "__pycache__" in name] == []


def test_it_holds_no_plugin_and_no_language_of_qt_that_it_leaves_out(frozen: Any) -> None:
    assert [name for name in frozen.files if not qt_parts.wanted(name)] == []


@pytest.mark.soak
def test_it_holds_the_same_when_it_is_frozen_again(frozen: Any, frozen_again: Any) -> None:
    def listed(app: Any) -> set[tuple[str, str]]:
        return {(target, kind) for target, _, kind in app.entries}

    assert listed(frozen) == listed(frozen_again)
    assert frozen.modules == frozen_again.modules
