"""A comparison is kept, opened again, renamed and exported; its table marks what is best."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from app.compare_export import as_csv, as_json, as_markdown
from app.compare_table import table
from app.compare_values import ColumnResult, Comparison
from app.compare_words import short_name
from app.store import Store
from engine.api import Message, Sampling, Stats

STATS = Stats(
    prompt_tokens=12, new_tokens=160, load_s=0.3, ttft_ms=21.0, prefill_tokens_per_s=9800.0,
    ms_per_token=3.4, tokens_per_s=294.0, state_bytes=2_800_000, peak_memory_bytes=410_000_000,
    stop_reason="length", backend="Metal",
)  # fmt: skip
SMALL = ColumnResult(
    name="mamba-130m-hf", family="mamba", parameters=129_135_360, disk_bytes=516_541_440,
    dtype="bfloat16", text="the moon, and | more\nof it", stats=STATS, early_ms=3.4, late_ms=3.4,
    times=((13, 3.4), (14, 3.5)),
)  # fmt: skip
LARGE = replace(
    SMALL, name="mamba-2.8b-hf", parameters=2_768_345_600, disk_bytes=11_073_000_000,
    text="three small stars", early_ms=37.6, late_ms=37.6,
    stats=replace(STATS, load_s=3.6, tokens_per_s=26.6, ttft_ms=130.0, prefill_tokens_per_s=690.0,
                  peak_memory_bytes=5_910_000_000, state_bytes=24_900_000),
)  # fmt: skip
BROKEN = ColumnResult(name="gone", error="There is no model at gone.")
RUN = Comparison(
    id="a", title="Galileo", when=datetime(2026, 11, 29, 10, tzinfo=UTC),
    prompt="In 1610\nGalileo", sampling=Sampling(seed=42, stop=("END",)),
    columns=(SMALL, LARGE, BROKEN), vote=1,
)  # fmt: skip
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


def test_csv_holds_the_numbers_and_the_answers_whole() -> None:
    rows = list(csv.DictReader(io.StringIO(as_csv(RUN))))
    assert [row["model"] for row in rows] == ["mamba-130m-hf", "mamba-2.8b-hf", "gone"]
    assert float(rows[1]["late_ms"]) == 37.6
    assert rows[0]["text"] == SMALL.text
    assert (rows[2]["late_ms"], rows[2]["error"]) == ("", BROKEN.error)


def test_json_holds_everything() -> None:
    value = json.loads(as_json(RUN))
    assert value["sampling"]["seed"] == 42
    assert value["columns"][0]["times"] == [[13, 3.4], [14, 3.5]]
    assert value["vote"] == 1


def test_what_was_said_before_the_prompt_is_exported_before_it() -> None:
    value = json.loads(as_json(AFTER))
    assert value["before"] == [
        {"role": "user", "text": "Who?"},
        {"role": "assistant", "text": "Galileo\nGalilei"},
    ]
    head = as_markdown(AFTER).partition("## ")[0]
    assert head == (
        "# Galileo\n\nUser:\n\n> Who?\n\nAssistant:\n\n> Galileo\n> Galilei\n\n"
        "User:\n\n> In 1610\n> Galileo\n\n"
    )
    assert as_markdown(RUN).startswith("# Galileo\n\n> In 1610\n> Galileo\n\n")


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
    assert [short_name(column) for column in run.columns] == ["130m", "130m 8-bit"]


def test_markdown_is_a_table_that_no_answer_can_break() -> None:
    text = as_markdown(replace(RUN, columns=(replace(SMALL, name="a|b"), LARGE)))
    lines = [line for line in text.splitlines() if line.startswith("|")]
    assert lines[0] == "|  | a\\|b | mamba-2.8b-hf |"
    assert all(line.replace("\\|", "").count("|") == 4 for line in lines)
    assert "> the moon, and | more\n> of it" in text
    assert "**0.52 GB**" in text
