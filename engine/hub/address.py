"""Where the Hub is, by the settings and the environment. Imports nothing that takes time."""

from __future__ import annotations

import os
from dataclasses import replace
from urllib.parse import urlsplit

from engine.api import Network


def from_environment(network: Network) -> Network:
    """`network`, and where it says nothing what HF_ENDPOINT and HF_TOKEN say."""
    endpoint = network.endpoint
    if endpoint == Network().endpoint:
        endpoint = os.environ.get("HF_ENDPOINT", "").strip() or endpoint
    token = network.token or os.environ.get("HF_TOKEN", "").strip()
    return replace(network, endpoint=endpoint.rstrip("/"), token=token)


def host(url: str) -> str:
    """The host of an address, as it is shown: "huggingface.co"."""
    return urlsplit(url).netloc.rpartition("@")[2] or url
