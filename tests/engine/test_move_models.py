"""Moving the models folder: all of it or nothing, on one disk or to another, stopped or killed."""

from __future__ import annotations

import errno
import os
import resource
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from folder_damage import as_a_stranger

from engine import disk, library, paths
from engine.api import Machine
from engine.errors import EngineError, Stopped
from engine.library_move import move_models

MACHINE = Machine(backend="CPU", device="test", memory_bytes=10**10, limit_bytes=7 * 10**9)
PARTIAL = Path(".downloads", "owner--next", "model.safetensors.part")
Tree = dict[str, bytes]


def tree(folder: Path) -> Tree:
    """Every file below the folder, with what it holds."""
    return {
        file.relative_to(folder).as_posix(): file.read_bytes()
        for file in folder.rglob("*")
        if file.is_file()
    }


def listed() -> list[str]:
    """The names of what there is besides the starters."""
    return [info.name for info in library.installed(MACHINE)[2:]]


@pytest.fixture
def held(models: Path, tiny_folder: Callable[..., Path]) -> Tree:
    """What is in the models folder: two models and an unfinished download."""
    tiny = tiny_folder()
    for name in ("owner/name", "山 空白"):
        shutil.copytree(tiny, models / name)
    (models / PARTIAL).parent.mkdir(parents=True)
    (models / PARTIAL).write_bytes(b"half" * 1000)
    return tree(models)


@pytest.fixture(params=["one file system", "without hard links", "another disk"])
def new(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Path]:
    """Where the models are to go."""
    if request.param == "without hard links":
        monkeypatch.setattr(os, "link", _no_link)
    if request.param != "another disk":
        yield tmp_path / "new"
        return
    other = Path("/dev/shm")
    if not other.is_dir() or other.stat().st_dev == tmp_path.stat().st_dev:
        pytest.skip("there is one disk here")
    folder = other / f"mamba-chat-{os.getpid()}"
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


def _no_link(*_: object) -> None:
    raise OSError(errno.EPERM, "Operation not permitted")


def check_untouched(held: Tree, new: Path) -> None:
    """The old folder is whole and in use, and nothing is left of the new one."""
    assert paths.models() == paths.home() / "models"
    assert tree(paths.models()) == held
    assert listed() == ["owner/name", "山 空白"]
    assert not new.exists()


def test_all_models_and_unfinished_downloads_are_moved(held: Tree, models: Path, new: Path) -> None:
    heard: list[float] = []
    assert move_models(new, on_progress=heard.append) == new
    assert paths.models() == new
    assert tree(new) == held
    assert listed() == ["owner/name", "山 空白"]
    assert not models.exists()
    assert heard == sorted(heard)
    assert heard[-1] == 1


def test_on_one_file_system_no_byte_is_copied(held: Tree, models: Path, tmp_path: Path) -> None:
    before = {name: (models / name).stat().st_ino for name in held}
    move_models(tmp_path / "new")
    assert {name: (tmp_path / "new" / name).stat().st_ino for name in held} == before


def test_what_is_no_model_stays(held: Tree, models: Path, new: Path) -> None:
    (models / "notes.txt").write_text("mine")
    (models / ".hidden").mkdir()
    (models / ".hidden" / "file").write_text("mine")
    move_models(new)
    assert tree(new) == held
    assert tree(models) == {"notes.txt": b"mine", ".hidden/file": b"mine"}


def test_a_stopped_move_changes_nothing(held: Tree, new: Path) -> None:
    stopped = threading.Event()

    def stop_half_way(done: float) -> None:
        if done > 0.5:
            stopped.set()

    with pytest.raises(Stopped):
        move_models(new, on_progress=stop_half_way, stopped=stopped)
    check_untouched(held, new)
    assert move_models(new) == new
    assert tree(new) == held


def test_a_disk_without_room_is_told_before_anything_is_copied(
    held: Tree, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "link", _no_link)
    monkeypatch.setattr(disk, "free_bytes", lambda folder: 1000)
    heard: list[float] = []
    with pytest.raises(EngineError) as caught:
        move_models(tmp_path / "new", on_progress=heard.append)
    assert caught.value.code == "disk_full"
    assert caught.value.values["needed"] == sum(map(len, held.values())) - 1000
    assert not heard
    check_untouched(held, tmp_path / "new")


@pytest.mark.parametrize(
    ("fault", "code"), [(errno.ENOSPC, "disk_full"), (errno.EIO, "unwritable")]
)
def test_a_disk_that_fails_on_the_way_changes_nothing(
    held: Tree, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: int, code: str
) -> None:
    calls = iter(range(100))

    def fail(handle: int) -> None:
        if next(calls) == 5:
            raise OSError(fault, os.strerror(fault))

    monkeypatch.setattr(os, "link", _no_link)
    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(EngineError) as caught:
        move_models(tmp_path / "new")
    assert caught.value.code == code
    check_untouched(held, tmp_path / "new")


def test_a_file_that_changes_while_it_is_copied_stops_the_move(
    held: Tree, models: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def write_on(done: float) -> None:
        with (models / PARTIAL).open("ab") as file:
            file.write(b"more")

    monkeypatch.setattr(os, "link", _no_link)
    with pytest.raises(EngineError, match="changed while it was moved"):
        move_models(tmp_path / "new", on_progress=write_on)
    assert paths.models() == models
    assert not (tmp_path / "new").exists()


def test_a_disk_that_takes_no_file_so_large_changes_nothing(
    held: Tree, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "link", _no_link)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, hard))
    try:
        with pytest.raises(EngineError) as caught:
            move_models(tmp_path / "new")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert caught.value.code == "unwritable"
    assert "File too large" in str(caught.value)
    check_untouched(held, tmp_path / "new")


@pytest.mark.parametrize("locked", ["the new place", "a model"])
def test_what_may_not_be_written_or_read_is_told(
    held: Tree, monkeypatch: pytest.MonkeyPatch, locked: str
) -> None:
    with as_a_stranger() as home:
        monkeypatch.setenv("MAMBA_CHAT_HOME", str(home))
        for name, content in held.items():
            (paths.models() / name).parent.mkdir(parents=True, exist_ok=True)
            (paths.models() / name).write_bytes(content)
        (home / "disk").mkdir()
        (home / "disk" if locked == "the new place" else paths.models() / "山 空白").chmod(0o555)
        if locked == "a model":
            (paths.models() / "山 空白").chmod(0)
        with pytest.raises(EngineError) as caught:
            move_models(home / "disk")
        assert caught.value.code == ("unwritable" if locked == "the new place" else "unreadable")
        assert paths.models() == home / "models"
        assert not list((home / "disk").iterdir())
        (home / "disk").chmod(0o755)
        (paths.models() / "山 空白").chmod(0o755)
        assert tree(paths.models()) == held


def test_a_name_that_another_model_has_there_is_refused(
    held: Tree, models: Path, new: Path
) -> None:
    shutil.copytree(models / "owner", new / "owner")
    (new / "owner" / "name" / "config.json").write_text("{}")
    before = tree(new)
    with pytest.raises(EngineError) as caught:
        move_models(new)
    assert caught.value.code == "exists"
    assert tree(new) == before
    assert tree(models) == held


def test_what_is_there_already_to_the_last_byte_is_no_obstacle(
    held: Tree, models: Path, new: Path
) -> None:
    shutil.copytree(models / "owner", new / "owner")
    assert move_models(new) == new
    assert tree(new) == held
    assert not models.exists()


def test_links_lead_where_they_led(held: Tree, models: Path, tmp_path: Path, new: Path) -> None:
    shutil.copytree(models / "owner" / "name", tmp_path / "outside" / "one")
    (models / "absolute").symlink_to(models / "owner" / "name")
    (models / "beside").symlink_to("owner/name")
    (models / "dangling").symlink_to(tmp_path / "nowhere")
    (models / "relative").symlink_to(Path("..", "..", "outside"))
    (models / "owner" / "name" / "words").symlink_to("tokenizer.json")
    before = listed()
    assert "relative/one" in before
    move_models(new)
    assert listed() == before
    assert (new / "absolute").resolve() == (new / "beside").resolve() == new / "owner" / "name"
    assert (new / "relative" / "one" / "config.json").is_file()
    assert (new / "owner" / "name" / "words").is_file()
    assert (tmp_path / "outside" / "one" / "config.json").is_file()
    assert not models.exists()


KILLED = """
import os, signal, sys
from engine import library_move

def die(*_):
    os.kill(os.getpid(), signal.SIGKILL)

def half_way(done):
    if done > 0.5 and sys.argv[2] == "half":
        die()

if sys.argv[2] == "switched":
    library_move._clear = die
library_move.move_models(sys.argv[1], on_progress=half_way)
"""


@pytest.mark.parametrize("when", ["half", "switched"])
def test_a_move_that_is_killed_loses_nothing_and_can_be_made_again(
    held: Tree, models: Path, tmp_path: Path, when: str
) -> None:
    new = tmp_path / "new"
    root = Path(__file__).resolve().parents[2]
    run = subprocess.run([sys.executable, "-c", KILLED, str(new), when], cwd=root, timeout=60)
    assert run.returncode == -signal.SIGKILL
    assert paths.models() == (models if when == "half" else new)
    assert tree(paths.models()) == held
    assert listed() == ["owner/name", "山 空白"]
    assert move_models(new) == new
    assert tree(new) == held
