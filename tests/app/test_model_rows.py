"""A model as a row of the Models view: its figures, its licence, the precision it stands at, what
may be done with it, and its card."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from app import model_rows as rows
from engine.api import Download, Machine, ModelInfo, Need, Offer

GB = 10**9
MACHINE = Machine(backend="Metal", device="Apple M2", memory_bytes=16 << 30, limit_bytes=10 * GB)
NEEDS = (Need("float32", 12 * GB), Need("bfloat16", 7 * GB), Need("8-bit", 4 * GB))
INFO = ModelInfo(
    name="owner/mamba-1.4b",
    folder=Path("/models/owner/mamba-1.4b"),
    family="mamba",
    chat=True,
    parameters=1_370_000_000,
    dtype="float32",
    disk_bytes=5_490_000_000,
    needed_bytes=NEEDS[0].needed_bytes,
    state_bytes=16_900_000,
    needs=NEEDS,
    licence="apache-2.0",
)
OFFER = Offer(
    repo="owner/mamba-1.4b",
    family="mamba",
    chat=False,
    licence="mit",
    parameters=1_370_000_000,
    dtype="float32",
    disk_bytes=5_490_000_000,
    needs=NEEDS,
    about="Trained on the Pile.",
)
PAGE = "https://huggingface.co/owner/mamba-1.4b"

pytestmark = pytest.mark.usefixtures("qapp")


def installed(info: ModelInfo = INFO, **told: Any) -> rows.ModelRow:
    return rows.installed_row(info, MACHINE, **{"deed": "load", "precision": "", "page": ""} | told)


def offered(offer: Offer = OFFER, **told: Any) -> rows.ModelRow:
    usual = {"precision": "", "word": "", "page": PAGE, "note": "owner"}
    return rows.offer_row(offer, MACHINE, **usual | told)


@pytest.mark.parametrize(
    ("licence", "shown"),
    [
        ("apache-2.0", "Apache 2.0"),
        ("MIT", "MIT"),
        ("cc-by-nc-4.0", "CC BY-NC 4.0"),
        ("falcon-mamba-7b-license", "Falcon-Mamba 2.0"),
        ("mnpl-0.1", "Mistral NPL 0.1"),
        ("openrail", "openrail"),
        ("other", ""),
        ("unknown", ""),
        ("", ""),
    ],
)
def test_a_licence_bears_its_own_name(licence: str, shown: str) -> None:
    assert rows.licence_name(licence) == shown


PARAMETERS = [
    (0, "", ""),
    (3_145_728, "3.1 million", "315万"),
    (12_345_678, "12.3 million", "1230万"),
    (99_960_000, "100 million", "1億"),
    (129_135_360, "129 million", "1億2900万"),
    (371_516_416, "372 million", "3億7200万"),
    (999_400_000, "999 million", "9億9900万"),
    (999_600_000, "1.00 billion", "10億"),
    (1_372_178_432, "1.37 billion", "13億7000万"),
    (7_272_665_088, "7.27 billion", "72億7000万"),
]


@pytest.mark.parametrize(("count", "english"), [row[:2] for row in PARAMETERS])
def test_parameters_are_told_in_three_digits(count: int, english: str) -> None:
    assert rows.parameters(count) == english


@pytest.mark.usefixtures("japanese")
@pytest.mark.parametrize(("count", "told"), [row[::2] for row in PARAMETERS])
def test_in_japanese_parameters_are_counted_in_ten_thousands(count: int, told: str) -> None:
    assert rows.parameters(count) == told


@pytest.mark.parametrize(
    ("n_bytes", "shown"),
    [(0, ""), (24_300_000, "24 MB"), (517_000_000, "0.52 GB"), (11_074_000_000, "11.07 GB")],
)
def test_a_size_on_the_disk_is_told_to_the_hundredth_of_a_gigabyte(
    n_bytes: int, shown: str
) -> None:
    assert rows.disk(n_bytes) == shown


@pytest.mark.parametrize(
    ("wanted", "limit", "chosen"),
    [
        ("", 20 * GB, "float32"),  # its own fits
        ("", 10 * GB, "8-bit"),  # the first that fits, before one that is tight
        ("", 8 * GB, "8-bit"),
        ("", 6 * GB, "8-bit"),  # none fits: the first that is tight
        ("", 4 * GB, "float32"),  # nothing does: its own
        ("bfloat16", 10 * GB, "bfloat16"),  # what was chosen goes before
        ("float32", 4 * GB, "float32"),
        ("4-bit", 20 * GB, "float32"),  # what it does not have is not chosen
    ],
)
def test_a_row_stands_at_the_precision_that_was_chosen_else_at_the_best_that_fits(
    wanted: str, limit: int, chosen: str
) -> None:
    need = rows.chosen_need(NEEDS, wanted, replace(MACHINE, limit_bytes=limit))
    assert need is not None
    assert need.precision == chosen


def test_before_the_machine_is_known_a_row_stands_at_its_own_precision_and_has_no_fit() -> None:
    assert rows.chosen_need(NEEDS, "", None) == NEEDS[0]
    assert rows.chosen_need((), "", MACHINE) is None
    row = rows.offer_row(OFFER, None, precision="", word="", page=PAGE, note="")
    assert (row.precision, row.fit, row.deed, row.enabled) == ("float32", None, "get", True)
    assert rows.machine_facts(None, 1, 1) == ()


def test_the_memory_and_the_fit_are_those_of_the_precision_that_is_shown() -> None:
    row = installed(precision="bfloat16")
    assert (row.precision, row.memory, row.needed_bytes) == ("bfloat16", "7 GB", 7 * GB)
    assert row.fit == "tight"
    assert row.precisions == ("float32", "bfloat16", "8-bit")
    assert installed().fit == "fits"
    assert installed(precision="float32").fit == "too_big"


def test_a_model_that_cannot_be_described_has_no_figures_and_says_why() -> None:
    broken = replace(
        INFO, parameters=0, dtype="", needed_bytes=0, state_bytes=0, needs=(), problem="No weights."
    )
    row = installed(broken, deed="none")
    assert (row.memory, row.fit, row.precisions) == ("", None, ())
    assert (row.problem, row.card.about) == ("No weights.", "No weights.")
    assert [name for name, _ in row.card.facts] == ["Licence", "On disk", "Folder"]


@pytest.mark.parametrize(
    ("place", "removable"),
    [("own", True), ("imported", True), ("bundled", False), ("linked", False), ("shared", False)],
)
def test_only_what_is_the_users_own_may_be_removed(place: Any, removable: bool) -> None:
    row = installed(replace(INFO, place=place))
    assert row.removable == removable
    assert row.revealable


@pytest.mark.parametrize(
    ("parameters", "chat", "kind"),
    [(12_000_000, True, "Chat, tiny"), (60_000_000, True, "Chat"), (12_000_000, False, "Base")],
)
def test_a_tiny_model_that_came_with_the_app_says_so(
    parameters: int, chat: bool, kind: str
) -> None:
    starter = replace(
        INFO, name="starter-12m", place="bundled", parameters=parameters, chat=chat, licence=""
    )
    row = installed(starter)
    assert (row.kind, row.note, row.licence) == (kind, "comes with the app", "See card")
    assert installed(replace(starter, place="own")).kind in ("Chat", "Base")


def test_what_is_loaded_says_so() -> None:
    assert installed(deed="loaded").word == "Loaded"
    assert installed(deed="loading").word == ""


@pytest.mark.usefixtures("japanese")
def test_a_row_speaks_japanese() -> None:
    row = installed(replace(INFO, place="bundled", parameters=12_000_000), deed="loaded")
    assert (row.kind, row.note, row.word) == ("チャット、極小", "アプリに付属", "使用中")
    assert ("メモリ（bfloat16）", "7 GB") in row.card.facts
    about = "ベースモデルです。質問には答えず、文章の続きを書きます。"
    assert offered(replace(OFFER, about="")).card.about == about


def test_the_card_of_an_installed_model_tells_where_it_is_and_what_it_needs() -> None:
    card = installed(page=PAGE).card
    assert (card.title, card.subtitle, card.link) == ("mamba-1.4b", "owner", PAGE)
    assert card.about == "A chat model: it answers what you write."
    assert card.facts == (
        ("Licence", "Apache 2.0"),
        ("Parameters", "1.37 billion"),
        ("On disk", "5.49 GB"),
        ("Memory in float32", "12 GB"),
        ("Memory in bfloat16", "7 GB"),
        ("Memory in 8-bit", "4 GB"),
        ("State", "16.9 MB"),
        ("Folder", "/models/owner/mamba-1.4b"),
    )


@pytest.mark.parametrize(
    ("licence", "gated", "told"),
    [
        ("mit", False, ["MIT"]),
        ("mit", True, ["MIT, to be accepted on its page first"]),
        ("", True, ["to be accepted on its page first"]),
        ("", False, []),
    ],
)
def test_the_card_of_an_offer_tells_that_its_licence_is_to_be_accepted(
    licence: str, gated: bool, told: list[str]
) -> None:
    card = offered(replace(OFFER, licence=licence, gated=gated)).card
    assert [value for name, value in card.facts if name == "Licence"] == told
    assert ("Download", "5.49 GB") in card.facts
    assert card.about == "Trained on the Pile."


def test_an_offer_can_be_got_unless_it_is_here_or_cannot_be_loaded() -> None:
    row = offered()
    assert (row.deed, row.enabled, row.word, row.note) == ("get", True, "", "owner")
    assert offered(word="Installed").deed == "none"
    broken = offered(replace(OFFER, problem="It is a llama model."))
    assert (broken.deed, broken.problem) == ("none", "It is a llama model.")
    assert broken.card.about == "It is a llama model."
    large = offered(replace(OFFER, needs=(Need("4-bit", 20 * GB),)))
    assert (large.deed, large.fit, large.enabled) == ("get", "too_big", False)


def test_an_offer_of_which_little_is_known_shows_nothing_wrong() -> None:
    row = offered(Offer(repo="owner/new", family="mamba", chat=True))
    assert (row.disk, row.memory, row.fit, row.licence) == ("", "", None, "")
    assert (row.deed, row.enabled) == ("get", True)
    assert row.card.facts == ()


@pytest.mark.parametrize(
    ("phase", "done", "total", "word"),
    [
        ("waiting", 0, 0, "Waiting"),
        ("waiting", 5, 10, "Waiting"),
        ("starting", 0, 0, "Waiting"),
        ("moving", 0, 1000, "0 %"),
        ("moving", 427, 1000, "42 %"),
        ("moving", 999, 1000, "99 %"),
        ("retrying", 427, 1000, "42 %"),
        ("offline", 427, 1000, "42 %"),
        ("checking", 1000, 1000, "Checking"),
        ("paused", 427, 1000, "Paused"),
        ("failed", 427, 1000, "Failed"),
    ],
)
def test_in_the_catalogue_a_word_tells_how_far_a_download_is(
    phase: Any, done: int, total: int, word: str
) -> None:
    told = Download(repo="owner/name", phase=phase, done_bytes=done, total_bytes=total)
    assert rows.word_of(told) == word


def test_the_sidebar_tells_what_the_machine_has() -> None:
    assert rows.machine_facts(MACHINE, 4_700_000_000, 312_400_000_000) == (
        ("Apple M2", "Metal"),
        ("Memory", "16 GB"),
        ("For models", "10 GB"),
        ("Free on disk", "312 GB"),
        ("Used by models", "4.7 GB"),
    )
    facts = dict(rows.machine_facts(MACHINE, 0, 0))
    assert "Free on disk" not in facts, "the disk is not connected"
    assert facts["Used by models"] == "0 MB"
