"""A download is as fast as the network: beside curl, over several connections where that is
faster, and in memory that does not grow with the file."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import hub_server
import pytest
from downloading import FILE, REPO, Run
from hub_faults import IgnoreRange, Slow
from hub_server import HubServer

from engine.api import Network
from engine.hub import transfer

MB = 1_000_000
CONFIG = b'{"model_type": "mamba"}'


@contextmanager
def served(folder: Path, bytes_per_s: float) -> Iterator[str]:
    """The address of a Hub of its own process, so that it takes no time from the download."""
    program = [sys.executable, hub_server.__file__, "--folder", str(folder)]
    with subprocess.Popen(
        [*program, "--bytes-per-s", str(bytes_per_s)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout
        assert process.stdin
        yield json.loads(process.stdout.readline())["endpoint"]
        process.stdin.close()


def publish(folder: Path, size: int) -> Path:
    """A model of random bytes for `served`; its large file."""
    large = folder / REPO / FILE
    large.parent.mkdir(parents=True)
    (large.parent / "config.json").write_bytes(CONFIG)
    with large.open("wb") as file:
        for _ in range(size // MB):
            file.write(os.urandom(MB))
    return large


def curl_s(endpoint: str, target: Path) -> float:
    address = f"{endpoint}/{REPO}/resolve/main/{FILE}"
    began = time.monotonic()
    subprocess.run(["curl", "-sLfo", str(target), address], check=True)
    return time.monotonic() - began


def ours_s(endpoint: str, models: Path) -> float:
    """From the moment that the large file is asked for until the model is installed."""
    shutil.rmtree(models, ignore_errors=True)
    run = Run(None, models, network=Network(endpoint=endpoint), stall_s=20)
    began: list[float] = []

    def look() -> None:
        if not began and run.staging.repository and run.progress.done_bytes >= len(CONFIG):
            began.append(time.monotonic())

    run.on_tick = look
    run()
    return time.monotonic() - began[0]


def beside_curl(
    tmp_path: Path, size: int, bytes_per_s: float, *, rounds: int, share: float
) -> tuple[float, float]:
    """The best seconds of curl, which checks nothing, and of ours, in turn; no more rounds once
    ours has had `share` of curl's speed."""
    publish(tmp_path / "hub", size)
    curl = ours = float("inf")
    with served(tmp_path / "hub", bytes_per_s) as endpoint:
        for _ in range(rounds):
            curl = min(curl, curl_s(endpoint, tmp_path / "curl"))
            ours = min(ours, ours_s(endpoint, tmp_path / "models"))
            if ours <= curl / share:
                break
    return curl, ours


@pytest.mark.skipif(not shutil.which("curl"), reason="there is no curl to compare with")
def test_on_a_fast_line_it_is_nearly_as_fast_as_curl_though_it_checks_every_byte(
    tmp_path: Path,
) -> None:
    curl, ours = beside_curl(tmp_path, 60 * MB, 100e6, rounds=8, share=0.9)
    assert ours <= curl / 0.9, (curl, ours)


@pytest.mark.bench
@pytest.mark.skipif(not shutil.which("curl"), reason="there is no curl to compare with")
def test_beside_curl_as_fast_as_this_machine_can(tmp_path: Path) -> None:
    curl, ours = beside_curl(tmp_path, 1000 * MB, 0, rounds=3, share=9)
    print(f"\n1 GB over loopback: curl {curl:.2f} s, ours with SHA-256 and fsync {ours:.2f} s")


def test_another_connection_is_opened_where_each_is_slow(
    hub: HubServer, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transfer, "_TRIAL_S", 0.15)
    monkeypatch.setattr("engine.hub.part_file.SPLIT_BYTES", 1 << 20)
    hub.add(REPO, {"config.json": CONFIG, FILE: (16 * MB, 3)})
    hub.misbehave(REPO, FILE, Slow(8e6), times=None)
    began = time.monotonic()
    folder = Run(hub, home / "models")()
    assert (folder / FILE).stat().st_size == 16 * MB
    assert hub.cdn.most_open == transfer.MOST_CONNECTIONS
    assert time.monotonic() - began < 16 / 8  # what one connection alone would take
    assert hub.sent(FILE) < 16 * MB * 1.4  # what is on the wire when a stretch ends is lost


def test_no_further_connection_is_opened_where_the_line_is_full(
    hub: HubServer, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transfer, "_TRIAL_S", 0.15)
    monkeypatch.setattr("engine.hub.part_file.SPLIT_BYTES", 1 << 20)
    hub.total_pace.bytes_per_s = 16e6
    hub.add(REPO, {"config.json": CONFIG, FILE: (16 * MB, 3)})
    Run(hub, home / "models")()
    assert hub.cdn.most_open <= 2


def test_a_server_that_sends_no_parts_is_left_to_its_one_connection(
    hub: HubServer, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transfer, "_TRIAL_S", 0.1)
    monkeypatch.setattr("engine.hub.part_file.SPLIT_BYTES", 1 << 20)
    hub.add(REPO, {"config.json": CONFIG, FILE: (8 * MB, 3)})
    hub.misbehave(REPO, FILE, Slow(16e6), times=None)
    hub.misbehave(REPO, FILE, IgnoreRange(), times=None)
    Run(hub, home / "models")()
    assert hub.cdn.most_open == 1
    assert hub.sent(FILE) == 8 * MB


def test_a_server_that_takes_one_connection_only_is_content_with_one(
    hub: HubServer, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transfer, "_TRIAL_S", 0.1)
    monkeypatch.setattr("engine.hub.part_file.SPLIT_BYTES", 1 << 20)
    hub.cdn.most_connections = 1
    hub.add(REPO, {"config.json": CONFIG, FILE: (16 * MB, 3)})
    hub.misbehave(REPO, FILE, Slow(16e6), times=None)
    run = Run(hub, home / "models")
    run()
    assert hub.cdn.refused
    assert not run.progress.attempt


MEMORY = """
import resource, sys
sys.path[:0] = sys.argv[3:]
from pathlib import Path
from downloading import Run
from engine.api import Network
run = Run(None, Path(sys.argv[1]), network=Network(endpoint=sys.argv[2]), stall_s=20)
seen = []
run.on_tick = lambda: seen or seen.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
run()
print(seen[0], resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def test_memory_does_not_grow_with_the_file(hub: HubServer, tmp_path: Path) -> None:
    hub.add(REPO, {"config.json": CONFIG, FILE: (300 * MB, 3)})
    here, root = Path(__file__).parent, Path(__file__).parents[2]
    places = [str(here), str(here.parent / "hub"), str(root)]
    done = subprocess.run(
        [sys.executable, "-c", MEMORY, str(tmp_path / "models"), hub.url, *places],
        capture_output=True,
        text=True,
        check=True,
    )
    first, last = map(int, done.stdout.split())
    unit = 1 if sys.platform == "darwin" else 1024
    assert (last - first) * unit < 24 * MB
