"""What a search of the Hub offers, what it makes of a name, and what it says when that fails."""

from __future__ import annotations

import json
import shutil
import socket
import ssl
import subprocess
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import hub_faults as faults
import pytest
from hub_server import LISTING, SEARCH, HubServer

from engine.api import Network, Offer
from engine.catalogue import catalogue
from engine.errors import EngineError
from engine.hub.search import offer, search

WEIGHTS = "model.safetensors"


def model(kind: str = "mamba", *, weights: str = WEIGHTS, **config: Any) -> dict[str, Any]:
    """The files of a model of a type; an empty one is of mamba_ssm's own layout."""
    fields = {"model_type": kind} if kind else {"d_model": 8, "n_layer": 2, "ssm_cfg": {}}
    return {"config.json": json.dumps(fields | config), weights: b"x" * 100}


def found(hub: HubServer, text: str, **given: Any) -> dict[str, Offer]:
    return {each.repo: each for each in search(Network(endpoint=hub.url), text, **given)}


def test_mamba_models_are_found_and_those_that_run_come_first(hub: HubServer) -> None:
    hub.add("a/mamba2-x", model("mamba2"))
    hub.add("b/mamba-x", model("mamba"))
    hub.add("c/falcon-x", model("falcon_mamba"))
    hub.add("d/llama-mamba-x", model("llama"))
    hub.add("e/mamba-vision-x", model("mamba"), pipeline_tag="image-classification")
    hub.add("f/mamba-gguf-x", {"mamba-q4.gguf": b"x"})
    hub.add("g/mamba-bnb-x", model(quantization_config={"quant_method": "bitsandbytes"}))
    hub.add("h/mamba-y", model("mamba"))
    offers = found(hub, "x")
    assert list(offers)[:2] == ["b/mamba-x", "c/falcon-x"]
    assert set(offers) == {
        "a/mamba2-x", "b/mamba-x", "c/falcon-x", "f/mamba-gguf-x", "g/mamba-bnb-x",
    }  # fmt: skip
    assert offers["b/mamba-x"].problem == ""
    assert offers["a/mamba2-x"].problem.endswith("Mamba Chat runs mamba, falcon_mamba.")
    assert "GGUF" in offers["f/mamba-gguf-x"].problem
    assert "bitsandbytes" in offers["g/mamba-bnb-x"].problem


def test_a_transformer_is_found_by_its_whole_name_alone(hub: HubServer) -> None:
    (ours,) = [offer for offer in catalogue() if offer.repo == "EleutherAI/pythia-160m"]
    for repo in (ours.repo, "a/mamba-pythia-160m"):
        hub.add(repo, model("gpt_neox"))
        for words in ("160m", "pythia", "gpt_neox", "mamba"):
            assert repo not in found(hub, words)
        told = found(hub, repo)[repo]
        assert (told.problem, told.family, told.for_comparison) == ("", "gpt_neox", True)
    told = found(hub, f"{hub.url}/{ours.repo}")[ours.repo]
    assert (told.needs, told.about) == (ours.needs, ours.about)


def test_the_original_layout_is_known_by_its_name(hub: HubServer) -> None:
    hub.add("a/mamba-2.8b", model("", weights="pytorch_model.bin"))
    hub.add("a/mamba2-130m", model("", weights="pytorch_model.bin"))
    hub.add("a/mamba3-siso", model("", weights="pytorch_model.bin"))
    hub.add("a/other", model("", weights="pytorch_model.bin"))
    offers = found(hub, "mamba")
    assert next(iter(offers)) == "a/mamba-2.8b"
    assert offers["a/mamba-2.8b"].problem == ""
    assert "(Mamba2)" in offers["a/mamba2-130m"].problem
    assert "(Mamba3)" in offers["a/mamba3-siso"].problem
    assert "a/other" not in offers


def test_what_the_listing_tells_of_a_model_is_told(hub: HubServer) -> None:
    numbers = {"parameters": {"BF16": 1000, "F32": 10}, "total": 1010}
    hub.add("a/mamba-1", model(), safetensors=numbers, licence="mit", gated=True)
    packed = {"parameters": {"U32": 800, "F16": 300}, "total": 1100}
    quantized = model(quantization_config={"bits": 4, "group_size": 64})
    hub.add("a/mamba-2", quantized, safetensors=packed)
    offers = found(hub, "mamba")
    one, two = offers["a/mamba-1"], offers["a/mamba-2"]
    assert (one.parameters, one.dtype, one.disk_bytes) == (1010, "bfloat16", 2040)
    assert (one.licence, one.gated, one.chat, one.family) == ("mit", True, False, "mamba")
    assert (two.parameters, two.dtype, two.disk_bytes) == (6400 + 300 - 200, "4-bit", 3800)


@pytest.mark.parametrize(
    ("name", "files", "facts", "chat"),
    [
        ("mamba-a", {"tokenizer_config.json": '{"chat_template": "x"}'}, {}, True),
        ("mamba-b", {"chat_template.jinja": "x"}, {}, True),
        ("mamba-c", {}, {"tags": ["mamba", "conversational"]}, True),
        ("mamba-2.8b-zephyr", {}, {}, True),
        ("mamba-d", {"tokenizer_config.json": "{}"}, {}, False),
    ],
)
def test_a_chat_model_is_known_by_its_template_tag_or_name(
    hub: HubServer, name: str, files: dict[str, Any], facts: dict[str, Any], chat: bool
) -> None:
    hub.add(f"a/{name}", model() | files, **facts)
    assert found(hub, name)[f"a/{name}"].chat is chat


def test_a_model_of_the_catalogue_is_told_with_what_it_needs(hub: HubServer) -> None:
    ours = catalogue()[0]
    hub.add(ours.repo, model())
    for on_cpu in (False, True):
        for told in (
            found(hub, "130m", on_cpu=on_cpu)[ours.repo],
            offer(Network(endpoint=hub.url), ours.repo, on_cpu=on_cpu),
        ):
            assert told.needs == catalogue(on_cpu=on_cpu)[0].needs
            assert (told.parameters, told.about) == (ours.parameters, ours.about)


def test_there_are_no_more_than_asked_for_and_none_for_no_words(hub: HubServer) -> None:
    for number in range(9):
        hub.add(f"a/mamba-{number}", model())
    hub.page_size = 4
    assert len(found(hub, "mamba", limit=3)) == 3
    before = len(hub.requests)
    assert found(hub, "   ") == {}
    assert len(hub.requests) == before


@pytest.mark.parametrize("text", ["owner/name", "{url}/owner/name/tree/main", "hf://owner/name"])
def test_a_name_or_an_address_is_looked_up_itself(hub: HubServer, text: str) -> None:
    tree = hub.add("owner/name", model("mamba") | {"notes.txt": "not counted"})
    offers = found(hub, text.format(url=hub.url))
    one = offers["owner/name"]
    assert (one.revision, one.problem) == (tree.commit, "")
    assert one.disk_bytes == 100 + len(model()["config.json"])
    assert not [request for request in hub.requests if request.path.startswith("/api/models?")]


def test_a_card_reads_the_config_that_the_listing_does_not_tell(hub: HubServer) -> None:
    hub.add("a/one", model("", weights="pytorch_model.bin"))
    hub.add("a/two", model("", weights="pytorch_model.bin", ssm_cfg={"layer": "Mamba2"}))
    hub.add("a/three", model("", weights="pytorch_model.bin"), gated=True)
    hub.add("a/four", model() | {"config.json": "[]"})
    network = Network(endpoint=hub.url)
    assert offer(network, "a/one").problem == ""
    assert "(Mamba2)" in offer(network, "a/two").problem
    three = offer(network, "a/three")
    assert (three.gated, three.problem) == (True, "")
    with pytest.raises(EngineError, match="not an object"):
        offer(network, "a/four")


def failure(network: Network, text: str = "owner/name") -> EngineError:
    with pytest.raises(EngineError) as caught:
        search(network, text)
    assert str(caught.value).isprintable()
    return caught.value


@pytest.mark.parametrize(
    ("fault", "token", "code"),
    [
        (faults.GATED, "", "gated"),
        (faults.NO_REPO, "", "not_on_hub"),
        (faults.NO_REVISION, "", "no_revision"),
        (faults.BAD_TOKEN, "good", "bad_token"),
        (faults.Status(401, message="Invalid username or password."), "", "not_on_hub"),
        (faults.Status(403), "", "not_on_hub"),
        (faults.Status(407), "", "proxy"),
        (faults.Status(429, retry_after="9"), "", "hub_trouble"),
        (faults.Status(500), "", "hub_trouble"),
        (faults.Status(503), "", "hub_trouble"),
        (faults.Redirect("file:///etc/passwd"), "", "bad_redirect"),
        (faults.Instead(b'{"id": "owner/na'), "", "hub_trouble"),
        (faults.Instead(b"<html>Sign in to the network</html>", "text/html"), "", "hub_trouble"),
        (faults.Instead(b"[1, 2]"), "", "hub_trouble"),
        (faults.Instead(b'{"id": "owner/name", "siblings": [{"size": 1}]}'), "", "hub_trouble"),
        (faults.Instead(b'{"id": "owner/name", "siblings": 7}'), "", "hub_trouble"),
        (faults.Instead(b'{"id": "owner/name", "siblings": [{"rfilename": 7, "size": 1}]}'), "",
         "hub_trouble"),
    ],
)  # fmt: skip
def test_what_the_hub_says_instead_is_one_sentence(
    hub: HubServer, fault: faults.Fault, token: str, code: str
) -> None:
    hub.tokens.add("good")
    hub.add("owner/name", model())
    hub.misbehave("owner/name", LISTING, fault, times=None)
    error = failure(Network(endpoint=hub.url, token=token))
    assert error.code == code
    if code == "gated":
        assert error.values == {"owner": "owner", "url": f"{hub.url}/owner/name"}


ODD: tuple[Any, ...] = (7, "x", [], [7], [None], {}, {"a": 7}, {"model_type": [1]}, True, None)


@pytest.mark.parametrize(
    "field",
    ["id", "sha", "tags", "pipeline_tag", "config", "safetensors", "cardData", "gated", "siblings"],
)
def test_no_listing_whatever_it_holds_is_a_fault_of_ours(hub: HubServer, field: str) -> None:
    network = Network(endpoint=hub.url)
    hub.add("owner/mamba", model())
    facts = hub.trees["owner/mamba"]["main"].facts
    told = facts | {"sha": "0" * 40, "siblings": [{"rfilename": "config.json", "size": 2}]}
    for value in ODD:
        body = told | {field: value}
        hub.misbehave(SEARCH, LISTING, faults.Instead(json.dumps([body]).encode()), times=3)
        hub.misbehave("owner/mamba", LISTING, faults.Instead(json.dumps(body).encode()))
        for text in ("mamba", "owner/mamba"):
            with suppress(EngineError):
                assert all(isinstance(each, Offer) for each in search(network, text))
        hub.behave()


def test_a_redirect_without_end_is_the_hubs_trouble(hub: HubServer) -> None:
    hub.misbehave("owner/name", LISTING, faults.Redirect(), times=None)
    assert failure(Network(endpoint=hub.url)).code == "hub_trouble"


def test_a_token_that_is_refused_is_told(hub: HubServer) -> None:
    hub.add("owner/name", model())
    assert failure(Network(endpoint=hub.url, token="old")).code == "bad_token"
    assert failure(Network(endpoint=hub.url, token="old"), "mamba").code == "bad_token"


def test_a_search_that_fails_is_one_sentence_at_once(hub: HubServer) -> None:
    hub.misbehave(SEARCH, LISTING, faults.Status(503))
    hub.misbehave(SEARCH, LISTING, faults.Instead(b"{}"), skip=1)
    hub.misbehave(SEARCH, LISTING, faults.Instead(b'[{"tags": []}]'), skip=2)
    for asked in range(1, 4):
        assert failure(Network(endpoint=hub.url), "mamba").code == "hub_trouble"
        assert len(hub.requests) == asked


@pytest.mark.parametrize("text", ["owner/name", "mamba"])
def test_no_network_is_told_at_once(text: str) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # and never listens
        closed = f"http://127.0.0.1:{taken.getsockname()[1]}"
        assert failure(Network(endpoint=closed), text).code == "offline"
        proxied = Network(proxy=closed.replace("//", "//user:secret@"))
        error = failure(proxied, text)
    assert error.code == "proxy"
    assert "secret" not in str(error)
    assert failure(Network(endpoint="no address"), text).code == "offline"


@pytest.fixture
def strangers_port(tmp_path: Path) -> Iterator[int]:
    """A server whose certificate nobody vouches for."""
    program = shutil.which("openssl")
    if program is None:
        pytest.skip("there is no openssl to make a certificate with")
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    make = [program, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"]
    make += ["-subj", "/CN=localhost", "-keyout", str(key), "-out", str(certificate)]
    subprocess.run(make, check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)

    def answer(listening: socket.socket) -> None:
        connection, _ = listening.accept()
        with connection, suppress(OSError):  # the client hangs up
            context.wrap_socket(connection, server_side=True).close()

    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=answer, args=(listening,))
        thread.start()
        yield listening.getsockname()[1]
        thread.join(10)


def test_a_certificate_that_is_not_trusted_is_told(strangers_port: int) -> None:
    error = failure(Network(endpoint=f"https://localhost:{strangers_port}"))
    assert error.code == "certificate"


def test_one_question_does_not_end_another_that_is_still_asked(hub: HubServer) -> None:
    hub.add("owner/mamba-x", model())
    silence = faults.Silence()
    hub.misbehave(SEARCH, LISTING, silence)
    answers: list[dict[str, Offer]] = []
    first = threading.Thread(target=lambda: answers.append(found(hub, "x")))
    first.start()
    assert silence.began.wait(30)
    assert found(hub, "y") == {}
    silence.released.set()
    first.join(10)  # half of what an answer is waited for
    assert [list(each) for each in answers] == [["owner/mamba-x"]]
