"""What a server's answer to the wish for a file means: its bytes, another try, or a sentence."""

from __future__ import annotations

import re
import ssl
from typing import NamedTuple

from urllib3 import BaseHTTPResponse
from urllib3.exceptions import (
    ConnectTimeoutError,
    HTTPError,
    NewConnectionError,
    ProxyError,
    ReadTimeoutError,
    SSLError,
)

from engine.errors import EngineError
from engine.hub.address import host
from engine.hub.network import Wire, broken_off
from engine.hub.part_file import PartFile, Stretch

_LONGEST_WAIT_S = 600.0
_RANGE = re.compile(r"bytes (\d+)-\d+/(\d+)")
_RESET = re.compile(r";\s*t=(\d+)")  # of the RateLimit header: seconds until there is room again


class Source(NamedTuple):
    """Where a file comes from."""

    endpoint: str
    repo: str
    revision: str
    file: str

    @property
    def url(self) -> str:
        """The address that leads to the file."""
        from urllib.parse import quote

        return f"{self.endpoint}/{self.repo}/resolve/{self.revision}/{quote(self.file)}"


class Retry(Exception):  # noqa: N818  (it asks for another try)
    """It may work in a while. `error` is what to say if it does not; `after_s` what the server
    asks for; `offline`: no server was reached; `idle_s`: so long nothing came."""

    def __init__(
        self, error: EngineError, *, after_s: float = 0, offline: bool = False, idle_s: float = 0
    ) -> None:
        super().__init__(str(error))
        self.error, self.after_s, self.offline, self.idle_s = error, after_s, offline, idle_s


def asked(wire: Wire, source: Source, part: PartFile, stretch: Stretch) -> BaseHTTPResponse:
    """The server's answer to the wish for `stretch` from its `at` on, whatever it is; `check` it.

    Raises Retry or EngineError where none comes."""
    headers = {}
    if stretch.at:
        headers["Range"] = f"bytes={stretch.at}-"
        if part.etag and not part.etag.startswith("W/"):
            headers["If-Range"] = part.etag
    try:
        return wire.get(source.url, headers)
    except HTTPError as error:
        raise trouble(error, source, wire) from error


def check(
    answer: BaseHTTPResponse, source: Source, part: PartFile, stretch: Stretch, proxy: str
) -> None:
    """Accept an answer whose body is `stretch` from its `at` on, and may go on past its end.

    A server that sends all from the first byte, because it knows no ranges or has another file
    now, makes `part` start over. Raises Retry or EngineError for every other answer."""
    at = stretch.at
    etag = answer.headers.get("ETag", "")
    if answer.status == 200:
        if at or (part.etag and etag != part.etag):
            part.start_over(etag, keep=stretch)
        part.etag = etag
        part.ranges = answer.headers.get("Accept-Ranges", "") == "bytes"
        _check_length(answer, source, part)
    elif answer.status == 206 and at:
        found = _RANGE.match(answer.headers.get("Content-Range", ""))
        changed = bool(part.etag) and etag != part.etag
        if changed or not found or (int(found[1]), int(found[2])) != (at, part.wanted.size):
            part.start_over()
            raise Retry(EngineError("changed", file=source.file, host=host(source.endpoint)))
        part.ranges = True
    elif answer.status == 416:
        part.start_over()
        raise Retry(_refusal(answer, source))
    else:
        raise refused(answer, source, proxy)


def _check_length(answer: BaseHTTPResponse, source: Source, part: PartFile) -> None:
    length = answer.headers.get("Content-Length", "")
    if length.isdecimal() and int(length) != part.wanted.size:
        raise Retry(
            EngineError(
                "wrong_size",
                file=source.file,
                expected=part.wanted.size,
                host=host(source.endpoint),
                found=int(length),
            )
        )


def refused(answer: BaseHTTPResponse, source: Source, proxy: str) -> Retry | EngineError:
    """The exception for an answer that brings no bytes."""
    code = answer.headers.get("X-Error-Code", "")
    where = host(source.endpoint)
    if code == "GatedRepo":
        page = f"{source.endpoint}/{source.repo}"
        return EngineError("gated", owner=source.repo.partition("/")[0], url=page)
    if code == "RevisionNotFound":
        return EngineError("no_revision", repo=source.repo, found=source.revision)
    if code == "RepoNotFound" or (answer.status == 404 and code != "EntryNotFound"):
        return EngineError("not_on_hub", host=where, repo=source.repo)
    if answer.status == 407:
        detail = "it wants a name and a password"
        return EngineError("proxy", proxy=proxy, detail=detail)
    if answer.status == 401:
        return EngineError("bad_token", host=where)
    if answer.status == 429:
        return Retry(_refusal(answer, source), after_s=_asked_wait(answer))
    if answer.status in (403, 408, 425) or answer.status >= 500:  # 403: a CDN's link too old
        return Retry(_refusal(answer, source), after_s=_asked_wait(answer))
    return _refusal(answer, source)


def _refusal(answer: BaseHTTPResponse, source: Source) -> EngineError:
    return EngineError("hub_trouble", host=host(source.endpoint), status=answer.status)


def _asked_wait(answer: BaseHTTPResponse) -> float:
    """The seconds that the server asks us to wait; 0 where it does not say."""
    said = answer.headers.get("Retry-After", "")
    reset = _RESET.search(answer.headers.get("RateLimit", ""))
    seconds = float(said) if said.isdecimal() else float(reset[1]) if reset else 0.0
    return min(seconds, _LONGEST_WAIT_S)


def trouble(error: HTTPError, source: Source, wire: Wire) -> Retry | EngineError:
    """The exception for a connection that did not come about or broke."""
    where = host(source.endpoint)
    if isinstance(error, ProxyError) and not broken_off(error):
        return EngineError("proxy", proxy=wire.proxy_of(source.url), detail=_reason(error))
    if isinstance(error, SSLError):
        if _caused_by(error, ssl.SSLCertVerificationError):
            return EngineError("certificate", host=where, detail=_reason(error))
        return Retry(EngineError("cut", host=where))
    if isinstance(error, ReadTimeoutError):
        idle = wire.stall_s
        return Retry(EngineError("stalled", host=where, seconds=round(idle)), idle_s=idle)
    if isinstance(error, NewConnectionError | ConnectTimeoutError):
        lost = EngineError("offline", host=where, detail=_reason(error))
        return Retry(lost, offline=True)
    return Retry(EngineError("cut", host=where))


def _caused_by(error: BaseException, kind: type[BaseException]) -> bool:
    seen: BaseException | None = error
    while seen is not None:
        if isinstance(seen, kind) or any(isinstance(arg, kind) for arg in seen.args):
            return True
        seen = seen.__cause__ or seen.__context__
    return False


def _reason(error: BaseException) -> str:
    """The system's own word for it: "Name or service not known"."""
    seen: BaseException | None = error
    while seen is not None:
        if isinstance(seen, OSError) and seen.strerror:
            return seen.strerror
        if isinstance(seen, ssl.SSLCertVerificationError):
            return seen.verify_message
        seen = seen.__cause__ or seen.__context__
    return type(error).__name__
