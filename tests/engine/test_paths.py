"""Our data files are found wherever the code runs from, and the user's files where they belong."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from engine import paths

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def no_chosen_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A user who set nothing, with an empty home."""
    monkeypatch.delenv("MAMBA_CHAT_HOME", raising=False)
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path


def test_a_checkout_uses_its_own_folders() -> None:
    assert paths.metal() == ROOT / "metal"
    assert paths.resources() == ROOT / "resources"


def test_an_installed_package_holds_them_inside(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "resources").mkdir()  # a folder of another package beside ours is not ours
    monkeypatch.setattr(paths, "__file__", str(tmp_path / "engine" / "paths.py"))
    assert paths.metal() == tmp_path / "engine" / "metal"
    assert paths.resources() == tmp_path / "app" / "resources"


def test_the_frozen_app_holds_them_inside(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sys, "_MEIPASS", str(tmp_path), raising=False)
    assert paths.metal() == tmp_path / "engine" / "metal"
    assert paths.resources() == tmp_path / "app" / "resources"


def test_one_variable_moves_everything_that_the_app_keeps(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("MAMBA_CHAT_HOME", str(tmp_path / "elsewhere"))
    kept = [paths.home(), paths.models(), paths.database(), paths.logs()]
    assert all(path.is_relative_to(tmp_path / "elsewhere") for path in kept)
    assert len(set(kept)) == len(kept)


def test_a_relative_home_stays_put_when_the_working_directory_changes(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MAMBA_CHAT_HOME", "mine")
    assert paths.home() == tmp_path / "mine"


def test_a_mac_keeps_files_where_mac_apps_do(
    monkeypatch: pytest.MonkeyPatch, no_chosen_home: Path
) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    library = no_chosen_home / "Library"
    assert paths.home() == library / "Application Support" / "Mamba Chat"
    assert paths.logs() == library / "Logs" / "Mamba Chat"


def test_linux_follows_the_desktop_standard(
    monkeypatch: pytest.MonkeyPatch, no_chosen_home: Path
) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    assert paths.home() == no_chosen_home / ".local" / "share" / "mamba-chat"
    monkeypatch.setenv("XDG_DATA_HOME", str(no_chosen_home / "data"))
    assert paths.home() == no_chosen_home / "data" / "mamba-chat"
