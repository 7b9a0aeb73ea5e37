"""The menu of an installed model, and the question before it goes to the Trash."""

from __future__ import annotations

import sys

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QAbstractButton, QMenu, QMessageBox, QWidget

from app.library_rows import ModelRow


class RowMenu(QMenu):
    """Load or Unload, show its folder, move it to the Trash or, where it was imported, remove it
    from the list. `asked` gives what and the id."""

    asked = Signal(str, str)

    def __init__(self, row: ModelRow, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        finder = self.tr("Show in Finder")
        folder = finder if sys.platform == "darwin" else self.tr("Show in Folder")
        loaded = row.deed == "loaded"
        load = self.tr("Unload") if loaded else self.tr("Load")
        may_load = row.enabled and row.deed in ("load", "loaded") and not row.problem
        self._add("unload" if loaded else "load", load, row.id, may_load)
        self.addSeparator()
        self._add("reveal", folder, row.id, row.revealable)
        remove = self.tr("Remove from List") if row.forgets else self.tr("Move to Trash")
        self._add("trash", remove, row.id, row.removable)

    def _add(self, what: str, words: str, model: str, enabled: bool) -> None:
        action = self.addAction(words)
        action.setEnabled(enabled)
        action.triggered.connect(lambda: self.asked.emit(what, model))


class TrashSheet(QMessageBox):
    """Asks once more, as a sheet of the window. `confirmed` gives the id of the model."""

    confirmed = Signal(str)

    def __init__(self, row: ModelRow, parent: QWidget) -> None:
        super().__init__(parent)
        self._model = row.id
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self.setIcon(QMessageBox.Icon.Warning)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setText(self.tr("Move {model} to the Trash?").replace("{model}", row.name))
        frees = self.tr("This frees {size}. Its chats stay.").replace("{size}", row.disk)
        self.setInformativeText(frees if row.disk else self.tr("Its chats stay."))
        role = QMessageBox.ButtonRole
        self.move_button = self.addButton(self.tr("Move to Trash"), role.DestructiveRole)
        self.cancel = self.addButton(self.tr("Cancel"), role.RejectRole)
        self.setDefaultButton(self.move_button)
        self.setEscapeButton(self.cancel)
        self.buttonClicked.connect(self._on_clicked)

    def _on_clicked(self, button: QAbstractButton) -> None:
        if button is self.move_button:
            self.confirmed.emit(self._model)
