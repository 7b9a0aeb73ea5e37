"""A Hugging Face Hub of the tests' own, on this machine: its routes, its CDN, and its bad days.

`python tests/hub/hub_server.py --folder FOLDER` serves the models in a folder until it is stopped.
"""

from __future__ import annotations

import argparse
import json
import socket
import socketserver
import sys
import threading
from collections import defaultdict
from collections.abc import Mapping
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Self

sys.path.insert(0, str(Path(__file__).parent))  # when it is run as a program from elsewhere

from hub_body import Request
from hub_content import Content, Source, Tree, make_tree
from hub_faults import Change, Fault, Pace, Rule

LISTING = ""  # in the place of a file's name: the repository's listing
SEARCH = ""  # in the place of a repository's: the list of models


class Origin(ThreadingHTTPServer):
    """A server at an address of its own: the Hub itself, or its CDN."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, hub: HubServer, handler: type[BaseHTTPRequestHandler], name: str) -> None:
        super().__init__(("127.0.0.1", 0), handler)
        self.hub = hub
        self.name = name
        self.most_connections: int | None = None  # more are closed at once
        self.most_open = 0  # that there were at a time
        self.refused = 0
        self.open: set[socket.socket] = set()
        self.changed = threading.Condition()
        threading.Thread(target=self.serve_forever, args=(0.01,), daemon=True).start()

    def server_bind(self) -> None:
        """Without asking the network for this machine's name, as HTTPServer does."""
        socketserver.TCPServer.server_bind(self)
        self.server_name, self.server_port = "localhost", self.server_address[1]

    def verify_request(self, request: Any, client_address: Any) -> bool:
        """Whether another connection is taken."""
        with self.changed:
            if self.most_connections is not None and len(self.open) >= self.most_connections:
                self.refused += 1
                return False
            self.open.add(request)
            self.most_open = max(self.most_open, len(self.open))
        return True

    def shutdown_request(self, request: Any) -> None:
        """Called when a connection is over."""
        super().shutdown_request(request)
        with self.changed:
            self.open.discard(request)
            self.changed.notify_all()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that goes away is no fault of ours; all else is kept for the test."""
        error = sys.exc_info()[1]
        if error is not None and not isinstance(error, ConnectionError):
            self.hub.errors.append(error)

    def close(self) -> None:
        """Let go of every connection and of the port."""
        self.shutdown()
        self.server_close()
        with self.changed:
            for connection in self.open:
                with suppress(OSError):  # the client was quicker
                    connection.shutdown(socket.SHUT_RDWR)
            self.changed.wait_for(lambda: not self.open, timeout=10)


class HubServer:
    """The Hub at `url`, which sends who wants a large file on to a CDN at another host and port.

    `requests` are all that came, at both. A token that is not in `tokens` is refused."""

    def __init__(self) -> None:
        from hub_routes import CdnRoutes, HubRoutes

        self.requests: list[Request] = []
        self.errors: list[BaseException] = []  # faults of this server
        self.tokens: set[str] = set()
        self.moved: dict[str, str] = {}  # repositories with a new name
        self.page_size = 1000  # of a list
        self.total_pace = Pace(0)
        self.closing = threading.Event()
        self.trees: dict[str, dict[str, Tree]] = {}  # by repository and revision
        self._rules: dict[tuple[str, str], list[Rule]] = defaultdict(list)
        self.lock = threading.Lock()
        self.hub = Origin(self, HubRoutes, "hub")
        self.cdn = Origin(self, CdnRoutes, "cdn")
        self.url = f"http://127.0.0.1:{self.hub.server_port}"
        self.cdn_url = f"http://localhost:{self.cdn.server_port}"

    def add(
        self, repo: str, files: Path | Mapping[str, Source], *, revision: str = "main", **facts: Any
    ) -> Tree:
        """Put a repository there, or another revision of it: a folder, or names with their bytes,
        file, or (size, seed) of made up content. `facts` are make_tree's: licence, gated, …"""
        tree = make_tree(repo, files, **facts)
        self.trees.setdefault(repo, {}).update({revision: tree, tree.commit: tree})
        return tree

    def misbehave(
        self, repo: str, file: str, fault: Fault, *, times: int | None = 1, skip: int = 0
    ) -> None:
        """Let `fault` befall the next `times` requests (None: all) for a file, or LISTING, after
        `skip` that go well. Of a download's two answers the one that the fault is about is meant;
        several faults may befall one."""
        with self.lock:
            self._rules[repo, file].append(Rule(fault, times, skip))

    def behave(self) -> None:
        """No fault is left."""
        with self.lock:
            self._rules.clear()

    def faults(self, repo: str, file: str, where: str) -> list[Fault]:
        """Those that befall the request that is here now."""
        with self.lock:
            rules = [rule for rule in self._rules[repo, file] if rule.fault.where == where]
            found = [rule.fault for rule in rules if rule.takes()]
        for fault in found:
            if isinstance(fault, Change):
                self.replace(repo, file, fault.to)
        return found

    def replace(self, repo: str, file: str, source: Source) -> None:
        """Give a file another content at every revision, and leave what the listing tells of it."""
        for tree in self.trees[repo].values():
            tree.changed[file] = Content(source, lfs=tree.files[file].lfs)

    def asked(self, file: str = "", origin: str = "", method: str = "GET") -> list[Request]:
        """The requests for a file so far (empty: for any), at an origin (empty: at both)."""
        return [
            each
            for each in list(self.requests)
            if method == each.method and file in ("", each.file) and origin in ("", each.origin)
        ]

    def sent(self, file: str = "") -> int:
        """The bytes of the file's content sent so far, in all of its requests."""
        return sum(each.sent for each in self.asked(file) if each.file)

    def close(self) -> None:
        """Stop at once, whatever is being sent. Raises the first fault of the server's own."""
        self.closing.set()
        self.hub.close()
        self.cdn.close()
        if self.errors:
            raise self.errors[0]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()


def add_folder(hub: HubServer, folder: Path) -> None:
    """Every model below, by its path: "owner/name"; without an owner it becomes "local/name"."""
    for config in sorted(folder.rglob("config.json")):
        name = config.parent.relative_to(folder).as_posix()
        owner, _, last = (config.parent.resolve().name if name == "." else name).rpartition("/")
        hub.add(f"{owner.replace('/', '-') or 'local'}/{last}", config.parent)


def main() -> None:
    """Serve a folder's models until the input ends; the first line on the output says where."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--bytes-per-s", type=float, default=0)
    arguments = parser.parse_args()
    with HubServer() as hub:
        add_folder(hub, arguments.folder)
        hub.total_pace = Pace(arguments.bytes_per_s)
        print(json.dumps({"endpoint": hub.url, "models": sorted(hub.trees)}), flush=True)
        sys.stdin.read()


if __name__ == "__main__":
    main()
