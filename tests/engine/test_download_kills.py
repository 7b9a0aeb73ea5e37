"""A download whose process is killed without warning goes on from what it had noted."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from downloading import FILE, REPO, SIZE, SOURCE, Run, check_not_installed, check_whole
from hub_server import HubServer

PATIENCE_S = 30


@pytest.fixture
def models(home: Path) -> Path:
    return home / "models"


@pytest.fixture(autouse=True)
def model(hub: HubServer) -> None:
    hub.add(REPO, SOURCE)


KILLED = """
import sys
sys.path[:0] = sys.argv[3:]
from pathlib import Path
from downloading import Run
from engine.api import Network
from engine.hub import transfer
transfer._SAVE_S = 0.05
run = Run(None, Path(sys.argv[1]), network=Network(endpoint=sys.argv[2]), stall_s=20)
run.on_tick = lambda: print(run.progress.done_bytes, flush=True)
run()
"""


def kill_at_random(hub: HubServer, models: Path, seed: int) -> None:
    """Begin in another process, kill that without warning, go on here."""
    chance = random.Random(seed)
    hub.total_pace.bytes_per_s = 15e6
    here, root = Path(__file__).parent, Path(__file__).parents[2]
    places = [str(here), str(here.parent / "hub"), str(root)]
    with subprocess.Popen(
        [sys.executable, "-c", KILLED, str(models), hub.url, *places],
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout
        at = chance.randrange(SIZE)
        for line in process.stdout:
            if int(line) >= at:
                break
        os.kill(process.pid, signal.SIGKILL)
    with hub.cdn.changed:  # what was on its way to the one that was killed is counted by then
        assert hub.cdn.changed.wait_for(lambda: not hub.cdn.open, PATIENCE_S)
    hub.total_pace.bytes_per_s = 0
    before = hub.sent(FILE)
    check_not_installed(models)
    again = Run(hub, models)
    kept = again.progress.done_bytes
    check_whole(again())
    assert hub.sent(FILE) - before <= SIZE
    assert kept > at - 4_000_000  # what came after the last note is fetched again


@pytest.mark.parametrize("seed", range(5))
def test_killed_without_warning_it_goes_on(hub: HubServer, models: Path, seed: int) -> None:
    kill_at_random(hub, models, seed)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(5, 55))
def test_killed_without_warning_again_and_again(hub: HubServer, models: Path, seed: int) -> None:
    kill_at_random(hub, models, seed)
