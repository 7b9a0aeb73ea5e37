"""The disk is full, read-only or gone: one sentence, what is here is kept, and it goes on after."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest
from downloading import FILE, REPO, SIZE, SOURCE, Run, check_not_installed, check_whole, refused
from hub_server import HubServer

from engine import disk
from engine.hub import transfer
from engine.hub.staging import Staging

# Runs as the root of its own namespace, where it may mount a disk of four megabytes.
FULL = """
import subprocess, sys
from pathlib import Path
disk, endpoint = Path(sys.argv[1]), sys.argv[2]
subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", str(disk)], check=True)
sys.path[:0] = sys.argv[3:]
import engine.disk
engine.disk.RESERVE = -(1 << 30)  # believe that there is room
from engine.api import Network
from engine.errors import EngineError
from downloading import Run, check_whole
def run():
    return Run(None, disk / "models", network=Network(endpoint=endpoint))
try:
    run()()
except EngineError as error:
    print(error.code, run().staging.done_bytes(), flush=True)
subprocess.run(["mount", "-o", "remount,size=40m", str(disk)], check=True)
check_whole(run()())
print("whole", flush=True)
"""


@pytest.fixture
def models(home: Path) -> Path:
    return home / "models"


@pytest.fixture(autouse=True)
def model(hub: HubServer) -> None:
    hub.add(REPO, SOURCE)


def may_mount() -> bool:
    done = subprocess.run(
        ["unshare", "-rm", "mount", "-t", "tmpfs", "tmpfs", "/mnt"],
        capture_output=True,
        check=False,
    )
    return done.returncode == 0


def test_a_disk_that_fills_up_keeps_what_came_and_goes_on_once_there_is_room(
    hub: HubServer, tmp_path: Path
) -> None:
    if sys.platform != "linux" or not may_mount():
        pytest.skip("only Linux with user namespaces can give a test a disk of its own")
    (tmp_path / "disk").mkdir()
    here, root = Path(__file__).parent, Path(__file__).parents[2]
    places = [str(here), str(here.parent / "hub"), str(root)]
    program = ["unshare", "-rm", sys.executable, "-c", FULL, str(tmp_path / "disk"), hub.url]
    done = subprocess.run([*program, *places], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    refusal, whole = done.stdout.splitlines()
    code, kept = refusal.split()
    assert code == "disk_full"
    assert 2_000_000 < int(kept) < 4_200_000
    assert whole == "whole"
    assert hub.sent(FILE) < SIZE + 3_000_000  # what the disk took is not fetched again


def test_too_little_room_is_said_before_a_byte_comes(
    hub: HubServer, models: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = disk.shutil.disk_usage(models.parents[1])
    monkeypatch.setattr(disk.shutil, "disk_usage", lambda _: usage._replace(free=1_000_000))
    with refused("disk_full") as errors:
        Run(hub, models)()
    needed = errors[0].values["needed"]
    assert SIZE + disk.RESERVE - 2_000_000 < needed < SIZE + disk.RESERVE + 2_000_000
    assert not hub.sent(FILE)
    monkeypatch.undo()


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EDQUOT, errno.EFBIG])
def test_a_quota_is_a_full_disk_too(models: Path, code: int) -> None:
    models.mkdir(parents=True)
    with refused("disk_full"), disk.disk_errors(models):
        raise OSError(code, os.strerror(code))


def test_a_folder_that_may_not_be_written_is_said_at_once(hub: HubServer, models: Path) -> None:
    models.parent.mkdir(parents=True)
    models.write_text("no folder at all")
    with refused("unwritable"):
        Staging(models, REPO).begin("main")
    models.unlink()
    check_not_installed(models)
    assert not hub.requests


def test_a_disk_that_is_unplugged_on_the_way_is_said_and_goes_on_when_it_is_back(
    hub: HubServer, models: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transfer, "_SAVE_S", 0.02)
    run = Run(hub, models)
    away = models.with_name("unplugged")

    def unplug() -> None:
        if run.progress.done_bytes > SIZE // 2 and models.exists():
            models.rename(away)

    run.on_tick = unplug
    hub.total_pace.bytes_per_s = 20e6
    with refused("folder_gone"):
        run()
    hub.total_pace.bytes_per_s = 0
    assert not models.exists()
    away.rename(models)
    check_not_installed(models)
    check_whole(Run(hub, models)())
    assert hub.sent(FILE) < 1.8 * SIZE
