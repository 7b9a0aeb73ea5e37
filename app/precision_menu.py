"""The precision of the loaded model, in the Chat menu."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu

from app.model_controller import ModelController
from engine.precision import SMALLER, is_packed
from engine.quantization import BITS


class PrecisionMenu(QObject):
    """Ticks the precision in which the model is loaded; another loads it again in that, and a
    copy in fewer bits can be kept, which is quicker to load.

    A model that is stored in few bits a number has no other."""

    def __init__(self, menu: QMenu, models: ModelController) -> None:
        super().__init__(menu)
        self._menu, self._models = menu, models
        self.group = QActionGroup(self)
        for precision in ("", *SMALLER):
            action = menu.addAction(precision or self.tr("As Stored"))
            action.setMenuRole(QAction.MenuRole.NoRole)
            action.setCheckable(True)
            action.setData(precision)
            self.group.addAction(action)
        menu.addSeparator()
        self.keep = QActionGroup(self)
        for bits in BITS[::-1]:
            action = menu.addAction(self.tr("Keep a Copy in {bits} Bits").format(bits=bits))
            action.setMenuRole(QAction.MenuRole.NoRole)
            action.setData(bits)
            self.keep.addAction(action)
        self.group.triggered.connect(self._choose)
        self.keep.triggered.connect(lambda action: models.keep(action.data()))
        models.changed.connect(self._show)
        self._show()

    def _choose(self, action: QAction) -> None:
        self._models.set_precision(action.data())
        self._show()  # what was chosen is ticked once it is loaded

    def _show(self) -> None:
        model = self._models.in_use
        packed = model is not None and not model.precision and is_packed(model.dtype)
        self._menu.setEnabled(model is not None and not packed)
        for action in self.group.actions():
            action.setChecked(model is not None and action.data() == model.precision)
