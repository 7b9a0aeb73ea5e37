"""What the Compare view shows and does: models chosen, a run under way, runs that were kept."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from PySide6.QtCore import QCoreApplication, QObject, Signal

from app.compare_store import CompareStore
from app.compare_values import ColumnResult, Comparison
from app.contenders import LEAST, MOST, Contender, Contenders
from app.engine_client import EngineClient
from app.errors_text import sentence
from app.model_controller import ModelController
from app.pacing import Pace
from app.settings import Settings
from app.store_rows import title_from
from engine.api import Loading, Message, ModelInfo, Piece, Reading, Sampling
from engine.compare_api import ColumnEvent, CompareRequest, Contestant, Failed, Measured
from engine.errors import Stopped

_SAVES_PER_S = 0.2  # while text comes


class CompareController(QObject):
    """Runs one comparison at a time and keeps each as it grows. Signals: changed()."""

    changed = Signal()

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
        self._removed: Comparison | None = None
        self.live: dict[int, Loading | Reading | Piece] = {}  # what the columns last told
        self._running = ""  # the id of the run under way
        self._save_pace = Pace(_SAVES_PER_S)
        client.compared.connect(self._on_events)
        client.compare_ended.connect(self._on_ended)
        models.list_changed.connect(self._on_models)

    @property
    def is_running(self) -> bool:
        """A comparison is under way, or waits for its turn."""
        return bool(self._running)

    @property
    def can_run(self) -> bool:
        """Enough is chosen, and there is something to ask."""
        chosen = len(self.contestants())
        return not self._running and LEAST <= chosen <= MOST and bool(self.prompt.strip())

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
            self.run, self.live = None, {}
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
        models = self.contestants()
        run = Comparison(
            id=uuid.uuid4().hex,
            title=title_from(self.prompt),
            when=datetime.now().astimezone(),
            prompt=self.prompt,
            before=self.before,
            chat=self.chat,
            sampling=self.sampling,
            interleaved=self.takes_turns,
            columns=tuple(_empty(model) for model in models),
        )
        self.run = self._store.save(run)
        self.past = self._store.kept()
        self._save_pace = Pace(_SAVES_PER_S)
        self._running, self.live = run.id, {}
        self._client.compare(
            CompareRequest(
                id=run.id,
                contestants=tuple(
                    Contestant(folder=model.folder, name=model.name, precision=model.precision)
                    for model in models
                ),
                messages=(*self.before, Message(role="user", text=self.prompt)),
                sampling=self.sampling,
                interleaved=run.interleaved,
            )
        )
        self.changed.emit()

    def stop(self) -> None:
        """Stop the run; what was written is kept."""
        self._client.stop_comparing()

    def stop_column(self, column: int) -> None:
        """Stop one answer."""
        if self.run and self.run.id == self._running:
            self._client.stop_comparing(column)

    def vote(self, column: int) -> None:
        """This answer of the run that is shown is the better one."""
        if self.run and not self._running:
            self._keep(replace(self.run, vote=column))

    def open(self, run: str) -> None:
        """Show a run that was kept; its prompt and models are those of the next run."""
        if not self._running and (kept := self._store.get(run)):
            self.run, self.live = kept, {}
            self.prompt, self.sampling = kept.prompt, kept.sampling
            self.before, self.chat = kept.before, kept.chat
            self.contenders.choose(Contender(c.name, c.precision).key for c in kept.columns)
            self.interleaved = kept.interleaved
            self.changed.emit()

    def new(self) -> None:
        """Nothing is shown or said before; models and settings stay."""
        if not self._running:
            self.run, self.live = None, {}
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
        if run == self._running:
            return False
        self._removed = self._store.get(run)
        self._store.remove(run)
        self.past = self._store.kept()
        if self.run and self.run.id == run:
            self.run = None
        self.changed.emit()
        return True

    def restore(self) -> None:
        """Take back the last removal."""
        if self._removed is not None:
            self._store.save(self._removed)
            self._removed = None
            self.past = self._store.kept()
            self.changed.emit()

    def _on_models(self) -> None:
        self.contenders.set_models(self._models.models)
        self.changed.emit()

    def _on_events(self, run: str, events: list[ColumnEvent]) -> None:
        if self.run is None or run != self._running or self.run.id != run:
            return
        columns, ended = list(self.run.columns), False
        for at, event in ((each.column, each.event) for each in events):
            if isinstance(event, Measured):
                columns[at] = _measured(columns[at], event)
                ended = True
            elif isinstance(event, Failed):
                columns[at] = replace(columns[at], error=_why(event.error))
                ended = True
            else:
                self.live[at] = event
                if isinstance(event, Piece):
                    columns[at] = replace(columns[at], text=columns[at].text + event.text)
                continue
            self.live.pop(at, None)
        self.run = replace(self.run, columns=tuple(columns))
        if ended or self._save_pace.is_due():
            self._keep(self.run)
        else:
            self.changed.emit()

    def _on_ended(self, run: str, error: Exception | None) -> None:
        if run != self._running:
            return
        self._running, self.live = "", {}
        if self.run is not None and error is not None:
            columns = [
                column if column.stats or column.error else replace(column, error=_why(error))
                for column in self.run.columns
            ]
            self.run = replace(self.run, columns=tuple(columns))
        if self.run is not None:
            self._keep(self.run)

    def _keep(self, run: Comparison) -> None:
        self.run = self._store.save(run)
        self.changed.emit()


def _empty(model: ModelInfo) -> ColumnResult:
    return ColumnResult(
        name=model.name,
        precision=model.precision,
        family=model.family,
        parameters=model.parameters,
        disk_bytes=model.disk_bytes,
        dtype=model.dtype,
    )


def _measured(column: ColumnResult, end: Measured) -> ColumnResult:
    return replace(
        column,
        text=end.text,
        dtype=end.model.dtype,
        stats=end.stats,
        early_ms=end.early_ms,
        late_ms=end.late_ms,
        times=end.times,
        doubt=end.doubt,
    )


def _why(error: Exception) -> str:
    if isinstance(error, Stopped):
        return QCoreApplication.translate("Compare", "Stopped before it began")
    return sentence(error)
