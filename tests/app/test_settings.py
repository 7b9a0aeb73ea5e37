"""The user's choices come back, and a damaged file does no harm."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QByteArray

from app.settings import Settings
from engine import paths
from engine.api import Network, Sampling


def test_choices_come_back_from_the_file_in_the_home(home: Path) -> None:
    first = Settings()
    first.model, first.new_draft, first.zoom = "/models/山", "a draft\nof two lines, 100%", 1.15
    first.sampling = Sampling(temperature=0.3, seed=7, stop=("User:",), max_tokens=99)
    first.geometry, first.sidebar_width = QByteArray(b"\x01\xff\x00"), 300
    first.set_sidebar_shown(1, False)
    first.sync()
    assert (home / "settings.ini").is_file()
    kept = Settings()
    assert (kept.model, kept.new_draft, kept.zoom) == (first.model, first.new_draft, 1.15)
    assert kept.sampling == Sampling(temperature=0.3, seed=7, stop=("User:",), max_tokens=99)
    assert (kept.geometry, kept.sidebar_width) == (QByteArray(b"\x01\xff\x00"), 300)
    assert [kept.sidebar_shown(view) for view in range(3)] == [True, False, False]


def test_the_last_model_moves_along_with_the_models_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = Settings()
    settings.model = str(paths.models() / "owner" / "name")
    assert settings.model == str(paths.models() / "owner" / "name")
    settings.sync()
    monkeypatch.setenv("MAMBA_CHAT_MODELS", str(tmp_path / "elsewhere"))
    assert Settings().model == str(tmp_path / "elsewhere" / "owner" / "name")
    settings.model = str(tmp_path / "mine")
    assert settings.model == str(tmp_path / "mine")
    settings.model = ""
    assert settings.model == ""


@pytest.mark.parametrize(
    "damage",
    [
        "[chat]\nsampling=nonsense\n[view]\nzoom=big\n[window]\ngeometry=x\nsidebar_width=wide",
        '[chat]\nsampling="[1, 2]"\n',
        '[chat]\nsampling="{\\"temperature\\": \\"hot\\", \\"max_tokens\\": null}"\n',
        '[chat]\nsampling="{\\"temperature\\": -1}"\n',
        "\x00\x01\x02 not a settings file",
    ],
)
def test_a_damaged_file_gives_the_defaults(home: Path, damage: str) -> None:
    home.mkdir()
    (home / "settings.ini").write_text(damage)
    settings = Settings()
    assert settings.sampling == Sampling()
    assert (settings.zoom, settings.sidebar_width) == (1.0, 248)
    assert settings.geometry.isEmpty()
    assert settings.model == ""


def test_at_first_everything_is_left_to_the_machine_and_the_system() -> None:
    settings = Settings()
    assert (settings.at_launch, settings.unload_after_minutes) == ("last", 30)
    assert (settings.memory_limit_bytes, settings.share_cache) == (0, True)
    assert (settings.scheme, settings.language) == ("system", "")
    assert settings.network() == Network()


def test_the_choices_of_the_settings_window_come_back() -> None:
    first = Settings()
    first.at_launch, first.unload_after_minutes, first.share_cache = "nothing", 0, False
    first.memory_limit_bytes, first.speed_limit = 200_000_000_000, 2_500_000
    first.proxy, first.mirror = "http://me:w%20rd@proxy:8080", "https://mirror.example/hub"
    first.scheme, first.language = "dark", "ja"
    first.sync()
    kept = Settings()
    assert (kept.at_launch, kept.unload_after_minutes, kept.share_cache) == ("nothing", 0, False)
    assert kept.memory_limit_bytes == 200_000_000_000
    assert (kept.scheme, kept.language) == ("dark", "ja")
    assert kept.network("hf_secret") == Network(
        endpoint="https://mirror.example/hub",
        proxy="http://me:w%20rd@proxy:8080",
        token="hf_secret",
        bytes_per_s=2_500_000,
    )


def test_the_token_is_never_in_the_file(home: Path) -> None:
    settings = Settings()
    settings.speed_limit = 1
    assert settings.network("hf_secret").token == "hf_secret"
    settings.sync()
    assert "hf_secret" not in (home / "settings.ini").read_text("utf-8")


@pytest.mark.parametrize(
    "damage",
    [
        "[model]\nat_launch=everything\nunload_after_minutes=7\nmemory_limit_bytes=-1\n"
        "[network]\nproxy=socks5://x:1\nmirror=http://plain\nspeed_limit=fast\n"
        "[view]\nscheme=pink\nlanguage=tlh",
        "[model]\nat_launch=1\nunload_after_minutes=\nmemory_limit_bytes=9e9\n"
        '[network]\nproxy=http://\nmirror="@Invalid()"\nspeed_limit=1.5\n'
        "[view]\nscheme=\nlanguage=en-GB",
        "[model]\nmemory_limit_bytes=99999999999999999999999999\nunload_after_minutes=\u0663\u0660",
    ],
)
def test_a_damaged_choice_gives_its_default(home: Path, damage: str) -> None:
    home.mkdir()
    (home / "settings.ini").write_text(damage, "utf-8")
    settings = Settings()
    assert (settings.at_launch, settings.unload_after_minutes) == ("last", 30)
    assert settings.memory_limit_bytes == 0
    assert (settings.scheme, settings.language) == ("system", "")
    assert settings.network() == Network()
