"""What the Models view shows and does: what is installed, what is coming, what can be got."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QObject, Signal

from app import format as text
from app.download_note import download_note
from app.errors_text import sentence
from app.library_client import LibraryClient
from app.library_rows import Deed, DownloadNote, DownloadRow, LibraryRows, ModelRow
from app.library_words import download_row, name_of, owner_of
from app.model_controller import ModelController
from app.model_rows import (
    installed_row,
    machine_facts,
    offer_row,
    parameters,
    word_of,
)
from engine import catalogue
from engine.api import Download, ModelInfo, Offer
from engine.errors import EngineError, Stopped

_TOKEN_WANTED = ("gated", "bad_token")


@dataclass
class _Search:
    text: str = ""
    offers: list[Offer] | None = None  # None: not answered yet
    error: Exception | None = None


class LibraryController(QObject):
    """Keeps the library's state and fulfils the view's wishes.

    Signals: changed() when `rows` would give something else; said(sentence) for what is worth
    telling whoever looks elsewhere."""

    changed = Signal()
    said = Signal(str)

    def __init__(
        self, client: LibraryClient, models: ModelController, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._client, self._models = client, models
        self._downloads: list[Download] = []
        self._offers: list[Offer] = []
        self._search = _Search()
        self._used, self._free = 0, 0
        self._gone: EngineError | None = None
        self._precisions: dict[str, str] = {}  # that were chosen, by row
        self._has_token = False
        self._removing: set[str] = set()  # these wait until they are unloaded
        self.trouble = ""  # the last thing that could not be done
        client.downloads_changed.connect(self._on_downloads)
        client.disk_known.connect(self._on_disk)
        client.found.connect(self._on_found)
        client.search_failed.connect(self._on_search_failed)
        client.installed.connect(self._on_installed)
        client.token_known.connect(self._on_token)
        client.refused.connect(self._on_refused)
        models.list_changed.connect(self.changed)
        models.changed.connect(self._on_model_changed)

    # What is shown

    @property
    def suggestion(self) -> Offer | None:
        """The best model to get on this machine; None when one as good is here or coming."""
        machine = self._models.machine
        if machine is None or not self._offers:
            return None
        best = catalogue.suggest(self._offers, machine)
        known = [model.parameters for model in self._models.models if not model.problem]
        coming = {download.repo for download in self._downloads}
        if best is None or best.repo in coming or best.parameters <= max(known, default=0):
            return None
        return best

    @property
    def note(self) -> DownloadNote | None:
        """What is told of the downloads beside the chats; None when nothing is coming."""
        return download_note(self._downloads)

    @property
    def offers(self) -> list[Offer]:
        """The catalogue."""
        return list(self._offers)

    def rows(self) -> LibraryRows:
        """All of it, as it stands now."""
        machine = self._models.machine
        limit, memory = (machine.limit_bytes, machine.memory_bytes) if machine else (0, 0)
        installed = tuple(self._installed(model) for model in self._models.models)
        return LibraryRows(
            downloads=tuple(self._row(each) for each in self._downloads),
            installed=installed,
            catalogue=tuple(self._offer(offer) for offer in self._offers),
            found=tuple(self._offer(o, found=True) for o in self._search.offers or ()),
            search=self._search.text,
            search_note=self._search_note(),
            limit_bytes=limit,
            memory_bytes=memory,
            limit=text.short_size(limit) if limit else "",
            notice=_gone(self._gone) if self._gone else "",
            trouble=self.trouble,
            machine=machine_facts(machine, self._used, self._free),
            title_note=_title_note(len(installed), self._used),
        )

    def _row(self, download: Download) -> DownloadRow:
        return download_row(download, has_token=self._has_token)

    def _installed(self, model: ModelInfo) -> ModelRow:
        deed: Deed = "load"
        if model.problem:  # what came from the Hub can come again
            deed = "get" if model.owned and owner_of(model.name) else "none"
        if self._models.name == model.name and not self._models.rests:
            deed = "loading" if self._models.is_loading else "loaded"
        used = self._models.in_use
        now = used.precision or used.dtype if used and used.name == model.name else ""
        wanted = self._precisions.get(model.name, now)
        page = self._page(model.name) if owner_of(model.name) else ""
        return installed_row(model, self._models.machine, deed=deed, precision=wanted, page=page)

    def _offer(self, offer: Offer, *, found: bool = False) -> ModelRow:
        size = parameters(offer.parameters)
        return offer_row(
            offer,
            self._models.machine,
            precision=self._precisions.get(offer.repo, ""),
            word=self._word(offer.repo),
            page=self._page(offer.repo),
            note=owner_of(offer.repo) if found or not size else size,
        )

    def _word(self, repo: str) -> str:
        for download in self._downloads:
            if download.repo == repo:
                return word_of(download)
        if any(model.name == repo and not model.problem for model in self._models.models):
            return QCoreApplication.translate("Library", "Installed")
        return ""

    def _page(self, repo: str) -> str:
        return f"{self._client.network.endpoint}/{repo}"

    def _search_note(self) -> str:
        if not self._search.text or self._search.offers:
            return ""
        if self._search.error is not None:
            return sentence(self._search.error)
        if self._search.offers is None:
            return QCoreApplication.translate("Library", "Searching…")
        words = QCoreApplication.translate(
            "Library", "Nothing on Hugging Face matches “{q}”. Paste owner/name if you know it."
        )
        return words.replace("{q}", self._search.text)

    # What is wished

    def load(self, name: str) -> None:
        """Load an installed model in the precision that its row shows."""
        row = next((row for row in self.rows().installed if row.id == name), None)
        model = next((model for model in self._models.models if model.name == name), None)
        if row and model:
            own = row.precision == model.dtype or len(model.needs) < 2
            self._models.choose(name, "" if own else row.precision)

    def get(self, repo: str) -> None:
        """Bring a model of the catalogue, or one that was found."""
        offers = [*self._offers, *(self._search.offers or [])]
        revision = next((offer.revision for offer in offers if offer.repo == repo), "main")
        self._client.get(repo, revision)

    def page(self, name: str) -> str:
        """The address of a model's page, of its repository or as it is given."""
        return name if "://" in name else self._page(name)

    def set_precision(self, name: str, precision: str) -> None:
        """Show what a model needs in this precision, and load it in that."""
        self._precisions[name] = precision
        self.changed.emit()

    def search(self, words: str) -> None:
        """Look on the Hub; empty: away with what was found."""
        self._search = _Search(words.strip())
        self._client.search(self._search.text)
        self.changed.emit()

    def remove(self, name: str) -> None:
        """Move a model to the Trash, once it is unloaded."""
        if self._models.name == name:
            self._removing.add(name)
            self._models.unload()
        else:
            self._client.remove(name)

    def folder_of(self, name: str) -> Path | None:
        """Where an installed model is."""
        return next((m.folder for m in self._models.models if m.name == name), None)

    def import_folders(self, paths: list[Path]) -> None:
        """List the models in these from now on."""
        self.dismiss()
        for path in paths:
            self._client.import_folder(path)

    def complain(self, trouble: str) -> None:
        """Say above the view what could not be done."""
        self.trouble = trouble
        self.changed.emit()

    def dismiss(self) -> None:
        """The trouble was read."""
        self.complain("")

    # What comes

    def _on_downloads(self, downloads: list[Download]) -> None:
        before = {download.repo: download.phase for download in self._downloads}
        self._downloads = downloads
        for download in downloads:
            if download.phase == "failed" and before.get(download.repo) not in (None, "failed"):
                self.said.emit(f"{name_of(download.repo)}: {self._row(download).text}")
        self.changed.emit()

    def _on_disk(self, used: int, free: int, gone: EngineError | None) -> None:
        self._used, self._free, self._gone = used, free, gone
        if not self._offers and (machine := self._models.machine):
            self._offers = catalogue.catalogue(on_cpu=machine.backend == "CPU")
        self.changed.emit()

    def _on_found(self, words: str, offers: list[Offer]) -> None:
        if words == self._search.text:
            self._search.offers = offers
            self.changed.emit()

    def _on_search_failed(self, words: str, error: Exception) -> None:
        if words == self._search.text:
            self._search.error = error
            self.changed.emit()

    def _on_installed(self, name: str) -> None:
        words = QCoreApplication.translate("Library", "{model} is here")
        self.said.emit(words.replace("{model}", name_of(name)))

    def _on_token(self, has_token: bool) -> None:
        """What waited for a token is tried with this one."""
        self._has_token = has_token
        for download in self._downloads if has_token else ():
            if isinstance(download.error, EngineError) and download.error.code in _TOKEN_WANTED:
                self._client.resume(download.repo)
        self.changed.emit()

    def _on_refused(self, what: str, name: str, error: Exception) -> None:
        if isinstance(error, Stopped):  # as it was wished
            return
        self.complain(sentence(error))
        self.said.emit(self.trouble)

    def _on_model_changed(self) -> None:
        for name in self._removing - {self._models.name}:
            self._removing.remove(name)
            self._client.remove(name)
        if self._removing and not self._models.is_loading:  # it was loaded again meanwhile
            self._models.unload()
        self.changed.emit()


def _title_note(count: int, used: int) -> str:
    words = QCoreApplication.translate("Library", "{n} installed, {size}")
    return words.replace("{n}", str(count)).replace("{size}", text.short_size(used))


def _gone(error: EngineError) -> str:
    """That the models folder is away, by the name of its disk."""
    path = Path(str(error.values["path"]))
    volume = path.parts[2] if path.parts[1:2] == ("Volumes",) and len(path.parts) > 2 else str(path)
    words = QCoreApplication.translate(
        "Library", "The models folder is on “{disk}”, which is not connected."
    )
    return words.replace("{disk}", volume)
