"""The plain values that the Models view shows, one for each row. No Qt, no MLX."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from engine.api import Fit

Tone = Literal["accent", "other", "error"]
Wish = Literal["pause", "resume", "retry", "page", "settings", "cancel"]
Deed = Literal["load", "loading", "loaded", "get", "none"]


@dataclass(frozen=True, slots=True, kw_only=True)
class DownloadRow:
    """A model that is coming down."""

    id: str  # the repository
    name: str
    owner: str
    text: str  # one sentence: how far it is, or what is wrong
    fraction: float | None = None  # of its bytes; None: not known yet
    tone: Tone = "accent"  # of the bar; "error" of the text too, with the warning sign
    wishes: tuple[Wish, ...] = ()  # what can be asked for, from left to right


@dataclass(frozen=True, slots=True, kw_only=True)
class DownloadNote:
    """What is told of the downloads beside the chats: the one that moves, and how many more."""

    name: str
    more: int = 0
    text: str  # "42 %, 48 s left", "Paused"
    short: str  # where there is no room for that: "42 %"
    fraction: float | None = None  # of its bytes; None: not known yet
    tone: Tone = "accent"


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """What is told of one model: a sentence, facts as (label, value), and its page."""

    title: str
    subtitle: str = ""
    about: str = ""
    facts: tuple[tuple[str, str], ...] = ()
    link: str = ""  # the address of its page; empty where it has none


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelRow:
    """A model that is installed, in the catalogue, or found on the Hub."""

    id: str  # an installed model's name, else the repository; in the catalogue with a precision
    name: str
    note: str = ""  # muted, after the name: the owner, "comes with the app", "129 million"
    kind: str = ""  # "Chat", "Base"
    chat: bool = False  # it is shown among the chat models, else among the base models
    licence: str = ""
    precision: str = ""
    precisions: tuple[str, ...] = ()  # what may be chosen instead; fewer than two: nothing
    disk: str = ""
    needed_bytes: int = 0  # 0: not known, then no bar and no fit
    memory: str = ""
    fit: Fit | None = None
    deed: Deed = "none"  # the button, or for "loaded" and "none" the word in its place
    word: str = ""  # in place of a button: "Loaded", "Installed", "42 %", "Paused"
    enabled: bool = True  # of the button
    problem: str = ""  # a sentence in place of kind to fit: why it cannot be loaded
    removable: bool = False  # it may be moved to the Trash, or forgotten
    forgets: bool = False  # removing it only takes it from the list: it was imported
    revealable: bool = False  # it lies in a folder that may be shown
    card: Card


@dataclass(frozen=True, slots=True, kw_only=True)
class LibraryRows:
    """Everything in the Models view. `limit_bytes` is the tick in every memory bar, which goes
    from 0 to `memory_bytes`; both 0 while the machine is not known."""

    downloads: tuple[DownloadRow, ...] = ()
    installed: tuple[ModelRow, ...] = ()
    catalogue: tuple[ModelRow, ...] = ()
    found: tuple[ModelRow, ...] = ()  # on the Hub, for what was searched
    search: str = ""  # what was searched; empty: there is no table of what was found
    search_note: str = ""  # in place of rows: "Searching…", "Nothing on Hugging Face matches …"
    limit_bytes: int = 0
    memory_bytes: int = 0
    limit: str = ""  # "11.8 GB", over the tick
    notice: str = ""  # a sentence above all: "The models folder is on … not connected."
    trouble: str = ""  # a sentence above all, until it is dismissed: what could not be done
    machine: tuple[tuple[str, str], ...] = ()  # the sidebar's facts: ("Memory", "16 GB")
    title_note: str = ""  # under the view's title: "4 installed, 4.7 GB"
