"""An answer ends before a stop string, however its text comes."""

from __future__ import annotations

import random

import pytest

from engine.stop_strings import StopStrings


def fed(stops: list[str], pieces: list[str]) -> tuple[str, bool]:
    watch = StopStrings(stops)
    text = ""
    for piece in pieces:
        text += watch.feed(piece)
        if watch.hit:
            return text, True
    return text + watch.close(), False


@pytest.mark.parametrize(
    ("stops", "text", "kept"),
    [
        (["END"], "all of it END not this", "all of it "),
        (["\n\n", "User:"], "one\ntwo\nUser: three", "one\ntwo\n"),
        (["aab"], "aaab", "a"),
        (["abab", "ba"], "xxabab", "xxa"),
        ([], "nothing stops this", "nothing stops this"),
        (["", "never"], "an empty stop string is none", "an empty stop string is none"),
    ],
)
def test_the_first_stop_string_ends_the_text_however_it_is_cut(
    stops: list[str], text: str, kept: str
) -> None:
    rng = random.Random(0)
    for _ in range(50):
        cuts = sorted(rng.choices(range(len(text) + 1), k=rng.randint(0, 6)))
        pieces = [text[a:b] for a, b in zip([0, *cuts], [*cuts, len(text)], strict=True)]
        found, hit = fed(stops, pieces)
        assert (found, hit) == (kept, kept != text)


def test_text_is_held_back_only_while_it_may_begin_a_stop_string() -> None:
    watch = StopStrings(["STOP"])
    assert [watch.feed(piece) for piece in ("a", "S", "T", "x", "ST")] == ["a", "", "", "STx", ""]
    assert watch.close() == "ST"
    assert not watch.hit
