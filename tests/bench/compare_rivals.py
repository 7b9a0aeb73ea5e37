"""Times our engine beside mlx-lm and transformers on one random checkpoint of 130m size, float32.

The rivals live in an environment of their own:

    python3.11 -m venv rivals
    rivals/bin/pip install "mlx[cpu]==0.32.4" mlx-lm==0.32.2 torch==2.13.0 transformers==5.24.0
    .venv/bin/python tests/bench/compare_rivals.py --rivals rivals/bin/python [--rounds 5]

Each engine has a process of its own, those on MLX with the same OpenBLAS put first; in each round
they run one after another, so that all of them see the same machine. It prints a Markdown table.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from engine.device import preload_blas

HERE = Path(__file__).resolve().parent
OPENBLAS = "libopenblas.so.0"
RIVALS = {"mlx-lm": "mlx_lm", "transformers": "transformers"}
Results = dict[str, list[dict[str, Any]]]


def environment(name: str) -> dict[str, str]:
    """The worker's environment: nothing fetched; on Linux the BLAS that the app chooses comes
    first for all that run on MLX, while torch is at its best with its own."""
    preload_blas()  # names the kernels in this process's environment
    ours = sys.platform == "linux" and name != "transformers"
    return {**os.environ, "HF_HUB_OFFLINE": "1"} | ({"LD_PRELOAD": OPENBLAS} if ours else {})


def present(python: str) -> list[str]:
    """The rivals that this Python can import."""
    code = "import sys, importlib.util as u; print([m for m in sys.argv[1:] if u.find_spec(m)])"
    done = subprocess.run([python, "-c", code, *RIVALS.values()], capture_output=True, text=True)
    return [name for name, module in RIVALS.items() if f"'{module}'" in done.stdout]


class Worker:
    """One engine in a process of its own; `about` names its BLAS and versions."""

    def __init__(self, python: str, name: str, folder: Path, prompt: int, new: int) -> None:
        command = [python, str(HERE / "rival_worker.py"), name, str(folder), str(prompt), str(new)]
        self.name = name
        self._process = subprocess.Popen(
            command, env=environment(name), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.about = self._answer()

    def measure(self) -> dict[str, Any]:
        """Have it read the prompt and write once."""
        assert self._process.stdin
        print(file=self._process.stdin, flush=True)
        return self._answer()

    def close(self) -> None:
        """End the process."""
        self._process.communicate()

    def _answer(self) -> dict[str, Any]:
        assert self._process.stdout
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"{self.name} ended with status {self._process.wait()}")
        answer: dict[str, Any] = json.loads(line)
        return answer


def compare(
    python: str, rivals: Sequence[str], folder: Path, rounds: int, prompt: int = 512, new: int = 32
) -> Results:
    """The figures of ours and of the `rivals` that `python` has: `rounds` of each, in turn.

    Raises RuntimeError when the engines' logits after the prompt differ: then they did not do the
    same work."""
    with contextlib.ExitStack() as stack:
        workers = []
        for name in ("ours", *rivals):
            chosen = sys.executable if name == "ours" else python
            workers.append(Worker(chosen, name, folder, prompt, new))
            stack.callback(workers[-1].close)
        results: Results = {worker.name: [] for worker in workers}
        for at in range(rounds):
            for worker in workers:
                figures = worker.measure()
                results[worker.name].append(figures | worker.about)
                prefill, ms = figures["prefill_s"], figures["ms_per_token"]
                done = f"round {at + 1}, {worker.name}: {prefill:.2f} s, {ms:.1f} ms/token"
                print(done, file=sys.stderr)
    expected = results["ours"][0]["logits"]
    for name in rivals:
        found = results[name][0]["logits"]
        apart = max(abs(a - b) for a, b in zip(found, expected, strict=True))
        if not apart < 1e-2:
            raise RuntimeError(f"{name} and ours differ by {apart:.2g} after the prompt")
    return results


def ratio(results: Results, rival: str, figure: str) -> float:
    """How many times the rival's median time is ours."""
    mine, other = (
        statistics.median(run[figure] for run in results[name]) for name in ("ours", rival)
    )
    return float(other / mine)


def table(results: Results) -> str:
    """The figures as Markdown: median (least to most) of each engine, and what made them."""
    lines = [
        "| engine | 512 tokens read, s | times ours | written, ms/token | times ours | BLAS |",
        "|---|---|---|---|---|---|",
    ]
    for name, runs in results.items():
        cells = [name]
        for figure, digits in (("prefill_s", 2), ("ms_per_token", 1)):
            values = [run[figure] for run in runs]
            low, middle, high = min(values), statistics.median(values), max(values)
            cells.append(f"{middle:.{digits}f} ({low:.{digits}f} to {high:.{digits}f})")
            cells.append(f"{ratio(results, name, figure):.2f}")
        lines.append(f"| {' | '.join([*cells, ', '.join(runs[0]['blas']) or 'its own'])} |")
    rounds = len(next(iter(results.values())))
    lines += ["", f"Median (least to most) of {rounds} rounds; {machine()}."]
    for name, runs in results.items():
        made_by = ", ".join(f"{package} {at}" for package, at in runs[0]["versions"].items())
        lines.append(f"{name}: {made_by}.")
    return "\n".join(lines)


def machine() -> str:
    """The processor and its cores, as the system names them."""
    name = platform.processor() or platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        models = [x for x in cpuinfo.read_text().splitlines() if x.startswith("model name")]
        name = models[0].split(":", 1)[1].strip() if models else name
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return f"{name}, {usable} cores, {platform.system()}, Python {platform.python_version()}"


def main() -> None:
    """Compare and print the table; exit status 2 when the rivals are not there."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rivals", required=True, help="the Python that has mlx-lm, transformers")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--new-tokens", type=int, default=32)
    parser.add_argument("--checkpoint", type=Path, help="made there when it is not there yet")
    asked = parser.parse_args()
    found = present(asked.rivals)
    if missing := [name for name in RIVALS if name not in found]:
        print(f"{asked.rivals} lacks {' and '.join(missing)}; install them", file=sys.stderr)
        sys.exit(2)
    from make_checkpoint import make

    with tempfile.TemporaryDirectory() as temporary:
        folder = make(asked.checkpoint or Path(temporary) / "mamba-130m")
        results = compare(asked.rivals, found, folder, asked.rounds, new=asked.new_tokens)
    print(table(results))


if __name__ == "__main__":
    main()
