"""The language of the window: the one chosen, else the system's if it is translated."""

from __future__ import annotations

import logging
import os

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator

from engine import paths

_log = logging.getLogger(__name__)
LANGUAGES = ("en", "ja")  # the first is that of the sources


def language(kept: str = "") -> str:
    """The first of the user's languages that the app speaks. `kept`, what the settings say, stands
    before them, and MAMBA_CHAT_LANG before that; either may be empty."""
    chosen = os.environ.get("MAMBA_CHAT_LANG") or kept
    wanted = [chosen] if chosen else QLocale.system().uiLanguages()
    for name in wanted:
        short = name.replace("_", "-").split("-")[0].lower()
        if short in LANGUAGES:
            return short
    return LANGUAGES[0]


def install(app: QCoreApplication, name: str = "") -> list[QTranslator]:
    """Translate the app, and Qt's own words, into `name`, by default `language()`.

    Call before any window is made. The translators may be removed to use another language."""
    name = name or language()
    QLocale.setDefault(_locale(name))
    if name == LANGUAGES[0]:
        return []
    qt = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
    ours = paths.resources() / "i18n"
    translators = []
    for file in (f"{qt}/qtbase_{name}.qm", f"{ours}/mamba-chat_{name}.qm"):
        translator = QTranslator(app)
        if not translator.load(file):
            _log.error("the translation %s cannot be read", file)  # English stands in for it
            continue
        app.installTranslator(translator)
        translators.append(translator)
    return translators


def _locale(name: str) -> QLocale:
    """The user's own locale where it is of this language, else the language's usual one."""
    system = QLocale.system()
    return system if system.name().split("_")[0] == name else QLocale(name)
