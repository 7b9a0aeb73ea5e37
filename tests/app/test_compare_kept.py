"""A comparison is kept, opened again, renamed and exported; its table marks what is best."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from pathlib import Path

import pytest
from compared import BROKEN, LARGE, RUN, SMALL, benchmark

from app.compare_columns import columns, names
from app.compare_export import as_csv, as_json, as_markdown
from app.compare_table import table
from app.compare_values import Comparison, KeptRun
from app.compare_words import past_run
from app.store import Store
from engine.api import Message, StopReason

SAID = (Message(role="user", text="Who?"), Message(role="assistant", text="Galileo\nGalilei"))
AFTER = replace(RUN, before=SAID, chat="Jupiter")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "chats.sqlite"


def test_a_run_comes_back_as_it_was_and_is_counted(file: Path) -> None:
    chats = Store(file)
    store = chats.comparisons
    assert store.save(RUN).number == 1
    assert store.save(replace(RUN, id="b", when=RUN.when.replace(day=30))).number == 2
    chats.close()
    reopened = Store(file)
    again = reopened.comparisons
    assert [kept.id for kept in again.kept()] == ["b", "a"]
    assert [kept.models for kept in again.kept()] == [3, 3]
    first = again.get("a")
    assert first
    assert first.number == 1
    assert replace(first, number=0, when=RUN.when) == RUN
    assert first.when == RUN.when
    again.rename("a", "Jupiter")
    again.remove("b")
    assert [run.title for run in again.kept()] == ["Jupiter"]
    reopened.close()


def test_a_run_is_kept_as_it_grows_and_a_number_is_never_given_twice(file: Path) -> None:
    chats = Store(file)
    store = chats.comparisons
    store.save(replace(RUN, columns=()))
    assert store.save(RUN).number == 1
    kept = store.get("a")
    assert kept
    assert len(kept.columns) == 3
    store.remove("a")
    assert store.save(replace(RUN, id="c")).number == 2
    chats.close()


def test_what_was_said_before_is_kept_and_an_older_run_has_nothing_before(file: Path) -> None:
    chats = Store(file)
    store = chats.comparisons
    store.save(replace(AFTER, before=(replace(SAID[0], ids=(1, 2), tokenizer="x"), SAID[1])))
    kept = store.get("a")
    assert kept
    assert (kept.before, kept.chat) == (SAID, "Jupiter")
    store._db.execute("UPDATE comparisons SET content = json_remove(content, '$.before', '$.chat')")
    older = store.get("a")
    assert older
    assert (older.before, older.chat) == ((), "")
    chats.close()


def test_the_chats_beside_it_are_untouched(file: Path) -> None:
    chats = Store(file)
    chat, _ = chats.create_chat("Hello", "starter-3m")
    store = chats.comparisons
    store.save(RUN)
    assert [row.id for row in chats.chats()] == [chat]
    chats.rename(chat, "Another")
    assert store.kept()[0].title == "Galileo"
    chats.close()


def test_benchmarks_are_found_among_the_runs_oldest_first(file: Path) -> None:
    chats = Store(file)
    store = chats.comparisons
    for run in (benchmark(28), RUN, benchmark(3), benchmark(12)):
        store.save(run)
    found = store.benchmarks(2)
    assert [run.id for run in found] == ["day-12", "day-28"]
    assert found[1].columns == benchmark(28).columns
    assert found[1].plan == benchmark(28).plan
    chats.close()


def test_a_run_that_cannot_be_read_hides_no_benchmark(file: Path) -> None:
    chats = Store(file)
    store = chats.comparisons
    for run in (RUN, benchmark(3)):
        store.save(run)
    for content in ("{broken", '{"plan": NaN}'):
        store._db.execute("UPDATE comparisons SET content = ? WHERE id = 'a'", (content,))
        assert [run.id for run in store.benchmarks(5)] == ["day-3"]
    chats.close()


def test_a_run_of_a_later_version_is_kept_and_not_opened(file: Path) -> None:
    chats = Store(file)
    store = chats.comparisons
    store.save(RUN)
    store._db.execute("UPDATE comparisons SET content = '{\"prompt\": 1}'")
    assert store.get("a") is None
    assert [kept.id for kept in store.kept()] == ["a"]
    assert store.get("no such run") is None
    chats.close()


def test_what_was_removed_can_be_put_back_even_where_it_cannot_be_read(file: Path) -> None:
    chats = Store(file)
    store = chats.comparisons
    store.save(RUN)
    store._db.execute("UPDATE comparisons SET content = '{\"later\": 1}'")
    before = store.kept()
    removed = store.remove("a")
    assert removed
    assert not store.kept()
    store.put_back(removed)
    assert store.kept() == before
    assert removed.content == '{"later": 1}'
    assert store.remove("no such run") is None
    chats.close()


def test_the_best_of_each_row_is_marked_and_none_where_all_are_alike() -> None:
    rows = {row.label: row for row in table(RUN.columns)}
    assert rows["Parameters"].cells == ("129 M", "2.77 B", "–")
    assert rows["Parameters"].best == frozenset()
    assert rows["Disk"].best == {0}
    assert rows["Tokens/s"].best == {0}
    assert rows["First token"].cells[:2] == ("0.02 s", "0.13 s")
    alike = {row.label: row.best for row in table((SMALL, SMALL))}
    assert set(alike.values()) == {frozenset()}
    reads_alike = replace(LARGE, early_ms=3.44)
    assert {r.label: r.best for r in table((SMALL, reads_alike, LARGE))}["ms/token, first 50"] == {
        0,
        1,
    }


def test_what_only_a_benchmark_tells_has_rows_in_a_benchmark_alone() -> None:
    only = {"Spread of rounds", "Bits per byte", "Perplexity"}
    assert not only & {row.label for row in table(RUN.columns)}
    rows = {row.label: row for row in table(benchmark(1).columns)}
    assert only <= set(rows)
    assert rows["Spread of rounds"].cells == ("±2.9 %", "±0.3 %")
    assert rows["Bits per byte"].best == {1}
    assert rows["Perplexity"].best == frozenset()  # it cannot be compared between tokenizers


def test_times_in_doubt_make_none_the_best() -> None:
    doubted = {row.label: row.best for row in table((SMALL, replace(LARGE, doubt="slept")))}
    assert doubted["Tokens/s"] == doubted["Load"] == frozenset()
    assert doubted["Disk"] == {0}


def test_weights_read_are_those_of_a_token_over_its_time() -> None:
    (row,) = [row for row in table(RUN.columns) if row.label == "Weights read, GB/s"]
    assert row.cells == ("75.9", "147", "–")
    assert row.best == {1}


def test_a_state_is_called_constant_only_where_all_of_them_are() -> None:
    def labels(family: str) -> set[str]:
        return {row.label for row in table((SMALL, replace(LARGE, family=family)))}

    assert "State, constant" in labels("mamba")
    assert "State" in labels("gpt_neox")


def test_csv_holds_the_numbers_and_the_answers_whole() -> None:
    rows = list(csv.DictReader(io.StringIO(as_csv(RUN))))
    assert [row["model"] for row in rows] == ["mamba-130m-hf", "mamba-2.8b-hf", "gone"]
    assert float(rows[1]["late_ms"]) == 37.6
    assert rows[0]["text"] == SMALL.text
    assert (rows[2]["late_ms"], rows[2]["error"]) == ("", BROKEN.error)


def test_of_a_benchmark_the_files_hold_numbers_and_no_prompt() -> None:
    run = benchmark(1)
    (small, _) = csv.DictReader(io.StringIO(as_csv(run)))
    assert (float(small["least_ms"]), float(small["most_ms"])) == pytest.approx((3.3, 3.5))
    assert "spread_ms" not in small
    cut = replace(SMALL, error="No memory.")
    assert "\n\nmamba-130m-hf: No memory.\n\n" in as_markdown(replace(run, columns=(cut,)))
    assert "> of it\n\n> No memory." in as_markdown(replace(RUN, columns=(cut,)))


def test_json_holds_everything() -> None:
    value = json.loads(as_json(RUN))
    assert value["sampling"]["seed"] == 42
    assert value["columns"][0]["points"][0] == [13, 3.4, 270_000_000]
    assert value["vote"] == 1


def test_what_was_said_before_the_prompt_is_exported_before_it() -> None:
    value = json.loads(as_json(AFTER))
    assert value["before"] == [
        {"role": "user", "text": "Who?"},
        {"role": "assistant", "text": "Galileo\nGalilei"},
    ]
    head = as_markdown(AFTER).partition("## ")[0]
    assert head == (
        "# Galileo\n\n2026-11-29 10:00, Apple M2 Pro, Metal\n\n"
        "User:\n\n> Who?\n\nAssistant:\n\n> Galileo\n> Galilei\n\n"
        "User:\n\n> In 1610\n> Galileo\n\n"
    )
    assert "Metal\n\n> In 1610\n> Galileo\n\n##" in as_markdown(RUN)


def test_markdown_of_a_benchmark_tells_what_was_measured_in_place_of_answers() -> None:
    text = as_markdown(benchmark(12))
    assert "5 rounds: 512 tokens read, 128 written; then written on to 10000." in text
    assert SMALL.text not in text
    assert "| Bits per byte | 1.120 | **0.860** |" in text


def test_columns_of_one_model_are_told_apart_by_their_precision() -> None:
    packed = replace(SMALL, precision="8-bit", dtype="8-bit")
    run = replace(RUN, columns=(SMALL, packed))
    lines = as_markdown(run).splitlines()
    assert "|  | mamba-130m-hf | mamba-130m-hf@8-bit |" in lines
    assert "## mamba-130m-hf@8-bit" in lines
    assert [row["precision"] for row in csv.DictReader(io.StringIO(as_csv(run)))] == [
        "bfloat16",
        "8-bit",
    ]
    assert names(run) == ["bfloat16", "8-bit"]
    assert names(replace(run, columns=(*run.columns, LARGE))) == ["130m", "130m 8-bit", "2.8b"]


def test_markdown_is_a_table_that_no_answer_can_break() -> None:
    text = as_markdown(replace(RUN, columns=(replace(SMALL, name="a|b"), LARGE)))
    lines = [line for line in text.splitlines() if line.startswith("|")]
    assert lines[0] == "|  | a\\|b | mamba-2.8b-hf |"
    assert all(line.replace("\\|", "").count("|") == 4 for line in lines)
    assert "> the moon, and | more\n> of it" in text
    assert "**0.52 GB**" in text


def told(run: Comparison) -> str:
    """The line under the first column's name, of a run that has ended."""
    return columns(run, {}, running=False)[0].status


@pytest.mark.parametrize(
    ("tokens", "reason", "words"),
    [
        (160, "length", "Done, 160 tokens"),
        (1, "end", "Done, 1 token"),
        (96, "stopped", "Stopped at 96 tokens"),
        (1, "stopped", "Stopped at 1 token"),
    ],
)
def test_a_column_tells_how_far_it_came(tokens: int, reason: StopReason, words: str) -> None:
    assert SMALL.stats
    stats = replace(SMALL.stats, new_tokens=tokens, stop_reason=reason)
    assert told(replace(RUN, columns=(replace(SMALL, stats=stats),))) == words


def test_where_no_token_was_counted_none_is_told() -> None:
    ended_by_a_crash = replace(SMALL, stats=None)
    assert told(replace(RUN, columns=(ended_by_a_crash,))) == "Stopped"
    assert SMALL.stats
    stats = replace(SMALL.stats, new_tokens=128, stop_reason="stopped")
    in_the_rounds = replace(SMALL, stats=stats, text="", points=())
    assert told(replace(benchmark(1), columns=(in_the_rounds,))) == "Stopped"


@pytest.mark.parametrize(("models", "note"), [(1, "1 model"), (2, "2 models")])
def test_a_kept_run_tells_how_many_models(models: int, note: str) -> None:
    assert past_run(KeptRun("a", "Galileo", RUN.when, models)).note == note


def test_models_of_one_size_are_told_apart_by_their_whole_names() -> None:
    other = replace(SMALL, name="mamba2-130m")
    run = replace(RUN, columns=(SMALL, other, replace(SMALL, name="mamba-370m-hf")))
    assert len(set(names(run))) == 3
    assert names(run)[2] == "370m"
    assert [column.short for column in columns(run, {}, running=False)] == names(run)
