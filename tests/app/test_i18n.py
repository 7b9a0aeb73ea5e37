"""Japanese beside English: complete, with the same placeholders, and what the window shows."""

from __future__ import annotations

import shutil
import string
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QApplication

from app import i18n
from app.main_window import MainWindow
from engine import paths

ROOT = Path(__file__).resolve().parents[2]
TS = paths.resources() / "i18n" / "mamba-chat_ja.ts"
TOOLS = Path(sys.executable).parent


def _run(tool: str, *arguments: str | Path) -> None:
    subprocess.run(
        [TOOLS / f"pyside6-{tool}", *map(str, arguments)], cwd=ROOT, check=True, capture_output=True
    )


def _messages() -> list[tuple[str, str, bool]]:
    """Every source text, its translation, and whether that is finished."""
    return [
        (
            message.findtext("source", ""),
            message.findtext("translation", ""),
            message.find("translation").get("type") is None,  # type: ignore[union-attr]
        )
        for message in ElementTree.parse(TS).iter("message")
    ]


def _placeholders(text: str) -> list[str]:
    return sorted(name for _, name, _, _ in string.Formatter().parse(text) if name)


def test_every_string_of_the_window_is_in_the_translation(tmp_path: Path) -> None:
    shutil.copy(TS, tmp_path / TS.name)
    files = sorted(str(file.relative_to(ROOT)) for file in (ROOT / "app").rglob("*.py"))
    _run("lupdate", "-noobsolete", "-locations", "none", *files, "-ts", tmp_path / TS.name)
    fresh = (tmp_path / TS.name).read_text("utf-8")
    assert fresh == TS.read_text("utf-8"), "run `make translations` and translate what is new"


def test_every_string_is_translated_with_the_same_placeholders() -> None:
    messages = _messages()
    assert len(messages) > 100
    for source, translation, finished in messages:
        assert finished, source
        assert translation, source
        assert _placeholders(source) == _placeholders(translation), source


def test_japanese_is_set_as_japanese() -> None:
    for source, translation, _ in _messages():
        assert "、 " not in translation, source
        assert "。 " not in translation, source
        assert not any(mark in translation for mark in ("!", "！", "(", ")")), source
        if not source.endswith("."):
            assert not translation.endswith("。"), source


def test_the_compiled_translation_is_the_one_of_its_source(tmp_path: Path) -> None:
    _run("lrelease", "-silent", TS, "-qm", tmp_path / "fresh.qm")
    assert (tmp_path / "fresh.qm").read_bytes() == TS.with_suffix(".qm").read_bytes()


@pytest.mark.parametrize(
    ("chosen", "kept", "system", "language"),
    [
        ("ja", "", ["en-GB"], "ja"),
        ("ja_JP", "", ["en-GB"], "ja"),
        ("en", "", ["ja-JP"], "en"),
        ("fr", "", ["ja-JP"], "en"),
        ("", "", ["ja-JP", "en-US"], "ja"),
        ("", "", ["fr-FR", "ja-JP", "en-US"], "ja"),
        ("", "", ["en-US", "ja-JP"], "en"),
        ("", "", ["fr-FR"], "en"),
        ("", "ja", ["en-GB"], "ja"),
        ("", "en", ["ja-JP"], "en"),
        ("en", "ja", ["ja-JP"], "en"),
    ],
)
def test_the_first_language_of_the_user_that_the_app_speaks_is_used(
    monkeypatch: pytest.MonkeyPatch, chosen: str, kept: str, system: list[str], language: str
) -> None:
    monkeypatch.setenv("MAMBA_CHAT_LANG", chosen)
    monkeypatch.setattr(QLocale, "uiLanguages", lambda *_: system)
    assert i18n.language(kept) == language


def test_the_window_speaks_japanese(
    qapp: QApplication, open_window: Callable[..., MainWindow]
) -> None:
    translators = i18n.install(qapp, "ja")
    try:
        window = open_window(load=False)
        titles = [action.text() for action in window.menuBar().actions()]
        assert titles == ["ファイル", "編集", "チャット", "表示", "ヘルプ"]
        assert window.windowTitle().startswith("新規チャット")
        assert window.sidebar.empty_text() == "メッセージを送ると、ここにチャットが並びます。"
    finally:
        for translator in translators:
            qapp.removeTranslator(translator)
        i18n.install(qapp, "en")


def test_a_missing_translation_leaves_the_window_in_english(
    qapp: QApplication,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr(paths, "resources", lambda: tmp_path)
    for translator in i18n.install(qapp, "ja"):  # Qt's own words are there
        qapp.removeTranslator(translator)
    i18n.install(qapp, "en")
    assert "mamba-chat_ja.qm cannot be read" in caplog.text
