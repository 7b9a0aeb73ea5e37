"""The addresses that a user types for the network, checked and brought into one form. No Qt."""

from __future__ import annotations

from urllib.parse import SplitResult, urlsplit


def proxy(text: str) -> str | None:
    """A proxy as "http://user:word@host:port", http:// where no scheme is given; None for what is
    none. SOCKS is not spoken."""
    parts = _split(text, "http")
    if parts is None or parts.scheme not in ("http", "https") or parts.path not in ("", "/"):
        return None
    return f"{parts.scheme}://{parts.netloc}"


def mirror(text: str) -> str | None:
    """A mirror of the Hub as "https://host/path", https:// where no scheme is given; None for what
    is none, such as one that is not encrypted or names a user."""
    parts = _split(text, "https")
    if parts is None or parts.scheme != "https" or "@" in parts.netloc:
        return None
    return f"https://{parts.netloc}{parts.path.rstrip('/')}"


def _split(text: str, scheme: str) -> SplitResult | None:
    """The parts of an address with a host and without a query; None where it has none."""
    text = text.strip()
    if not text.isprintable() or any(c.isspace() or c in "\\\"'<>" for c in text):
        return None
    try:
        parts = urlsplit(text if "://" in text else f"{scheme}://{text}")
        parts.port  # noqa: B018  (a port that is no number is an error only when it is read)
    except ValueError:
        return None
    host = parts.hostname or ""
    if not host.strip(".-") or parts.query or parts.fragment:
        return None
    return parts
