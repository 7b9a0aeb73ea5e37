"""What the toolbar holds in the Models view: the search of the Hub, and the import of a folder."""

from __future__ import annotations

from PySide6.QtCore import QSize, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from app.theme import theme
from app.widgets.icon_button import IconButton
from app.widgets.search_field import SearchField

WIDTH, LEAST = 276, 140  # of the field
GAP = 8
WAIT_MS = 400  # without typing, before it searches by itself


class ModelsBar(QWidget):
    """Signals: search_submitted(text) on Return and after a pause in typing, search_cleared(),
    import_requested()."""

    search_submitted = Signal(str)
    search_cleared = Signal()
    import_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.search = SearchField(
            self.tr("Search Hugging Face or paste a name"), self, ground="fill"
        )
        self.open_folder = IconButton("import", self.tr("Import Folder"), self)
        self.open_folder.clicked.connect(self.import_requested)
        self._typed = self._submitted = ""
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(WAIT_MS)
        self._pause.timeout.connect(self._submit_new)
        self.search.textChanged.connect(self._on_typed)
        self.search.returnPressed.connect(self._submit)

    def query(self) -> str:
        """What is searched for."""
        return self.search.text().strip()

    def waits(self) -> bool:
        """Whether it searches after a pause that has begun."""
        return self._pause.isActive()

    def width_for(self, free: int) -> int:
        """How wide it wants to be where `free` pixels are left beside the switch."""
        look, rest = theme(), GAP + self.open_folder.sizeHint().width()
        return max(look.px(LEAST), min(look.px(WIDTH), free - rest)) + rest

    def sizeHint(self) -> QSize:
        """With the field at its full width."""
        return QSize(self.width_for(10_000), max(28, theme().px(28)))

    def resizeEvent(self, _: QResizeEvent) -> None:
        """The button at the right, the field has the rest."""
        size, high = self.open_folder.sizeHint(), self.search.height()
        left = self.width() - size.width()
        top = (self.height() - size.height()) // 2
        self.open_folder.setGeometry(left, top, size.width(), size.height())
        self.search.setGeometry(0, (self.height() - high) // 2, left - GAP, high)

    def _on_typed(self) -> None:
        before, self._typed = self._typed, self.query()
        if self._typed:
            self._pause.start()
            return
        self._pause.stop()
        self._submitted = ""
        if before:
            self.search_cleared.emit()

    def _submit(self) -> None:
        self._pause.stop()
        if query := self.query():
            self._submitted = query
            self.search_submitted.emit(query)

    def _submit_new(self) -> None:
        """After a pause: a space more or less is no other search."""
        if self.query() != self._submitted:
            self._submit()
