"""How the Hub is reached: the token stays with its host, proxies and mirrors are used, and a
network that is not there is told from a Hub that refuses."""

from __future__ import annotations

import http.server
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from downloading import FILE, REPO, SIZE, SOURCE, Run, check_not_installed, check_whole, refused
from hub_faults import Redirect, Silence
from hub_server import LISTING, HubServer
from urllib3.response import BaseHTTPResponse

from engine.api import Network
from engine.errors import EngineError, Stopped
from engine.hub.address import from_environment
from engine.hub.network import Wire


@pytest.fixture
def models(home: Path) -> Path:
    return home / "models"


@pytest.fixture(autouse=True)
def model(hub: HubServer) -> None:
    hub.add(REPO, SOURCE)


class Proxy(http.server.BaseHTTPRequestHandler):
    """Passes a GET on to its host and notes whose word it came with."""

    def do_GET(self) -> None:
        seen = self.server.seen  # type: ignore[attr-defined]
        seen.append((self.path, self.headers.get("Proxy-Authorization")))
        parts = urlsplit(self.path)
        with socket.create_connection((parts.hostname or "", parts.port or 80)) as there:
            query = f"?{parts.query}" if parts.query else ""
            lines = [f"GET {parts.path}{query} HTTP/1.1", f"Host: {parts.netloc}"]
            lines += [f"{name}: {value}" for name, value in self.headers.items()
                      if name.lower() not in ("host", "connection")]  # fmt: skip
            there.sendall(("\r\n".join([*lines, "Connection: close", "", ""])).encode("latin-1"))
            while data := there.recv(1 << 16):
                self.wfile.write(data)
        self.close_connection = True

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def proxy() -> Iterator[tuple[str, list[tuple[str, str | None]]]]:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Proxy)
    server.daemon_threads = True
    server.seen = []  # type: ignore[attr-defined]
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield f"127.0.0.1:{server.server_port}", server.seen  # type: ignore[attr-defined]
    server.shutdown()
    server.server_close()
    thread.join()


def test_the_token_goes_to_the_hub_and_never_to_the_cdn(hub: HubServer, models: Path) -> None:
    hub.tokens.add("hf_secret")
    check_whole(Run(hub, models, network=Network(endpoint=hub.url, token="hf_secret"))())
    at_hub, at_cdn = hub.asked(origin="hub"), hub.asked(origin="cdn")
    assert at_cdn
    assert {each.headers.get("authorization") for each in at_hub} == {"Bearer hf_secret"}
    assert not [each for each in at_cdn if "authorization" in each.headers]
    kept = [file for file in models.parent.rglob("*") if file.is_file()]
    assert not [file for file in kept if b"hf_secret" in file.read_bytes()]


def test_a_redirect_to_another_host_does_not_take_the_token_with_it(
    hub: HubServer, models: Path
) -> None:
    with HubServer() as elsewhere:
        elsewhere.add(REPO, SOURCE)
        hub.tokens.add("hf_secret")
        target = f"{elsewhere.url}/{REPO}/resolve/main/{FILE}"
        hub.misbehave(REPO, FILE, Redirect(target), times=None)
        check_whole(Run(hub, models, network=Network(endpoint=hub.url, token="hf_secret"))())
        assert elsewhere.requests
        assert not [r for r in elsewhere.requests if "authorization" in r.headers]


def test_a_listing_that_leads_elsewhere_does_not_take_the_token_there(
    hub: HubServer, models: Path
) -> None:
    with HubServer() as elsewhere:
        elsewhere.add(REPO, SOURCE)
        hub.tokens.add("hf_secret")
        target = f"{elsewhere.url}/api/models/{REPO}/revision/main?blobs=true"
        hub.misbehave(REPO, LISTING, Redirect(target))
        check_whole(Run(hub, models, network=Network(endpoint=hub.url, token="hf_secret"))())
        assert elsewhere.requests
        assert not [r for r in elsewhere.requests if "authorization" in r.headers]


def test_a_gated_model_comes_with_a_token_that_may_have_it(hub: HubServer, models: Path) -> None:
    tree = hub.add(REPO, SOURCE, gated=True)
    with refused("gated") as errors:
        Run(hub, models)()
    assert errors[0].values["url"] == f"{hub.url}/{REPO}"
    assert errors[0].values["owner"] == "owner"
    hub.tokens.add("good")
    tree.granted.add("good")
    with refused("bad_token"):
        Run(hub, models, network=Network(endpoint=hub.url, token="bad"))()
    check_whole(Run(hub, models, network=Network(endpoint=hub.url, token="good"))())


def test_https_never_leads_back_to_http() -> None:
    wire = Wire(Network())
    with pytest.raises(EngineError) as caught:
        wire._next("https://huggingface.co/a", "http://huggingface.co/b")
    assert caught.value.code == "bad_redirect"
    assert wire._next("https://a.co/x/y", "../z") == "https://a.co/z"


def test_a_proxy_set_by_hand_is_used_with_its_word(
    hub: HubServer, models: Path, proxy: tuple[str, list[tuple[str, str | None]]]
) -> None:
    address, seen = proxy
    network = Network(endpoint=hub.url, proxy=f"http://me:word@{address}")
    check_whole(Run(hub, models, network=network)())
    files = [each for each in seen if each[0].endswith(FILE) or "resolve" in each[0]]
    assert files
    assert all(word and word.startswith("Basic ") for _, word in files)
    assert hub.sent(FILE) == SIZE


def test_the_systems_proxy_is_used(
    hub: HubServer,
    models: Path,
    proxy: tuple[str, list[tuple[str, str | None]]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    address, seen = proxy
    monkeypatch.setenv("http_proxy", f"http://{address}")
    monkeypatch.setenv("no_proxy", "")
    check_whole(Run(hub, models)())
    assert any("resolve" in path for path, _ in seen)


def test_a_proxy_that_is_not_there_is_named(hub: HubServer, models: Path) -> None:
    Run(hub, models).staging.record(None)
    with refused("proxy"):
        Run(hub, models, network=Network(endpoint=hub.url, proxy="http://127.0.0.1:1"))()
    check_not_installed(models)


@pytest.mark.parametrize("address", ["http://no-such-host.invalid", "http://127.0.0.1:1"])
def test_a_network_that_is_not_there_is_told_from_a_hub_that_refuses(
    hub: HubServer, models: Path, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = socket.getaddrinfo

    def look_up(name: str, *more: Any, **named: Any) -> Any:
        if "no-such-host" in str(name):  # what a resolver says; none is asked here
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        return real(name, *more, **named)

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    with refused("offline"):
        Run(hub, models, network=Network(endpoint=address))()
    check_not_installed(models)
    check_whole(Run(hub, models)())


def test_a_mirror_is_named_by_the_environment_and_a_setting_comes_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "https://mirror.example/")
    monkeypatch.setenv("HF_TOKEN", "hf_of_the_shell")
    assert from_environment(Network()).endpoint == "https://mirror.example"
    assert from_environment(Network()).token == "hf_of_the_shell"
    mine = Network(endpoint="https://mine.example", token="hf_mine")
    assert from_environment(mine) == mine


def test_an_answer_is_never_unpacked_on_the_way(hub: HubServer) -> None:
    answer: BaseHTTPResponse = Wire(Network(endpoint=hub.url)).get(
        f"{hub.url}/{REPO}/resolve/main/config.json", {}
    )
    assert answer.read(decode_content=False) == (SOURCE / "config.json").read_bytes()
    assert hub.asked("config.json")[0].headers["accept-encoding"] == "identity"


@pytest.mark.parametrize(
    ("file", "silence"),
    [(LISTING, Silence()), (FILE, Silence()), (FILE, Silence(where="body"))],
    ids=["the listing", "the way to the file", "the file"],
)
def test_a_server_that_does_not_answer_is_not_waited_for_once_it_is_stopped(
    hub: HubServer, models: Path, file: str, silence: Silence
) -> None:
    hub.misbehave(REPO, file, silence)
    run = Run(hub, models, stall_s=60)
    run.on_tick = lambda: run.stopped.set() if silence.began.is_set() else None
    began = time.monotonic()
    with pytest.raises(Stopped):
        run()
    assert time.monotonic() - began < 15  # of a minute that it would be waited for otherwise
    check_not_installed(models)
    check_whole(Run(hub, models)())
