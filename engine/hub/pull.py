"""`python -m engine pull`: brings a model from the command line, with a line of progress."""

from __future__ import annotations

import json
import sys
import threading
import time
from dataclasses import asdict

from engine import paths
from engine.api import Download, Network
from engine.errors import EngineError, Stopped
from engine.hub.address import from_environment
from engine.hub.download import ModelDownload
from engine.hub.names import parse
from engine.hub.staging import Staging
from engine.hub.tokens import stored

_UPDATE_S = 0.5


def pull(name: str, revision: str, *, as_json: bool, stopped: threading.Event) -> None:
    """Bring the model that `name` means, owner/name or an address, at `revision` ("": the one of
    the address, else the newest). What a stopped one brought is kept; the same command goes on.

    With `as_json` one event a line on stdout, else progress on stderr. Raises EngineError."""
    address = parse(name)
    revision = revision or address.revision
    network = from_environment(Network(token=stored()))
    staging = Staging(paths.models(), address.repo)
    if staging.repository is None or staging.revision != revision:
        staging.begin(revision)
    teller = _Teller(as_json=as_json)
    download = ModelDownload(
        staging, network, stopped, lambda: teller.tell(download.status()), patient=False
    )
    try:
        folder = download.run()
    except Stopped:
        status = download.status()
        teller.end(f"{status.done_bytes:,} of {status.total_bytes:,} bytes are kept; "
                   "the same command goes on from there.")  # fmt: skip
        raise
    except EngineError:
        teller.end("")
        raise
    done = {"event": "done", "name": address.repo, "folder": str(folder)}
    print(json.dumps(done, ensure_ascii=False) if as_json else folder, flush=True)


class _Teller:
    """Tells the progress, twice a second at most; in text as one line that is written over."""

    def __init__(self, *, as_json: bool) -> None:
        self._as_json = as_json
        self._told = float("-inf")
        self._on_screen = not as_json and sys.stderr.isatty()

    def tell(self, status: Download) -> None:
        now = time.monotonic()
        if now - self._told < _UPDATE_S:
            return
        self._told = now
        if self._as_json:
            event = {name: value for name, value in asdict(status).items() if value is not None}
            print(json.dumps({"event": "progress", **event}, ensure_ascii=False), flush=True)
        elif self._on_screen:
            print(f"\r\x1b[K{_line(status)}", end="", file=sys.stderr, flush=True)

    def end(self, sentence: str) -> None:
        """Leave the line of progress, and say `sentence` below."""
        if self._on_screen:
            print(file=sys.stderr)
        if sentence:
            print(sentence, file=sys.stderr)


def _line(status: Download) -> str:
    """One line: "42 %, 1,340 of 3,170 MB, 38.4 MB/s, 48 s left"."""
    if not status.total_bytes:
        return f"{status.repo}: {status.phase}"
    share = 100 * status.done_bytes // status.total_bytes
    parts = [f"{share} %", f"{status.done_bytes / 1e6:,.0f} of {status.total_bytes / 1e6:,.0f} MB"]
    if status.phase != "moving":
        parts.append(status.phase)
    if status.bytes_per_s:
        parts.append(f"{status.bytes_per_s / 1e6:,.1f} MB/s")
    if status.seconds_left is not None:
        parts.append(f"{status.seconds_left:,.0f} s left")
    return ", ".join(parts)
