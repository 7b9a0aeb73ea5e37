"""Got, paused, given up, loaded, removed and got again in any order: the lists and the disk agree,
and the model that is loaded is one that is installed."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from hub_server import HubServer
from library_bridge import OTHER, REPO, SOURCE
from models_window import NAME, PATIENCE_MS, Library
from pytestqt.qtbot import QtBot

from app.main_window import MainWindow
from engine import paths

STEPS = 40
REPOS = (REPO, OTHER)
AT_REST = ("paused", "failed")


class Walk:
    """Does one thing after another in a window, by chance; `steps` tells which."""

    def __init__(self, window: MainWindow, qtbot: QtBot, mine: Path, seed: int) -> None:
        self._window, self._qtbot, self._mine = window, qtbot, mine
        self._chance = random.Random(seed)
        self.steps: list[str] = []
        self._answers = 0
        window.models.machine_known.connect(self._count)
        self._wishes: dict[str, Callable[[str], object]] = {
            "get": window.library.get,
            "pause": window._library_client.pause,
            "resume": window._library_client.resume,
            "cancel": window._library_client.cancel,
            "load": window.library.load,
            "choose": window.toolbar.picker.model_chosen.emit,
            "remove": self._remove,
        }
        self._others: dict[str, Callable[[], object]] = {
            "unload": window.models.unload,
            "import": lambda: window.library.import_folders([mine]),
            "precision": lambda: window.models.set_precision(
                self._chance.choice(("", "bfloat16", "8-bit"))
            ),
        }

    def _count(self, *_: object) -> None:
        self._answers += 1

    def _remove(self, name: str) -> None:
        """As the row of a model of the user's own lets it be removed."""
        rows = self._window.library.rows().installed
        if any(row.id == name and row.removable for row in rows):
            self._window.models_view.trash_requested.emit(name)

    def step(self) -> None:
        """One thing, or two at once, and what comes of it."""
        for _ in range(self._chance.choice((1, 1, 2, 3))):
            if self._chance.random() < 0.25:
                wish = self._chance.choice(list(self._others))
                self.steps.append(wish)
                self._others[wish]()
            else:
                wish = self._chance.choice(list(self._wishes))
                name = self._chance.choice((*REPOS, "starter-3m", self._mine.name))
                if name in REPOS or wish in ("load", "choose", "remove"):
                    self.steps.append(f"{wish} {name}")
                    self._wishes[wish](name)
        self._rest()

    def _rest(self) -> None:
        """Wait until nothing goes on any more, on any thread."""
        for _ in range(2):
            self._qtbot.waitUntil(self._is_at_rest, timeout=PATIENCE_MS)
            self._ask(lambda: self._window.models.set_limit(0))  # the engine, which answers in turn
            for _ in range(2):  # what was done, and then the list of the models
                in_turn = self._window._library_client._errands.in_turn
                self._ask(lambda: in_turn(lambda: None, self._count))  # noqa: B023
        self._qtbot.waitUntil(self._is_at_rest, timeout=PATIENCE_MS)

    def _ask(self, question: Callable[[], object]) -> None:
        before = self._answers
        question()
        self._qtbot.waitUntil(lambda: self._answers > before, timeout=PATIENCE_MS)

    def _is_at_rest(self) -> bool:
        library, models = self._window.library, self._window.models
        downloads = self._window._library_client._queue().statuses()
        told = [each.repo for each in downloads] == [each.repo for each in library._downloads]
        coming = [each for each in downloads if each.phase not in AT_REST]
        return told and not (coming or models.is_loading or library._removing)

    def check(self) -> None:
        """Everything that shows models shows those that are on the disk, and no other."""
        window = self._window
        own = {f.parent.relative_to(paths.models()).as_posix()
               for f in paths.models().glob("[!.]*/*/config.json")}  # fmt: skip
        known = {row.id: row for row in window.library.rows().installed}
        assert own == {each for each in known if each in REPOS}, self.steps
        assert set(known) - own - {self._mine.name} == {"starter-12m", "starter-3m"}
        assert not [row for row in known.values() if row.problem], self.steps
        assert [model.name for model in window.toolbar.picker._models] == list(known)
        assert list(window.models_view.table.sections["installed"].rows) == list(known)
        assert not [r for r in known if known[r].deed == "loaded" and not window.models.loaded]
        loaded = window.models.loaded
        if loaded is None:
            assert window.toolbar.picker.headline() == "Choose a Model"
            return
        assert loaded.folder.is_dir(), self.steps
        assert [name for name in known if known[name].deed == "loaded"] == [loaded.name], self.steps
        assert window.toolbar.picker.headline() == loaded.name


@pytest.fixture
def walk(
    hub: HubServer,
    open_window: Callable[..., MainWindow],
    qtbot: QtBot,
    tmp_path: Path,
    trash: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Callable[[int], None]:
    """Goes forty steps, by a seed."""
    for repo in REPOS:
        hub.add(repo, SOURCE)
    monkeypatch.setenv("HF_ENDPOINT", hub.url)
    mine = tmp_path / "mine"
    shutil.copytree(SOURCE, mine)

    def go(seed: int) -> None:
        hub.total_pace.bytes_per_s = 20e6 * (seed % 3)
        window = open_window()
        Library(qtbot, window)
        walk = Walk(window, qtbot, mine, seed)
        for _ in range(STEPS):
            walk.step()
            walk.check()
        assert not window.library.trouble, walk.steps

    return go


def test_in_any_order_the_lists_and_the_disk_agree(walk: Callable[[int], None]) -> None:
    walk(1)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(2, 14))
def test_in_many_orders_the_lists_and_the_disk_agree(
    walk: Callable[[int], None], seed: int
) -> None:
    walk(seed)


@pytest.mark.usefixtures("trash")
def test_a_model_that_is_loaded_again_while_it_is_removed_goes_nevertheless(
    hub: HubServer,
    open_window: Callable[..., MainWindow],
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    hub.add(REPO, SOURCE)
    monkeypatch.setenv("HF_ENDPOINT", hub.url)
    window = open_window()
    models = Library(qtbot, window)
    models.get()
    models.wait(lambda: models.row("installed", NAME))
    with qtbot.waitSignal(window._client.loading, timeout=PATIENCE_MS):  # it has begun
        window.models.choose(REPO)
    window.library.remove(REPO)
    window.models.set_precision("bfloat16")
    models.wait(lambda: models.row("installed", NAME) is None)
    assert not (paths.models() / REPO).exists()
    assert window.models.loaded is None
