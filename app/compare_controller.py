"""What the Compare view shows and does: models chosen, a run under way, runs that were kept."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from PySide6.QtCore import QObject, Signal

from app.compare_running import Live, Running, broken_off, empty
from app.compare_store import CompareStore, Removed
from app.compare_values import Comparison
from app.contenders import LEAST, MOST, Contender, Contenders
from app.engine_client import EngineClient
from app.model_controller import ModelController
from app.pacing import Pace
from app.settings import Settings
from app.store_rows import title_from
from engine.api import Message, ModelInfo, Sampling
from engine.compare_api import ColumnEvent, CompareRequest, Contestant, Plan

_SAVES_PER_S = 0.2  # while text comes
_BENCHMARKS = 50  # so many are looked back at


class CompareController(QObject):
    """Runs one comparison at a time and keeps each as it grows. Signals: changed(), and grown(),
    up to thirty times a second, where the columns of the run under way are all that changed."""

    changed = Signal()
    grown = Signal()

    def __init__(
        self,
        client: EngineClient,
        models: ModelController,
        store: CompareStore,
        settings: Settings,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._client, self._models, self._store = client, models, store
        self.past = store.kept()
        self.contenders = Contenders()
        self.prompt = ""
        self.before: tuple[Message, ...] = ()  # what is read before the prompt,
        self.chat = ""  # and the title of the chat that it was said in
        self.sampling = replace(settings.sampling, seed=42, max_tokens=160)
        self.interleaved = False  # is wished for
        self.blind = False
        self.run: Comparison | None = None  # that is shown
        self._removed: Removed | None = None
        self._running: Running | None = None
        self._benchmarks: tuple[Comparison, ...] | None = None
        self._save_pace = Pace(_SAVES_PER_S)
        client.compared.connect(self._on_events)
        client.compare_ended.connect(self._on_ended)
        models.list_changed.connect(self._on_models)

    @property
    def is_running(self) -> bool:
        """A comparison is under way, or waits for its turn."""
        return self._running is not None

    @property
    def live(self) -> dict[int, Live]:
        """What the columns of the run under way told last."""
        return self._running.live if self._running else {}

    @property
    def benchmarks(self) -> tuple[Comparison, ...]:
        """The last of them, oldest first."""
        if self._benchmarks is None:
            self._benchmarks = self._store.benchmarks(_BENCHMARKS)
        return self._benchmarks

    @property
    def can_run(self) -> bool:
        """Enough is chosen, and there is something to ask."""
        chosen = len(self.contestants())
        return not self._running and LEAST <= chosen <= MOST and bool(self.prompt.strip())

    @property
    def can_benchmark(self) -> bool:
        """Something is chosen, and nothing runs."""
        return not self._running and 1 <= len(self.contestants()) <= MOST

    def contestants(self) -> list[ModelInfo]:
        """The chosen models that are installed, each as it is in its precision, in their order."""
        return self.contenders.models()

    @property
    def takes_turns(self) -> bool:
        """The next run is interleaved: wished for, and there is memory enough."""
        return self.interleaved and not self.contenders.too_big_together(self._models.machine)

    def choose(self, keys: tuple[str, ...]) -> None:
        """Compare these from the next run on."""
        self.contenders.choose(keys)
        self.changed.emit()

    def set_prompt(self, prompt: str) -> None:
        """Ask this in the next run."""
        could = self.can_run
        self.prompt = prompt
        if could != self.can_run:
            self.changed.emit()

    def take(self, before: Sequence[Message], prompt: str, chat: str) -> None:
        """Ask this in the next run, after what was said before it in a chat of this title."""
        self.before, self.prompt, self.chat = tuple(before), prompt, chat
        if not self._running:
            self.run = None
        self.changed.emit()

    def leave_out(self) -> None:
        """Ask without what was said before."""
        self.before, self.chat = (), ""
        self.changed.emit()

    def set_sampling(self, sampling: Sampling) -> None:
        """Write so in the next run."""
        self.sampling = sampling
        self.changed.emit()

    def set_interleaved(self, interleaved: bool) -> None:
        """Whether all should be in memory and write in turns."""
        self.interleaved = interleaved
        self.changed.emit()

    def set_blind(self, blind: bool) -> None:
        """Whether names and figures are hidden until a vote."""
        self.blind = blind
        self.changed.emit()

    def set_precision(self, key: str, precision: str) -> None:
        """Load this one in another precision in the next run."""
        self.contenders.set_precision(key, precision)
        self.changed.emit()

    def add(self, key: str, precision: str) -> None:
        """Compare the model of this one also in another precision."""
        self.contenders.add(key, precision)
        self.changed.emit()

    def start(self) -> None:
        """Run what is chosen, if it can be."""
        if not self.can_run:
            return
        self._begin(
            title_from(self.prompt),
            interleaved=self.takes_turns,
            messages=(*self.before, Message(role="user", text=self.prompt)),
        )

    def benchmark(self, plan: Plan) -> None:
        """Measure what is chosen by `plan`, if it can be."""
        if self.can_benchmark:
            self._begin(self.tr("Benchmark"), plan=plan)

    def _begin(
        self,
        title: str,
        *,
        interleaved: bool = False,
        messages: tuple[Message, ...] = (),
        plan: Plan | None = None,
    ) -> None:
        models, machine = self.contestants(), self._models.machine
        run = Comparison(
            id=uuid.uuid4().hex,
            title=title,
            when=datetime.now().astimezone(),
            prompt="" if plan else self.prompt,
            before=() if plan else self.before,
            chat="" if plan else self.chat,
            sampling=self.sampling,
            interleaved=interleaved,
            columns=tuple(empty(model) for model in models),
            plan=plan,
            machine=f"{machine.device}, {machine.backend}" if machine else "",
        )
        self.run = self._store.save(run)
        self.past = self._store.kept()
        self._save_pace = Pace(_SAVES_PER_S)
        self._running = Running(run)
        self._client.compare(
            CompareRequest(
                id=run.id,
                contestants=tuple(
                    Contestant(folder=model.folder, name=model.name, precision=model.precision)
                    for model in models
                ),
                messages=messages,
                sampling=self.sampling,
                interleaved=interleaved,
                plan=plan,
            )
        )
        self.changed.emit()

    def stop(self) -> None:
        """Stop the run; what was written is kept."""
        self._client.stop_comparing()

    def stop_column(self, column: int) -> None:
        """Stop one answer."""
        if self.run and self._is_under_way(self.run.id):
            self._client.stop_comparing(column)

    def vote(self, column: int) -> None:
        """This answer of the run that is shown is the better one."""
        if self.run and not self._running:
            self._keep(replace(self.run, vote=column))

    def open(self, run: str) -> bool:
        """Show a run that was kept; its prompt and models are those of the next run. False where
        it cannot be read."""
        if self._running:
            return True
        if kept := self._store.get(run):
            self.run = kept
            self.contenders.choose(Contender(c.name, c.precision).key for c in kept.columns)
            if kept.plan is None:
                self.prompt, self.sampling = kept.prompt, kept.sampling
                self.before, self.chat = kept.before, kept.chat
                self.interleaved = kept.interleaved
            self.changed.emit()
        return kept is not None

    def new(self) -> None:
        """Nothing is shown or said before; models and settings stay."""
        if not self._running:
            self.run = None
            self.leave_out()

    def rename(self, run: str, title: str) -> None:
        """Give a run another title."""
        self._store.rename(run, title)
        self.past = self._store.kept()
        if self.run and self.run.id == run:
            self.run = replace(self.run, title=title)
        self.changed.emit()

    def remove(self, run: str) -> bool:
        """Delete a run, unless it is under way: False; `restore` brings the last one back."""
        if self._is_under_way(run):
            return False
        self._removed = self._store.remove(run)
        self._list_anew()
        if self.run and self.run.id == run:
            self.run = None
        self.changed.emit()
        return True

    def restore(self) -> None:
        """Take back the last removal."""
        if self._removed is not None:
            self._store.put_back(self._removed)
            self._removed = None
            self._list_anew()
            self.changed.emit()

    def _on_models(self) -> None:
        self.contenders.set_models(self._models.models)
        self.changed.emit()

    def _is_under_way(self, run: str) -> bool:
        return self._running is not None and run == self._running.id

    def _list_anew(self) -> None:
        self.past, self._benchmarks = self._store.kept(), None

    def _on_events(self, run: str, events: list[ColumnEvent]) -> None:
        if self._running is None or self.run is None or not run == self._running.id == self.run.id:
            return
        self.run, ended = self._running.take(self.run, events)
        # To write down a long run is a while in which nothing else is done, and that would show.
        if ended or (self.run.plan is None and self._save_pace.is_due()):
            self._keep(self.run)
        else:
            self.grown.emit()

    def _on_ended(self, run: str, error: Exception | None) -> None:
        if not self._is_under_way(run):
            return
        self._running = None
        if self.run is not None:
            self.run = self._store.save(self.run if error is None else broken_off(self.run, error))
            if self.run.plan is not None:
                others = (each for each in self.benchmarks if each.id != run)
                self._benchmarks = (*others, self.run)[-_BENCHMARKS:]
            self.changed.emit()

    def _keep(self, run: Comparison) -> None:
        self.run = self._store.save(run)
        self.changed.emit()
