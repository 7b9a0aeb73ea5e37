"""What the tests' Hub and its CDN answer, path by path."""

from __future__ import annotations

import json
import re
import select
import socket
from collections.abc import Sequence
from http.server import BaseHTTPRequestHandler
from typing import TYPE_CHECKING, Any, NoReturn, cast
from urllib.parse import parse_qs, quote, unquote, urlsplit

from hub_body import Request, Sender, answer
from hub_content import Content, Tree
from hub_faults import (
    BAD_TOKEN,
    GATED,
    NO_FILE,
    NO_REPO,
    NO_REVISION,
    Fault,
    Instead,
    Redirect,
    Silence,
    Status,
)

if TYPE_CHECKING:
    from hub_server import HubServer, Origin

_MODEL = re.compile(r"/api/models/([^/]+/[^/]+)(?:/revision/([^/]+))?")
_TREE = re.compile(r"/api/models/([^/]+/[^/]+)/tree/([^/]+)(?:/(.*))?")
_STORED = re.compile(r"/([^/]+/[^/]+)/([0-9a-f]{40})/(.+)")
_FILE = re.compile(r"/([^/]+/[^/]+)/resolve/([^/]+)/(.+)")


class _Answered(Exception):  # noqa: N818
    """The request has its answer."""


class _Routes(BaseHTTPRequestHandler):
    """One connection: requests are answered until it ends."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    request: Any
    record: Request

    @property
    def origin(self) -> Origin:
        return cast("Origin", self.server)

    @property
    def hub(self) -> HubServer:
        return self.origin.hub

    def do_GET(self) -> None:
        """Answer, and keep what was asked and sent."""
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.record = Request(self.origin.name, self.command, self.path, headers)
        self.hub.requests.append(self.record)
        try:
            self.route(urlsplit(self.path).path)
        except _Answered:
            pass
        finally:
            self.record.done.set()

    do_HEAD = do_GET  # noqa: N815

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """The test looks at `requests` instead."""

    def route(self, path: str) -> None:
        """Answer the request for `path`."""
        raise NotImplementedError

    def head(self, status: int, headers: dict[str, str]) -> None:
        """Send the status and the headers."""
        self.record.status = status
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()

    def reply(self, status: int, body: bytes, headers: dict[str, str]) -> NoReturn:
        """Send a whole answer."""
        self.head(status, headers | {"Content-Length": str(len(body))})
        if self.command != "HEAD":
            self.wfile.write(body)
        raise _Answered

    def refuse(self, fault: Status) -> NoReturn:
        """Send a status in the place of what was asked for."""
        headers = {"X-Error-Code": fault.code, "X-Error-Message": fault.message}
        headers |= {"Retry-After": fault.retry_after, "Content-Type": "application/json"}
        body = json.dumps({"error": fault.message}).encode()
        self.reply(fault.status, body, {name: text for name, text in headers.items() if text})

    def suffer(self, faults: Sequence[Fault]) -> None:
        """Answer with a fault where one takes the answer's place."""
        for fault in faults:
            if isinstance(fault, Status):
                self.refuse(fault)
            if isinstance(fault, Redirect):
                self.reply(fault.status, b"", {"Location": fault.to or self.path})
            if isinstance(fault, Instead):
                self.reply(200, fault.body, {"Content-Type": fault.kind})
            if isinstance(fault, Silence):
                self.keep_silent(fault)

    def keep_silent(self, fault: Silence) -> None:
        """Send nothing until it is released, or the client or the server goes away."""
        fault.began.set()
        while not fault.released.wait(0.01):
            ready, _, _ = select.select([self.connection], [], [], 0)
            gone = ready and not self.connection.recv(1, socket.MSG_PEEK)
            if gone or self.hub.closing.is_set():
                self.close_connection = True
                raise _Answered

    def send_content(self, tree: Tree, name: str, headers: dict[str, str]) -> None:
        """Send the file, or the part that is asked for."""
        faults = [] if self.command == "HEAD" else self.hub.faults(tree.repo, name, "body")
        self.suffer(faults)
        content = tree.changed.get(name, tree.files[name])
        what = answer(content, self.record, faults)
        if what.status == 416:
            self.reply(416, b"", headers | what.headers)
        self.head(what.status, headers | what.headers)
        if self.command == "HEAD":
            return
        pace, closing = self.hub.total_pace, self.hub.closing
        sender = Sender(self.connection, self.record, faults, pace, closing)
        if not sender.send(content, what.start, what.end):
            self.close_connection = True


class CdnRoutes(_Routes):
    """Where the large files lie, each at the address that the Hub leads to."""

    def route(self, path: str) -> None:
        """Only an address that the Hub gave leads to a file."""
        found = _STORED.fullmatch(unquote(path))
        tree = self.hub.trees.get(found[1], {}).get(found[2]) if found else None
        if found is None or tree is None or found[3] not in tree.files:
            self.refuse(Status(403, message="Access denied"))
        self.record.repo, self.record.file = tree.repo, found[3]
        self.send_content(tree, found[3], {})


class HubRoutes(_Routes):
    """The Hub's pages for programs."""

    def route(self, path: str) -> None:
        """Each kind of address has its own answer."""
        token = self.headers.get("Authorization", "").removeprefix("Bearer ")
        if token and token not in self.hub.tokens:
            self.refuse(BAD_TOKEN)
        query = parse_qs(urlsplit(self.path).query)
        if path == "/api/models":
            self._search(query)
        elif found := _TREE.fullmatch(path):
            tree = self._tree(token, found[1], unquote(found[2]))
            recursive = query.get("recursive") in (["true"], ["True"], ["1"])
            self._list(tree.entries(unquote(found[3] or ""), recursive=recursive))
        elif found := _MODEL.fullmatch(path):
            tree = self._tree(token, found[1], unquote(found[2] or "main"))
            siblings = tree.siblings(blobs="blobs" in query)
            self._json(tree.facts | {"sha": tree.commit, "siblings": siblings})
        elif found := _FILE.fullmatch(path):
            self._file(token, found[1], unquote(found[2]), unquote(found[3]))
        elif path == "/api/whoami-v2" and token:
            self._json({"type": "user", "name": "tester"})
        else:
            self.refuse(Status(404, message="Sorry, we can't find the page you are looking for."))

    def _json(self, value: Any, headers: dict[str, str] | None = None) -> NoReturn:
        kind = {"Content-Type": "application/json; charset=utf-8"}
        self.reply(200, json.dumps(value).encode(), kind | (headers or {}))

    def _list(self, items: list[Any]) -> NoReturn:
        """A page of a list; its header leads to the next."""
        parts = urlsplit(self.path)
        query = parse_qs(parts.query)
        start = int(query.get("cursor", ["0"])[0])
        end = start + min(self.hub.page_size, int(query.get("limit", ["1000"])[0]))
        headers = {}
        if end < len(items):
            rest = "&".join(
                f"{name}={quote(text)}"
                for name, texts in query.items()
                for text in texts
                if name != "cursor"
            )
            address = f"{self.hub.url}{parts.path}?{rest}&cursor={end}"
            headers["Link"] = f'<{address}>; rel="next"'
        self._json(items[start:end], headers)

    def _search(self, query: dict[str, list[str]]) -> NoReturn:
        self.suffer(self.hub.faults("", "", "hub"))
        words = " ".join(query.get("search", [])).lower().split()
        wanted = {tag for given in query.get("filter", []) for tag in given.split(",")}
        shown = set(query.get("expand", []))
        if "full" in query:
            shown |= {"siblings", "sha", "gated"}
        found = []
        for revisions in self.hub.trees.values():
            tree = revisions.get("main")
            if tree is None or tree.private or not wanted <= set(tree.facts["tags"]):
                continue
            if all(word in tree.repo.lower() for word in words):
                told = tree.facts | {"sha": tree.commit, "siblings": tree.siblings(blobs=False)}
                kept = {"id", *(shown or {"modelId", "tags", "likes", "downloads", "private"})}
                kept |= {name for name in ("config", "cardData") if name in query}
                found.append({name: value for name, value in told.items() if name in kept})
        self._list(found)

    def _tree(self, token: str, repo: str, revision: str, file: str = "") -> Tree:
        """The repository at a revision, if whoever asks may see it."""
        self.record.repo, self.record.file = repo, file
        self.suffer(self.hub.faults(repo, file, "hub"))
        if new := self.hub.moved.get(repo):
            self.reply(307, b"", {"Location": self.path.replace(repo, new, 1)})
        revisions = self.hub.trees.get(repo, {})
        first = next(iter(revisions.values()), None)
        if first is None or (first.private and token not in first.granted):
            hidden = Status(401, message="Invalid username or password.")
            self.refuse(NO_REPO if token else hidden)
        if revision not in revisions:
            self.refuse(NO_REVISION)
        return revisions[revision]

    def _file(self, token: str, repo: str, revision: str, name: str) -> None:
        """A small file itself; the way to a large one."""
        tree = self._tree(token, repo, revision, name)
        headers = {"X-Repo-Commit": tree.commit}
        if tree.gated and token not in tree.granted:
            self.refuse(GATED if token else Status(401, GATED.code, GATED.message))
        if name not in tree.files:
            self.refuse(NO_FILE)
        content: Content = tree.files[name]
        if not content.lfs:
            self.send_content(tree, name, headers)
            return
        headers |= {"X-Linked-Etag": content.etag, "X-Linked-Size": str(content.size)}
        address = quote(f"/{repo}/{tree.commit}/{name}")
        self.reply(302, b"", headers | {"Location": f"{self.hub.cdn_url}{address}?signature=x"})
