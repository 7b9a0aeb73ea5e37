"""`python -m engine compare`: the comparison without a window."""

from __future__ import annotations

import json

import pytest

from engine.__main__ import main

ASKED = ["--prompt", "Tell me about the sea.", "--max-tokens", "12", "--seed", "3"]


def test_answers_and_a_table_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", "starter-3m", "starter-3m@8-bit", *ASKED]) == 0
    out = capsys.readouterr().out
    head, *rows = out[out.index("parameters") - 100 :].splitlines()[1:]
    assert "starter-3m@8-bit" in out
    table = {row[:20].strip(): row[20:].split() for row in [head, *rows] if row.strip()}
    assert table["parameters"] == ["2,910,720", "2,910,720"]
    assert table["precision"] == ["float32", "8-bit"]  # as a CPU holds it
    assert all(float(cell) > 0 for cell in table["ms/token"])


def test_events_are_json_and_a_model_that_is_refused_does_not_end_the_others(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["compare", "starter-3m@5-bit", "starter-3m", *ASKED, "--json"]) == 0
    events = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    (failed,) = [event for event in events if event["event"] == "failed"]
    assert (failed["column"], failed["model"]) == (0, "starter-3m@5-bit")
    assert "precision" in failed["error"]
    (done,) = [event for event in events if event["event"] == "done"]
    text = "".join(event["text"] for event in events if event["event"] == "text")
    assert done["text"] == text
    assert done["stats"]["ms_per_token"] > 0


def test_a_model_that_is_not_installed_is_one_sentence(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["compare", "starter-3m", "no-such", *ASKED]) == 2
    assert capsys.readouterr().err.count("\n") == 1
