"""The models folder can be moved and its disk taken away: no model is ever lost by that."""

from __future__ import annotations

import json
import os
import shutil
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from engine import library, library_places, paths
from engine.__main__ import main
from engine.api import Machine
from engine.errors import EngineError
from engine.library_move import SUBFOLDER, move_models
from engine.session import Session

TinyFolder = Callable[..., Path]
MACHINE = Machine(backend="CPU", device="test", memory_bytes=10**10, limit_bytes=7 * 10**9)


def listed() -> list[str]:
    """The names of what there is besides the starters."""
    found = library.installed(MACHINE)
    assert [info.name for info in found[:2]] == ["starter-12m", "starter-3m"]
    return [info.name for info in found[2:]]


@pytest.fixture
def full(models: Path, tiny_folder: TinyFolder) -> Path:
    """The models folder with a model in it."""
    shutil.copytree(tiny_folder(), models / "owner" / "name")
    return models


def test_the_models_folder_follows_what_was_chosen_and_the_environment_before_that(
    full: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    new = tmp_path / "elsewhere"
    assert move_models(new) == paths.models() == new
    assert library.find("owner/name") == new / "owner" / "name"
    assert library.installed(MACHINE)[2].owned
    assert library.copy_of(new / "owner" / "name", 4) == new / "owner" / "name-4bit"
    monkeypatch.setenv("MAMBA_CHAT_MODELS", str(tmp_path / "forced"))
    assert paths.models() == tmp_path / "forced"
    assert not listed()
    with pytest.raises(EngineError, match="MAMBA_CHAT_MODELS should be unset"):
        move_models(tmp_path / "third")


def test_moving_back_makes_the_apps_own_folder_the_models_folder_again(
    full: Path, tmp_path: Path
) -> None:
    move_models(tmp_path / "elsewhere")
    assert move_models(full) == full
    assert library_places.places() == library_places.Places()
    assert listed() == ["owner/name"]


def test_a_folder_that_holds_other_things_gets_one_of_ours(full: Path, tmp_path: Path) -> None:
    used = tmp_path / "Documents"
    (used / "letters").mkdir(parents=True)
    assert move_models(used) == used / SUBFOLDER
    assert listed() == ["owner/name"]
    assert move_models(used) == used / SUBFOLDER  # it is there already
    assert move_models(used / SUBFOLDER) == used / SUBFOLDER
    assert [entry.name for entry in used.iterdir() if entry.name != SUBFOLDER] == ["letters"]


def test_a_disk_as_a_whole_gets_a_folder_of_ours(
    full: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    volume = tmp_path / "Archive"
    volume.mkdir()
    monkeypatch.setattr(os.path, "ismount", lambda path: str(path) in (str(volume), "/"))
    assert move_models(volume) == volume / SUBFOLDER
    assert library_places.places().volume == volume


def test_a_folder_with_nothing_but_models_is_used_as_it_is(
    full: Path, tmp_path: Path, tiny_folder: TinyFolder
) -> None:
    earlier = tmp_path / "earlier"
    shutil.copytree(tiny_folder(name="again"), earlier / "other" / "one")
    (earlier / ".DS_Store").write_text("")
    assert move_models(earlier) == earlier
    assert listed() == ["other/one", "owner/name"]


def test_a_folder_inside_the_models_folder_is_refused(full: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(full / "owner")
    for inside in (full / "owner", full / "new", tmp_path / "link" / "new", full / "owner/name"):
        with pytest.raises(EngineError) as caught:
            move_models(inside)
        assert caught.value.code == "inside_models"
    assert paths.models() == full
    assert listed() == ["owner/name"]


def test_the_same_folder_by_another_name_is_no_move(full: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(full)
    assert move_models(tmp_path / "link") == full
    assert move_models(f"{full}/../models") == full
    assert listed() == ["owner/name"]


def test_the_models_folder_may_move_into_the_folder_around_it(full: Path, tmp_path: Path) -> None:
    (tmp_path / "around").mkdir()
    move_models(tmp_path / "around" / "models")
    assert move_models(tmp_path / "around") == tmp_path / "around" / SUBFOLDER
    assert listed() == ["owner/name"]
    assert not (tmp_path / "around" / "models").exists()


def test_a_place_that_cannot_be_written_is_told(full: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for wrong in (tmp_path / "file", tmp_path / "no" / "such" / "folder", tmp_path / "a\0b"):
        with pytest.raises(EngineError) as caught:
            move_models(wrong)
        assert caught.value.code == "unwritable"
    assert paths.models() == full
    assert listed() == ["owner/name"]
    assert not (tmp_path / "no").exists()


def test_without_models_only_the_place_is_chosen(home: Path, tmp_path: Path) -> None:
    assert move_models(tmp_path / "new") == paths.models()
    assert (tmp_path / "new").is_dir()
    assert not listed()


@pytest.fixture
def archive(full: Path, tmp_path: Path) -> Path:
    """A disk that the models folder was moved to."""
    disk = tmp_path / "Archive"
    disk.mkdir()
    move_models(disk / "Models")
    return disk


def test_a_disk_that_is_taken_away_takes_its_models_and_brings_them_back(
    archive: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    archive.rename(tmp_path / "away")
    assert not listed()
    for ask in (library.check_connected, library.free_bytes):
        with pytest.raises(EngineError) as caught:
            ask()
        assert caught.value.code == "folder_gone"
        assert caught.value.values["path"] == str(archive / "Models")
    assert library.used_bytes() == 0
    assert main(["models"]) == 2
    out, err = capsys.readouterr()
    assert "starter-12m" in out
    assert "on a disk that is not connected" in err
    assert not archive.exists()
    (tmp_path / "away").rename(archive)
    library.check_connected()
    assert listed() == ["owner/name"]
    assert library.used_bytes() > 0
    assert library.free_bytes() > 0


def test_a_place_where_no_disk_is_mounted_any_more_is_told_from_a_deleted_folder(
    archive: Path,
) -> None:
    shutil.rmtree(archive / "Models")
    library.check_connected()  # the disk is there
    choice = json.loads(library_places.file().read_text())
    choice["volume"] = str(archive)  # as if a disk had been mounted here
    library_places.file().write_text(json.dumps(choice))
    with pytest.raises(EngineError, match="not connected"):
        library.check_connected()


def test_nothing_is_written_where_the_disk_was(archive: Path, tmp_path: Path) -> None:
    archive.rename(tmp_path / "away")
    session = Session()
    with pytest.raises(EngineError) as caught:
        session.load(
            library.find("starter-3m"),
            on_progress=lambda _: None,
            stopped=threading.Event(),
            keep=4,
        )
    assert caught.value.code == "folder_gone"
    assert not archive.exists()


def test_while_the_disk_is_away_another_folder_can_be_chosen(archive: Path, tmp_path: Path) -> None:
    away = archive.rename(tmp_path / "away")
    move_models(tmp_path / "new")
    library.check_connected()
    assert not listed()
    assert move_models(away / "Models") == away / "Models"  # the disk, under another name
    assert listed() == ["owner/name"]


def test_a_models_folder_that_is_a_link_to_a_lost_disk_is_gone(full: Path, tmp_path: Path) -> None:
    shutil.move(full, tmp_path / "disk")
    full.symlink_to(tmp_path / "disk")
    assert listed() == ["owner/name"]
    (tmp_path / "disk").rename(tmp_path / "away")
    assert not listed()
    with pytest.raises(EngineError, match="not connected"):
        library.check_connected()
