"""What went wrong while the Hub was asked, as an error that a user can understand."""

from __future__ import annotations

import ssl
from collections.abc import Iterator
from urllib.parse import urlsplit
from urllib.request import getproxies

import httpx2
from huggingface_hub.errors import (
    GatedRepoError,
    HfHubHTTPError,
    HFValidationError,
    OfflineModeIsEnabled,
    RepositoryNotFoundError,
    RevisionNotFoundError,
)

from engine.api import Network
from engine.errors import EngineError
from engine.hub.address import host

# What asking the Hub may raise for reasons that lie outside of this program. A listing that is
# not what the Hub's own client expects raises the last four.
TROUBLE = (
    httpx2.HTTPError, httpx2.InvalidURL, OSError, ImportError,
    ValueError, KeyError, TypeError, AttributeError,
)  # fmt: skip
NO_LISTING = "what is no listing"


def listing_error(
    error: Exception, network: Network, repo: str = "", revision: str = ""
) -> EngineError:
    """The EngineError that tells of `error`, which asking for `repo` at `revision` raised; without
    a `repo` the Hub was searched."""
    if isinstance(error, EngineError):
        return error
    if isinstance(error, HfHubHTTPError):
        return _refused(error, network, repo, revision)
    if isinstance(error, HFValidationError):
        return EngineError("bad_repo", found=repo)
    if isinstance(error, httpx2.HTTPError | httpx2.InvalidURL | OSError):
        return _unreached(error, network)
    if isinstance(error, ImportError):  # of what a SOCKS proxy would need
        return _bad_proxy(network, "it is of a kind that cannot be used")
    if type(error) is ValueError and "proxy" in str(error):
        return _bad_proxy(network, "it is no address of a proxy")
    return EngineError("hub_trouble", host=host(network.endpoint), status=NO_LISTING)


def gated_error(network: Network, repo: str) -> EngineError:
    """The files of `repo` are there for those alone who have accepted its licence."""
    url = f"{network.endpoint}/{repo}"
    return EngineError("gated", owner=repo.partition("/")[0], url=url)


def _refused(error: HfHubHTTPError, network: Network, repo: str, revision: str) -> EngineError:
    """The Hub was reached and did not give what was asked for."""
    status = error.response.status_code
    if status == 407:
        return _bad_proxy(network, "it asks for a name and a password")
    if isinstance(error, GatedRepoError):
        return gated_error(network, repo)
    if isinstance(error, RevisionNotFoundError):
        return EngineError("no_revision", repo=repo, found=revision)
    if status == 401 and network.token:
        return EngineError("bad_token", host=host(network.endpoint))
    # Without a token the Hub answers 401 for what is not there, for it may be private.
    if repo and (isinstance(error, RepositoryNotFoundError) or status in (401, 403, 404)):
        return EngineError("not_on_hub", host=host(network.endpoint), repo=repo)
    return EngineError("hub_trouble", host=host(network.endpoint), status=status)


def _unreached(error: Exception, network: Network) -> EngineError:
    """No answer came, or none that could be followed."""
    name = host(network.endpoint)
    causes = list(_causes(error))
    for cause in causes:
        if isinstance(cause, ssl.SSLCertVerificationError):
            return EngineError("certificate", host=name, detail=cause.verify_message)
    if isinstance(error, httpx2.ProxyError):
        return _bad_proxy(network, _detail(causes))
    if isinstance(error, httpx2.ConnectError | httpx2.ConnectTimeout) and network.proxy:
        return _bad_proxy(network, _detail(causes))
    if isinstance(error, httpx2.TooManyRedirects):
        return EngineError("hub_trouble", host=name, status="redirects without end")
    if isinstance(error, httpx2.UnsupportedProtocol):
        if urlsplit(network.endpoint).scheme not in ("http", "https"):
            return EngineError("offline", host=name, detail="it is no address of a server")
        return EngineError("bad_redirect", host=name, found=str(error.request.url))
    if isinstance(error, OfflineModeIsEnabled):
        return EngineError("offline", host=name, detail="HF_HUB_OFFLINE is set")
    return EngineError("offline", host=name, detail=_detail(causes))


def _bad_proxy(network: Network, detail: str) -> EngineError:
    proxy = network.proxy or next(iter(getproxies().values()), "")
    return EngineError("proxy", proxy=host(proxy), detail=detail)


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _detail(causes: list[BaseException]) -> str:
    """What the system says, the first cause last."""
    for cause in causes:
        if isinstance(cause, httpx2.TimeoutException):
            return "no answer came in time"
        if isinstance(cause, OSError) and cause.strerror:
            return cause.strerror
    return str(causes[0]) or "the connection was cut"
