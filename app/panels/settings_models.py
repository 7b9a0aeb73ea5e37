"""Settings, Models: where models are kept, which is loaded, and how much memory they may use."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from app.panels.settings_form import SettingsForm
from app.panels.settings_memory import MemoryRow
from app.widgets.check_box import CheckBox
from app.widgets.path_field import PathField
from app.widgets.popup_button import PopupButton
from app.widgets.progress_line import ProgressLine
from app.widgets.push_button import PushButton


class ModelsPane(SettingsForm):
    """Signals: folder_chosen(Path) to move the models there, cancel_requested() while they move,
    show_requested(), share_cache_changed(bool), at_launch_chosen(str),
    unload_after_chosen(minutes), memory_changed(bytes; 0: the machine's)."""

    folder_chosen = Signal(Path)
    cancel_requested = Signal()
    show_requested = Signal()
    share_cache_changed = Signal(bool)
    at_launch_chosen = Signal(str)
    unload_after_chosen = Signal(int)
    memory_changed = Signal(object)  # an int of any size

    def __init__(self, starter: str, parent: QWidget | None = None) -> None:
        """`starter` names the model that came with the app."""
        super().__init__(parent)
        self.setAccessibleName(self.tr("Models"))
        self._folder = Path()
        self._add_folder()
        self.add_rule()
        self._add_loading(starter)
        self.add_gap()
        self.memory = MemoryRow(self)
        self.memory.changed.connect(self.memory_changed)
        self.show_button = PushButton(self.tr("Show Models Folder"), self)
        self.show_button.clicked.connect(self.show_requested)
        self.add_footer("", self.show_button)
        self.restyle()

    def set_folder(self, folder: Path) -> None:
        """Where the models are."""
        self._folder = folder
        self.folder.set_path(folder)

    def set_moving(self, fraction: float | None, words: str) -> None:
        """How far the models are moved, 0 to 1 or None where that is not known yet; without words
        nothing is being moved."""
        self.progress.set_progress(fraction, words)
        self.progress.setVisible(bool(words))
        self.move_button.setEnabled(not words)

    def set_folder_error(self, sentence: str) -> None:
        """Why the models could not be moved; empty when there is nothing to say."""
        self.folder_note.say(sentence, wrong=True)

    def set_values(
        self, *, share_cache: bool, at_launch: str, unload_after: int, memory_bytes: int
    ) -> None:
        """What is in use, without a signal."""
        self.share_cache.setChecked(share_cache)
        self.at_launch.set_value(at_launch)
        self.unload_after.set_value(unload_after)
        self.memory.set_bytes(memory_bytes)

    def _add_folder(self) -> None:
        name = self.tr("Models folder:")
        self.folder = PathField(name, self)
        self.move_button = PushButton(self.tr("Move…"), self, height=24)
        self.move_button.clicked.connect(self._ask_for_folder)
        self.add_row(name, self.folder, self.move_button, fill=self.folder)
        self.progress = ProgressLine(self.tr("Cancel"), self)
        self.progress.cancelled.connect(self.cancel_requested)
        self.progress.hide()
        self.add_below(self.progress, 6)
        self.folder_note = self.add_note()
        self.add_gap(5)
        words = self.tr("Also use models in the shared Hugging Face cache")
        self.share_cache = CheckBox(words, self)
        self.share_cache.clicked.connect(self.share_cache_changed)
        self.add_row("", self.share_cache)

    def _add_loading(self, starter: str) -> None:
        name = self.tr("At launch, load:")
        self.at_launch = PopupButton(name, self)
        self.at_launch.set_choices(
            [
                ("last", self.tr("The last model used")),
                ("starter", starter),
                ("nothing", self.tr("Nothing")),
            ]
        )
        self.at_launch.chosen.connect(self.at_launch_chosen.emit)
        self.add_row(name, self.at_launch)
        self.add_gap()
        name = self.tr("Unload when idle:")
        self.unload_after = PopupButton(name, self)
        self.unload_after.set_choices(
            [
                (0, self.tr("Never")),
                (10, self.tr("After 10 minutes")),
                (30, self.tr("After 30 minutes")),
                (120, self.tr("After 2 hours")),
            ]
        )
        self.unload_after.chosen.connect(self.unload_after_chosen.emit)
        self.add_row(name, self.unload_after)

    def _ask_for_folder(self) -> None:
        """The system's own dialog."""
        dialog = QFileDialog(self, self.tr("Move the Models to"), str(self._folder))
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        dialog.setLabelText(QFileDialog.DialogLabel.Accept, self.tr("Move"))
        dialog.fileSelected.connect(self._take_folder)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _take_folder(self, folder: str) -> None:
        if folder and Path(folder) != self._folder:
            self.folder_chosen.emit(Path(folder))
