"""What the Models view says of a download in each of its phases, in English and in Japanese."""

from __future__ import annotations

from typing import Any

import pytest

from app import library_words as words
from app.library_words import download_row
from engine.api import Download
from engine.errors import EngineError

REPO = "owner/mamba-790m-hf"
MB, GB = 10**6, 10**9
GATED = EngineError("gated", owner="tiiuae", url="https://huggingface.co/tiiuae/model")
BAD_TOKEN = EngineError("bad_token", host="huggingface.co")
PROXY = EngineError("proxy", proxy="proxy:8080", detail="Connection refused")
CHECK = EngineError("check_failed", file="model-00002-of-00003.safetensors")
FULL = EngineError("disk_full", path="/models", needed=3_200 * MB)
CUT = EngineError("cut", host="huggingface.co")


def download(phase: Any, **told: Any) -> Download:
    """A download of 3.17 GB of which 1.34 are here, unless it is told otherwise."""
    return Download(
        **{"repo": REPO, "phase": phase, "done_bytes": 1_340 * MB, "total_bytes": 3_170 * MB} | told
    )


RETRYING: dict[str, Any] = {"retry_in_s": 8, "attempt": 3, "attempts": 10}
SENTENCES: dict[str, tuple[Download, str, str]] = {
    "moving": (
        download("moving", bytes_per_s=38.4e6, seconds_left=47.6),
        "1.34 of 3.17 GB, 38.4 MB/s, 48 s left",
        "3.17 GB中1.34 GB、38.4 MB/s、残り48秒",
    ),
    "moving, without an end": (
        download("moving", bytes_per_s=38.4e6),
        "1.34 of 3.17 GB, 38.4 MB/s",
        "3.17 GB中1.34 GB、38.4 MB/s",
    ),
    "moving, without a speed": (download("moving"), "1.34 of 3.17 GB", "3.17 GB中1.34 GB"),
    "paused": (
        download("paused", done_bytes=3_350 * MB, total_bytes=5_490 * MB),
        "Paused at 3.35 of 5.49 GB",
        "5.49 GB中3.35 GBで一時停止",
    ),
    "paused at once": (
        download("paused", done_bytes=0, total_bytes=0),
        "Paused before it began",
        "開始前に一時停止",
    ),
    "waiting": (
        download("waiting", after="state-spaces/mamba-130m-hf"),
        "Waiting for mamba-130m-hf",
        "mamba-130m-hfの後に開始",
    ),
    "its turn": (download("waiting"), "Starting", "開始しています"),
    "starting": (
        download("starting"),
        "Asking Hugging Face what there is to get",
        "Hugging Faceに問い合わせています",
    ),
    "checking": (
        download("checking", done_bytes=1_490 * MB, total_bytes=1_490 * MB),
        "Checking 1.49 GB against its SHA-256",
        "1.49 GBをSHA-256で検証中",
    ),
    "stalled": (
        download("retrying", idle_s=10, **RETRYING),
        "No data for 10 s. Trying again in 8 s (3 of 10)",
        "10秒間データが届いていません。8秒後に再試行（10回中3回目）",
    ),
    "broken off": (
        download("retrying", **RETRYING),
        "The connection broke. Trying again in 8 s (3 of 10)",
        "接続が切れました。8秒後に再試行（10回中3回目）",
    ),
    "offline": (
        download("offline"),
        "No network. Downloads go on when it returns.",
        "ネットワークに接続していません。つながりしだい再開します。",
    ),
    "gated": (
        download("failed", error=GATED),
        "tiiuae asks you to accept its licence first.",
        "先にtiiuaeのライセンスに同意する必要があります。",
    ),
    "check failed": (
        download("failed", error=CHECK),
        "model-00002-of-00003.safetensors failed its check twice and was set aside",
        "model-00002-of-00003.safetensorsが検証に2回失敗したため、隔離しました",
    ),
    "disk full": (
        download("failed", error=FULL),
        "Needs 3.20 GB more disk space. What is here is kept.",
        "ディスクの空きがあと3.20 GB必要です。取得済みの分は残ります。",
    ),
    "any other trouble": (
        download("failed", error=CUT),
        "huggingface.co closed the connection before the end; try again later.",
        "huggingface.coが途中で接続を閉じました。後でもう一度お試しください。",
    ),
    "a fault of ours": (
        download("failed", error=KeyError("secret")),
        "Something went wrong inside Mamba Chat. The log says what; try again.",
        "Mamba Chatの内部で問題が起きました。内容はログにあります。もう一度お試しください。",
    ),
}


@pytest.mark.usefixtures("qapp")
@pytest.mark.parametrize("name", SENTENCES)
def test_each_phase_has_its_sentence(name: str) -> None:
    told, english, _ = SENTENCES[name]
    assert download_row(told, has_token=False).text == english


@pytest.mark.usefixtures("japanese")
@pytest.mark.parametrize("name", SENTENCES)
def test_each_phase_has_its_sentence_in_japanese(name: str) -> None:
    told, _, japanese = SENTENCES[name]
    assert download_row(told, has_token=False).text == japanese


@pytest.mark.parametrize(
    ("phases", "tone", "wishes"),
    [
        (("starting", "moving", "retrying"), "accent", ("pause", "cancel")),
        (("waiting", "offline"), "other", ("pause", "cancel")),
        (("checking",), "accent", ("cancel",)),
        (("paused",), "other", ("resume", "cancel")),
    ],
)
@pytest.mark.usefixtures("qapp")
def test_each_phase_has_its_tone_and_what_can_be_asked_for(
    phases: tuple[str, ...], tone: str, wishes: tuple[str, ...]
) -> None:
    for phase in phases:
        row = download_row(download(phase), has_token=False)
        assert (row.tone, row.wishes) == (tone, wishes), phase


@pytest.mark.parametrize(
    ("error", "has_token", "wishes"),
    [
        (CUT, True, ("retry", "cancel")),
        (KeyError(), False, ("retry", "cancel")),
        (GATED, False, ("page", "settings", "cancel")),
        (GATED, True, ("page", "retry", "cancel")),
        (BAD_TOKEN, True, ("settings", "retry", "cancel")),
        (PROXY, False, ("settings", "retry", "cancel")),
    ],
)
@pytest.mark.usefixtures("qapp")
def test_what_failed_leads_to_where_it_can_be_mended(
    error: Exception, has_token: bool, wishes: tuple[str, ...]
) -> None:
    row = download_row(download("failed", error=error), has_token=has_token)
    assert (row.tone, row.wishes) == ("error", wishes)


@pytest.mark.usefixtures("qapp")
def test_the_bar_is_full_only_when_every_byte_is_here() -> None:
    def fraction(done: int, total: int) -> float | None:
        told = download("moving", done_bytes=done, total_bytes=total)
        return download_row(told, has_token=False).fraction

    assert fraction(0, 0) is None
    assert fraction(0, GB) == 0
    assert fraction(GB // 2, GB) == 0.5
    assert fraction(GB - 1, GB) == 0.999
    assert fraction(GB, GB) == 1


@pytest.mark.usefixtures("qapp")
def test_a_row_is_of_the_repository_by_its_name_and_its_owner() -> None:
    row = download_row(download("moving"), has_token=False)
    assert (row.id, row.name, row.owner) == (REPO, "mamba-790m-hf", "owner")
    assert (words.name_of("starter-3m"), words.owner_of("starter-3m")) == ("starter-3m", "")


@pytest.mark.parametrize(
    ("done", "total", "share"),
    [
        (0, 3_170 * MB, "0.00 of 3.17 GB"),
        (24 * MB, 3_170 * MB, "0.02 of 3.17 GB"),
        (3_169 * MB, 3_170 * MB, "3.17 of 3.17 GB"),
        (950 * MB, 999 * MB, "950 of 999 MB"),
        (4_567_000, 6_150_000, "4.6 of 6.2 MB"),
        (123_000, 500_000, "0.12 of 0.50 MB"),
        (900, 9_000, "0.9 of 9.0 kB"),
        (9_000, 50_000, "9 of 50 kB"),
        (1_234 * GB, 2_000 * GB, "1,234.00 of 2000.00 GB"),
    ],
)
@pytest.mark.usefixtures("qapp")
def test_a_share_is_in_the_unit_of_the_whole_and_as_fine(done: int, total: int, share: str) -> None:
    assert words.share_of(done, total) == share


@pytest.mark.parametrize(
    ("seconds", "english", "translated"),
    [
        (-1, "0 s", "0秒"),
        (0.4, "0 s", "0秒"),
        (47.6, "48 s", "48秒"),
        (99.4, "99 s", "99秒"),
        (99.6, "2 min", "2分"),
        (14 * 60 + 20, "14 min", "14分"),
        (99.4 * 60, "99 min", "99分"),
        (100 * 60, "1 h 40 min", "1時間40分"),
        (26 * 3600, "26 h 0 min", "26時間0分"),
    ],
)
def test_a_time_is_told_no_finer_than_it_is_known(
    request: pytest.FixtureRequest, qapp: object, seconds: float, english: str, translated: str
) -> None:
    assert words.duration(seconds) == english
    request.getfixturevalue("japanese")
    assert words.duration(seconds) == translated


@pytest.mark.usefixtures("qapp")
def test_a_name_of_a_model_cannot_be_taken_for_a_place_in_the_sentence() -> None:
    error = EngineError("check_failed", file="{file}{owner}.safetensors")
    assert words.failure(error).startswith("{file}{owner}.safetensors failed")
    after = download("waiting", after="owner/{name}{time}")
    assert download_row(after, has_token=False).text == "Waiting for {name}{time}"
