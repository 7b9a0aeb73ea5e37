"""Rows of a Compare view of several sizes, in each language, for the tests of its widgets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta

from compare_sample_charts import FIGURES, charts

from app.compare_rows import Choice, Column, CompareRows, PastRun, Row
from engine.api import Sampling

_WORDS: dict[str, dict[str, str]] = {
    "en": {
        "prompt": "In 1610 Galileo pointed his telescope at Jupiter and saw",
        "done": "Done, 160 tokens", "writing": "Writing, 96 of 160 tokens",
        "waiting": "Waiting for its turn", "loading": "Loading, 62 %",
        "reading": "Reading 8 of 12 tokens", "skipped": "does not fit, skipped",
        "failed": "The model ran out of memory at token 212. What it wrote is kept.",
        "note": "Base models: they continue the text.",
        "warning": "The machine slept during this run. Times may be too long.",
        "title": "Sun 29 Nov, run 14",
        "time": "Time per token, by position", "ms": "ms per token",
        "memory": "Memory, by position", "gb": "GB",
        "tabs": "Time|Memory|Quality|History",
        "quality": "Quality against speed", "bits": "bits per byte",
        "best": "Lower left is best. Measured on 20,000 bytes of English prose.",
        "history": "Time per token, benchmark by benchmark",
        "days": "3 Nov|12 Nov|21 Nov|28 Nov",
        "benchmarks": "Four benchmarks on this Mac, 160 tokens each.",
        "chart": "Solid: measured here, one run of 10,000 tokens each. Dashed: calculated from "
                 "the size of a Transformer’s cache at equal parameters.",
        "models": "{n} models, 160 tokens", "count": "{n}, {size}",
        "130m": "129 million", "370m": "372 million", "790m": "793 million",
        "1.4b": "1.37 billion", "2.8b": "2.77 billion",
        "transformer": "Transformer, for comparison",
        "haiku": "Haiku for a tape recorder", "mean": "Running mean in one pass",
        "tea": "The smell of rain on a warm street in June reminds me",
        "labels": "Parameters|Disk|Precision|Load|First token|Prompt, tokens/s|"
                  "ms/token, first 50|ms/token, last 50|Tokens/s|Weights read, GB/s|"
                  "State, constant|Peak memory",
        "s": " s",
    },
    "ja": {
        "130m": "1億2900万", "370m": "3億7200万", "790m": "7億9300万",
        "1.4b": "13億7000万", "2.8b": "27億7000万",
        "prompt": "1610年、ガリレオは望遠鏡を木星に向けて",
        "done": "完了、160トークン", "writing": "書き込み中、160トークン中96",
        "waiting": "順番を待っています", "loading": "読み込み中、62 %",
        "reading": "12トークン中8を読み取り中", "skipped": "入らないため省略",
        "failed": "212トークン目でメモリが足りなくなりました。そこまでの文章は残っています。",
        "note": "ベースモデルは文章の続きを書きます。",
        "warning": "実行中にスリープしたため、時間は長めに出ている可能性があります。",
        "title": "11月29日（日）、14回目",
        "time": "1トークンあたりの時間、位置ごと", "ms": "ミリ秒/トークン",
        "memory": "メモリ、位置ごと", "gb": "GB",
        "tabs": "時間|メモリ|品質|履歴",
        "quality": "品質と速度", "bits": "ビット/バイト",
        "best": "左下ほど良い。英語の文章20,000バイトで測定。",
        "history": "1トークンあたりの時間、ベンチマークごと",
        "days": "11月3日|11月12日|11月21日|11月28日",
        "benchmarks": "このMacでのベンチマーク4回、各160トークン。",
        "chart": "実線はこのMacでの実測（各10,000トークン）。破線は同じ規模のTransformerの"
                 "キャッシュ量からの計算値。",
        "models": "{n}個のモデル、160トークン", "count": "{n}、{size}",
        "transformer": "Transformer、比較用",
        "haiku": "テープレコーダーの俳句", "mean": "一度の走査で移動平均",
        "tea": "6月の暖かい道に降る雨のにおいは",
        "labels": "パラメータ数|ディスク|精度|読み込み|最初のトークン|プロンプト、トークン/秒|"
                  "ms/トークン、最初の50|ms/トークン、最後の50|トークン/秒|読んだ重み、GB/秒|"
                  "状態（一定）|最大メモリ",
        "s": "秒",
    },
}  # fmt: skip

_TEXTS = {
    "130m": " the moon. The moon was the first object to be seen by the telescope, and it was the "
    "first object to be seen by the telescope. The moon was seen in the year 1610, and it was "
    "seen by the telescope in the year 1610, and the telescope was the first object to be seen "
    "by the moon. In 1611 the telescope was seen in the year 1611, and it was the first of the "
    "moons to be seen by Galileo, who was the first man to see the moon. He was the first man to "
    "see the moon by the telescope. The moon of the year 1610",
    "790m": " that it had four moons. He called them the Medicean stars, after the family that "
    "ruled Florence, and he published what he had seen in a book that year. The moons were the "
    "first objects known to move around a planet other than the Earth. They were later named Io, "
    "Europa, Ganymede and Callisto. Galileo was not the only one to see them. Simon Marius, a "
    "German astronomer, said that he had seen them a month before, but Galileo had printed first. "
    "The names that we use today are the ones that Marius",
    "2.8b": " three small stars in a straight line beside it. On the next night they had changed "
    "places, and within a week there were four. He saw that they could not be stars at all: they "
    "kept company with the planet and moved around it, so that here, plainly, was a centre of "
    "motion that was not the Earth. He hurried the news into print in March, and",
}

LADDERS = {2: ("130m", "2.8b"), 3: ("130m", "790m", "2.8b"), 5: tuple(FIGURES)}


def sample(language: str, count: int = 3, *, running: bool = False) -> CompareRows:
    """A comparison of 2, 3 or 5 sizes, all done or with the largest still writing."""
    words, sizes = _WORDS[language], LADDERS[count]
    return CompareRows(
        choices=_choices(words),
        chosen=tuple(f"mamba-{size}-hf" for size in sizes),
        prompt=words["prompt"],
        sampling=Sampling(seed=42, temperature=0.7, max_tokens=160),
        running=running,
        can_run=True,
        columns=tuple(
            _column(words, size, rank, writing=running and rank == count - 1)
            for rank, size in enumerate(sizes)
        ),
        table=_table(words, sizes),
        charts=charts(words, sizes),
        note=words["note"],
        title_note=words["title"],
        past=_past(words),
        current="run-14",
    )


def states(language: str) -> CompareRows:
    """Five columns, each in another state, and figures that may not be trusted."""
    words, rows = _WORDS[language], sample(language, 5, running=True)
    done, waiting, loading, reading, failed = rows.columns
    columns = (
        replace(done, state="failed", status=words["failed"], text=done.text[:120]),
        replace(waiting, state="waiting", status=words["waiting"], text="", figure=""),
        replace(loading, state="loading", status=words["loading"], text="", figure="",
                fraction=0.62),
        replace(reading, state="reading", status=words["reading"], text="", figure="",
                fraction=0.66),
        replace(failed, state="skipped", status=words["skipped"], text="", figure=""),
    )  # fmt: skip
    return replace(rows, columns=columns, warning=words["warning"])


def blind(language: str, *, voted: bool = False) -> CompareRows:
    """Two answers without names; `voted`: with them again."""
    rows = sample(language, 2)
    small, large = rows.columns
    table = tuple(
        replace(row, cells=row.cells[::-1], best=frozenset(1 - at for at in row.best))
        for row in rows.table
    )
    return replace(rows, blind=True, columns=(replace(large, vote=voted), small), table=table)


def empty(language: str) -> CompareRows:
    """Before the first run."""
    rows = sample(language)
    return CompareRows(choices=rows.choices, sampling=rows.sampling, past=rows.past)


def _choices(words: Mapping[str, str]) -> tuple[Choice, ...]:
    several = ("float32", "bfloat16", "8-bit", "4-bit")
    mambas = [
        Choice(
            id=f"mamba-{size}-hf",
            name=f"Mamba {size}",
            note=words["count"].format(n=words[size], size=f"{figures[1]} GB"),
            precision="bfloat16",
            precisions=several,
            fit="tight" if size == "2.8b" else "fits",
        )
        for size, figures in FIGURES.items()
    ]
    pythia = Choice(
        id="pythia-2.8b", name="Pythia 2.8b", note=words["transformer"], installed=False,
        transformer=True, fit="too_big",
    )  # fmt: skip
    mambas[1] = replace(mambas[1], installed=False, precisions=())
    return (*mambas, pythia)


def _column(words: Mapping[str, str], size: str, rank: int, *, writing: bool) -> Column:
    near = {"370m": "130m", "1.4b": "790m"}.get(size, size)
    return Column(
        id=f"mamba-{size}-hf/bfloat16",
        name=f"Mamba {size}",
        short=size,
        rank=rank,
        state="writing" if writing else "done",
        status=words["writing" if writing else "done"],
        text=_TEXTS[near],
        figure=f"{FIGURES[size][5]:.1f}",
    )


def _table(words: Mapping[str, str], sizes: tuple[str, ...]) -> tuple[Row, ...]:
    of = [FIGURES[size] for size in sizes]
    last, s = len(sizes) - 1, words["s"]
    cells = (
        (tuple(f[0] for f in of), -1),
        (tuple(f"{f[1]} GB" for f in of), 0),
        (("bfloat16",) * len(of), -1),
        (tuple(f"{f[2]:.1f}{s}" for f in of), 0),
        (tuple(f"{f[3]:.2f}{s}" for f in of), 0),
        (tuple(f[4] for f in of), 0),
        (tuple(f"{f[5]:.1f}" for f in of), 0),
        (tuple(f"{f[5]:.1f}" for f in of), 0),
        (tuple(f[6] for f in of), 0),
        (tuple(f[7] for f in of), last),
        (tuple(f"{f[8]} MB" for f in of), 0),
        (tuple(f"{f[9]} GB" for f in of), 0),
    )
    labels = words["labels"].split("|")
    return tuple(
        Row(label=label, cells=values, best=frozenset() if best < 0 else frozenset({best}))
        for label, (values, best) in zip(labels, cells, strict=True)
    )


def _past(words: Mapping[str, str]) -> tuple[PastRun, ...]:
    runs = (
        ("run-14", words["prompt"], 3, 0), ("run-13", words["tea"], 5, 0),
        ("run-12", words["haiku"], 2, 1), ("run-11", words["mean"], 3, 3),
        ("run-10", words["prompt"], 2, 40),
    )  # fmt: skip
    return tuple(
        PastRun(id=run, title=title, note=words["models"].format(n=count),
                when=datetime.now() - timedelta(days=days))
        for run, title, count, days in runs
    )  # fmt: skip
