"""The frozen app chats in every situation in which a system may start it, or says why it cannot."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

LIMIT_S = 240  # so that a hang fails; no measure of speed
NOBODY = 65534


def start(program: Path, home: Path, *arguments: str, **more: Any) -> Any:
    """Run the app at `/` with next to no environment; `more` goes to subprocess.run."""
    environment = {"HOME": str(home), "QT_QPA_PLATFORM": "offscreen", **more.pop("env", {})}
    if "TMPDIR" in os.environ:  # macOS gives it to every app
        environment.setdefault("TMPDIR", os.environ["TMPDIR"])
    return subprocess.run(
        [program, *arguments], cwd="/", env=environment, timeout=LIMIT_S, check=False, **more
    )


def outcome(done: subprocess.CompletedProcess[bytes]) -> dict[str, Any]:
    """What the smoke test told."""
    assert done.returncode == 0, (done.stdout + done.stderr).decode()
    told: dict[str, Any] = json.loads(done.stdout.decode("utf-8"))
    return told


@pytest.fixture
def ordinary() -> dict[str, Any]:
    """For subprocess.run: rights as an ordinary user has them, whom a folder's modes bind."""
    if os.geteuid():
        return {}
    return {"user": NOBODY, "group": NOBODY, "extra_groups": []}


@pytest.fixture(scope="module")
def place() -> Iterator[Path]:
    """A folder that every user can reach, which pytest's own is not."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    yield folder
    for inner, _, _ in os.walk(folder):
        os.chmod(inner, 0o755)
    shutil.rmtree(folder)


@pytest.fixture(scope="module")
def copied(frozen: Any, place: Path) -> Path:
    """The program in a copy of the app that has no writable file or folder."""
    source = frozen.program.parents[2] if sys.platform == "darwin" else frozen.program.parent
    copy = place / source.name
    shutil.copytree(source, copy, symlinks=True)
    subprocess.run(["chmod", "-R", "a-w", str(copy)], check=True)
    return copy / frozen.program.relative_to(source)


def test_a_copy_that_nobody_can_write_to_chats(
    copied: Path, place: Path, ordinary: dict[str, Any]
) -> None:
    trying = ["sh", "-c", ': > "$1/new"', "sh", str(copied.parent)]
    tried = subprocess.run(trying, check=False, capture_output=True, **ordinary)
    assert tried.returncode != 0, "the copy can be written to, so nothing would be shown"
    home = place / "writable"
    home.mkdir()
    home.chmod(0o777)
    before = sorted(copied.parent.rglob("*"))
    done = start(copied, home, "--smoke-test", capture_output=True, **ordinary)
    assert outcome(done)["answer"]
    assert sorted(copied.parent.rglob("*")) == before


def test_it_chats_without_streams(frozen: Any, tmp_path: Path) -> None:
    home = tmp_path / "kept"
    closed = ["-c", 'exec "$0" "$@" <&- >&- 2>&-', str(frozen.program), "--smoke-test"]
    done = start(Path("/bin/sh"), tmp_path, *closed, env={"MAMBA_CHAT_HOME": str(home)})
    assert done.returncode == 0
    assert (home / "chats.sqlite").stat().st_size > 0


def test_it_fails_without_streams_too(frozen: Any, tmp_path: Path) -> None:
    home = tmp_path / "kept"
    home.write_text("a file where the folder should be")
    closed = ["-c", 'exec "$0" "$@" <&- >&- 2>&-', str(frozen.program), "--smoke-test"]
    done = start(Path("/bin/sh"), tmp_path, *closed, env={"MAMBA_CHAT_HOME": str(home)})
    assert done.returncode == 1


def test_it_chats_in_the_plainest_locale_with_a_home_of_other_letters(
    frozen: Any, tmp_path: Path
) -> None:
    user = tmp_path / "山田 太郎"
    kept = user / "書類"
    user.mkdir()
    env = {"LC_ALL": "C", "MAMBA_CHAT_HOME": str(kept)}
    done = start(frozen.program, user, "--smoke-test", env=env, capture_output=True)
    assert outcome(done)["answer"]
    assert (kept / "chats.sqlite").is_file()


@pytest.mark.parametrize("blocked", [".", "Library/Application Support"])
def test_a_home_that_cannot_be_written_gets_one_sentence(
    copied: Path, place: Path, ordinary: dict[str, Any], blocked: str
) -> None:
    if sys.platform != "darwin" and blocked != ".":
        pytest.skip("a Mac's logs and chats lie apart; elsewhere one holds the other")
    home = place / blocked / "home"
    (home / blocked).mkdir(parents=True)
    (home / blocked).chmod(0o555)
    utf8 = {"LC_ALL": "C.UTF-8"}  # in another locale Qt has something to say too
    done = start(copied, home, env=utf8, capture_output=True, **ordinary)
    said = done.stderr.decode("utf-8")
    assert done.returncode == 1, said
    assert "cannot be written (Permission denied)" in said
    assert said.count("\n") == 1
    assert "Traceback" not in said


def test_a_second_start_over_the_same_home_leaves_with_status_3(
    frozen: Any, tmp_path: Path
) -> None:
    env = {"LC_ALL": "C.UTF-8", "MAMBA_CHAT_HOME": str(tmp_path)}
    with (tmp_path / "open.lock").open("a") as first:
        fcntl.flock(first, fcntl.LOCK_EX)
        done = start(frozen.program, tmp_path, env=env, capture_output=True)
    assert done.returncode == 3
    assert done.stderr == b"Mamba Chat is already open.\n"
    assert not (tmp_path / "chats.sqlite").exists()


def test_it_says_what_its_kernels_are_worth(frozen: Any, root: Path, tmp_path: Path) -> None:
    told = outcome(start(frozen.program, tmp_path, "--smoke-test", capture_output=True))
    assert set(told["kernels"]) == {file.stem for file in (root / "metal").glob("*.metal")}
    assert max(told["kernels"].values()) < 1e-4
    assert told["first_paint_s"] > 0
