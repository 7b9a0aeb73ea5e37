"""The bridge to the engine, with the real engine and the smallest real model."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from app.engine_client import EngineClient
from engine import paths
from engine.api import Finished, Message, ModelInfo, Piece, ReplyRequest, Sampling
from engine.errors import EngineError, Stopped

# Any token is as likely as any other, so that an end token is rare.
ENDLESS = Sampling(temperature=100.0, top_p=1.0, max_tokens=100_000, seed=1)
SHORT = Sampling(temperature=0.0, max_tokens=24)


@dataclass
class Heard:
    """All that a client said, in order."""

    events: list[tuple[str, Any, ...]] = field(default_factory=list)  # type: ignore[valid-type]

    def of(self, *names: str) -> list[tuple[Any, ...]]:
        return [event for event in self.events if event[0] in names]

    def ends(self, request_id: str) -> list[tuple[Any, ...]]:
        return [event for event in self.of("finished", "failed") if event[1] == request_id]


@pytest.fixture
def client(qtbot: QtBot) -> Iterator[EngineClient]:
    """A client whose thread is ended after the test."""
    client = EngineClient()
    yield client
    assert client.close()


@pytest.fixture
def heard(client: EngineClient) -> Heard:
    """What `client` says, all of it on the GUI thread."""
    heard = Heard()
    here = threading.get_ident()

    def hear(name: str) -> Any:
        def listen(*values: Any) -> None:
            assert threading.get_ident() == here
            heard.events.append((name, *values))

        return listen

    for signal in (
        *("machine_known", "loading", "loaded", "load_failed", "unloaded"),
        *("reading", "written", "finished", "failed"),
    ):
        getattr(client, signal).connect(hear(signal))
    return heard


def _request(name: str, text: str = "Tell me a story.", sampling: Sampling = SHORT) -> ReplyRequest:
    message = Message(role="user", text=text)
    return ReplyRequest(id=name, chat=name, messages=(message,), sampling=sampling)


@pytest.fixture
def loaded(client: EngineClient, heard: Heard, qtbot: QtBot, starter_3m: Path) -> EngineClient:
    """The client with the smallest model loaded."""
    client.load(starter_3m)
    qtbot.waitUntil(lambda: bool(heard.of("loaded")))
    return client


def _wait_for_end(qtbot: QtBot, heard: Heard, request_id: str) -> tuple[Any, ...]:
    qtbot.waitUntil(lambda: bool(heard.ends(request_id)), timeout=30_000)
    (end,) = heard.ends(request_id)
    return end


def test_a_reply_is_its_pieces_then_one_end(
    loaded: EngineClient, heard: Heard, qtbot: QtBot
) -> None:
    info = heard.of("loaded")[0][1]
    assert isinstance(info, ModelInfo)
    assert info.name == "starter-3m"
    loaded.ask(_request("a"))
    end = _wait_for_end(qtbot, heard, "a")
    assert end[0] == "finished"
    assert heard.events[-1] is end
    pieces = [event[2] for event in heard.of("written")]
    assert "".join(piece.text for piece in pieces) == end[2].text != ""
    assert sum(piece.tokens for piece in pieces) in (
        end[2].stats.new_tokens,
        end[2].stats.new_tokens - 1,  # an end token has no text
    )


def test_pieces_come_at_most_30_times_a_second(
    loaded: EngineClient, heard: Heard, qtbot: QtBot
) -> None:
    times: list[float] = []
    loaded.written.connect(lambda *_: times.append(time.perf_counter()))
    began = time.perf_counter()
    loaded.ask(_request("a", sampling=Sampling(temperature=1.5, top_p=1.0, max_tokens=400, seed=3)))
    end = _wait_for_end(qtbot, heard, "a")
    passed = time.perf_counter() - began
    assert end[2].stats.new_tokens > len(times) > 2
    assert len(times) <= 30 * passed + 2  # the first at once, and the last before the end


def test_requests_are_answered_in_the_order_they_were_made(
    loaded: EngineClient, heard: Heard, qtbot: QtBot
) -> None:
    for name in "abc":
        loaded.ask(_request(name))
    _wait_for_end(qtbot, heard, "c")
    assert [event[1] for event in heard.of("finished")] == ["a", "b", "c"]
    written = [event[1] for event in heard.of("written")]
    assert written == sorted(written)


def test_stop_ends_a_reply_within_a_second_and_the_next_is_untouched(
    loaded: EngineClient, heard: Heard, qtbot: QtBot
) -> None:
    loaded.ask(_request("a", sampling=ENDLESS))
    qtbot.waitUntil(lambda: len(heard.of("written")) > 2, timeout=30_000)
    loaded.stop("a")
    loaded.stop("a")
    end = _wait_for_end(qtbot, heard, "a")
    assert (end[0], end[2].stats.stop_reason) == ("finished", "stopped")
    loaded.stop("a")  # it has ended: nothing happens
    loaded.ask(_request("b"))
    second = _wait_for_end(qtbot, heard, "b")
    assert second[2].stats.stop_reason != "stopped"
    text = "".join(event[2].text for event in heard.of("written") if event[1] == "b")
    assert text == second[2].text


def test_a_waiting_reply_is_stopped_at_once_and_never_read(
    loaded: EngineClient, heard: Heard, qtbot: QtBot
) -> None:
    loaded.ask(_request("a", sampling=ENDLESS))
    loaded.ask(_request("b"))
    qtbot.waitUntil(lambda: bool(heard.of("written")), timeout=30_000)
    loaded.stop("b")
    (end,) = heard.ends("b")
    assert (end[0], end[2].stats.stop_reason, end[2].text) == ("finished", "stopped", "")
    assert not heard.ends("a")
    loaded.stop("a")
    _wait_for_end(qtbot, heard, "a")
    assert {event[1] for event in heard.of("reading")} == {"a"}
    assert len(heard.ends("b")) == 1


def test_a_load_that_fails_leaves_the_earlier_model_answering(
    loaded: EngineClient, heard: Heard, qtbot: QtBot, tmp_path: Path
) -> None:
    loaded.load(tmp_path / "nothing here")
    qtbot.waitUntil(lambda: bool(heard.of("load_failed")))
    _, name, error = heard.of("load_failed")[0]
    assert name == "nothing here"
    assert isinstance(error, EngineError)
    assert error.__traceback__ is None  # its frames would keep arrays alive on this thread
    assert not heard.of("unloaded")
    loaded.ask(_request("a"))
    assert _wait_for_end(qtbot, heard, "a")[0] == "finished"


def test_of_many_loads_the_last_one_wins(
    client: EngineClient, heard: Heard, qtbot: QtBot, starter_3m: Path
) -> None:
    twelve = paths.resources() / "models" / "starter-12m"
    for folder in (starter_3m, twelve) * 5:
        client.load(folder)
    ended = lambda: len(heard.of("loaded", "load_failed"))  # noqa: E731
    qtbot.waitUntil(lambda: ended() == 10, timeout=30_000)
    assert heard.of("loaded", "load_failed")[-1][1].name == "starter-12m"
    for _, _, error in heard.of("load_failed"):
        assert isinstance(error, Stopped)


def test_without_a_model_a_reply_fails_with_what_to_do(
    client: EngineClient, heard: Heard, qtbot: QtBot
) -> None:
    client.ask(_request("a"))
    end = _wait_for_end(qtbot, heard, "a")
    assert (end[0], end[2].code) == ("failed", "no_model")


def test_unloading_frees_the_model_and_another_load_brings_it_back(
    loaded: EngineClient, heard: Heard, qtbot: QtBot, starter_3m: Path
) -> None:
    loaded.unload()
    qtbot.waitUntil(lambda: bool(heard.of("unloaded")))
    loaded.ask(_request("a"))
    assert _wait_for_end(qtbot, heard, "a")[0] == "failed"
    loaded.load(starter_3m)
    loaded.ask(_request("b"))
    assert _wait_for_end(qtbot, heard, "b")[0] == "finished"


def test_a_fault_of_our_own_is_logged_and_ends_the_reply(
    loaded: EngineClient,
    heard: Heard,
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    from engine.session import Session

    def reply(*_: Any) -> Iterator[Any]:
        yield Piece("So ", 1, 1, None, None, 1.0)
        yield Piece("far", 1, 2, 1.0, 1.0, 1.0)
        raise ZeroDivisionError("a fault")

    monkeypatch.setattr(Session, "reply", reply)
    loaded.ask(_request("a"))
    end = _wait_for_end(qtbot, heard, "a")
    assert end[0] == "failed"
    assert isinstance(end[2], ZeroDivisionError)
    assert end[2].__traceback__ is None
    assert "".join(event[2].text for event in heard.of("written")) == "So far"
    assert "ZeroDivisionError: a fault" in caplog.text


def test_the_machine_is_told_with_the_memory_that_models_may_use(
    client: EngineClient, heard: Heard, qtbot: QtBot
) -> None:
    for limit in (0, 123_000_000, 0):
        client.find_machine(limit)
    qtbot.waitUntil(lambda: len(heard.of("machine_known")) == 3, timeout=30_000)
    own, limited, again = (event[1] for event in heard.of("machine_known"))
    assert own.memory_bytes > own.limit_bytes > 123_000_000
    assert (limited.limit_bytes, limited.memory_bytes) == (123_000_000, own.memory_bytes)
    assert again == own


@pytest.mark.parametrize("moment", ["loading", "reading", "writing", "waiting", "idle"])
def test_closing_at_any_moment_ends_every_request_once(
    qtbot: QtBot, starter_3m: Path, moment: str
) -> None:
    client = EngineClient()
    ends: list[tuple[str, Finished]] = []
    client.finished.connect(lambda request_id, end: ends.append((request_id, end)))
    client.load(starter_3m)
    if moment != "loading":
        signal = {"reading": client.reading, "idle": client.loaded}.get(moment, client.written)
        long = "word " * 20_000 if moment == "reading" else "Hello"
        with qtbot.waitSignal(signal, timeout=30_000):
            if moment != "idle":
                client.ask(_request("a", long, ENDLESS))
                client.ask(_request("b", sampling=ENDLESS))
    asked = [] if moment in ("loading", "idle") else ["a", "b"]
    assert client.close()
    assert sorted(name for name, _ in ends) == asked
    assert all(end.stats.stop_reason == "stopped" for _, end in ends)
    assert client.close()  # again: nothing happens
