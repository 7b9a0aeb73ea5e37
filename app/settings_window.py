"""The Settings window: tabs over one pane, as high as that; 640 pixels wide."""

from __future__ import annotations

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QKeySequence, QPainter, QPaintEvent, QShortcut
from PySide6.QtWidgets import QDialog, QLayout, QVBoxLayout, QWidget

from app.panels.settings_advanced import AdvancedPane
from app.panels.settings_form import SettingsForm
from app.panels.settings_general import GeneralPane
from app.panels.settings_generation import GenerationPane
from app.panels.settings_models import ModelsPane
from app.panels.settings_network import NetworkPane
from app.panels.settings_tabs import SettingsTabs
from app.theme import theme

WIDTH = 640
TABS_BELOW = 4  # the hairline under them not included
GENERAL, MODELS, GENERATION, NETWORK, ADVANCED = range(5)
_ICONS = ("gear", "cube", "options", "globe", "wrench")


class SettingsWindow(QDialog):
    """Five panes, one of which is shown. What they tell of is applied at once."""

    def __init__(self, starter: str, parent: QWidget | None = None) -> None:
        """`starter` names the model that came with the app."""
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.general, self.models = GeneralPane(self), ModelsPane(starter, self)
        self.generation, self.network = GenerationPane(self), NetworkPane(self)
        self.advanced = AdvancedPane(self)
        self.panes: tuple[SettingsForm, ...] = (
            self.general, self.models, self.generation, self.network, self.advanced,
        )  # fmt: skip
        names = [pane.accessibleName() for pane in self.panes]
        self.tabs = SettingsTabs(list(zip(_ICONS, names, strict=True)), self)
        self.tabs.chosen.connect(self.show_pane)
        QShortcut(QKeySequence.StandardKey.Close, self, self.close)
        self._lay_out()
        self.show_pane(GENERAL)
        theme().changed.connect(self._restyle)

    def pane(self) -> int:
        """The index of the pane that is shown."""
        return self.tabs.current()

    def show_pane(self, index: int) -> None:
        """Show another pane: its name is the window's title, its height the window's."""
        self.tabs.set_current(index)
        others = [pane for pane in self.panes if pane is not self.panes[index]]
        if any(pane.isAncestorOf(self.focusWidget()) for pane in others):
            self._focus_tab()  # else Qt would pass it on, with a ring, when the pane is hidden
        for at, pane in enumerate(self.panes):
            pane.setVisible(at == index)
        self.setWindowTitle(self.panes[index].accessibleName())
        self._column.activate()

    def setVisible(self, visible: bool) -> None:
        """Begin at the tabs. A dialog says that Tab brought the focus, which would show a ring."""
        begins = visible and not self.isVisible()
        super().setVisible(visible)
        if begins:
            self._focus_tab()

    def done(self, result: int) -> None:
        """Closing ends what is being edited, so that it counts."""
        if focused := self.focusWidget():
            focused.clearFocus()
        super().done(result)

    def paintEvent(self, _: QPaintEvent) -> None:
        """The ground, and the hairline under the tabs."""
        painter, look = QPainter(self), theme()
        painter.fillRect(self.rect(), look.color("sidebar"))
        under = self.tabs.geometry().bottom() + 1 + TABS_BELOW
        painter.fillRect(QRect(0, under, self.width(), 1), look.color("line"))

    def _focus_tab(self) -> None:
        self.setFocus()
        self.tabs.segments()[self.tabs.current()].setFocus(Qt.FocusReason.OtherFocusReason)

    def _lay_out(self) -> None:
        self._column = column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.setSizeConstraint(QLayout.SizeConstraint.SetFixedSize)
        column.addWidget(self.tabs, alignment=Qt.AlignmentFlag.AlignHCenter)
        column.addSpacing(TABS_BELOW + 1)
        for pane in self.panes:
            column.addWidget(pane)
        self._restyle()

    def _restyle(self) -> None:
        for pane in self.panes:
            pane.setFixedWidth(theme().px(WIDTH))
        self.update()
