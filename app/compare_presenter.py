"""Shows comparisons in the Compare view, its sidebar and its part of the toolbar, and takes what
the user wishes there to the controller."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, QRect, QSize
from PySide6.QtGui import QImage, QPainter, QPixmap
from PySide6.QtWidgets import QFileDialog

from app import compare_words as words
from app.compare_columns import columns as shown_columns
from app.compare_controller import CompareController
from app.compare_export import as_csv, as_json, as_markdown
from app.compare_rows import Chart, Choice, Column, CompareRows, PastRun, kept_secret
from app.compare_values import Comparison, KeptRun
from app.errors_text import sentence
from app.store import Store
from app.theme import theme
from app.widgets.toast import Toast, announce
from engine.api import Message
from engine.errors import EngineError

if TYPE_CHECKING:
    from app.main_window import MainWindow

COMPARE = 2


class ComparePresenter(QObject):
    """Keeps nothing itself but what would be made anew many times a second: charts and the list."""

    def __init__(self, window: MainWindow, compare: CompareController, chats: Store) -> None:
        super().__init__(window)
        self._window, self._compare, self._chats = window, compare, chats
        self._view, self._sidebar = window.compare_view, window.compare_sidebar
        self._toast = Toast(self._view)
        self._rows = CompareRows()
        self._measured: tuple[object, ...] = ()
        self._charts: tuple[Chart, ...] = ()
        self._listed: tuple[KeptRun, ...] = ()
        self._list: tuple[PastRun, ...] = ()
        self._trouble = self._troubled = ""  # why the last export came to nothing, of which run
        self._connect_view()
        compare.changed.connect(self.show)
        compare.grown.connect(self._show_grown)
        window.library.changed.connect(self.show)

    def _connect_view(self) -> None:
        view, sidebar, compare = self._view, self._sidebar, self._compare
        view.run_requested.connect(compare.start)
        view.stop_requested.connect(compare.stop)
        view.stop_column.connect(self._stop_column)
        view.choose.connect(compare.choose)
        view.precision_chosen.connect(compare.set_precision)
        view.added.connect(compare.add)
        view.get_requested.connect(self._window.library.get)
        view.prompt_changed.connect(compare.set_prompt)
        view.left_out.connect(compare.leave_out)
        view.sampling_changed.connect(compare.set_sampling)
        view.interleaved_changed.connect(compare.set_interleaved)
        view.blind_changed.connect(compare.set_blind)
        view.continue_requested.connect(self._continue)
        view.voted.connect(self._vote)
        self._window.sidebar.compare_chat.connect(self.take_chat)
        sidebar.opened.connect(self._open)
        sidebar.renamed.connect(compare.rename)
        sidebar.removed.connect(self._remove)
        self._toast.undone.connect(compare.restore)
        bar = self._window.toolbar.compare
        bar.benchmark_requested.connect(compare.benchmark)
        bar.export_requested.connect(self._export)
        bar.new_requested.connect(compare.new)

    def show(self) -> None:
        """Show it all as it stands now, if the view is shown."""
        if self._window.view != COMPARE:
            return
        self._rows = rows = self._all_rows()
        self._view.set_rows(rows)
        self._sidebar.set_rows(rows)
        self._window.toolbar.compare.set_rows(rows)
        self._window.toolbar.set_title(self.tr("Compare"), rows.title_note)
        self._window.setWindowTitle(self.tr("Compare"))

    def _show_grown(self) -> None:
        """What is not a column stays: to work it all out would take time from the engine."""
        run = self._compare.run
        if run is not None and self._window.view == COMPARE:
            columns, _ = self._columns_of(run)
            self._rows = replace(self._rows, columns=columns, charts=self._charts_of(run))
            self._view.set_rows(self._rows)

    def take_chat(self, chat: str) -> None:
        """Bring what a chat asks last, after what was said in it before."""
        path = [stored.row for stored in self._chats.path(chat)]
        while path and path[-1].role != "user":
            path.pop()
        if path:
            *before, last = (Message(role=row.role, text=row.text) for row in path)
            self._compare.take(before, last.text, self._chats.chat(chat).title)
            self._window.show_view(COMPARE)
            self._window.frame.hide_overlay()
            self._view.setFocus()

    def _columns_of(self, run: Comparison) -> tuple[tuple[Column, ...], bool]:
        """Its columns, and whether their names and figures are hidden."""
        compare = self._compare
        columns = shown_columns(run, compare.live, compare.is_running)
        hidden = compare.blind and run.plan is None and kept_secret(columns)
        if hidden:  # no order that would tell who is who
            columns = tuple(sorted(columns, key=lambda column: hash((run.id, column.id))))
        return columns, hidden

    def _all_rows(self) -> CompareRows:
        compare, run = self._compare, self._compare.run
        machine = self._window.models.machine
        columns, hidden = self._columns_of(run) if run else ((), False)
        return CompareRows(
            choices=self._choices(),
            chosen=compare.contenders.chosen,
            prompt=compare.prompt,
            before=words.before(compare.before),
            chat=compare.chat,
            sampling=compare.sampling,
            interleaved=compare.takes_turns,
            no_turns=words.no_turns(compare.contenders.too_big_together(machine)),
            blind=compare.blind,
            benchmark=run is not None and run.plan is not None,
            can_benchmark=compare.can_benchmark,
            running=compare.is_running,
            can_run=compare.can_run,
            columns=columns,
            table=words.rows(run) if run else (),
            charts=self._charts_of(run) if run else (),
            note=words.note(
                compare.contestants(), alone=compare.interleaved and not compare.takes_turns
            ),
            warning=self._trouble_of(run) or (words.warning(run) if run and not hidden else ""),
            title_note=words.title_note(run),
            past=self._past(),
            current=run.id if run else "",
        )

    def _charts_of(self, run: Comparison) -> tuple[Chart, ...]:
        """The same while nothing was measured anew: text streams many times a second."""
        benchmarks = self._compare.benchmarks
        measured = (run.id, benchmarks, *((column.stats, column.points) for column in run.columns))
        if measured != self._measured:
            self._measured, self._charts = measured, words.charts(run, benchmarks)
        return self._charts

    def _trouble_of(self, run: Comparison | None) -> str:
        """Told until another run is shown, or none."""
        if run is None or run.id != self._troubled:
            self._trouble = ""
        return self._trouble

    def _past(self) -> tuple[PastRun, ...]:
        """The list, which is another only when a run is added, renamed or removed."""
        if self._compare.past is not self._listed:
            self._listed = self._compare.past
            self._list = tuple(words.past_run(kept) for kept in self._listed)
        return self._list

    def _choices(self) -> tuple[Choice, ...]:
        rows, machine = self._compare.contenders.rows(), self._window.models.machine
        here = {row.model.name for row in rows}
        chosen = [words.installed_choice(row, machine) for row in rows]
        offers = [offer for offer in self._window.library.offers if offer.repo not in here]
        return (*chosen, *(words.offered_choice(offer) for offer in offers))

    def _open(self, run: str) -> None:
        if not self._compare.open(run):
            self._toast.tell(self.tr("Another version of Mamba Chat kept this comparison."))

    def _stop_column(self, column: str) -> None:
        self._compare.stop_column(int(column))

    def _remove(self, run: str) -> None:
        if self._compare.remove(run):
            self._toast.show_undo(self.tr("Comparison deleted"), self.tr("Undo"))

    def _vote(self, column: str) -> None:
        self._compare.vote(int(column))

    def _continue(self, column: str) -> None:
        """Ask the same in a new chat of this column's model, after what was said before."""
        run = self._compare.run
        if run is not None:
            result = run.columns[int(column)]
            self._window.models.choose(result.name, result.precision)
            self._window.new_chat()
            if run.before:
                self._window.chats.begin(run.chat, run.before, result.name)
            self._window.page.composer.set_draft(run.prompt)

    def _export(self, kind: str) -> None:
        run = self._compare.run
        if run is None:
            return
        name = f"{run.title[:60].replace('/', '-') or 'comparison'}.{_ENDINGS[kind]}"
        chosen, _ = QFileDialog.getSaveFileName(self._window, self.tr("Export"), name)
        if chosen:
            self.write(kind, Path(chosen))

    def write(self, kind: str, file: Path) -> None:
        """The run that is shown as a file: "csv", "json", "markdown", or "png", a picture of the
        table and the chart."""
        run = self._compare.run
        if run is None:
            return
        self._trouble, self._troubled = "", run.id
        try:
            if kind == "png":
                if not QPixmap.fromImage(self._picture()).save(str(file), "PNG"):
                    raise OSError(0, self.tr("the picture cannot be saved there"))
            else:
                make = {"csv": as_csv, "json": as_json, "markdown": as_markdown}[kind]
                file.write_text(make(run), encoding="utf-8")
        except OSError as error:
            detail = error.strerror or str(error)
            failure = EngineError("unwritable", path=file, detail=detail)
            self._trouble = sentence(failure)
            announce(self._view, self._trouble)
        self.show()

    def _picture(self) -> QImage:
        """The table and the chart, side by side."""
        table, chart = self._view.grab_table(), self._view.grab_chart()
        size = QSize(table.width() + chart.width(), max(table.height(), chart.height()))
        both = QImage(size, QImage.Format.Format_RGB32)
        both.fill(theme().color("strip"))
        painter = QPainter(both)
        for picture, x in ((table, 0), (chart, table.width())):
            painter.drawImage(QRect(QPoint(x, 0), picture.size()), picture)
        painter.end()
        return both


_ENDINGS = {"csv": "csv", "json": "json", "markdown": "md", "png": "png"}
