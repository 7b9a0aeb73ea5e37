"""The model in use: which are installed, which is loaded, and what choosing another does."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from app.engine_client import EngineClient
from app.errors_text import sentence
from app.settings import Settings
from engine import paths
from engine.api import Machine, ModelInfo
from engine.errors import Stopped

# The model that comes with the app; its name is engine.library's DEFAULT_MODEL.
BUNDLED = paths.resources() / "models" / "starter-12m"


class ModelController(QObject):
    """Loads what is chosen; the last choice wins, and a load that fails changes nothing.

    Signals: list_changed(); loading(name, fraction) while a model comes in; changed() when
    another model is loaded, none is, or a load came to nothing; failed(sentence).
    """

    list_changed = Signal()
    loading = Signal(str, float)
    changed = Signal()
    failed = Signal(str)

    def __init__(
        self, client: EngineClient, settings: Settings, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._client, self._settings = client, settings
        self.machine: Machine | None = None
        self.models: list[ModelInfo] = []
        self.loaded: ModelInfo | None = None
        self._wanted: tuple[Path, str] | None = None  # folder and name: being loaded, or waiting
        self._pending = 0  # loads that have not ended; they end in the order they were asked for
        client.machine_known.connect(self._on_machine)
        client.models_found.connect(self._on_models)
        client.loading.connect(self._on_loading)
        client.loaded.connect(self._on_loaded)
        client.load_failed.connect(self._on_failed)
        client.unloaded.connect(self._on_unloaded)

    @property
    def name(self) -> str:
        """The model that will answer: the one being loaded, else the one loaded, else none."""
        if self._wanted is not None:
            return self._wanted[1]
        return self.loaded.name if self.loaded else ""

    @property
    def is_loading(self) -> bool:
        """A model is being loaded, or waits for it."""
        return self._wanted is not None

    def is_installed(self, name: str) -> bool:
        """Whether a chat's model is still here; True while that is not known yet."""
        return not self.models or any(model.name == name for model in self.models)

    def start(self) -> None:
        """Look for models and load the one last used, else the one that came with the app."""
        self._client.find_models()
        last = Path(self._settings.model or BUNDLED)
        moved = BUNDLED.parent / last.name  # the app, and with it the models that it came with
        self.load(next((f for f in (last, moved) if f.is_dir()), BUNDLED))

    def choose(self, name: str) -> None:
        """Load an installed model by its name."""
        for model in self.models:
            if model.name == name:
                self.load(model.folder)

    def load(self, folder: Path) -> None:
        """Load the model in `folder` and remember it once that has worked."""
        latest = self._wanted[0] if self._wanted else self.loaded and self.loaded.folder
        if folder == latest:
            return
        listed = next((model.name for model in self.models if model.folder == folder), folder.name)
        self._wanted = (folder, listed)
        self._pending += 1
        self._client.load(folder, listed)
        self.loading.emit(listed, 0.0)

    def cancel(self) -> None:
        """Stop loading; the model loaded before stays."""
        self._client.stop_loading()

    def unload(self) -> None:
        """Free the model's memory."""
        self._client.stop_loading()
        self._client.unload()

    def _on_machine(self, machine: Machine) -> None:
        self.machine = machine
        self.changed.emit()

    def _on_models(self, models: list[ModelInfo]) -> None:
        self.models = models
        self.list_changed.emit()

    def _on_loading(self, name: str, fraction: float) -> None:
        if self._pending == 1:
            self.loading.emit(name, fraction)

    def _on_loaded(self, info: ModelInfo) -> None:
        if self._wanted and self._wanted[0] == info.folder:
            info = replace(info, name=self._wanted[1])
        self.loaded = info
        if self._is_last():
            self._settings.model = str(info.folder)
        self.changed.emit()

    def _on_failed(self, name: str, error: Exception) -> None:
        if self._is_last() and not isinstance(error, Stopped):
            self.failed.emit(sentence(error))
            if self.loaded is None and name != BUNDLED.name:
                self.load(BUNDLED)  # so that the app can be used
        self.changed.emit()

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
