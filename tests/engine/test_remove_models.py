"""What is removed goes to the Trash, and nothing else does."""

from __future__ import annotations

import json
import shutil
import unicodedata
from collections.abc import Callable
from pathlib import Path

import pytest
from folder_damage import as_a_stranger

from engine import library, paths
from engine.__main__ import main
from engine.api import Machine
from engine.errors import EngineError
from engine.library_changes import remove

TinyFolder = Callable[..., Path]
MACHINE = Machine(backend="CPU", device="test", memory_bytes=10**10, limit_bytes=7 * 10**9)


def listed() -> list[str]:
    """The names of what there is besides the starters."""
    return [info.name for info in library.installed(MACHINE)[2:]]


@pytest.fixture
def install(tiny_folder: TinyFolder, models: Path, trash: Path) -> Callable[[str], Path]:
    """`install(name) -> Path` puts a model among the app's."""
    tiny = tiny_folder()
    return lambda name: Path(shutil.copytree(tiny, models / name))


def test_a_removed_model_is_in_the_trash_and_no_longer_listed(
    install: Callable[[str], Path], models: Path, trash: Path
) -> None:
    folder = install("owner/name")
    install("other/name")
    held = {file.name: file.read_bytes() for file in folder.iterdir()}
    size = sum(len(content) for content in held.values())
    assert library.used_bytes() == 2 * size
    assert remove("owner/name") == size
    assert listed() == ["other/name"]
    assert library.used_bytes() == size
    assert {file.name: file.read_bytes() for file in (trash / "name").iterdir()} == held
    assert [entry.name for entry in models.iterdir()] == ["other"]  # no empty owner stays


def test_what_else_is_in_the_owners_folder_stays(
    install: Callable[[str], Path], models: Path
) -> None:
    install("owner/one")
    folder = install("owner/two")
    remove("owner/one")
    assert listed() == ["owner/two"]
    (models / "owner" / ".DS_Store").write_text("")  # the Finder's, which is nothing
    remove(folder)
    assert not list(models.iterdir())
    install("owner/three")
    (models / "owner" / "notes.txt").write_text("mine")
    remove("owner/three")
    assert (models / "owner" / "notes.txt").is_file()


@pytest.mark.parametrize(
    "name",
    [
        "山/空 白",
        unicodedata.normalize("NFC", "ガ é/ü"),
        unicodedata.normalize("NFD", "ガ é/ü"),
        'a\'b "c" %41/-rf',
        "x" * 200,
        "dotted.name.v0.1",
    ],
)
def test_a_model_of_any_name_is_removed(
    install: Callable[[str], Path], trash: Path, name: str
) -> None:
    install(name)
    install("kept")
    assert remove(name) > 0
    assert listed() == ["kept"]
    assert (trash / Path(name).name / "config.json").is_file()


def test_two_names_that_differ_in_their_accents_only_are_not_mixed_up(
    install: Callable[[str], Path],
) -> None:
    composed, decomposed = (unicodedata.normalize(form, "é") for form in ("NFC", "NFD"))
    if install(composed) and (paths.models() / decomposed).exists():
        pytest.skip("here both are one name")
    install(decomposed)
    remove(decomposed)
    assert listed() == [composed]
    remove(decomposed)  # now there is but one that can be meant
    assert not listed()


def test_removing_putting_back_and_removing_again_works(
    install: Callable[[str], Path], trash: Path
) -> None:
    for _ in range(3):
        install("owner/name")
        assert listed() == ["owner/name"]
        assert remove("owner/name") > 0
        assert not listed()
    assert len(list(trash.iterdir())) == 3
    shutil.move(trash / "name", paths.models() / "name")
    assert listed() == ["name"]


def test_a_broken_model_is_removed_like_any_other(
    install: Callable[[str], Path], models: Path
) -> None:
    (install("short") / "model.safetensors").write_bytes(b"x")
    (models / "empty").mkdir()
    assert listed() == ["empty", "short"]
    remove("short")
    assert remove("empty") == 0
    assert not listed()


def test_of_a_link_only_the_link_goes(
    install: Callable[[str], Path], tmp_path: Path, models: Path, trash: Path
) -> None:
    elsewhere = shutil.move(install("name"), tmp_path / "elsewhere")
    (models / "linked").symlink_to(elsewhere)
    (models / "dangling").symlink_to(models / "nowhere")
    assert listed() == ["dangling", "linked"]
    assert library.used_bytes() == 0
    assert (remove("linked"), remove("dangling")) == (0, 0)
    assert not listed()
    assert (elsewhere / "config.json").is_file()
    assert not trash.exists()


def test_links_within_a_model_go_and_what_they_lead_to_stays(
    install: Callable[[str], Path], tmp_path: Path
) -> None:
    folder = install("name")
    shutil.move(folder / "model.safetensors", tmp_path / "weights")
    (folder / "model.safetensors").symlink_to(tmp_path / "weights")
    (folder / "gone").symlink_to("nowhere")
    used = library.used_bytes()
    assert used < (tmp_path / "weights").stat().st_size
    assert remove("name") == used
    assert (tmp_path / "weights").is_file()


@pytest.mark.parametrize("locked", ["the model", "the folder around it"])
def test_a_model_that_may_not_be_moved_stays_and_that_is_told(
    tiny_folder: TinyFolder, trash: Path, monkeypatch: pytest.MonkeyPatch, locked: str
) -> None:
    tiny = tiny_folder()
    held = {file.name: file.read_bytes() for file in tiny.iterdir()}
    with as_a_stranger() as home:
        monkeypatch.setenv("MAMBA_CHAT_HOME", str(home))
        monkeypatch.setenv("HOME", str(home))
        monkeypatch.setenv("XDG_DATA_HOME", str(home / "data"))  # a Trash of the stranger's
        for model in ("owner/name", "free"):
            folder = paths.models() / model
            folder.mkdir(parents=True)
            for name, content in held.items():
                (folder / name).write_bytes(content)
        folder = paths.models() / "owner" / "name"
        (folder if locked == "the model" else folder.parent).chmod(0o555)
        assert remove("free") > 0
        with pytest.raises(EngineError) as caught:
            remove("owner/name")
        assert caught.value.code == "no_trash"
        assert "ermission denied" in str(caught.value)
        assert listed() == ["owner/name"]
        assert {file.name: file.read_bytes() for file in folder.iterdir()} == held


def test_the_starters_stay(models: Path) -> None:
    for name in ("starter-3m", library.find("starter-3m")):
        with pytest.raises(EngineError) as caught:
            remove(name)
        assert caught.value.code == "bundled"
    assert (library.find("starter-3m") / "config.json").is_file()


def test_what_is_not_installed_is_not_removed(
    tiny_folder: TinyFolder, models: Path, tmp_path: Path, trash: Path
) -> None:
    folder = tiny_folder()
    shutil.copytree(folder, models / "owner" / "name")
    outside = (folder, models, models / "owner", models / "owner" / "name" / "config.json")
    for given in (*outside, tmp_path, "", "..", "owner", "no-such-model", "a\0b"):
        with pytest.raises(EngineError) as caught:
            remove(given)
        assert caught.value.code == "not_found"
    assert listed() == ["owner/name"]
    assert not trash.exists()


def test_the_command_line_tells_what_was_freed(
    install: Callable[[str], Path], capsys: pytest.CaptureFixture[str]
) -> None:
    install("owner/name")
    size = library.used_bytes()
    assert main(["remove", "owner/name", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"name": "owner/name", "freed_bytes": size}
    assert main(["remove", "owner/name"]) == 2
    assert "There is no model at owner/name" in capsys.readouterr().err
    install("owner/name")
    assert main(["remove", "owner/name"]) == 0
    assert capsys.readouterr().out == f"owner/name: {size / 1e6:,.1f} MB freed\n"
