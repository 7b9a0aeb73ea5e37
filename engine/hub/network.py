"""How the Hub is reached: through which proxy, with which certificates, and with whose token.

Two clients share this: huggingface_hub's (httpx2) asks what there is; `Wire` (urllib3) brings the
files, because its body comes as fast as the network gives it."""

from __future__ import annotations

import ssl
import threading
from collections.abc import Mapping
from functools import partial
from urllib.parse import urljoin, urlsplit
from urllib.request import getproxies, proxy_bypass

import httpx2
import truststore
from huggingface_hub import HfApi, set_client_factory
from urllib3 import BaseHTTPResponse, PoolManager, ProxyManager
from urllib3.exceptions import HTTPError, LocationParseError, ProtocolError, ProxyError
from urllib3.util import Timeout, make_headers, parse_url

from engine import __version__
from engine.api import Network
from engine.errors import EngineError
from engine.hub.address import host

CONNECT_S = 15.0
STALL_S = 20.0  # no byte for so long: the connection is given up
_MOST_REDIRECTS = 8
_KEPT = 4  # idle connections to one host
_REDIRECTS = (301, 302, 303, 307, 308)
_AGENT = f"mamba-chat/{__version__}"


_setting_up = threading.Lock()
_set_up: tuple[str, dict[str, str]] | None = None  # the proxies of huggingface_hub's one client


def hub_api(network: Network) -> HfApi:
    """huggingface_hub's client over `network`. It never takes a token from elsewhere.

    All threads share it: another, which ends what they ask, is made for other proxies only."""
    global _set_up
    wanted = (network.proxy, getproxies())
    with _setting_up:
        if wanted != _set_up:
            set_client_factory(partial(_httpx_client, network.proxy))
            _set_up = wanted
    return HfApi(endpoint=network.endpoint, token=network.token or False)


def _httpx_client(proxy: str) -> httpx2.Client:
    return httpx2.Client(
        verify=_certificates(),
        proxy=proxy or None,
        follow_redirects=True,
        timeout=httpx2.Timeout(STALL_S, connect=CONNECT_S),
    )


def _certificates() -> ssl.SSLContext:
    """Those that the system trusts, and so a company's own."""
    return truststore.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


class Wire:
    """Asks for files. The token goes to the endpoint's own origin and nowhere else."""

    def __init__(self, network: Network, *, stall_s: float = STALL_S) -> None:
        self._network = network
        self._timeout = Timeout(connect=min(CONNECT_S, stall_s), read=stall_s)
        self._origin = _origin(network.endpoint)
        self._pools: dict[str, PoolManager] = {}
        self.stall_s = stall_s

    def get(self, url: str, headers: Mapping[str, str]) -> BaseHTTPResponse:
        """The answer to a GET after all redirects, its body not yet read; the caller closes it.

        Raises urllib3's errors, and EngineError("bad_redirect")."""
        for _ in range(_MOST_REDIRECTS):
            try:
                answer = self._ask(url, headers)
            except (ProtocolError, ProxyError) as error:
                if not broken_off(error):
                    raise
                answer = self._ask(url, headers)  # a kept connection had ended meanwhile
            target = answer.headers.get("Location", "")
            if answer.status not in _REDIRECTS or not target:
                return answer
            answer.drain_conn()
            answer.release_conn()
            url = self._next(url, target)
        raise EngineError("bad_redirect", host=host(url), found=url)

    def proxy_of(self, url: str) -> str:
        """The proxy on the way to `url`, without its password; "" for none."""
        return (self._network.proxy or _system_proxy(url)).rpartition("@")[2]

    def close(self) -> None:
        """Let all idle connections go."""
        for pool in self._pools.values():
            pool.clear()

    def _ask(self, url: str, headers: Mapping[str, str]) -> BaseHTTPResponse:
        sent = {"User-Agent": _AGENT, "Accept-Encoding": "identity", **headers}
        if self._network.token and _origin(url) == self._origin:
            sent["Authorization"] = f"Bearer {self._network.token}"
        return self._pool(url).request(
            "GET",
            url,
            headers=sent,
            redirect=False,
            retries=False,
            preload_content=False,
            timeout=self._timeout,
        )

    def _next(self, url: str, target: str) -> str:
        """Where a redirect leads; only the web, and never from https back to http."""
        try:
            found = urljoin(url, target)
            scheme, known = urlsplit(found).scheme, bool(urlsplit(found).hostname)
        except ValueError as error:
            raise EngineError("bad_redirect", host=host(url), found=target) from error
        allowed = ("https",) if urlsplit(url).scheme == "https" else ("http", "https")
        if scheme not in allowed or not known:
            raise EngineError("bad_redirect", host=host(url), found=found)
        return found

    def _pool(self, url: str) -> PoolManager:
        proxy = self._network.proxy or _system_proxy(url)
        if proxy not in self._pools:
            self._pools[proxy] = _pool(proxy)
        return self._pools[proxy]


def broken_off(error: HTTPError) -> bool:
    """Whether a connection that stood ended before its answer came."""
    causes = (*error.args, getattr(error, "original_error", None))
    return any(isinstance(cause, ConnectionError) for cause in causes) and not any(
        isinstance(cause, ConnectionRefusedError) for cause in causes
    )


def _pool(proxy: str) -> PoolManager:
    certificates = _certificates()
    if not proxy:
        return PoolManager(maxsize=_KEPT, ssl_context=certificates)
    try:
        parts = parse_url(proxy if "://" in proxy else f"http://{proxy}")
        words = make_headers(proxy_basic_auth=parts.auth) if parts.auth else None
        plain = parts._replace(auth=None).url
        return ProxyManager(plain, maxsize=_KEPT, proxy_headers=words, ssl_context=certificates)
    except (LocationParseError, ValueError) as error:  # ValueError: a scheme that is no proxy's
        shown = proxy.rpartition("@")[2]
        raise EngineError("proxy", proxy=shown, detail=str(error)) from error


def _system_proxy(url: str) -> str:
    """The proxy that the system or the environment names for `url`; "" for none."""
    parts = urlsplit(url)
    if proxy_bypass(parts.netloc.rpartition("@")[2]):
        return ""
    proxies = getproxies()
    return proxies.get(parts.scheme, "") or proxies.get("all", "")


def _origin(url: str) -> tuple[str, str | None, int | None]:
    parts = urlsplit(url)
    port = parts.port or {"http": 80, "https": 443}.get(parts.scheme)
    return parts.scheme, parts.hostname, port
