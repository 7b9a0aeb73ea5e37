"""The Mac app is looked over before people get it: each kind of fault is told by file and kind."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import fake_bundle as fake
import pytest
import verify_bundle
from bundle_faults import FAULTS
from bundle_plants import (
    CORE,
    FRAMEWORKS,
    LIBMLX,
    MACOS,
    METALLIB,
    QTGUI,
    RESOURCES,
    Plant,
    code,
    file,
    gone,
)

import engine


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An app without a fault."""
    return fake.build(tmp_path_factory.mktemp("a sound app"), engine.__version__)


@pytest.fixture
def app(sound: Path, tmp_path: Path) -> Path:
    """An app of the test's own."""
    return fake.copy(sound, tmp_path)


def looked_over(app: Path, capsys: pytest.CaptureFixture[str], *more: str) -> tuple[int, list[str]]:
    """The status, and the lines that are printed."""
    status = verify_bundle.main([str(app), *more])
    return status, capsys.readouterr().out.splitlines()


def test_a_sound_app_passes_in_one_line(app: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, lines = looked_over(app, capsys)
    assert (status, len(lines)) == (0, 1), lines
    assert "5 files of code for arm64, the newest for macOS 14.0" in lines[0]


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_told(fault: str, app: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plant, words = FAULTS[fault]
    plant(app)
    status, lines = looked_over(app, capsys)
    assert status == 1
    assert [line for line in lines if words in line], lines


@pytest.mark.parametrize(
    "plant",
    [
        code(CORE, "@rpath/libmlx.dylib", rpaths=("@executable_path/../Frameworks",)),
        code(
            CORE,
            "@loader_path/lib/libmlx.dylib",
            "/System/Library/Frameworks/Metal.framework/Metal",
        ),
        code(LIBMLX, name="@rpath/libmlx.dylib", minimum=(11, 0), old=True),
        file(f"{FRAMEWORKS}/PySide6/Qt/lib/QtGui.framework/Versions/A/Resources/z.txt"),
        file(f"{RESOURCES}/python3.12/z.txt"),
        file(METALLIB, fake.metallib(13, 3)),
        file(f"{RESOURCES}/licences/PyInstaller-6.22.3/COPYING.txt"),
    ],
)
def test_what_is_right_is_no_fault(
    plant: Plant, app: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plant(app)
    assert looked_over(app, capsys)[0] == 0


def test_the_executables_rpaths_hold_for_all_that_it_loads(
    app: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code(CORE, "@rpath/libmlx.dylib", rpaths=())(app)
    code(f"{MACOS}/mamba-chat", rpaths=("@loader_path/../Frameworks",))(app)
    assert looked_over(app, capsys)[0] == 0


def test_each_fault_is_one_line(app: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code(QTGUI, signed=False, name="@rpath/QtGui")(app)
    file(f"{FRAMEWORKS}/notes.txt")(app)
    status, lines = looked_over(app, capsys)
    assert (status, len(lines)) == (1, 2), lines


def test_another_floor_can_be_given(app: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, lines = looked_over(app, capsys, "--floor", "13.5")
    assert status == 1
    assert len([line for line in lines if "macOS 13.5 at most, found" in line]) == 6, lines


def test_where_there_is_no_app_that_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, lines = looked_over(tmp_path / "Mamba Chat.app", capsys)
    assert (status, len(lines)) == (1, 1)
    assert "expected an app, found none" in lines[0]


def test_it_runs_as_a_program_from_any_folder(root: Path, app: Path) -> None:
    program = root / "packaging" / "verify_bundle.py"
    for status, plant in ((0, None), (1, gone(METALLIB))):
        if plant:
            plant(app)
        done = subprocess.run(
            [sys.executable, program, app], cwd="/", capture_output=True, text=True, check=False
        )
        assert (done.returncode, done.stderr) == (status, "")
