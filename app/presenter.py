"""Shows in the panels what the controllers know, and takes the panels' wishes to them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app import wording
from app.settings import Settings
from app.store import Store
from app.values import MessageRow, Question
from app.widgets.toast import announce
from engine.api import Sampling

if TYPE_CHECKING:
    from app.main_window import MainWindow


class Presenter(QObject):
    """Between the window's panels and its two controllers; keeps nothing itself."""

    def __init__(self, window: MainWindow, store: Store, settings: Settings) -> None:
        super().__init__(window)
        self._window, self._store, self._settings = window, store, settings
        self._chats, self._models = window.chats, window.models
        self._page, self._sidebar, self._toolbar = window.page, window.sidebar, window.toolbar
        self._deleted = ""  # the chat that the toast can bring back
        aside = store.set_aside
        self._trouble = wording.set_aside(str(aside)) if aside else ""  # shown in the banner
        self._connect_chats()
        self._connect_models()
        self._connect_panels()

    def show_all(self) -> None:
        """Show everything anew."""
        self._page.composer.set_sampling(self._settings.sampling)
        self.show_list()
        self.show_chat()
        self._show_model()

    def _connect_chats(self) -> None:
        chats = self._chats
        chats.list_changed.connect(self.show_list)
        chats.opened.connect(self.show_chat)
        chats.added.connect(self._page.transcript.add)
        chats.written.connect(self._page.transcript.append_text)
        chats.reading.connect(self._page.transcript.set_reading)
        chats.ended.connect(self._show_end)
        chats.status_changed.connect(self._show_status)
        chats.figures_changed.connect(self._show_figures)
        chats.deleted.connect(self._offer_undo)

    def _connect_models(self) -> None:
        models, picker = self._models, self._toolbar.picker
        models.list_changed.connect(self._show_models)
        models.loading.connect(self._show_loading)
        models.changed.connect(self._show_model)
        models.failed.connect(self._show_trouble)
        models.asked.connect(self._show_question)
        self._window.question.accepted.connect(self._accept)
        self._window.question.declined.connect(models.decline)
        self._page.composer.escaped.connect(self._window.question.decline)
        picker.model_chosen.connect(self._choose)
        picker.unload_requested.connect(models.unload)
        picker.cancel_requested.connect(models.cancel)
        picker.more_requested.connect(lambda: self._window.show_view(1))

    def _connect_panels(self) -> None:
        window, sidebar = self._window, self._sidebar
        composer, transcript = self._page.composer, self._page.transcript
        composer.submitted.connect(self._send)
        composer.stop_requested.connect(self._chats.stop)
        composer.draft_changed.connect(self._chats.set_draft)
        composer.sampling_changed.connect(self._set_sampling)
        window.preferences.sampling_changed.connect(self._take_sampling)
        transcript.regenerate_requested.connect(self._chats.regenerate)
        transcript.retry_requested.connect(self._chats.regenerate)
        transcript.prompt_chosen.connect(self._send)
        sidebar.rename_chat.connect(self._chats.rename)
        sidebar.delete_chat.connect(self._chats.delete)
        sidebar.search_changed.connect(self.show_list)
        self._page.banner.acted.connect(self._toolbar.picker.open_list)
        for toast in (self._page.toast, window.toast):
            toast.undone.connect(self._undo)

    # Chats

    def show_list(self) -> None:
        """The sidebar's rows."""
        self._sidebar.set_chats(self._store.chats(self._sidebar.query()))
        self._sidebar.set_writing(self._window.replies.chats)
        self._sidebar.set_current(self._chats.current)

    def show_chat(self) -> None:
        """The open chat's messages, its draft, and its row chosen."""
        if self._chats.current is None:
            self._show_first_run()
        else:
            self._page.transcript.show_chat(self._chats.rows())
        self._page.composer.set_draft(self._chats.draft)
        self._sidebar.set_current(self._chats.current)
        self._show_status()
        self._show_figures()

    def _show_first_run(self) -> None:
        models = self._models
        name = models.name if models.is_loading else ""
        self._page.transcript.show_first_run(models.in_use, models.machine, loading=name)

    def _send(self, text: str) -> None:
        if self._chats.send(text):
            self._trouble = ""
            self._show_banner()
            self._page.composer.set_draft("")

    def _show_end(self, row: MessageRow) -> None:
        if row.status == "failed":
            self._page.transcript.fail(row, row.error)
        else:
            self._page.transcript.finish(row)

    def _show_status(self) -> None:
        live, composer = self._chats.live, self._page.composer
        composer.set_busy(live is not None)
        composer.set_ready(bool(self._models.name))
        composer.set_placeholder(wording.placeholder(self._models.name, busy=live is not None))
        composer.set_hint(self._hint())
        actions = self._window.menus.actions
        actions["stop"].setEnabled(live is not None)
        actions["regenerate"].setEnabled(live is None and self._chats.last is not None)
        for name in ("compare", "rename", "delete"):
            actions[name].setEnabled(self._chats.current is not None)
        self.show_title()
        self._show_banner()

    def _hint(self) -> str:
        figures, model, last = self._chats.figures(), self._models.in_use, self._chats.last
        if self._chats.live:
            return "" if figures.reading or not figures.position else wording.hint(figures.position)
        if model is None or self._models.is_loading:
            return ""
        if not figures.position or last is None:
            return "" if model.chat else wording.base_model()
        if self._window.replies.has_read(self._chats.current):
            return wording.hint(figures.position)
        return wording.unread(model.name, figures.position if last.model == model.name else 0)

    def show_title(self) -> None:
        """The title and what goes on, in the toolbar and in the system's title bar."""
        if self._window.view != 0:
            self._toolbar.set_title("", "")
            return
        chat = self._store.chat(self._chats.current) if self._chats.current else None
        title = chat.title if chat else self.tr("New chat")
        waiting = self._models.name if self._models.is_loading else ""
        updated = chat.updated if chat else None
        self._toolbar.set_title(title, wording.subtitle(self._chats.live, updated, waiting))
        self._window.setWindowTitle(title)

    def _show_figures(self) -> None:
        model, machine = self._models.in_use, self._models.machine
        figures = self._chats.figures()
        a_token = model.state_bytes_per_token if model else 0
        state = model.state_bytes + a_token * figures.position if model else 0
        figures = replace(
            figures,
            state_bytes=figures.state_bytes or state or None,
            state_grows=a_token > 0,
            backend=machine.backend if machine else "",
            device=wording.device(machine) if machine else "",
        )
        strip, trace = self._page.strip, self._chats.trace()
        (strip.set_live if self._chats.live else strip.set_final)(figures, trace)

    def _offer_undo(self, chat: str) -> None:
        self._deleted = chat
        toast = self._page.toast if self._window.view == 0 else self._window.toast
        toast.show_undo(self.tr("Chat deleted"), self.tr("Undo"))

    def _undo(self) -> None:
        self._chats.restore(self._deleted)
        self._window.show_view(0)

    def _set_sampling(self, sampling: Sampling) -> None:
        self._settings.sampling = self._chats.sampling = sampling
        self._window.preferences.set_sampling(sampling)

    def _take_sampling(self, sampling: Sampling) -> None:
        """The Settings window changed it, and keeps it."""
        self._chats.sampling = sampling
        self._page.composer.set_sampling(sampling)

    # Models

    def _choose(self, name: str) -> None:
        self._trouble = ""
        self._models.choose(name)
        self._show_banner()

    def _show_question(self, question: Question | None) -> None:
        bar = self._window.question
        if question is None:
            if bar.has_focus():
                window = self._window
                places = (self._page.composer, window.models_view, window.compare_view)
                places[window.view].setFocus()
            bar.withdraw()
            return
        words, tone = (self.tr("Load"), self.tr("Cancel")), "warn"
        if question.precision:
            load = self.tr("Load in {precision}").replace("{precision}", question.precision)
            words = (load, self.tr("Cancel"))
        elif not question.may_load:
            words, tone = (self.tr("Choose a Model"), self.tr("Close")), "error"
        # Whoever types while the app starts goes on typing.
        bar.ask(question.sentence, *words, tone=tone, focus=not question.at_start)

    def _accept(self) -> None:
        question = self._models.question
        self._models.accept()
        if question and not question.may_load:
            self._models.decline()
            self._window.choose_model()

    def _show_models(self) -> None:
        self._toolbar.picker.set_models(self._models.models)
        self._show_banner()

    def _show_loading(self, name: str, fraction: float) -> None:
        self._toolbar.picker.set_loading(name, fraction)
        if (live := self._chats.live) and not live.began:
            self._page.transcript.set_loading(live.message, name, fraction)
        self._chats.model_name = self._models.name
        if self._chats.current is None and not fraction:
            self._show_first_run()
        self._show_status()

    def _show_model(self) -> None:
        models, picker = self._models, self._toolbar.picker
        if not models.is_loading:
            picker.set_loaded()
        picker.set_current(models.in_use)
        self._chats.model_name = models.name
        self._window.replies.set_model(models.loaded)
        if self._chats.current is None:
            self._show_first_run()
        if (live := self._chats.live) and not live.began:
            self._page.transcript.set_loading(live.message, models.name, None)
        self._show_status()
        self._show_figures()

    def _show_trouble(self, sentence: str) -> None:
        self._trouble = sentence
        announce(self._page, sentence)
        self._show_banner()

    def _show_banner(self) -> None:
        """What could not be loaded; else that this chat's model is gone; else nothing."""
        if self._trouble:
            self._page.show_banner(self._trouble, self.tr("Choose a Model"))
            return
        model = self._store.chat(self._chats.current).model if self._chats.current else ""
        gone = bool(model) and not self._models.is_installed(model)
        self._page.show_banner(wording.missing(model) if gone else "", self.tr("Choose a Model"))
