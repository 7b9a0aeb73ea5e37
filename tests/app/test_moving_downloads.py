"""The models folder is moved while a model comes into it."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest
from hub_faults import Stall
from hub_server import HubServer
from library_bridge import FILE, PATIENCE_MS, REPO, SIZE, SOURCE, Heard

from engine import library_move, paths
from engine.errors import EngineError
from engine.hub.staging import Staging


def half_way(heard: Heard, hub: HubServer, to: Path) -> None:
    """Half of a model is here, and the models are moved."""
    hub.misbehave(REPO, FILE, Stall(after=SIZE // 2))
    heard.client.get(REPO)
    heard.wait_for_bytes(SIZE // 2)
    heard.client.move_models(to)


def test_a_model_on_its_way_is_paused_moved_along_and_only_its_rest_is_fetched(
    hub: HubServer, started: Heard, tmp_path: Path
) -> None:
    new = tmp_path / "new"
    half_way(started, hub, new)
    assert started.wait_for("moved") == (new,)
    started.wait(lambda: (it := started.download()) and it.phase == "paused")
    assert Staging(new, REPO).done_bytes() > SIZE // 2
    assert not (paths.home() / "models").exists()
    started.client.resume(REPO)
    started.wait_for("installed")
    assert (new / REPO / FILE).read_bytes() == (SOURCE / FILE).read_bytes()
    assert hub.sent(FILE) == SIZE


@pytest.mark.parametrize("wish", ["resume", "cancel"])
def test_what_is_wished_while_the_models_move_is_done_at_the_new_place(
    hub: HubServer, started: Heard, tmp_path: Path, wish: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    moving, wished, move_models = threading.Event(), threading.Event(), library_move.move_models

    def move_late(*wishes: Any, **options: Any) -> Path:
        moving.set()
        assert wished.wait(PATIENCE_MS / 1e3)
        return move_models(*wishes, **options)

    monkeypatch.setattr(library_move, "move_models", move_late)
    new = tmp_path / "new"
    half_way(started, hub, new)
    started.wait(moving.is_set)
    getattr(started.client, wish)(REPO)
    started.qtbot.wait(200)  # long enough to begin, if it would
    assert hub.sent(FILE) < SIZE
    assert Staging(paths.models(), REPO).done_bytes() > SIZE // 2
    wished.set()
    started.wait(lambda: started.of("moved"))
    if wish == "resume":
        started.wait(lambda: started.of("installed"))
        assert (new / REPO / FILE).is_file()
        assert hub.sent(FILE) == SIZE
    else:
        started.wait(lambda: not started.download())
        started.wait(lambda: not list((new / ".downloads").iterdir()))
    assert not started.of("refused")


def test_a_move_that_is_refused_leaves_the_download_paused_where_it_was(
    hub: HubServer, started: Heard
) -> None:
    half_way(started, hub, paths.models() / REPO)
    what, _, error = started.wait_for("refused")
    assert (what, error.code) == ("move", "inside_models")
    assert isinstance(error, EngineError)
    started.wait(lambda: (it := started.download()) and it.phase == "paused")
    started.client.resume(REPO)
    started.wait_for("installed")
    assert (paths.home() / "models" / REPO / FILE).is_file()
    assert hub.sent(FILE) == SIZE
