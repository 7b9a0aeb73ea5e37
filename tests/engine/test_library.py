"""The models on the machine: found at any depth, described unloaded, none hidden by a fault."""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from folder_damage import as_a_stranger

from engine import library, paths
from engine.api import Machine, Reading, Sampling
from engine.device import machine, mx
from engine.errors import EngineError
from engine.generate import CHUNK, generate
from engine.language_model import load_model

TinyFolder = Callable[..., Path]
MACHINE = Machine(backend="CPU", device="test", memory_bytes=10**10, limit_bytes=7 * 10**9)


def test_the_starters_come_first_and_the_default_before_all(
    tiny_folder: TinyFolder, models: Path
) -> None:
    shutil.copytree(tiny_folder(), models / "aaa")
    found = library.installed(MACHINE)
    assert [info.name for info in found] == ["starter-12m", "starter-3m", "aaa"]
    assert [info.bundled for info in found] == [True, True, False]
    assert found[0].name == library.DEFAULT_MODEL
    assert not any(info.problem for info in found)


def test_without_a_models_folder_there_are_the_starters(home: Path) -> None:
    assert len(library.installed(MACHINE)) == 2


def test_what_a_model_is_said_to_be() -> None:
    info = library.describe(paths.resources() / "models" / "starter-12m", MACHINE)
    assert (info.name, info.family, info.dtype, info.chat) == (
        "starter-12m", "mamba", "float16", True,
    )  # fmt: skip
    assert info.parameters == 12_079_040
    assert info.fit == "fits"
    assert info.disk_bytes > (info.folder / "model.safetensors").stat().st_size
    model = load_model(info.folder)
    assert info.state_bytes == model.initial_state().nbytes
    assert 4 * info.parameters < info.needed_bytes


@pytest.mark.parametrize(
    ("share", "more", "fit"),
    [(0.6, 2, "fits"), (0.6, -2, "tight"), (0.9, 2, "tight"), (0.9, -2, "too_big")],
)
def test_the_fit_follows_the_memory_that_models_may_use(
    tiny_folder: TinyFolder, share: float, more: int, fit: str
) -> None:
    folder = tiny_folder()
    limit = int(library.describe(folder).needed_bytes / share) + more
    small = Machine(backend="CPU", device="test", memory_bytes=10**9, limit_bytes=limit)
    assert library.describe(folder, small).fit == fit


def test_the_memory_that_is_said_to_be_needed_is_enough(home: Path) -> None:
    info = library.describe(paths.resources() / "models" / "starter-3m", machine())
    before = mx.get_active_memory()
    mx.reset_peak_memory()
    model = load_model(info.folder)
    tokens = [7 + at % 300 for at in range(CHUNK[machine().backend] + 40)]
    events = generate(
        model, model.initial_state(), tokens, Sampling(max_tokens=1), threading.Event()
    )
    assert any(isinstance(event, Reading) for event in events)
    assert mx.get_peak_memory() - before <= info.needed_bytes


def test_half_precision_needs_less_on_a_gpu(tiny_folder: TinyFolder) -> None:
    folder = tiny_folder(dtype="bfloat16", hidden_size=64)
    gpu = Machine(backend="Metal", device="test", memory_bytes=10**9, limit_bytes=10**9)
    on_cpu, on_gpu = library.describe(folder, MACHINE), library.describe(folder, gpu)
    assert on_cpu.needed_bytes - on_gpu.needed_bytes == 2 * on_cpu.parameters


def test_folders_within_folders_are_named_by_their_path(
    tiny_folder: TinyFolder, models: Path
) -> None:
    tiny = tiny_folder()
    for name in ("owner/name", "Zoo/deep/er/one", "山/空 白"):
        shutil.copytree(tiny, models / name)
    (models / ".hidden").mkdir()
    found = [info.name for info in library.installed(MACHINE)[2:]]
    assert found == ["owner/name", "Zoo/deep/er/one", "山/空 白"]
    assert library.find("owner/name") == models / "owner" / "name"
    assert library.describe(models / "owner" / "name").name == "owner/name"


def test_a_link_that_leads_back_lists_nothing_twice(tiny_folder: TinyFolder, models: Path) -> None:
    shutil.copytree(tiny_folder(), models / "owner" / "name")
    (models / "owner" / "loop").symlink_to(models)
    (models / "owner" / "here").symlink_to(".")
    (models / "owner" / "itself").symlink_to("itself")
    (models / "elsewhere").symlink_to(models / "owner" / "name")  # another name for it is no loop
    problems = {info.name: info.problem for info in library.installed(MACHINE)[2:]}
    assert list(problems) == ["elsewhere", "owner/itself", "owner/name"]
    assert problems["owner/name"] == problems["elsewhere"] == ""


def test_a_folder_that_cannot_be_loaded_is_listed_with_its_problem(
    tiny_folder: TinyFolder, models: Path
) -> None:
    tiny = tiny_folder()
    for name in ("a-short", "b-alien", "c-no-words"):
        shutil.copytree(tiny, models / name)
    os.truncate(models / "a-short" / "model.safetensors", 5000)
    (models / "b-alien" / "config.json").write_text('{"model_type": "gpt2"}')
    (models / "c-no-words" / "tokenizer.json").unlink()
    (models / "d-empty").mkdir()
    (models / "e-gone").symlink_to(models / "nowhere")
    problems = {info.name: info.problem for info in library.installed(MACHINE)[2:]}
    assert list(problems) == ["a-short", "b-alien", "c-no-words", "d-empty", "e-gone"]
    assert "is incomplete: 5000 of" in problems["a-short"]
    assert problems["b-alien"] == "b-alien is a gpt2 model. Mamba Chat runs mamba, falcon_mamba."
    assert "lacks tokenizer.json" in problems["c-no-words"]
    assert "holds no config.json" in problems["d-empty"]
    assert "There is no model at" in problems["e-gone"]


def test_links_in_the_models_folder_are_followed_and_circles_end(
    tiny_folder: TinyFolder, models: Path
) -> None:
    (models / "linked").symlink_to(tiny_folder())
    (models / "owner").mkdir()
    (models / "owner" / "round").symlink_to(models)
    names = [info.name for info in library.installed(MACHINE)[2:]]
    assert "linked" in names
    assert len(names) < 20


def test_a_folder_that_may_not_be_read_is_listed_with_that(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with as_a_stranger() as home:
        monkeypatch.setenv("MAMBA_CHAT_HOME", str(home))
        locked = paths.models() / "locked"
        locked.mkdir(parents=True)
        locked.chmod(0)
        assert "Permission denied" in library.installed(MACHINE)[2].problem


def test_a_models_folder_that_is_no_folder_is_told(home: Path) -> None:
    home.mkdir()
    paths.models().write_text("")
    with pytest.raises(EngineError, match="cannot be read"):
        library.installed(MACHINE)


def test_the_folder_one_is_in_has_a_name(
    tiny_folder: TinyFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tiny_folder(name="here"))
    assert library.describe(Path()).name == "here"


def test_a_name_is_found_before_a_folder_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "starter-3m").mkdir()
    assert library.find("starter-3m") == paths.resources() / "models" / "starter-3m"
    assert library.find("./starter-3m") == tmp_path / "starter-3m"


@pytest.mark.parametrize("name", ["", "nothing-of-that-name", "a\0b", "x" * 5000, "~nobody/x"])
def test_what_is_not_there_is_told(name: str) -> None:
    with pytest.raises(EngineError) as caught:
        library.find(name)
    assert caught.value.code == "not_found"


def test_this_machine_is_asked_when_none_is_given(home: Path) -> None:
    limit = machine().limit_bytes
    fitting = [info for info in library.installed() if info.fit == "fits"]
    assert fitting
    assert all(info.needed_bytes <= 0.6 * limit for info in fitting)
