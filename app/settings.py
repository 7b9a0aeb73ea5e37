"""What the app remembers of the user's choices, in one INI file beside the chats."""

from __future__ import annotations

import json
from dataclasses import asdict, fields

from PySide6.QtCore import QByteArray, QSettings

from engine import paths
from engine.api import Sampling


class Settings:
    """The user's choices. Reading a missing or a damaged one gives its default."""

    def __init__(self) -> None:
        file = paths.home() / "settings.ini"
        self._values = QSettings(str(file), QSettings.Format.IniFormat)

    def sync(self) -> None:
        """Write what changed to the file now."""
        self._values.sync()

    @property
    def model(self) -> str:
        """The folder of the model last chosen; empty at the first start."""
        return self._text("model/folder")

    @model.setter
    def model(self, folder: str) -> None:
        self._values.setValue("model/folder", folder)

    @property
    def precision(self) -> str:
        """In which the model last chosen was loaded; empty for its own."""
        return self._text("model/precision")

    @precision.setter
    def precision(self, precision: str) -> None:
        self._values.setValue("model/precision", precision)

    @property
    def new_draft(self) -> str:
        """What stands in the composer of a chat that has not begun."""
        return self._text("chat/new_draft")

    @new_draft.setter
    def new_draft(self, text: str) -> None:
        self._values.setValue("chat/new_draft", text)

    @property
    def sampling(self) -> Sampling:
        """How tokens are chosen."""
        try:
            kept = json.loads(self._text("chat/sampling") or "{}")
            kept = {f.name: kept[f.name] for f in fields(Sampling) if f.name in kept}
            kept["stop"] = tuple(kept.get("stop", ()))
            return _checked(Sampling(**kept))
        except (ValueError, TypeError, AttributeError):
            return Sampling()

    @sampling.setter
    def sampling(self, sampling: Sampling) -> None:
        self._values.setValue("chat/sampling", json.dumps(asdict(sampling)))

    @property
    def zoom(self) -> float:
        """The size of all text, 1 at first."""
        try:
            return float(self._text("view/zoom") or 1.0)
        except ValueError:
            return 1.0

    @zoom.setter
    def zoom(self, zoom: float) -> None:
        self._values.setValue("view/zoom", zoom)

    @property
    def geometry(self) -> QByteArray:
        """The window's place, as `saveGeometry` gives it."""
        value = self._values.value("window/geometry")
        return value if isinstance(value, QByteArray) else QByteArray()

    @geometry.setter
    def geometry(self, geometry: QByteArray) -> None:
        self._values.setValue("window/geometry", geometry)

    @property
    def sidebar_width(self) -> int:
        """The sidebar's width in pixels."""
        width = self._text("window/sidebar_width")
        return int(width) if width.isdecimal() else 248

    @sidebar_width.setter
    def sidebar_width(self, width: int) -> None:
        self._values.setValue("window/sidebar_width", width)

    def sidebar_shown(self, view: int) -> bool:
        """Whether the sidebar stands beside a view: Chat 0, Models 1, Compare 2."""
        return self._text(f"window/sidebar_{view}") != "false" if view < 2 else False

    def set_sidebar_shown(self, view: int, shown: bool) -> None:
        """Remember whether the sidebar stands beside a view."""
        self._values.setValue(f"window/sidebar_{view}", "true" if shown else "false")

    def _text(self, key: str) -> str:
        value = self._values.value(key)
        return "" if value is None else str(value)


def _checked(sampling: Sampling) -> Sampling:
    numbers = (sampling.temperature, sampling.top_k, sampling.top_p, sampling.min_p)
    if not all(isinstance(n, int | float) and n >= 0 for n in numbers) or sampling.max_tokens < 1:
        raise ValueError("a number that no slider can give")
    return sampling
