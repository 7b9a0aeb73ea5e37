"""Folders of the user's own, listed where they are: never copied, never deleted."""

from __future__ import annotations

import errno
import json
import os
import shutil
import unicodedata
from collections.abc import Callable
from pathlib import Path

import pytest

from engine import library, library_changes, library_places
from engine.api import Machine
from engine.errors import EngineError
from engine.library_changes import import_folder, remove

TinyFolder = Callable[..., Path]
MACHINE = Machine(backend="CPU", device="test", memory_bytes=10**10, limit_bytes=7 * 10**9)


def listed() -> list[str]:
    """The names of what there is besides the starters."""
    return [info.name for info in library.installed(MACHINE)[2:]]


def test_an_imported_folder_is_listed_under_its_name_and_used_in_place(
    tiny_folder: TinyFolder, models: Path
) -> None:
    folder = tiny_folder(name="山 空白")
    info = import_folder(folder, MACHINE)
    assert (info.name, info.folder, info.owned) == ("山 空白", folder, False)
    assert library.installed(MACHINE)[2:] == [info]
    assert library.find("山 空白") == folder
    assert library.describe(folder, MACHINE) == info
    assert not list(models.iterdir())
    assert library.used_bytes() == 0


def test_a_file_in_the_folder_or_a_folder_around_it_means_the_model(
    tiny_folder: TinyFolder,
) -> None:
    folder = tiny_folder(name="around/owner/model")
    (folder.parent / "notes.txt").write_text("")
    for path in (folder / "config.json", folder.parent, folder.parent.parent, folder):
        assert import_folder(str(path)).folder == folder
    assert listed() == ["model"]


def test_of_several_models_in_a_folder_one_must_be_chosen(tiny_folder: TinyFolder) -> None:
    around = tiny_folder(name="around/one").parent
    tiny_folder(name="around/two")
    with pytest.raises(EngineError) as caught:
        import_folder(around)
    assert caught.value.code == "several_models"
    assert caught.value.values["found"] == 2
    assert not listed()


def test_what_cannot_be_loaded_is_told_and_not_remembered(
    tiny_folder: TinyFolder, tmp_path: Path
) -> None:
    broken = tiny_folder(name="broken")
    (broken / "tokenizer.json").unlink()
    (tmp_path / "empty").mkdir()
    (tmp_path / "model.gguf").write_text("")
    told = {
        "broken": "missing_file",
        "empty": "empty_folder",
        "nowhere": "not_found",
        "model.gguf": "unsupported_format",
        "a\0b": "unreadable",
    }
    for name, code in told.items():
        with pytest.raises(EngineError) as caught:
            import_folder(tmp_path / name)
        assert caught.value.code == code
    assert not listed()


def test_folders_of_one_name_are_told_apart_and_keep_their_names(
    tiny_folder: TinyFolder, models: Path
) -> None:
    shutil.copytree(tiny_folder(name="tiny"), models / "tiny")
    first, second = tiny_folder(name="a/tiny"), tiny_folder(name="b/tiny")
    assert import_folder(first).name == "tiny (2)"
    assert import_folder(second).name == "tiny (3)"
    assert listed() == ["tiny", "tiny (2)", "tiny (3)"]
    remove("tiny (2)")
    assert library.find("tiny (3)") == second
    assert library.describe(second).name == "tiny (3)"


def test_a_model_installed_later_under_its_name_hides_no_imported_one(
    tiny_folder: TinyFolder, models: Path
) -> None:
    folder = tiny_folder(name="tiny")
    import_folder(folder)
    shutil.copytree(folder, models / "tiny")
    found = {info.name: info.folder for info in library.installed(MACHINE)[2:]}
    assert found == {"tiny": models / "tiny", "tiny (2)": folder}


def test_what_is_installed_already_is_not_imported_again(
    tiny_folder: TinyFolder, models: Path
) -> None:
    shutil.copytree(tiny_folder(), models / "owner" / "name")
    assert import_folder(models / "owner" / "name").owned
    (models.parent / "link").symlink_to(models / "owner")
    assert import_folder(models.parent / "link" / "name").name == "owner/name"
    assert import_folder(library.find("starter-3m")).bundled
    assert listed() == ["owner/name"]


def test_forgetting_an_imported_model_deletes_nothing(tiny_folder: TinyFolder, trash: Path) -> None:
    folder = tiny_folder()
    before = sorted(folder.iterdir())
    import_folder(folder)
    assert remove("tiny") == 0
    assert not listed()
    assert sorted(folder.iterdir()) == before
    assert not trash.exists()
    import_folder(folder)
    remove(folder)
    assert not listed()


def test_an_imported_folder_that_is_gone_is_listed_with_that_and_can_be_forgotten(
    tiny_folder: TinyFolder,
) -> None:
    folder = tiny_folder()
    import_folder(folder)
    away = folder.rename(folder.with_name("away"))
    (info,) = library.installed(MACHINE)[2:]
    assert info.name == "tiny"
    assert "There is no model at" in info.problem
    assert not info.owned
    away.rename(folder)
    assert not library.installed(MACHINE)[2].problem
    folder.rename(away)
    remove("tiny")
    assert not listed()


def test_a_model_is_found_however_its_accents_are_written(tiny_folder: TinyFolder) -> None:
    decomposed = unicodedata.normalize("NFD", "ガ é")
    folder = tiny_folder(name=decomposed)
    import_folder(folder)
    assert library.find(unicodedata.normalize("NFC", decomposed)) == folder


def test_a_damaged_list_of_folders_is_read_as_far_as_it_can_be(tiny_folder: TinyFolder) -> None:
    folder = tiny_folder()
    import_folder(folder)
    file = library_places.file()
    good = json.loads(file.read_text())["imported"][0]
    odd = [None, 3, {}, {"folder": "relative"}, {"folder": "/a\0b"}, {"name": 3, **good}]
    file.write_text(json.dumps({"models": ["/"], "share_cache": "yes", "imported": [*odd, good]}))
    assert [folder.name for _, folder in library_places.places().imported] == ["tiny", "tiny"]
    assert library_places.places().chosen is None
    assert library_places.places().share_cache


@pytest.mark.parametrize("damage", [b"", b"{", b"[]", b"\xff\xfe", b"[" * 100_000])
def test_an_unreadable_file_of_choices_is_set_aside(home: Path, damage: bytes) -> None:
    home.mkdir()
    library_places.file().write_bytes(damage)
    assert library_places.places() == library_places.Places()
    assert not library_places.file().exists()
    (aside,) = home.glob("library-unreadable-*.json")
    assert aside.read_bytes() == damage
    library_changes.share_cache(False)
    assert not library_places.places().share_cache


def test_a_choice_is_kept_as_a_new_file_or_not_at_all(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    library_changes.share_cache(False)
    before = library_places.file().read_bytes()
    os.link(library_places.file(), home / "earlier.json")
    library_changes.share_cache(True)
    assert (home / "earlier.json").read_bytes() == before

    def fail(handle: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(EngineError, match="No space left"):
        library_changes.share_cache(False)
    assert library_places.places().share_cache
    assert not list(home.glob(".library.json*"))


def test_a_choice_that_cannot_be_kept_is_told_and_changes_nothing(home: Path) -> None:
    home.write_text("")
    with pytest.raises(EngineError) as caught:
        library_changes.share_cache(False)
    assert caught.value.code == "unwritable"
    assert library_places.places().share_cache
