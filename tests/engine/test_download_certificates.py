"""Who the Hub is, is checked: a certificate that the system does not trust is said, and nothing is
fetched."""

from __future__ import annotations

import http.server
import shutil
import ssl
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from downloading import FILE, REPO, Run, check_not_installed, refused

from engine.api import Network, RemoteFile, Repository


@pytest.fixture
def stranger(tmp_path: Path) -> Iterator[str]:
    """The address of a server whose certificate nobody vouches for."""
    if not shutil.which("openssl"):
        pytest.skip("there is no openssl to make a certificate with")
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2",
         "-subj", "/CN=localhost", "-keyout", key, "-out", certificate],
        check=True, capture_output=True,
    )  # fmt: skip
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), http.server.BaseHTTPRequestHandler)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    server.handle_error = lambda *_: None  # type: ignore[method-assign]
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield f"https://localhost:{server.server_port}"
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.mark.parametrize("listed", [False, True], ids=["the listing", "the file"])
def test_a_certificate_that_nobody_vouches_for_is_said(
    home: Path, stranger: str, listed: bool
) -> None:
    run = Run(None, home / "models", network=Network(endpoint=stranger))
    if listed:
        files = (RemoteFile(name=FILE, size=1000),)
        run.staging.record(Repository(repo=REPO, revision="0" * 40, files=files))
    with refused("certificate") as errors:
        run()
    assert "localhost" in str(errors[0])
    check_not_installed(home / "models")
