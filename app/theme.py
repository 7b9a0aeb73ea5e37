"""The theme in use: colours, fonts and icons by name, following the system's light and dark."""

from __future__ import annotations

import sys

from PySide6.QtCore import QObject, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFont, QGuiApplication, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QApplication

from app import mac_display, style
from app.theme_tokens import (
    CODE_FAMILIES,
    MAC_CODE_FAMILIES,
    ROLES,
    TEXT_FAMILIES,
    ZOOMS,
    Scheme,
    tokens,
)
from engine import paths

_ASKED: dict[Scheme, Qt.ColorScheme] = {
    "light": Qt.ColorScheme.Light,
    "dark": Qt.ColorScheme.Dark,
    "system": Qt.ColorScheme.Unknown,
}


class Theme(QObject):
    """Colours, fonts and icons by name. `changed` is emitted after any of them changed."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.dark = False
        self.zoom = 1.0
        self.reduce_motion = False
        self._scheme: Scheme = "system"
        self._stronger = False
        self._applied = False
        self._look: tuple[bool, bool, float] | None = None
        self._colors: dict[str, QColor] = {}
        self._pixmaps: dict[tuple[str, str, float, float], QPixmap] = {}
        app = QApplication.instance()
        assert isinstance(app, QApplication), "a theme needs a QApplication"
        self._app = app
        self._system_font = QFont(app.font())
        hints = QGuiApplication.styleHints()
        hints.colorSchemeChanged.connect(self._refresh)
        self._refresh()

    def color(self, name: str) -> QColor:
        """The colour of the token `name`."""
        return QColor(self._colors[name])

    def font(
        self,
        role: str,
        *,
        bold: bool = False,
        px: float | None = None,
        weight: int | None = None,
    ) -> QFont:
        """The font of a role, zoomed. `bold` is 600; `px` and `weight` replace the role's own."""
        kind = ROLES[role]
        font = self._family(code=role == "code")
        size = (kind.px if px is None else px) * self.zoom
        whole = max(1, round(size + 1e-6))
        font.setPixelSize(whole)
        # Qt draws whole pixel sizes only; the advance keeps the true size.
        tracking = 100.0 * size / whole * (0.98 if role == "figure" else 1.0)
        if abs(tracking - 100.0) > 0.5:
            font.setLetterSpacing(QFont.SpacingType.PercentageSpacing, tracking)
        font.setWeight(QFont.Weight(weight or (600 if bold else kind.weight)))
        if kind.tnum:
            font.setFeature(QFont.Tag("tnum"), 1)
        return font

    def _family(self, *, code: bool) -> QFont:
        # Never QFont(): that inherits the application's font, which is one of ours.
        mac = sys.platform == "darwin"
        if code:
            font = QFont(MAC_CODE_FAMILIES if mac else CODE_FAMILIES)
            font.setStyleHint(QFont.StyleHint.Monospace)
            font.setFixedPitch(True)
            font.setFeature(QFont.Tag("calt"), 0)
            font.setFeature(QFont.Tag("liga"), 0)
        else:
            font = QFont(self._system_font) if mac else QFont(TEXT_FAMILIES)
            font.setStyleHint(QFont.StyleHint.SansSerif)
        font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
        return font

    def line_height(self, role: str) -> int:
        """The line of a role in pixels, zoomed."""
        return self.px(ROLES[role].line)

    def px(self, value: float) -> int:
        """A measure that grows with the text, in whole pixels."""
        return round(value * self.zoom)

    def pixmap(self, name: str, color: str = "text2", size: float = 16) -> QPixmap:
        """The icon `name` in the token `color`, `size` pixels square, for the screen's scale."""
        ratio = self._app.devicePixelRatio()
        key = (name, color, size, ratio)
        if key not in self._pixmaps:
            self._pixmaps[key] = _draw_icon(name, self._colors[color], size, ratio)
        return self._pixmaps[key]

    def motion(self, milliseconds: int) -> int:
        """The duration of a movement: 0 with Reduce Motion."""
        return 0 if self.reduce_motion else milliseconds

    def set_scheme(self, scheme: Scheme) -> None:
        """Light, dark, or what the system says; title bars, menus and file dialogs too."""
        self._scheme = scheme
        QGuiApplication.styleHints().setColorScheme(_ASKED[scheme])
        self._refresh()

    def set_zoom(self, zoom: float) -> None:
        """The nearest of the five steps of text size."""
        self.zoom = min(ZOOMS, key=lambda step: abs(step - zoom))
        self._refresh()

    def step_zoom(self, steps: int) -> None:
        """So many steps larger (or smaller, below 0), within the ends."""
        at = ZOOMS.index(self.zoom) + steps
        self.set_zoom(ZOOMS[max(0, min(len(ZOOMS) - 1, at))])

    def set_accessibility(self, *, increase_contrast: bool, reduce_motion: bool) -> None:
        """What the system's accessibility settings ask for."""
        self.reduce_motion = reduce_motion
        if increase_contrast != self._stronger:
            self._stronger = increase_contrast
            self._refresh()

    def ask_system(
        self, state: Qt.ApplicationState = Qt.ApplicationState.ApplicationActive
    ) -> None:
        """Look anew at the accessibility settings, which may change while the app is away."""
        if state == Qt.ApplicationState.ApplicationActive:
            self.set_accessibility(
                increase_contrast=mac_display.increase_contrast(),
                reduce_motion=mac_display.reduce_motion(),
            )

    def apply(self) -> None:
        """Set the application's palette, font and style sheet, now and at every change."""
        self._applied = True
        self._app.setFont(self.font("interface"))
        self._app.setPalette(style.palette(self._colors))
        self._app.setStyleSheet(style.sheet(self._colors, self.px))

    def _refresh(self) -> None:
        system = QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Dark
        self.dark = system if self._scheme == "system" else self._scheme == "dark"
        look = (self.dark, self._stronger, self.zoom)
        if look == self._look:
            return  # to dress a whole window takes 0.1 s
        self._look = look
        named = tokens(self.dark, stronger=self._stronger)
        self._colors = {name: QColor(value) for name, value in named.items()}
        self._pixmaps.clear()
        if self._applied:
            self.apply()
        self.changed.emit()


def _draw_icon(name: str, color: QColor, size: float, ratio: float) -> QPixmap:
    file = paths.resources() / "icons" / f"{name}.svg"
    if not file.is_file():
        raise FileNotFoundError(file)
    renderer = QSvgRenderer(str(file))
    pixmap = QPixmap(round(size * ratio), round(size * ratio))
    pixmap.setDevicePixelRatio(ratio)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    area = QRectF(0, 0, size, size)
    renderer.render(painter, area)
    # The files draw in currentColor, which Qt takes for black.
    painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceIn)
    painter.fillRect(area, color)
    painter.end()
    return pixmap


_the_theme: Theme | None = None


def theme() -> Theme:
    """The one theme, made on first use; needs a QApplication."""
    global _the_theme
    if _the_theme is None:
        _the_theme = Theme(QApplication.instance())
    return _the_theme


def install(app: QApplication) -> Theme:
    """Dress `app`: palette, style sheet and font, kept in step with the system."""
    it = theme()
    assert it.parent() is app
    it.ask_system()
    it.apply()
    if sys.platform == "darwin":
        app.applicationStateChanged.connect(it.ask_system)
    return it
