"""The model in use: which are installed, which is loaded, and what choosing another does."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from PySide6.QtCore import QObject, Signal

from app.engine_client import EngineClient
from app.errors_text import sentence
from app.load_question import question, reason
from app.settings import Settings
from app.values import Question
from engine import library, paths
from engine.api import Machine, ModelInfo
from engine.errors import EngineError, Stopped

# The model that comes with the app; its name is engine.library's DEFAULT_MODEL.
BUNDLED = paths.resources() / "models" / "starter-12m"


class _Wanted(NamedTuple):
    """A model that is being loaded, or waits for it."""

    folder: Path
    name: str
    precision: str


class ModelController(QObject):
    """Loads what is chosen; the last choice wins, and a load that fails changes nothing.

    A tight model is asked about before it is loaded: `question` is what stands to be answered.
    One that rests is in use as before but out of memory, until `wake` loads it again.

    Signals: list_changed(); loading(name, fraction) while a model comes in; changed() when
    another model is loaded, none is, or a load came to nothing; failed(sentence);
    asked(Question), and asked(None) when it needs no answer any more; list_wanted() when the
    models should be listed anew; machine_known(Machine).
    """

    list_changed = Signal()
    loading = Signal(str, float)
    changed = Signal()
    failed = Signal(str)
    asked = Signal(object)
    list_wanted = Signal()
    machine_known = Signal(object)

    def __init__(
        self, client: EngineClient, settings: Settings, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._client, self._settings = client, settings
        self.machine: Machine | None = None
        self.models: list[ModelInfo] = []
        self.loaded: ModelInfo | None = None
        self._resting: ModelInfo | None = None
        self.question: Question | None = None
        self._wanted: _Wanted | None = None
        self._pending = 0  # loads that have not ended; they end in the order they were asked for
        client.machine_known.connect(self._on_machine)
        client.loading.connect(self._on_loading)
        client.loaded.connect(self._on_loaded)
        client.load_failed.connect(self._on_failed)
        client.unloaded.connect(self._on_unloaded)

    @property
    def name(self) -> str:
        """The model that will answer: the one being loaded, else the one in use, else none."""
        if self._wanted is not None:
            return self._wanted.name
        return self.in_use.name if self.in_use else ""

    @property
    def in_use(self) -> ModelInfo | None:
        """The model that is loaded, or the one that rests."""
        return self.loaded or self._resting

    @property
    def rests(self) -> bool:
        """The model that will answer is out of memory, and nothing is being loaded."""
        return self._resting is not None and self._wanted is None

    @property
    def is_loading(self) -> bool:
        """A model is being loaded, or waits for it."""
        return self._wanted is not None

    def is_installed(self, name: str) -> bool:
        """Whether a chat's model is still here; True while that is not known yet."""
        return not self.models or any(model.name == name for model in self.models)

    def start(self) -> None:
        """Look for models and load what the settings say: the one last used, else the one that
        came with the app; that one; or none."""
        self._client.find_machine(self._settings.memory_limit_bytes)
        if self._settings.at_launch == "nothing":
            return
        if self._settings.at_launch == "starter":
            self.load(BUNDLED)
            return
        last = Path(self._settings.model or BUNDLED)
        moved = BUNDLED.parent / last.name  # the app, and with it the models that it came with
        folder = next((f for f in (last, moved) if f.is_dir()), BUNDLED)
        self.load(folder, precision=self._settings.precision if folder.name == last.name else "")

    def set_models(self, models: list[ModelInfo]) -> None:
        """These are installed."""
        self.models = models
        self._follow()
        self.list_changed.emit()

    def _follow(self) -> None:
        """Where the models folder was moved, the model in use is in another folder now."""
        loaded = self.loaded
        if loaded is None or loaded.folder.is_dir():
            return
        for model in self.models:
            if model.name == loaded.name:
                self.loaded = replace(loaded, folder=model.folder)
                if self._settings.model == str(loaded.folder):
                    self._settings.model = str(model.folder)

    def set_limit(self, limit_bytes: int) -> None:
        """Let models use so much memory, 0: as much as the machine recommends."""
        self._client.find_machine(limit_bytes)

    def choose(self, name: str, precision: str = "") -> None:
        """Load an installed model by its name, or ask about it first; in `precision`, if given,
        instead of its own."""
        for model in self.models:
            if model.name == name:
                self.load(model.folder, precision=precision) if precision else self._consider(model)

    def _consider(self, model: ModelInfo) -> None:
        # An answer may be under way on the engine's thread: what is known of the model is enough.
        if self._latest and self._latest[0] == model.folder:
            self._ask(None)
            self.wake()
        elif self.machine is None or model.fit == "fits":
            self.load(model.folder)
        else:
            self._ask_about(model, self.machine)

    def set_precision(self, precision: str) -> None:
        """Load the model in use again, in `precision`; where it would not fit so, ask first."""
        if self._latest is None:
            return
        folder = self._latest[0]
        model = next((model for model in self.models if model.folder == folder), None)
        if precision or model is None or self.machine is None or model.fit == "fits":
            self.load(folder, precision=precision)
        else:
            self._ask_about(model, self.machine)

    def _ask_about(self, model: ModelInfo, machine: Machine) -> None:
        smaller = model.smaller.precision if model.smaller else ""
        self._ask(question(model.folder, reason(model, machine), smaller, at_start=False))

    def accept(self) -> None:
        """Load the model that was asked about."""
        if self.question and self.question.may_load:
            asked = self.question
            self.load(asked.folder, allow_tight=True, precision=asked.precision)

    def decline(self) -> None:
        """Load nothing; at the start the model that came with the app, so that it can be used."""
        question = self.question
        self._ask(None)
        if question and question.at_start and self._latest is None and question.folder != BUNDLED:
            self._begin(BUNDLED)

    def _ask(self, question: Question | None) -> None:
        if question or self.question:
            self.question = question
            self.asked.emit(question)

    @property
    def _latest(self) -> tuple[Path, str] | None:
        """The folder and the precision of the model being loaded, else of the one in use."""
        if self._wanted is not None:
            return self._wanted.folder, self._wanted.precision
        return (self.in_use.folder, self.in_use.precision) if self.in_use else None

    def load(self, folder: Path, *, allow_tight: bool = False, precision: str = "") -> None:
        """Load the model in `folder`, in `precision`, and remember it once that has worked; one
        that turns out to be tight is asked about unless `allow_tight`."""
        self._ask(None)
        if (folder, precision) == self._latest:
            self.wake()
        else:
            self._begin(folder, allow_tight=allow_tight, precision=precision)

    def keep(self, bits: int) -> None:
        """Write the model in use in `bits` a number among the app's models, and load that."""
        self._ask(None)
        if self._latest is not None:
            folder = self._latest[0]
            self._start(folder, library.copy_of(folder, bits), keep=bits)

    def _begin(self, folder: Path, *, allow_tight: bool = False, precision: str = "") -> None:
        self._start(folder, folder, allow_tight=allow_tight, precision=precision)

    def _start(self, source: Path, folder: Path, *, precision: str = "", **wishes: Any) -> None:
        """Have `source` loaded; what comes of it is the model in `folder`."""
        listed = next((model.name for model in self.models if model.folder == folder), folder.name)
        self._wanted = _Wanted(folder, listed, precision)
        self._pending += 1
        self._client.load(source, listed, precision=precision, **wishes)
        self.loading.emit(listed, 0.0)

    def cancel(self) -> None:
        """Stop loading; the model loaded before stays."""
        self._client.stop_loading()

    def rest(self) -> None:
        """Free the memory of the model that is loaded, and keep it in use."""
        if self.loaded is not None and self._wanted is None:
            self._resting, self.loaded = self.loaded, None
            self._client.unload()
            self.changed.emit()

    def wake(self) -> None:
        """Load the model that rests, if one does."""
        if self._resting is not None and self._wanted is None:
            folder, precision = self._resting.folder, self._resting.precision
            self._begin(folder, allow_tight=True, precision=precision)

    def unload(self) -> None:
        """Free the model's memory; none is in use any more."""
        self._resting = None
        self._client.stop_loading()
        self._client.unload()

    def _on_machine(self, machine: Machine) -> None:
        self.machine = machine
        self.machine_known.emit(machine)
        self.changed.emit()

    def _on_loading(self, name: str, fraction: float) -> None:
        if self._pending == 1:
            self.loading.emit(name, fraction)

    def _on_loaded(self, info: ModelInfo) -> None:
        if self._wanted and self._wanted.folder == info.folder:
            info = replace(info, name=self._wanted.name)
        self.loaded, self._resting = info, None
        if self._is_last():
            self._settings.model, self._settings.precision = str(info.folder), info.precision
        if self.models and all(model.folder != info.folder for model in self.models):
            self.list_wanted.emit()
        self.changed.emit()

    def _on_failed(self, name: str, error: Exception) -> None:
        wanted = self._wanted
        if self._is_last() and wanted and not isinstance(error, Stopped):
            self._tell(wanted.folder, wanted.precision, error)
        self.changed.emit()

    def _tell(self, folder: Path, precision: str, error: Exception) -> None:
        if isinstance(error, EngineError) and error.code == "tight":
            if self.question is None:  # else the user has chosen another one since
                self._ask(question(folder, error, precision, at_start=True))
            return
        self.failed.emit(sentence(error))
        if self._resting and self._resting.folder == folder:
            self._resting = None
        if self.in_use is None and folder != BUNDLED:
            self._begin(BUNDLED)  # so that the app can be used

    def _is_last(self) -> bool:
        """Count the end of a load; True when no other was asked for since."""
        self._pending -= 1
        if self._pending:
            return False
        self._wanted = None
        return True

    def _on_unloaded(self) -> None:
        self.loaded = None
        self.changed.emit()
