"""The cutting of a growing Markdown text into blocks, and the texts made safe to show."""

from __future__ import annotations

import random
from itertools import groupby

import pytest

from app.widgets.markdown import BREAK, JOIN, LIMIT, SLACK, BlockReader, Step, prepared, visible

ANSWER = (
    """# Title
Some **text**
that goes on.

1. one

   ```py
   x = 1
     y = 2
   ```

2. two

   more of two
- three

After the list.
| a | b |
|---|---|
| 1 | 2 |

> quoted

~~~
tilde ``` inside
~~~
`````
```
`````
"""
    + ("wörd 日本 " * 900)
    + "\n"
    + "x" * 9000
    + "\n```c++\nnever closed"
)


def steps_of(text: str, cuts: list[int]) -> list[Step]:
    """The steps for `text` in pieces cut at `cuts`, with the steps of one block joined."""
    reader = BlockReader()
    ends = [*cuts, len(text)]
    steps = [s for a, b in zip([0, *cuts], ends, strict=True) for s in reader.feed(text[a:b])]
    steps += reader.close()
    joined: list[Step] = []
    for kind, group in groupby(steps, key=lambda step: step.kind):
        same = list(group)
        if kind in ("text", "code"):
            same = [Step(kind, "".join(step.text for step in same))]
        joined += same
    return joined


def test_the_blocks_do_not_depend_on_the_pieces_the_text_came_in() -> None:
    whole = steps_of(ANSWER, [])
    assert steps_of(ANSWER, list(range(1, len(ANSWER)))) == whole
    chance = random.Random(1)
    for count in (1, 3, 50, 700):
        cuts = sorted(chance.sample(range(1, len(ANSWER)), count))
        assert steps_of(ANSWER, cuts) == whole


def test_every_letter_of_the_text_is_in_one_block() -> None:
    steps = steps_of("one\n\ntwo\nthree\n\n\n- a\n\n- b\n\nfour", [])
    assert [s.text for s in steps if s.kind == "text"] == [
        "one\n",
        "two\nthree\n",
        "- a\n\n- b\n\n",
        "four\n",
    ]
    kinds = {step.kind for step in steps_of(ANSWER, [])}
    assert kinds == {"text", "end", "fence", "code", "unfence"}


def test_code_in_a_list_is_a_box_without_the_lists_indent() -> None:
    steps = steps_of("1. do\n\n   ```py\n   a\n     b\n   ```\n2. then", [])
    assert Step("fence", "py") in steps
    assert Step("code", "a\n  b\n") in steps
    assert Step("text", "2. then\n") in steps


def test_a_fence_is_closed_only_by_its_own_kind() -> None:
    steps = steps_of("````\n```\n~~~~\n````\nafter", [])
    assert steps == [
        Step("fence", ""),
        Step("code", "```\n~~~~\n"),
        Step("unfence"),
        Step("text", "after\n"),
        Step("end"),
    ]


def test_code_that_is_never_closed_is_code_to_the_end() -> None:
    assert steps_of("```\na\n\nb", []) == [
        Step("fence", ""),
        Step("code", "a\n\nb\n"),
        Step("unfence"),
    ]


def test_no_block_of_text_is_longer_than_can_be_drawn_quickly() -> None:
    for text in ("word " * 30_000, "x" * 150_000, "。" * 50_000, "\\[" * 30_000):
        blocks = [s.text for s in steps_of(text, []) if s.kind == "text"]
        assert "".join(blocks).strip() == text.strip()
        reader = BlockReader()
        size, longest = 0, 0
        for step in reader.feed(text) + reader.close():
            size = size + len(step.text) if step.kind == "text" else 0
            longest = max(longest, size)
        assert longest <= LIMIT + SLACK


def test_a_line_that_may_still_become_a_fence_is_held_back() -> None:
    reader = BlockReader()
    assert reader.feed("``") == []
    assert reader.feed("`p") == []
    assert reader.feed("y\n") == [Step("fence", "py")]
    assert reader.feed("pri") == [Step("code", "pri")]


def test_text_is_handed_on_before_its_line_ends() -> None:
    reader = BlockReader()
    assert reader.feed("Hel") == [Step("text", "Hel")]
    assert reader.feed("lo") == [Step("text", "lo")]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\0b", "a\u2400b"),
        ("\x1b[31mred", "\u241b[31mred"),
        ("abc\u202edef", "abc[U+202E]def"),
        ("\u2066x\u2069", "[U+2066]x[U+2069]"),
        ("one\r\ntwo\u2028three", "one\ntwo\nthree"),
        ("tab\there", "tab\there"),
        ("lone \ud800", "lone \ufffd"),
        ("👩‍👩‍👧 e\u0301 日本", "👩‍👩‍👧 e\u0301 日本"),
    ],
)
def test_what_cannot_be_seen_is_shown(text: str, shown: str) -> None:
    assert visible(text) == shown


def test_line_ends_of_a_paragraph_are_kept_and_those_of_blocks_are_not_touched() -> None:
    assert prepared("one\ntwo") == f"one {BREAK}\ntwo"
    for text in (
        "one\n- two",
        "# one\ntwo",
        "one\n---",
        "| a |\n|---|",
        "a\n> b",
        "a\n\nb",
        "a\\\nb",
    ):
        assert prepared(text) == text
    assert prepared("> a\n> b") == f"> a {BREAK}\n> b"


def test_emphasis_is_helped_inside_a_japanese_sentence_but_not_in_code() -> None:
    assert prepared("これは**「重要」**です") == f"これは{JOIN}**「重要」**{JOIN}です"
    assert prepared("`は**「重」**で`") == "`は**「重」**で`"
    assert prepared("2**(3) and 4**(5)") == "2**(3) and 4**(5)"


def test_the_brackets_of_maths_keep_their_backslash() -> None:
    assert prepared(r"\(a_1\) and `\(b\)`") == r"\\(a_1\\) and `\(b\)`"


def test_a_text_with_our_own_marks_in_it_is_left_alone() -> None:
    assert prepared(f"a{JOIN}\nb") == f"a{JOIN}\nb"
