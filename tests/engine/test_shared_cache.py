"""The Hugging Face cache, read in place: what is listed of it, and that nothing is written."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from engine import library, library_changes
from engine.api import Machine
from engine.errors import EngineError
from engine.shared_cache import cache_folder, cached_models

AddModel = Callable[..., Path]
MACHINE = Machine(backend="CPU", device="test", memory_bytes=10**10, limit_bytes=7 * 10**9)
OLD, NEW = "a" * 40, "b" * 40


@pytest.fixture
def add(tiny_folder: Callable[..., Path]) -> AddModel:
    """`add(name, commit, main=…, without=…) -> Path` puts a model into the cache as the Hub's
    tools do, and gives its snapshot."""
    tiny = tiny_folder()

    def put(name: str, commit: str = NEW, main: str = NEW, without: str = "") -> Path:
        repository = cache_folder() / f"models--{name.replace('/', '--')}"
        snapshot = repository / "snapshots" / commit
        snapshot.mkdir(parents=True)
        (repository / "blobs").mkdir(exist_ok=True)
        for file in tiny.iterdir():
            blob = f"{commit[:4]}-{file.stem}"  # the Hub's are named by their hash
            (snapshot / file.name).symlink_to(Path("..", "..", "blobs", blob))
            if file.name != without:
                shutil.copyfile(file, repository / "blobs" / blob)
        (repository / "refs").mkdir(exist_ok=True)
        (repository / "refs" / "main").write_text(main)
        return snapshot

    return put


def listed() -> dict[str, Path]:
    """What there is besides the starters."""
    return {info.name: info.folder for info in library.installed(MACHINE)[2:]}


def test_a_model_of_the_cache_is_listed_by_its_repository_and_is_not_ours(add: AddModel) -> None:
    snapshot = add("state-spaces/mamba-130m-hf")
    (info,) = library.installed(MACHINE)[2:]
    assert (info.name, info.folder) == ("state-spaces/mamba-130m-hf", snapshot)
    assert not info.owned
    assert not info.problem
    assert info.disk_bytes == sum(file.stat().st_size for file in snapshot.iterdir())
    assert library.find("state-spaces/mamba-130m-hf") == snapshot
    assert library.describe(snapshot, MACHINE) == info


def test_of_several_snapshots_the_one_that_main_names_is_listed(add: AddModel) -> None:
    old = add("owner/mamba", OLD, main=OLD)
    add("owner/mamba", NEW, main=OLD)
    assert listed() == {"owner/mamba": old}


@pytest.mark.parametrize("lacking", ["model.safetensors", "config.json"])
def test_an_incomplete_snapshot_gives_way_to_a_whole_one_and_alone_is_not_listed(
    add: AddModel, lacking: str
) -> None:
    add("owner/only", NEW, without=lacking)
    old = add("owner/mamba", OLD)
    add("owner/mamba", NEW, without=lacking)
    assert listed() == {"owner/mamba": old}


def test_without_a_main_the_newest_snapshot_is_listed(add: AddModel) -> None:
    old, new = add("owner/mamba", OLD), add("owner/mamba", NEW)
    shutil.rmtree(cache_folder() / "models--owner--mamba" / "refs")
    os.utime(old, (1, 1))
    assert listed() == {"owner/mamba": new}
    os.utime(new, (0, 0))
    assert listed() == {"owner/mamba": old}


@pytest.mark.parametrize("main", ["../../../outside", "..", "", "\udcff", "x" * 5000])
def test_a_reference_that_is_no_commit_leads_nowhere(add: AddModel, main: str) -> None:
    snapshot = add("owner/mamba")
    shutil.copytree(snapshot, cache_folder().parent / "outside")
    reference = cache_folder() / "models--owner--mamba" / "refs" / "main"
    reference.write_bytes(main.encode(errors="surrogateescape"))
    assert listed() == {"owner/mamba": snapshot}


def test_models_of_other_kinds_are_passed_over_and_unknown_mambas_are_named(
    add: AddModel,
) -> None:
    def become(name: str, config: object) -> None:
        file = add(name) / "config.json"
        file.resolve().write_text(config if isinstance(config, str) else json.dumps(config))

    become("meta/Llama-mamba", {"model_type": "llama", "architectures": ["LlamaForCausalLM"]})
    become("a/broken", "{")
    become("a/list", [])
    become("a/huge", '{"model_type": "mamba"}' + " " * (1 << 20))
    become("a/second", {"model_type": "mamba2", "architectures": ["Mamba2ForCausalLM"]})
    become("a/zamba", {"model_type": "zamba2", "architectures": 3})
    become("a/original", {"d_model": 32, "n_layer": 2, "ssm_cfg": {}})
    (cache_folder() / "datasets--a--mamba").mkdir()
    (cache_folder() / "models--a--mamba-file").write_text("")
    assert sorted(listed()) == ["a/original", "a/second"]


def test_the_apps_own_model_hides_a_cached_one_of_its_name(
    add: AddModel, models: Path, tiny_folder: Callable[..., Path]
) -> None:
    add("owner/mamba")
    shutil.copytree(tiny_folder(name="again"), models / "owner" / "mamba")
    assert listed() == {"owner/mamba": models / "owner" / "mamba"}
    assert library.installed(MACHINE)[2].owned


def test_the_cache_is_left_out_when_it_is_not_shared(add: AddModel) -> None:
    add("owner/mamba")
    library_changes.share_cache(False)
    assert not listed()
    library_changes.share_cache(True)
    assert list(listed()) == ["owner/mamba"]


def test_a_cached_model_that_was_imported_meanwhile_is_listed_once(add: AddModel) -> None:
    snapshot = add("owner/mamba")
    library_changes.share_cache(False)
    assert library_changes.import_folder(cache_folder() / "models--owner--mamba").folder == snapshot
    library_changes.share_cache(True)
    assert listed() == {"owner/mamba": snapshot}
    assert library_changes.remove("owner/mamba") == 0  # the import is forgotten
    assert listed() == {"owner/mamba": snapshot}


def test_a_cached_model_is_not_removed(add: AddModel) -> None:
    snapshot = add("owner/mamba")
    for name in ("owner/mamba", snapshot):
        with pytest.raises(EngineError) as caught:
            library_changes.remove(name)
        assert (caught.value.code, caught.value.values["name"]) == ("shared", "owner/mamba")
    assert list(listed()) == ["owner/mamba"]


def test_a_link_to_the_cache_in_the_models_folder_makes_nothing_there_ours(
    add: AddModel, models: Path
) -> None:
    snapshot = add("owner/mamba")
    (models / "hub").symlink_to(cache_folder())
    linked = [info for info in library.installed(MACHINE) if info.name.startswith("hub/")]
    assert linked
    assert not any(info.owned for info in linked)
    assert library.used_bytes() == 0
    with pytest.raises(EngineError, match="in a folder elsewhere"):
        library_changes.remove(linked[0].folder)
    assert (snapshot / "config.json").is_file()


def test_reading_the_cache_changes_nothing_in_it(add: AddModel) -> None:
    add("owner/mamba")
    before = {path: path.lstat().st_mtime_ns for path in cache_folder().rglob("*")}
    library.installed(MACHINE)
    assert {path: path.lstat().st_mtime_ns for path in cache_folder().rglob("*")} == before


def test_where_the_cache_is_follows_the_variables_of_its_tools(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "here"))
    assert cache_folder() == tmp_path / "here"
    monkeypatch.delenv("HF_HUB_CACHE")
    assert cache_folder() == tmp_path / "hugging-face" / "hub"
    monkeypatch.delenv("HF_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    assert cache_folder() == tmp_path / ".cache" / "huggingface" / "hub"
    monkeypatch.setenv("XDG_CACHE_HOME", "~/caches")
    assert cache_folder() == tmp_path / "caches" / "huggingface" / "hub"


def test_a_cache_that_is_no_folder_holds_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_CACHE", __file__)
    assert not list(cached_models())
    assert not listed()
