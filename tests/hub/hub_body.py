"""Sends a file's bytes as the tests' Hub is asked to: a part or all of it, well or badly."""

from __future__ import annotations

import os
import re
import select
import socket
import struct
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from hub_content import Content
from hub_faults import Cut, Fault, Flip, IgnoreIfRange, IgnoreRange, Length, Pace, Slow, Stall

_RANGE = re.compile(r"bytes=(\d*)-(\d*)")
_AT_ONCE = 8 << 20  # of a file on the disk
_PACED = 64 << 10
_LOOK_S = 0.01  # how often a stalled answer looks whether it is over


@dataclass(eq=False)
class Request:
    """One request as it came, and what was sent for it."""

    origin: str  # "hub" or "cdn"
    method: str
    path: str  # with its query
    headers: Mapping[str, str]  # by their names in small letters
    repo: str = ""
    file: str = ""  # empty for a listing
    status: int = 0
    sent: int = 0  # bytes of the body
    done: threading.Event = field(default_factory=threading.Event)


@dataclass(frozen=True)
class Answer:
    """Which bytes are sent, with which status and headers."""

    status: int
    start: int
    end: int
    headers: dict[str, str]


def answer(content: Content, request: Request, faults: Sequence[Fault]) -> Answer:
    """What a request for `content` gets."""
    size, etag = content.size, content.etag
    headers = {"ETag": etag, "Accept-Ranges": "bytes", "Content-Type": "application/octet-stream"}
    asked = _RANGE.fullmatch(request.headers.get("range", ""))
    other = request.headers.get("if-range", etag) != etag
    kinds = {type(fault) for fault in faults}
    if IgnoreRange in kinds:
        del headers["Accept-Ranges"]
    if IgnoreRange in kinds or (other and IgnoreIfRange not in kinds):
        asked = None
    if asked is None or asked.groups() == ("", ""):
        return Answer(200, 0, size, headers | {"Content-Length": str(_told(size, faults))})
    start, end = _part(asked[1], asked[2], size)
    if start >= end:
        return Answer(416, 0, 0, headers | {"Content-Range": f"bytes */{size}"})
    headers["Content-Range"] = f"bytes {start}-{end - 1}/{size}"
    return Answer(206, start, end, headers | {"Content-Length": str(_told(end - start, faults))})


def _part(first: str, last: str, size: int) -> tuple[int, int]:
    if not first:
        return max(0, size - int(last)), size
    return int(first), min(size, int(last) + 1) if last else size


def _told(length: int, faults: Sequence[Fault]) -> int:
    return length + sum(fault.by for fault in faults if isinstance(fault, Length))


class Sender:
    """Sends parts of a content over one connection, and counts them in `request`."""

    def __init__(
        self,
        connection: socket.socket,
        request: Request,
        faults: Sequence[Fault],
        pace: Pace,
        closing: threading.Event,
    ) -> None:
        self._connection = connection
        self._request = request
        self._faults = faults
        self._closing = closing
        slow = [Pace(fault.bytes_per_s) for fault in faults if isinstance(fault, Slow)]
        self._paces = [each for each in [pace, *slow] if each.bytes_per_s]

    def send(self, content: Content, start: int, end: int) -> bool:
        """Send the bytes; whether the connection can be used for another answer after it."""
        halts = [fault for fault in self._faults if isinstance(fault, Cut | Stall)]
        at = start
        for fault in sorted(halts, key=lambda fault: fault.after):
            stop = min(end, start + fault.after)
            self._send(content, at, stop)
            at = stop
            if isinstance(fault, Cut):
                if fault.reset:  # the system sends RST when such a socket is closed
                    linger = struct.pack("ii", 1, 0)
                    self._connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
                return False
            if not self._wait(fault):
                return False
        self._send(content, at, end)
        return not any(isinstance(fault, Length) for fault in self._faults)

    def _wait(self, stall: Stall) -> bool:
        """Whether it was released; not when the client or the server goes away instead."""
        stall.began.set()
        while not stall.released.is_set():
            ready, _, _ = select.select([self._connection], [], [], _LOOK_S)
            if ready and not self._connection.recv(1, socket.MSG_PEEK):
                return False
            if self._closing.is_set():
                return False
        return True

    def _send(self, content: Content, start: int, end: int) -> None:
        flips = [fault.at for fault in self._faults if isinstance(fault, Flip)]
        if isinstance(content.source, Path) and not flips and not self._paces:
            self._send_file(content.source, start, end)
            return
        for piece in content.pieces(start, end):
            data = piece
            for at in flips:
                if start <= at < start + len(piece):
                    changed = bytearray(data)
                    changed[at - start] ^= 0xFF
                    data = memoryview(changed)
            start += len(piece)
            self._send_piece(data)

    def _send_piece(self, data: memoryview) -> None:
        step = _PACED if self._paces else len(data)
        for at in range(0, len(data), max(1, step)):
            part = data[at : at + step]
            for pace in self._paces:
                pace.wait(len(part), self._closing)
            if self._closing.is_set():
                raise ConnectionAbortedError
            self._connection.sendall(part)
            self._request.sent += len(part)

    def _send_file(self, path: Path, start: int, end: int) -> None:
        with path.open("rb") as file:
            while start < end:
                count = min(_AT_ONCE, end - start)
                count = os.sendfile(self._connection.fileno(), file.fileno(), start, count)
                if count == 0:  # the file is shorter by now
                    raise ConnectionAbortedError
                start += count
                self._request.sent += count
