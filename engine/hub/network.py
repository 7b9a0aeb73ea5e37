"""How the Hub is reached: through which proxy, with which certificates, and with whose token.

Two clients share this: huggingface_hub's (httpx2) asks what there is, ours (urllib3) brings the
files, because its body comes as fast as the network gives it."""

from __future__ import annotations

import os
import ssl
from functools import partial
from urllib.parse import urlsplit

import httpx2
import truststore
from huggingface_hub import HfApi, set_client_factory

from engine import __version__
from engine.api import Network

CONNECT_S = 15.0
STALL_S = 20.0  # no byte for so long: the connection is given up
_MOST_REDIRECTS = 8
_AGENT = f"mamba-chat/{__version__}"
_REDIRECTS = (301, 302, 303, 307, 308)


def from_environment(network: Network | None = None) -> Network:
    """`network`, and where it says nothing what HF_ENDPOINT and HF_TOKEN say."""
    network = network or Network()
    endpoint = network.endpoint
    if endpoint == Network().endpoint:
        endpoint = os.environ.get("HF_ENDPOINT", "").strip() or endpoint
    token = network.token or os.environ.get("HF_TOKEN", "").strip()
    return Network(
        endpoint=endpoint.rstrip("/"),
        proxy=network.proxy,
        token=token,
        bytes_per_s=network.bytes_per_s,
    )


def host(url: str) -> str:
    """The host of an address, as it is shown: "huggingface.co"."""
    return urlsplit(url).netloc.rpartition("@")[2] or url


def hub_api(network: Network) -> HfApi:
    """huggingface_hub's client over `network`. It never takes a token from elsewhere."""
    set_client_factory(partial(_httpx_client, network.proxy))
    return HfApi(endpoint=network.endpoint, token=network.token or False, library_name=_AGENT)


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
