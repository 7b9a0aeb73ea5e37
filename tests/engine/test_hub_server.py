"""The tests' own Hub: huggingface_hub takes it for one, and it misbehaves as it is told."""

from __future__ import annotations

import hashlib
import http.client
import json
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import urlsplit

import hub_faults as faults
import hub_server
import pytest
from hub_faults import Pace
from hub_server import LISTING, SEARCH, HubServer
from huggingface_hub import HfApi
from huggingface_hub.errors import (
    GatedRepoError,
    HfHubHTTPError,
    RepositoryNotFoundError,
    RevisionNotFoundError,
)

from engine.api import Network
from engine.hub.network import hub_api

REPO, FILE = "owner/name", "model.safetensors"
WEIGHTS = bytes(range(256)) * 16
CONFIG = b'{"model_type": "mamba", "architectures": ["MambaForCausalLM"]}'
FILES = {"config.json": CONFIG, FILE: WEIGHTS, "more/notes.md": b"# Notes"}


@pytest.fixture
def api(hub: HubServer) -> HfApi:
    hub.add(REPO, FILES, licence="apache-2.0")
    return hub_api(Network(endpoint=hub.url))


class Got:
    """An answer, read until its end or as far as it came."""

    def __init__(self, url: str, method: str = "GET", **headers: str) -> None:
        parts = urlsplit(url)
        connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=10)
        headers = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method, parts.path + (parts.query and f"?{parts.query}"), None, headers)
        answer = connection.getresponse()
        self.status, self.headers = answer.status, answer.headers
        self.whole = True
        try:
            self.body = answer.read()
        except http.client.IncompleteRead as error:
            self.body, self.whole = error.partial, False
        except ConnectionResetError:
            self.body, self.whole = b"", False
        connection.close()


def get(hub: HubServer, file: str = FILE, **headers: str) -> Got:
    """What a client that follows redirects gets, without its token at another host."""
    got = Got(f"{hub.url}/{REPO}/resolve/main/{file}", **headers)
    if got.status != 302:
        return got
    headers.pop("Authorization", None)
    return Got(got.headers["Location"], **headers)


def test_the_librarys_own_client_reads_a_repository(hub: HubServer, api: HfApi) -> None:
    info = api.model_info(REPO, revision="main", files_metadata=True)
    assert info.siblings is not None
    assert info.card_data is not None
    files = {sibling.rfilename: sibling for sibling in info.siblings}
    weights, config = files[FILE], files["config.json"]
    assert weights.lfs is not None
    assert (weights.size, weights.lfs.sha256) == (4096, hashlib.sha256(WEIGHTS).hexdigest())
    assert config.lfs is None
    blob = b"blob %d\0" % len(CONFIG) + CONFIG
    assert config.blob_id == hashlib.sha1(blob).hexdigest()
    assert info.card_data["license"] == "apache-2.0"
    assert info.config is not None
    assert info.config["model_type"] == "mamba"
    assert len(info.sha or "") == 40
    assert api.model_info(REPO, revision=info.sha).sha == info.sha
    tree = {entry.path for entry in api.list_repo_tree(REPO)}
    assert tree == {"config.json", FILE, "more"}


def test_models_are_searched_page_by_page(hub: HubServer, api: HfApi) -> None:
    for number in range(7):
        hub.add(f"zoo/mamba-{number}", FILES, safetensors={"parameters": {"F32": 9}, "total": 9})
    hub.page_size = 3
    found = list(api.list_models(search="MAMBA", filter="mamba", expand=["safetensors", "tags"]))
    assert [model.id for model in found] == [f"zoo/mamba-{number}" for number in range(7)]
    assert found[0].safetensors is not None
    assert len(hub.asked()) == 3
    assert not list(api.list_models(filter="mamba2"))


def test_what_is_not_there_or_not_free_is_told_as_by_the_hub(hub: HubServer, api: HfApi) -> None:
    with pytest.raises(HfHubHTTPError, match="401"):
        api.model_info("no/body")
    with pytest.raises(RevisionNotFoundError):
        api.model_info(REPO, revision="v9")
    hub.add("shy/one", FILES, gated=True)
    assert api.model_info("shy/one").gated == "manual"
    hub.misbehave("shy/one", LISTING, faults.GATED)
    with pytest.raises(GatedRepoError):
        api.model_info("shy/one")
    hub.tokens.add("good")
    with pytest.raises(RepositoryNotFoundError):
        hub_api(Network(endpoint=hub.url, token="good")).model_info("no/body")
    address = f"{hub.url}/shy/one/resolve/main/{FILE}"
    for token, status, code in [
        ("good", 403, "GatedRepo"),
        ("bad", 401, None),
        ("", 401, "GatedRepo"),
    ]:
        got = Got(address, **({"Authorization": f"Bearer {token}"} if token else {}))
        assert (got.status, got.headers["X-Error-Code"]) == (status, code)
    hub.trees["shy/one"]["main"].granted.add("good")
    assert Got(address, Authorization="Bearer good").status == 302


def test_large_files_come_from_another_host_and_small_ones_at_once(
    hub: HubServer, api: HfApi
) -> None:
    hub.tokens.add("secret")
    head = Got(f"{hub.url}/{REPO}/resolve/main/{FILE}", "HEAD", Authorization="Bearer secret")
    assert head.status == 302
    assert head.headers["X-Linked-Size"] == "4096"
    assert head.headers["X-Linked-Etag"] == f'"{hashlib.sha256(WEIGHTS).hexdigest()}"'
    assert head.headers["X-Repo-Commit"] == api.model_info(REPO).sha
    assert urlsplit(head.headers["Location"]).netloc != urlsplit(hub.url).netloc
    assert get(hub, Authorization="Bearer secret").body == WEIGHTS
    assert get(hub, "config.json").body == CONFIG
    assert get(hub, "gone.json").headers["X-Error-Code"] == "EntryNotFound"
    assert Got(f"{hub.cdn_url}/x").status == 403
    asked = hub.asked(FILE)
    assert [each.headers.get("authorization") for each in asked] == ["Bearer secret", None]
    assert (hub.sent(FILE), hub.sent("config.json")) == (4096, len(CONFIG))


def test_ranges_are_honoured_while_the_file_is_the_same(hub: HubServer, api: HfApi) -> None:
    part = get(hub, Range="bytes=100-199")
    assert (part.status, part.body) == (206, WEIGHTS[100:200])
    assert part.headers["Content-Range"] == "bytes 100-199/4096"
    assert get(hub, Range="bytes=4000-").body == WEIGHTS[4000:]
    assert get(hub, Range="bytes=-7").body == WEIGHTS[-7:]
    assert get(hub, Range="bytes=4096-").status == 416
    etag = part.headers["ETag"]
    assert get(hub, Range="bytes=1-2", If_Range=etag).status == 206
    hub.misbehave(REPO, FILE, faults.Change(to=b"x" * 4096))
    other = get(hub, Range="bytes=1-2", If_Range=etag)
    assert (other.status, other.body) == (200, b"x" * 4096)
    hub.misbehave(REPO, FILE, faults.IgnoreIfRange())
    assert get(hub, Range="bytes=1-2", If_Range=etag).body == b"xx"


def test_made_up_content_is_the_same_every_time_and_nowhere_alike(hub: HubServer) -> None:
    hub.add(REPO, {FILE: (3_000_000, 7), "other.bin": (3_000_000, 8)})
    whole = get(hub).body
    assert len(whole) == 3_000_000
    assert get(hub, Range="bytes=1048000-2098000").body == whole[1048000:2098001]
    assert whole[:1000] != whole[1 << 20 : (1 << 20) + 1000]
    assert whole != get(hub, "other.bin").body
    assert hub.trees[REPO]["main"].files[FILE].sha256 == hashlib.sha256(whole).hexdigest()


def test_a_body_can_end_early_be_mistold_or_spoilt(hub: HubServer, api: HfApi) -> None:
    def bad(fault: faults.Fault, **headers: str) -> Got:
        hub.misbehave(REPO, FILE, fault)
        got = get(hub, **headers)
        assert get(hub).body == WEIGHTS  # the next is well again
        return got

    cut = bad(faults.Cut(after=1000))
    assert (cut.body, cut.whole) == (WEIGHTS[:1000], False)
    assert not bad(faults.Cut(after=0, reset=True)).whole
    assert bad(faults.IgnoreRange(), Range="bytes=9-").status == 200
    flipped = bad(faults.Flip(at=300), Range="bytes=299-301").body
    assert flipped == bytes([WEIGHTS[299], WEIGHTS[300] ^ 0xFF, WEIGHTS[301]])
    long = bad(faults.Length(by=5))
    assert (long.headers["Content-Length"], long.body, long.whole) == ("4101", WEIGHTS, False)
    short = bad(faults.Length(by=-5))
    assert (short.body, short.whole) == (WEIGHTS[:-5], True)


def test_an_answer_can_take_the_place_of_what_was_asked_for(hub: HubServer, api: HfApi) -> None:
    hub.misbehave(REPO, FILE, faults.Status(429, retry_after="7"))
    hub.misbehave(REPO, FILE, faults.Status(503), times=2, skip=1)
    told = [get(hub) for _ in range(4)]
    assert [got.status for got in told] == [429, 503, 503, 200]
    assert told[0].headers["Retry-After"] == "7"
    hub.misbehave(REPO, FILE, faults.Status(403, where="body"))
    assert get(hub).status == 403
    hub.misbehave(REPO, FILE, faults.Redirect("file:///etc/hosts"))
    assert get_location(hub) == "file:///etc/hosts"
    hub.misbehave(REPO, FILE, faults.Redirect(), times=None)
    assert get_location(hub) == get_location(hub) == f"/{REPO}/resolve/main/{FILE}"
    hub.behave()
    hub.misbehave(REPO, LISTING, faults.Instead(b'{"id": '))
    with pytest.raises(json.JSONDecodeError):
        api.model_info(REPO)
    hub.misbehave(SEARCH, LISTING, faults.Instead(b"<html>", "text/html"))
    assert Got(f"{hub.url}/api/models").body == b"<html>"
    hub.moved["old/name"] = REPO
    assert api.model_info("old/name").id == REPO


def get_location(hub: HubServer) -> str:
    return Got(f"{hub.url}/{REPO}/resolve/main/{FILE}").headers["Location"]


def test_a_stalled_answer_waits_for_its_release(hub: HubServer, api: HfApi) -> None:
    stall = faults.Stall(after=10)
    hub.misbehave(REPO, FILE, stall)
    got = Got(f"{hub.url}/{REPO}/resolve/main/{FILE}")
    parts = urlsplit(got.headers["Location"])
    connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=10)
    connection.request("GET", parts.path)
    answer = connection.getresponse()
    assert answer.read(10) == WEIGHTS[:10]
    assert stall.began.wait(10)
    request = hub.asked(FILE, "cdn")[0]
    assert not request.done.is_set()
    stall.released.set()
    assert answer.read() == WEIGHTS[10:]
    connection.close()
    assert request.done.wait(10)


def test_closing_ends_a_stalled_answer_and_one_whose_client_is_gone(tmp_path: Path) -> None:
    with HubServer() as hub:
        hub.add(REPO, FILES)
        for _ in range(2):
            hub.misbehave(REPO, "config.json", stall := faults.Stall())
            connection = http.client.HTTPConnection("127.0.0.1", hub.hub.server_port, timeout=10)
            connection.request("GET", f"/{REPO}/resolve/main/config.json")
            assert stall.began.wait(10)
            if len(hub.requests) == 1:
                connection.close()
                assert hub.requests[0].done.wait(10)
    assert hub.requests[1].done.is_set()
    connection.close()


def test_bytes_come_no_faster_than_is_allowed(hub: HubServer) -> None:
    hub.add(REPO, {FILE: (200_000, 1)})
    hub.misbehave(REPO, FILE, faults.Slow(1_000_000))
    start = time.monotonic()
    assert get(hub).whole
    assert time.monotonic() - start >= 0.19
    hub.total_pace = Pace(1_000_000)
    start = time.monotonic()
    assert get(hub).whole
    assert time.monotonic() - start >= 0.19


def test_more_connections_than_allowed_are_refused(hub: HubServer, api: HfApi) -> None:
    address = get_location(hub)
    hub.cdn.most_connections = 1
    parts = urlsplit(address)
    first = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=10)
    first.request("GET", parts.path)
    first.getresponse().read()
    with pytest.raises((http.client.RemoteDisconnected, ConnectionError)):
        Got(address)
    assert hub.cdn.refused == 1
    first.close()


def test_a_listing_may_hold_any_names_and_ten_thousand_of_them(hub: HubServer, api: HfApi) -> None:
    names = ["../evil", "/etc/passwd", "a\\b", *(f"{n}.txt" for n in range(10_000))]
    hub.add("big/one", dict.fromkeys(names, b"x") | {FILE: WEIGHTS}, no_sha=(FILE,))
    siblings = api.model_info("big/one", files_metadata=True).siblings or []
    assert [each.rfilename for each in siblings] == [*names, FILE]
    assert siblings[-1].lfs is None
    hub.page_size = 4000
    listed = [each.path for each in api.list_repo_tree("big/one", recursive=True)]
    assert set(listed) - {"..", "", "/etc"} == {*names, FILE}


def test_it_runs_as_a_program_that_serves_a_folder(tmp_path: Path) -> None:
    model = tmp_path / "owner" / "tiny"
    model.mkdir(parents=True)
    (model / "config.json").write_bytes(CONFIG)
    program = [sys.executable, hub_server.__file__, "--folder", str(tmp_path)]
    with subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        told = json.loads(process.stdout.readline())
        assert told["models"] == ["owner/tiny"]
        assert Got(f"{told['endpoint']}/owner/tiny/resolve/main/config.json").body == CONFIG
        process.communicate(b"", timeout=10)
    assert process.returncode == 0
