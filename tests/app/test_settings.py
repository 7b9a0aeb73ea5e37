"""The user's choices come back, and a damaged file does no harm."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QByteArray

from app.settings import Settings
from engine.api import Sampling


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
