"""The addresses of the network: what is taken, in which form, and what is not."""

from __future__ import annotations

import pytest

from app import addresses


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("http://proxy.example:8080", "http://proxy.example:8080"),
        ("  proxy.example:8080/ ", "http://proxy.example:8080"),
        ("localhost:3128", "http://localhost:3128"),
        ("https://me:word@10.0.0.1:3128", "https://me:word@10.0.0.1:3128"),
        ("http://[::1]:8080", "http://[::1]:8080"),
    ],
)
def test_a_proxy_is_taken_with_or_without_its_scheme(typed: str, kept: str) -> None:
    assert addresses.proxy(typed) == kept


@pytest.mark.parametrize(
    "typed",
    [
        "",
        "http://",
        "socks5://proxy:1080",
        "ftp://proxy",
        "http://proxy:port",
        "http://proxy:99999",
        "http://proxy/with/path",
        "http://proxy?x=1",
        "two words",
        "http://pro\nxy",
        "http://[::1",
        "http://..",
        "://",
    ],
)
def test_what_is_no_proxy_is_not_taken(typed: str) -> None:
    assert addresses.proxy(typed) is None


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("https://mirror.example", "https://mirror.example"),
        ("mirror.example/hub/ ", "https://mirror.example/hub"),
        ("https://mirror.example:8443/", "https://mirror.example:8443"),
    ],
)
def test_a_mirror_is_taken_with_or_without_its_scheme(typed: str, kept: str) -> None:
    assert addresses.mirror(typed) == kept


@pytest.mark.parametrize(
    "typed",
    ["", "http://mirror.example", "https://", "https://me@mirror.example", "https://m.example?a=b"],
)
def test_a_mirror_is_encrypted_and_names_no_user(typed: str) -> None:
    assert addresses.mirror(typed) is None
