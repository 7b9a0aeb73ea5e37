"""The smoke test and the pictures, run as a user runs them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtGui import QImage

from app import __main__ as entry
from engine import paths


def _app(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "app", *arguments],
        cwd=cwd,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def test_the_smoke_test_chats_and_prints_one_json_line(tmp_path: Path, home: Path) -> None:
    ran = _app("--smoke-test", cwd=tmp_path)
    assert ran.returncode == 0, ran.stderr
    (line,) = ran.stdout.splitlines()
    told = json.loads(line)
    assert told["ok"] is True
    assert told["model"] == "starter-12m"
    assert told["answer"]
    assert told["stopped_ms"] < 1000 * 60
    assert told["library"]["offers"] > 10
    assert told["backend"] in ("Metal", "CUDA", "CPU")
    assert set(told["kernels"]) == {file.stem for file in paths.metal().glob("*.metal")}
    assert max(told["kernels"].values()) < 1e-4
    assert told["first_paint_s"] > 0
    assert {file.name for file in home.iterdir()} >= {"chats.sqlite", "settings.ini"}


def test_the_smoke_test_fails_with_one_line(
    tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home.parent.mkdir(exist_ok=True)
    home.write_text("a file where the folder should be")
    ran = _app("--smoke-test", cwd=tmp_path)
    assert ran.returncode == 1
    assert ran.stdout == ""
    assert ran.stderr.startswith("smoke test failed: ")
    assert ran.stderr.count("\n") == 1


def test_the_smoke_test_fails_where_a_kernel_is_off(monkeypatch: pytest.MonkeyPatch) -> None:
    from app import smoke
    from engine import self_check

    monkeypatch.setattr(self_check, "kernels", lambda: {"add_norm": 1e-7, "ssm_step": 2e-3})
    with pytest.raises(smoke.SmokeError, match=r"ssm_step is off by 2\.0e-03"):
        smoke._kernels()


def test_an_unknown_option_is_refused_and_a_macs_process_number_is_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from app import smoke

    monkeypatch.setattr(smoke, "main", lambda: 7)
    assert entry.main(["-psn_0_12345", "--smoke-test"]) == 7
    with pytest.raises(SystemExit) as left:
        entry.main(["--smok"])
    assert left.value.code in (2, 7)


def _check_pictures(folder: Path, names: list[str]) -> None:
    found = {file.stem for file in folder.iterdir()}
    for name in names:
        for language in ("", "-ja"):
            assert {f"{name}{language}", f"{name}{language}-dark"} <= found
    light, dark = QImage(str(folder / "chat.png")), QImage(str(folder / "chat-dark.png"))
    assert (light.width(), light.height()) == (2560, 1600)
    assert light.pixelColor(1200, 1380).lightness() > 200
    assert dark.pixelColor(1200, 1380).lightness() < 60


def test_a_view_has_a_picture_in_light_and_dark_and_both_languages(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from app import screenshots; "
        "sys.exit(screenshots.main(Path(sys.argv[1]), frozenset({'chat', 'about'})))"
    )
    subprocess.run([sys.executable, "-c", code, str(tmp_path / "pictures")], check=True)
    _check_pictures(tmp_path / "pictures", ["chat"])


@pytest.mark.soak
def test_every_view_has_a_picture(tmp_path: Path) -> None:
    ran = _app("--screenshots", "pictures", cwd=tmp_path)
    assert ran.returncode == 0, ran.stderr
    names = ["chat", "chat-streaming", "chat-reading", "chat-empty", "error", "models"]
    _check_pictures(tmp_path / "pictures", names)
