"""What may be compared: models in one precision or in several, five at most."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from app.contenders import MOST, Contenders
from engine.api import ModelInfo, Need

SMALL = ModelInfo(
    name="mamba-130m",
    folder=Path("/models/mamba-130m"),
    family="mamba",
    chat=False,
    parameters=129_000_000,
    dtype="float32",
    disk_bytes=517_000_000,
    needed_bytes=700,
    state_bytes=2_800_000,
    needs=(Need("float32", 700), Need("bfloat16", 400), Need("8-bit", 250), Need("4-bit", 150)),
)
LARGE = replace(SMALL, name="mamba-370m", parameters=372_000_000, needed_bytes=1900)
PACKED = replace(SMALL, name="tiny-4bit", parameters=1, dtype="4-bit", needs=(Need("4-bit", 9),))


@pytest.fixture
def contenders() -> Contenders:
    """Two models to choose from, the smaller one chosen."""
    made = Contenders()
    made.set_models([LARGE, SMALL])
    made.choose(["mamba-130m"])
    return made


def keys(contenders: Contenders) -> list[str]:
    return [row.key for row in contenders.rows()]


def test_at_first_the_smallest_that_fit_are_chosen() -> None:
    contenders = Contenders()
    tight = replace(SMALL, name="tight", parameters=5, fit="tight")
    broken = replace(SMALL, name="broken", parameters=5, problem="config.json is missing.")
    more = [replace(SMALL, name=f"m{n}", parameters=n) for n in (9, 8, 7, 6)]
    contenders.set_models([tight, broken, *more])
    assert contenders.chosen == ("m6", "m7", "m8")


def test_a_model_in_three_precisions_has_three_rows_in_one_place(contenders: Contenders) -> None:
    contenders.add("mamba-130m", "4-bit")
    contenders.add("mamba-130m", "bfloat16")
    assert keys(contenders) == [
        "mamba-130m", "mamba-130m@bfloat16", "mamba-130m@4-bit", "mamba-370m",
    ]  # fmt: skip
    assert [(m.name, m.precision, m.dtype, m.needed_bytes) for m in contenders.models()] == [
        ("mamba-130m", "", "float32", 700),
        ("mamba-130m", "bfloat16", "bfloat16", 400),
        ("mamba-130m", "4-bit", "4-bit", 150),
    ]
    assert [row.chosen for row in contenders.rows()] == [True, True, True, False]


def test_no_precision_is_offered_twice(contenders: Contenders) -> None:
    contenders.add("mamba-130m", "8-bit")
    own, packed, _ = contenders.rows()
    assert own.precisions == ("float32", "bfloat16", "4-bit")
    assert packed.precisions == ("bfloat16", "8-bit", "4-bit")
    assert own.also == packed.also == ("bfloat16", "4-bit")
    contenders.set_precision("mamba-130m", "8-bit")
    contenders.add("mamba-130m@8-bit", "float32")
    assert contenders.chosen == ("mamba-130m", "mamba-130m@8-bit")


def test_another_precision_changes_its_row_and_its_own_needs_no_name(
    contenders: Contenders,
) -> None:
    contenders.set_precision("mamba-130m", "bfloat16")
    assert contenders.chosen == ("mamba-130m@bfloat16",)
    contenders.set_precision("mamba-130m@bfloat16", "float32")
    assert contenders.chosen == ("mamba-130m",)


def test_a_row_that_is_taken_out_is_gone_and_the_last_one_stays_as_it_was(
    contenders: Contenders,
) -> None:
    contenders.add("mamba-130m", "8-bit")
    contenders.choose(["mamba-130m@8-bit"])
    assert keys(contenders) == ["mamba-130m@8-bit", "mamba-370m"]
    contenders.choose([])
    assert keys(contenders) == ["mamba-130m@8-bit", "mamba-370m"]
    assert not contenders.rows()[0].chosen
    assert contenders.rows()[0].also == ()
    contenders.set_precision("mamba-130m@8-bit", "4-bit")
    assert keys(contenders) == ["mamba-130m@4-bit", "mamba-370m"]


def test_five_is_the_most(contenders: Contenders) -> None:
    for precision in ("bfloat16", "8-bit", "4-bit"):
        contenders.add("mamba-130m", precision)
    contenders.choose((*contenders.chosen, "mamba-370m"))
    assert len(contenders.chosen) == MOST
    assert {row.also for row in contenders.rows()} == {()}
    contenders.add("mamba-370m", "4-bit")
    contenders.choose((*contenders.chosen, "mamba-370m@4-bit"))
    assert contenders.chosen[-1] == "mamba-370m"


def test_what_is_not_installed_cannot_be_compared_until_it_is_again(contenders: Contenders) -> None:
    contenders.choose(["gone@4-bit", "mamba-130m"])
    assert contenders.chosen == ("mamba-130m",)
    contenders.set_models([SMALL, replace(LARGE, name="gone")])
    assert contenders.chosen == ("gone@4-bit", "mamba-130m")
    contenders.set_models([replace(SMALL, problem="config.json is missing.")])
    assert contenders.models() == []


def test_a_packed_model_has_one_precision_and_a_name_may_hold_the_sign() -> None:
    contenders = Contenders()
    contenders.set_models([PACKED, replace(SMALL, name="mine@home")])
    contenders.choose(["tiny-4bit", "mine@home"])
    contenders.add("mine@home", "8-bit")
    assert contenders.rows()[0].also == ()
    assert contenders.rows()[0].precisions == ("4-bit",)
    assert contenders.chosen == ("tiny-4bit", "mine@home", "mine@home@8-bit")
    assert contenders.models()[2].name == "mine@home"
