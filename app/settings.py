"""What the app remembers of the user's choices, in one INI file beside the chats."""

from __future__ import annotations

import json
from dataclasses import asdict, fields
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QByteArray, QSettings

from app import addresses
from app.i18n import LANGUAGES
from app.theme_tokens import Scheme
from engine import paths
from engine.api import Network, Sampling

T = TypeVar("T", bound=str)

AT_LAUNCH = ("last", "starter", "nothing")
UNLOAD_AFTER = (0, 10, 30, 120)  # minutes without a question; 0: never
SCHEMES: tuple[Scheme, ...] = ("system", "light", "dark")


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
        kept = self._text("model/folder")
        return str(paths.models() / kept) if kept else ""

    @model.setter
    def model(self, folder: str) -> None:
        """One in the models folder is kept by its place there, for that folder may be moved."""
        inside = folder and Path(folder).is_relative_to(paths.models())
        kept = str(Path(folder).relative_to(paths.models())) if inside else folder
        self._values.setValue("model/folder", kept)

    @property
    def precision(self) -> str:
        """In which the model last chosen was loaded; empty for its own."""
        return self._text("model/precision")

    @precision.setter
    def precision(self, precision: str) -> None:
        self._values.setValue("model/precision", precision)

    @property
    def at_launch(self) -> str:
        """Which model the start loads: "last" (the one last used), "starter" or "nothing"."""
        return self._one_of("model/at_launch", AT_LAUNCH)

    @at_launch.setter
    def at_launch(self, which: str) -> None:
        self._values.setValue("model/at_launch", which)

    @property
    def unload_after_minutes(self) -> int:
        """A model that nobody asked anything for so long is unloaded; 0 never is."""
        minutes = self._number("model/unload_after_minutes", 30)
        return minutes if minutes in UNLOAD_AFTER else 30

    @unload_after_minutes.setter
    def unload_after_minutes(self, minutes: int) -> None:
        self._values.setValue("model/unload_after_minutes", minutes)

    @property
    def memory_limit_bytes(self) -> int:
        """The memory that models may use; 0 leaves it to the machine."""
        return self._number("model/memory_limit_bytes", 0)

    @memory_limit_bytes.setter
    def memory_limit_bytes(self, n_bytes: int) -> None:
        self._values.setValue("model/memory_limit_bytes", n_bytes)

    @property
    def share_cache(self) -> bool:
        """Whether the models in the shared Hugging Face cache are used too."""
        return self._text("model/share_cache") != "false"

    @share_cache.setter
    def share_cache(self, share: bool) -> None:
        self._values.setValue("model/share_cache", "true" if share else "false")

    @property
    def proxy(self) -> str:
        """The proxy to the Hub, as "http://host:port"; empty for the system's."""
        return addresses.proxy(self._text("network/proxy")) or ""

    @proxy.setter
    def proxy(self, address: str) -> None:
        self._values.setValue("network/proxy", address)

    @property
    def mirror(self) -> str:
        """The address that stands in for huggingface.co; empty for that itself."""
        return addresses.mirror(self._text("network/mirror")) or ""

    @mirror.setter
    def mirror(self, address: str) -> None:
        self._values.setValue("network/mirror", address)

    @property
    def speed_limit(self) -> int:
        """Downloads are held to so many bytes a second; 0 does not hold them."""
        return self._number("network/speed_limit", 0)

    @speed_limit.setter
    def speed_limit(self, bytes_per_s: int) -> None:
        self._values.setValue("network/speed_limit", bytes_per_s)

    def network(self, token: str = "") -> Network:
        """How the Hub is reached; the token comes from elsewhere and is never kept here."""
        endpoint = self.mirror or Network().endpoint
        return Network(
            endpoint=endpoint, proxy=self.proxy, token=token, bytes_per_s=self.speed_limit
        )

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
    def scheme(self) -> Scheme:
        """Light, dark, or what the system says."""
        return self._one_of("view/scheme", SCHEMES)

    @scheme.setter
    def scheme(self, scheme: Scheme) -> None:
        self._values.setValue("view/scheme", scheme)

    @property
    def language(self) -> str:
        """The language of the window, of `i18n.LANGUAGES`; empty for the system's."""
        return self._one_of("view/language", ("", *LANGUAGES))

    @language.setter
    def language(self, language: str) -> None:
        self._values.setValue("view/language", language)

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
        return self._number("window/sidebar_width", 248)

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

    def _number(self, key: str, default: int) -> int:
        """A whole number that is not negative."""
        text = self._text(key)
        return int(text) if text.isascii() and text.isdecimal() and len(text) < 16 else default

    def _one_of(self, key: str, choices: tuple[T, ...]) -> T:
        """One of `choices`, by default the first."""
        text = self._text(key)
        return next((choice for choice in choices if choice == text), choices[0])


def _checked(sampling: Sampling) -> Sampling:
    numbers = (sampling.temperature, sampling.top_k, sampling.top_p, sampling.min_p)
    if not all(isinstance(n, int | float) and n >= 0 for n in numbers) or sampling.max_tokens < 1:
        raise ValueError("a number that no slider can give")
    return sampling
