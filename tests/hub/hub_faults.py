"""How the tests' Hub misbehaves: one value for each thing that goes wrong with an answer."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field
from typing import Literal

from hub_content import Source

Where = Literal["hub", "body"]  # the Hub's own answers, or whoever sends the file's bytes


@dataclass(frozen=True, kw_only=True)
class Fault:
    """Something that goes wrong, and at which of a download's two answers."""

    where: Where = "body"


@dataclass(frozen=True)
class Cut(Fault):
    """The connection ends after so many bytes of the body; `reset` without a goodbye."""

    after: int
    reset: bool = False


@dataclass(frozen=True)
class IgnoreRange(Fault):
    """A part is asked for and the whole file comes, with status 200."""


@dataclass(frozen=True)
class IgnoreIfRange(Fault):
    """The part that is asked for comes, although the file is another by now."""


@dataclass(frozen=True)
class Change(Fault):
    """From this request on the file has another content and so another ETag; what the listing
    tells of it stays."""

    to: Source


@dataclass(frozen=True)
class Length(Fault):
    """Content-Length tells so many bytes more than come, or less. The connection then ends."""

    by: int


@dataclass(frozen=True)
class Flip(Fault):
    """The byte at this offset of the file arrives with all its bits turned over."""

    at: int


@dataclass(frozen=True)
class Stall(Fault):
    """After so many bytes of the body nothing comes until `released` is set."""

    after: int = 0
    began: threading.Event = field(default_factory=threading.Event, compare=False)
    released: threading.Event = field(default_factory=threading.Event, compare=False)


@dataclass(frozen=True)
class Silence(Fault):
    """No answer comes, not its first line, until `released` is set."""

    began: threading.Event = field(default_factory=threading.Event, compare=False)
    released: threading.Event = field(default_factory=threading.Event, compare=False)
    where: Where = field(default="hub", kw_only=True)


@dataclass(frozen=True)
class Slow(Fault):
    """The body comes at so many bytes a second on this connection."""

    bytes_per_s: float


@dataclass(frozen=True)
class Status(Fault):
    """Another status. `code` and `message` are the Hub's own headers for what is wrong."""

    status: int
    code: str = ""
    message: str = ""
    retry_after: str = ""
    where: Where = field(default="hub", kw_only=True)


@dataclass(frozen=True)
class Redirect(Fault):
    """A redirect to any address; an empty one is the request's own, so that it never ends."""

    to: str = ""
    status: int = 302
    where: Where = field(default="hub", kw_only=True)


@dataclass(frozen=True)
class Instead(Fault):
    """Another body, with status 200: a page of a hotel's network, JSON that is cut off."""

    body: bytes
    kind: str = "application/json; charset=utf-8"
    where: Where = field(default="hub", kw_only=True)


GATED = Status(403, "GatedRepo", "Access to this model is restricted.")
BAD_TOKEN = Status(401, message="Invalid credentials in Authorization header")
NO_REPO = Status(404, "RepoNotFound", "Repository not found")
NO_REVISION = Status(404, "RevisionNotFound", "Invalid rev id")
NO_FILE = Status(404, "EntryNotFound", "Entry not found")


@dataclass
class Rule:
    """A fault of some of a file's requests: `times` of them (None: all) after `skip` others."""

    fault: Fault
    times: int | None
    skip: int

    def takes(self) -> bool:
        """Whether the request that is here now is one of them; it is counted."""
        if self.skip > 0:
            self.skip -= 1
            return False
        if self.times is None:
            return True
        self.times -= 1
        return self.times >= 0


class Pace:
    """Holds all who share it to so many bytes a second together; 0 does not."""

    def __init__(self, bytes_per_s: float) -> None:
        self.bytes_per_s = bytes_per_s
        self._free = 0.0
        self._lock = threading.Lock()

    def wait(self, count: int, closing: threading.Event) -> None:
        """Return when `count` more bytes may be sent, or `closing` is set."""
        if not self.bytes_per_s:
            return
        with self._lock:
            now = time.monotonic()
            self._free = max(now, self._free) + count / self.bytes_per_s
            left = self._free - now
        closing.wait(left)
