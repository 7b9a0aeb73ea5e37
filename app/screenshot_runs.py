"""The Compare view's part of the screenshots: the engine's part is said by hand."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QCoreApplication

from app import screenshot_ladder as ladder
from app.engine_client import EngineClient
from app.main_window import COMPARE, MainWindow
from app.screenshot_content import Content
from app.screenshot_ladder import SIZES, ended, written
from app.store import Store
from engine.api import Loading, Reading
from engine.compare_api import ColumnEvent, Failed
from engine.errors import EngineError

_NARROW = (720, 680)
_THREE, _TWO = ("130m", "790m", "2.8b"), ("130m", "2.8b")


class RunShots:
    """The view with each number of models, each state of a column, each chart, and its popovers."""

    def __init__(
        self,
        window: MainWindow,
        client: EngineClient,
        store: Store,
        take: Callable[..., None],
        content: Content,
    ) -> None:
        self._window, self._client, self._store = window, client, store
        self._take, self._content = take, content
        self._compare, self._view = window.compare, window.compare_view

    def fill(self) -> None:
        """Take all of them."""
        for run in (
            *ladder.kept([title for _, title in self._content.titles[:9]]),
            *ladder.benchmarks(QCoreApplication.translate("CompareController", "Benchmark")),
        ):
            self._store.comparisons.save(run)
        self._window.models.set_models(ladder.ladder())
        self._window.show_view(COMPARE)
        self._compare.choose(())
        self._take("compare-empty")
        self._running()
        self._done("compare-two", _TWO)
        self._done("compare-five", SIZES)
        self._charts()
        self._states()
        self._blind()
        self._benchmark()
        self._chooser()
        self._after()
        self._past()

    def _start(self, sizes: Sequence[str]) -> None:
        self._compare.new()
        self._compare.choose(tuple(f"{ladder.name(size)}@bfloat16" for size in sizes))
        self._compare.set_prompt(self._content.compared)
        self._compare.set_sampling(ladder.SAMPLING)
        self._compare.start()

    def _tell(self, *events: ColumnEvent) -> None:
        assert self._compare.run
        self._client.compared.emit(self._compare.run.id, list(events))

    def _answer(self, sizes: Sequence[str]) -> None:
        for at, size in enumerate(sizes):
            self._tell(*written(at, size), ended(at, size))

    def _end(self) -> None:
        assert self._compare.run
        self._client.compare_ended.emit(self._compare.run.id, None)

    def _running(self) -> None:
        self._start(_THREE)
        self._answer(_THREE[:2])
        self._tell(*written(2, _THREE[2], 0.6))
        self._take("compare")
        self._tell(ended(2, _THREE[2]))
        self._end()
        self._take("compare-done")

    def _done(self, name: str, sizes: Sequence[str]) -> None:
        self._start(sizes)
        self._answer(sizes)
        self._end()
        self._take(name)

    def _charts(self) -> None:
        """Of the five."""
        switch = self._view.figures.chart.switch
        for at, name in ((1, "memory"), (2, "quality"), (3, "history")):
            switch.segments()[at].click()
            self._take(f"compare-{name}")
        switch.segments()[0].click()

    def _states(self) -> None:
        self._start(SIZES)
        self._tell(*written(0, "130m"), ended(0, "130m", doubt="slept"))
        self._tell(*written(1, "370m", 0.3))
        self._tell(ColumnEvent(1, Failed(EngineError("out_of_memory", position=60))))
        self._tell(ColumnEvent(2, Reading(8, 12, 0, None)), ColumnEvent(3, Loading(0.62)))
        too_big = EngineError("too_big", name="mamba-2.8b-hf", needed=13 * 10**9, limit=12 * 10**9)
        self._tell(ColumnEvent(4, Failed(too_big)))
        self._take("compare-states")
        self._tell(*(ended(at, SIZES[at]) for at in (2, 3)))
        self._end()

    def _blind(self) -> None:
        self._compare.set_blind(True)
        self._done("compare-blind", _TWO)
        self._compare.set_blind(False)

    def _benchmark(self) -> None:
        bar = self._window.toolbar.compare
        bar.open_benchmark()
        self._take("compare-benchmark", bar.benchmark_popover)
        bar.benchmark_popover.close()
        self._compare.open("benchmark-3")
        self._take("compare-measured")

    def _chooser(self) -> None:
        model, options = ladder.name("790m"), self._view.head.options
        self._compare.choose(tuple(f"{model}@{each}" for each in ("bfloat16", "8-bit", "4-bit")))
        options.open_chooser()
        self._take("compare-chooser", options.chooser)
        options.chooser.close()

    def _after(self) -> None:
        """A chat that was taken here."""
        self._compare.new()
        chat = next(c.id for c in self._store.chats() if len(self._store.path(c.id)) > 2)
        self._window.compare_presenter.take_chat(chat)
        options = self._view.head.options
        options.after.click()
        self._take("compare-after", options.before_menu)
        options.before_menu.close()

    def _past(self) -> None:
        self._start(_THREE)
        self._answer(_THREE)
        self._end()
        self._window.frame.set_sidebar_shown(True, animated=False)
        self._take("compare-past")
        self._window.frame.set_sidebar_shown(False, animated=False)
        size = self._window.size()
        self._window.resize(*_NARROW)
        self._take("compare-narrow")
        self._window.resize(size)
