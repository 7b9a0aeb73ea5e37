"""`python -m engine`, run as a user runs it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from folder_damage import Damage, cut, remove, set_fields, write

from engine.__main__ import main

STATS = {
    "prompt_tokens", "new_tokens", "load_s", "ttft_ms", "prefill_tokens_per_s", "ms_per_token",
    "tokens_per_s", "state_bytes", "peak_memory_bytes", "stop_reason", "backend",
}  # fmt: skip


def engine(*arguments: str, status: int = 0) -> subprocess.CompletedProcess[str]:
    run = subprocess.run(
        [sys.executable, "-m", "engine", *arguments], capture_output=True, text=True, timeout=120
    )
    assert run.returncode == status, run.stderr
    assert "Traceback" not in run.stderr
    return run


def lines(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def test_a_chat_is_answered_with_text_on_stdout_and_figures_on_stderr() -> None:
    ask = ("generate", "--model", "starter-3m", "--chat", "What sound does a cow make?")
    run = engine(*ask, "--seed", "1", "--max-tokens", "20")
    assert "moo" in run.stdout.lower()
    assert "ms_per_token" in run.stderr
    events = lines(engine(*ask, "--seed", "1", "--max-tokens", "20", "--json").stdout)
    text = "".join(event["text"] for event in events if event["event"] == "text")
    assert text == run.stdout.removesuffix("\n")
    assert events[-1]["event"] == "done"
    assert set(events[-1]["stats"]) >= STATS


def test_a_prompt_is_continued_as_it_stands() -> None:
    run = engine(
        "generate", "--model", "starter-3m", "--prompt", "Once upon a time", "--json",
        "--temperature", "0", "--max-tokens", "5", "--stop", "zzz",
    )  # fmt: skip
    done = lines(run.stdout)[-1]["stats"]
    assert done["new_tokens"] == 5
    assert done["stop_reason"] == "length"


def test_bench_reports_every_length_of_prompt() -> None:
    run = engine(
        "bench", "--model", "starter-3m", "--prompt-tokens", "5,33", "--new-tokens", "8", "--json"
    )
    result = json.loads(run.stdout)
    assert [each["prompt_tokens"] for each in result["runs"]] == [5, 33]
    assert all(each["new_tokens"] == 8 and each["ms_per_token"] > 0 for each in result["runs"])
    assert result["backend"] == "CPU"


def test_models_lists_the_starters_and_inspect_describes_a_folder(
    tiny_folder: Callable[..., Path],
) -> None:
    names = [model["name"] for model in json.loads(engine("models", "--json").stdout)]
    assert names[:2] == ["starter-12m", "starter-3m"]
    assert "starter-12m" in engine("models").stdout
    described = json.loads(engine("inspect", str(tiny_folder()), "--json").stdout)
    assert described["family"] == "mamba"
    assert "parameters" in engine("inspect", str(tiny_folder(name="again"))).stdout


@pytest.mark.parametrize(
    "arguments",
    [
        ("generate", "--model", "no-such-model", "--chat", "Hello"),
        ("generate", "--model", "starter-3m", "--chat", "Hello", "--temperature", "-1"),
        ("generate", "--model", "starter-3m", "--prompt", ""),
        ("inspect", "/nowhere/at/all"),
        ("bench", "--model", "no-such-model"),
        ("bench", "--model", "starter-3m", "--precision", "int3"),
    ],
)
def test_trouble_is_one_sentence_on_stderr_and_status_2(arguments: tuple[str, ...]) -> None:
    run = engine(*arguments, status=2)
    assert run.stdout == ""
    assert len(run.stderr.strip().splitlines()) == 1


DAMAGES: dict[str, Damage] = {
    "empty": lambda folder: [file.unlink() for file in folder.iterdir()],
    "half downloaded": cut("model.safetensors", 9_000),
    "no weights": remove("model.safetensors"),
    "corrupt weights": write("model.safetensors", b"\xff" * 4_000),
    "broken tokenizer": write("tokenizer.json", "{"),
    "raising template": set_fields("tokenizer_config.json", chat_template="{{ 1 / 0 }}"),
    "template that reaches outside": set_fields(
        "tokenizer_config.json", chat_template="{{ messages.__class__.__mro__ }}"
    ),
    "unknown family": set_fields("config.json", model_type="rwkv"),
}


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("command", ["generate", "bench", "inspect"])
def test_a_damaged_folder_is_one_sentence_and_status_2_in_every_command(
    tiny_folder: Callable[..., Path],
    capsys: pytest.CaptureFixture[str],
    damage: str,
    command: str,
) -> None:
    folder = tiny_folder()
    DAMAGES[damage](folder)
    given = {
        "generate": ["generate", "--model", str(folder), "--chat", "Hello"],
        "bench": ["bench", "--model", str(folder), "--prompt-tokens", "4"],
        "inspect": ["inspect", str(folder)],
    }
    assert main(given[command]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert len(err.strip().splitlines()) == 1
    assert err.strip().endswith(".")
    assert str(folder.name) in err
