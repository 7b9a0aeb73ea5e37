"""What the Models view shows in the screenshots, in each language; not used by the app."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from app.library_rows import Card, Deed, DownloadRow, LibraryRows, ModelRow
from engine.api import Fit

_GB = 10**9
_APACHE, _FALCON = "Apache 2.0", "Falcon LLM 2.0"
_BOTH = ("float32", "bfloat16", "8-bit", "4-bit")

_WORDS: dict[str, dict[str, str]] = {
    "en": {
        "chat": "Chat", "tiny": "Chat, tiny", "base": "Base", "see": "See card",
        "bundled": "comes with the app", "installed": "Installed", "checking": "Checking",
        "paused": "Paused", "title": "{n} installed, {size}",
        "129m": "129 million", "372m": "372 million", "793m": "793 million",
        "1.4b": "1.37 billion", "2.8b": "2.77 billion", "7b": "7.27 billion",
        "moving": "1.34 of 3.17 GB, 38.4 MB/s, 48 s left",
        "check": "Checking 1.49 GB against its SHA-256",
        "pause": "Paused at 3.35 of 5.49 GB",
        "failed": "Part 2 of 3 failed its check twice and was set aside",
        "starting": "Starting",
        "waiting": "Waiting for mamba-790m-hf",
        "stalled": "No data for 10 s. Trying again in 8 s (3 of 10)",
        "offline": "No network. Downloads go on when it returns.",
        "full": "Needs 3.2 GB more disk space. What is here is kept.",
        "gated": "tiiuae asks you to accept its licence first.",
        "broken": "model.safetensors is incomplete: 3.1 of 4.9 GB.",
        "notice": "The models folder is on “Archive”, which is not connected.",
        "memory": "Memory", "for": "For models", "free": "Free on disk", "used": "Used by models",
        "about": "A small base model. It continues your text and does not answer questions.",
        "by": "by {owner}", "family": "Family", "parameters": "Parameters", "state": "State",
        "licence": "Licence", "files": "Files", "constant": "2.8 MB, constant",
    },
    "ja": {
        "chat": "チャット", "tiny": "チャット", "base": "ベース", "see": "カードを参照",
        "bundled": "アプリに付属", "installed": "入手済み", "checking": "検証中",
        "paused": "一時停止", "title": "{n}個、{size}",
        "129m": "1億2900万", "372m": "3億7200万", "793m": "7億9300万",
        "1.4b": "13億7000万", "2.8b": "27億7000万", "7b": "72億7000万",
        "moving": "3.17 GB中1.34 GB、38.4 MB/s、残り48秒",
        "check": "1.49 GBをSHA-256で検証中",
        "pause": "5.49 GB中3.35 GBで一時停止",
        "failed": "3個中2個目が検証に2回失敗したため、隔離しました",
        "starting": "開始しています",
        "waiting": "mamba-790m-hfの後に開始",
        "stalled": "10秒間データが届いていません。8秒後に再試行（10回中3回目）",
        "offline": "ネットワークに接続していません。つながりしだい再開します。",
        "full": "ディスクの空きがあと3.2 GB必要です。取得済みの分は残ります。",
        "gated": "先にtiiuaeのライセンスに同意する必要があります。",
        "broken": "model.safetensorsが途中までしかありません（4.9 GBのうち3.1 GB）。",
        "notice": "モデルのフォルダは未接続のディスク「Archive」にあります。",
        "memory": "メモリ", "for": "モデル用", "free": "ディスクの空き", "used": "モデルの使用量",
        "about": "小さなベースモデルです。質問には答えず、文章の続きを書きます。",
        "by": "作者：{owner}", "family": "形式", "parameters": "パラメータ数", "state": "状態",
        "licence": "ライセンス", "files": "ファイル", "constant": "2.8 MB（一定）",
    },
}  # fmt: skip


def sample(language: str, *, troubles: bool = False) -> LibraryRows:
    """A library as a user could have it; with `troubles` every state that a download, a model or
    the folder can be in, and something found on the Hub."""
    words = _WORDS[language]
    rows = LibraryRows(
        downloads=_downloads(words),
        installed=_installed(words),
        catalogue=_catalogue(words),
        limit_bytes=118 * _GB // 10,
        memory_bytes=16 * _GB,
        limit="11.8 GB",
        machine=(
            ("Apple M2 Pro", "Metal"),
            (words["memory"], "16 GB"),
            (words["for"], "11.8 GB"),
            (words["free"], "212 GB"),
            (words["used"], "4.7 GB"),
        ),
        title_note=words["title"].format(n=4, size="4.7 GB"),
    )
    if not troubles:
        return rows
    return replace(
        rows,
        downloads=rows.downloads + _more_downloads(words),
        installed=_troubled(words, rows.installed),
        found=_found(words),
        search="mamba",
        notice=words["notice"],
    )


def _downloads(words: Mapping[str, str]) -> tuple[DownloadRow, ...]:
    hub = "state-spaces"
    return (
        _download("mamba-790m-hf", hub, words["moving"], 0.423, wishes=("pause", "cancel")),
        _download("mamba-370m-hf", hub, words["check"], 0.71, wishes=("cancel",)),
        _download("mamba-1.4b-hf", hub, words["pause"], 0.61, tone="other",
                  wishes=("resume", "cancel")),
        _download("mamba-2.8b-ultrachat-hf", "han1997", words["failed"], 0.34, tone="error",
                  wishes=("retry", "cancel")),
    )  # fmt: skip


def _more_downloads(words: Mapping[str, str]) -> tuple[DownloadRow, ...]:
    hub, both = "state-spaces", ("pause", "cancel")
    return (
        _download("mamba-2.8b-hf", hub, words["waiting"], tone="other", wishes=both),
        _download("mamba-130m-hf", hub, words["starting"], wishes=both),
        _download("mamba2-130m-hf", hub, words["stalled"], 0.12, tone="other", wishes=both),
        _download("mamba2-370m-hf", hub, words["offline"], 0.5, tone="other", wishes=both),
        _download("mamba2-1.3b-hf", hub, words["full"], 0.41, tone="error",
                  wishes=("retry", "cancel")),
        _download("falcon-mamba-7b-instruct", "tiiuae", words["gated"], tone="error",
                  wishes=("page", "settings", "cancel")),
    )  # fmt: skip


def _download(
    name: str, owner: str, text: str, fraction: float | None = None, **more: Any
) -> DownloadRow:
    return DownloadRow(
        id=f"{owner}/{name}", name=name, owner=owner, text=text, fraction=fraction, **more
    )


def _installed(words: Mapping[str, str]) -> tuple[ModelRow, ...]:
    falcon = _model(
        words, "Falcon3-Mamba-7B-Instruct", "mlx-community", 4.7, "4.10 GB", chat=True,
        precision="4-bit", deed="loaded", licence=_FALCON,
    )  # fmt: skip
    starter = replace(
        _model(words, "starter-12m", words["bundled"], 0.06, "24 MB", chat=True,
               precision="float16", deed="load", licence=words["see"]),
        kind=words["tiny"], memory="60 MB", removable=False,
    )  # fmt: skip
    small = _model(words, "mamba-130m-hf", "state-spaces", 0.4, "0.52 GB", deed="load")
    tiny = replace(
        starter, id="starter-3m", name="starter-3m", disk="6 MB", memory="20 MB",
        needed_bytes=20_000_000,
    )  # fmt: skip
    return falcon, small, starter, tiny


def _troubled(words: Mapping[str, str], rows: tuple[ModelRow, ...]) -> tuple[ModelRow, ...]:
    falcon, small, *starters = rows
    broken = replace(small, id="mamba-2.8b", name="mamba-2.8b-hf", problem=words["broken"],
                     deed="load", enabled=False)  # fmt: skip
    return falcon, replace(small, deed="loading"), broken, *starters


def _catalogue(words: Mapping[str, str]) -> tuple[ModelRow, ...]:
    ladder: tuple[tuple[str, str, float, str, Deed, str], ...] = (
        ("130m", "129m", 0.4, "0.52 GB", "none", words["installed"]),
        ("370m", "372m", 0.9, "1.49 GB", "none", words["checking"]),
        ("790m", "793m", 1.8, "3.17 GB", "none", "42 %"),
        ("1.4b", "1.4b", 3.0, "5.49 GB", "none", words["paused"]),
        ("2.8b", "2.8b", 5.9, "11.07 GB", "get", ""),
    )
    rows = [
        replace(
            _model(words, f"mamba-{size}-hf", words[note], needed, disk, deed=deed),
            word=word, removable=False,
        )
        for size, note, needed, disk, deed, word in ladder
    ]  # fmt: skip
    falcon = _model(
        words, "Falcon3-Mamba-7B-Instruct", words["7b"], 8.4, "7.73 GB", chat=True,
        precision="8-bit", fit="tight", deed="get", licence=_FALCON, precisions=_BOTH,
    )  # fmt: skip
    whole = replace(
        falcon, id="falcon/bfloat16", precision="bfloat16", disk="14.55 GB", memory="15.2 GB",
        needed_bytes=152 * _GB // 10, fit="too_big", enabled=False,
    )  # fmt: skip
    return (*rows, falcon, whole)


def _found(words: Mapping[str, str]) -> tuple[ModelRow, ...]:
    mamba2 = _model(words, "mamba2-780m-hf", "AntonV", 1.7, "3.12 GB", deed="get")
    unknown = replace(
        mamba2, id="someone/a-mamba", name="a-mamba-with-quite-a-long-name-of-its-own-hf",
        note="a-research-group-somewhere", needed_bytes=0, memory="", fit=None, disk="",
        precisions=(), precision="",
    )  # fmt: skip
    return mamba2, unknown


def _model(
    words: Mapping[str, str], name: str, note: str, needed: float, disk: str, *,
    chat: bool = False, precision: str = "bfloat16", fit: Fit = "fits", deed: Deed = "none",
    licence: str = _APACHE, precisions: tuple[str, ...] | None = None,
) -> ModelRow:  # fmt: skip
    facts = (
        (words["family"], "mamba"),
        (words["parameters"], words["129m"]),
        (words["state"], words["constant"]),
        (words["licence"], licence),
        (words["files"], disk),
    )
    card = Card(
        title=name, subtitle=words["by"].format(owner=note), about=words["about"], facts=facts,
        link=f"https://huggingface.co/{note}/{name}",
    )  # fmt: skip
    several = _BOTH if precision == "bfloat16" else ()
    return ModelRow(
        id=f"{name}/{precision}", name=name, note=note, kind=words["chat" if chat else "base"],
        chat=chat, licence=licence, precision=precision,
        precisions=several if precisions is None else precisions, disk=disk,
        needed_bytes=round(needed * _GB), memory=f"{needed:.1f} GB", fit=fit, deed=deed,
        removable=True, revealable=True, card=card,
    )  # fmt: skip
