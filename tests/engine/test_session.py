"""A chat reads what is new, and nothing more."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine import device, library, paths
from engine.api import Finished, Message, ReplyRequest, Sampling
from engine.errors import EngineError, Stopped
from engine.session import Session

STARTER = paths.resources() / "models" / "starter-3m"


@pytest.fixture
def session() -> Iterator[Session]:
    one = Session()
    load(one, STARTER)
    yield one
    one.unload()


def load(session: Session, folder: Path) -> None:
    session.load(folder, on_progress=lambda _: None, stopped=threading.Event())


def ask(session: Session, *messages: Message, **settings: Any) -> Finished:
    sampling = Sampling(**({"seed": 2, "max_tokens": 24} | settings))
    request = ReplyRequest(id="1", chat="a", messages=messages, sampling=sampling)
    *_, last = session.reply(request, threading.Event())
    assert isinstance(last, Finished)
    return last


def user(text: str) -> Message:
    return Message(role="user", text=text)


def with_ids(messages: list[Message], finished: Finished) -> list[Message]:
    """The path with the tokens that were fed, and the answer at its end."""
    assert finished.ids is not None
    answer = Message(role="assistant", text=finished.text)
    return [
        Message(role=m.role, text=m.text, ids=ids, tokenizer=finished.tokenizer)
        for m, ids in zip([*messages, answer], finished.ids, strict=True)
    ]


def test_each_turn_reads_only_its_own_tokens(session: Session) -> None:
    path: list[Message] = []
    total = 0
    for text in ("Hello! How are you?", "What sound does a cow make?", "And a dog?"):
        path.append(user(text))
        finished = ask(session, *path)
        path = with_ids(path, finished)
        turn = len(path[-2].ids or ())
        assert finished.stats.prompt_tokens <= turn + 1  # and the answer's last token
        total += turn + len(path[-1].ids or ())
        assert finished.stats.position == total - 1


def test_a_chat_fed_turn_by_turn_reads_the_same_tokens_as_its_template(session: Session) -> None:
    assert session.model is not None
    tokenizer = session.model.tokenizer
    path = [user("Hello! How are you?")]
    path = with_ids(path, ask(session, *path, max_tokens=200))
    path.append(user("Tell me more."))
    finished = ask(session, *path)
    assert finished.ids is not None
    fed = [token for share in finished.ids[:-1] for token in share]
    plain = [Message(role=m.role, text=m.text) for m in path]
    assert fed == tokenizer.encode(tokenizer.render(plain, add_generation_prompt=True))


def test_regenerate_reads_one_token_and_the_same_seed_writes_the_same(session: Session) -> None:
    path = [user("Tell me a short story about a lighthouse and a goat.")]
    first = ask(session, *path)
    again = ask(session, *path)
    other = ask(session, *path, seed=3)
    assert again.text == first.text
    assert other.text != first.text
    assert again.stats.prompt_tokens == other.stats.prompt_tokens == 1


def test_a_chat_never_knows_what_another_was_told(session: Session) -> None:
    question = [user("What is my favourite colour?")]
    cold = ask(session, *question, temperature=0.0)
    ask(session, user("My favourite colour is a very dark blue."))
    assert ask(session, *question, temperature=0.0).text == cold.text


def test_a_reopened_chat_is_read_from_its_tokens_not_its_text(session: Session) -> None:
    path = [user("Hello! How are you?")]
    path = with_ids(path, ask(session, *path))
    warm = ask(session, *path, user("Why?"), temperature=0.0)
    fresh = Session()
    load(fresh, STARTER)
    cold = ask(fresh, *path, user("Why?"), temperature=0.0)
    assert cold.ids == warm.ids
    assert cold.text == warm.text
    assert cold.stats.prompt_tokens > warm.stats.prompt_tokens
    fresh.unload()


def test_a_stopped_answer_can_be_talked_on_from(session: Session) -> None:
    stopped = threading.Event()
    request = ReplyRequest(id="1", chat="a", messages=(user("Tell me a story."),))
    events = session.reply(request, stopped)
    for count, event in enumerate(events):
        if count == 8:
            stopped.set()
        last = event
    assert isinstance(last, Finished)
    assert last.stats.stop_reason == "stopped"
    path = with_ids([user("Tell me a story.")], last)
    finished = ask(session, *path, user("Go on."))
    assert finished.ids is not None
    closing = session.model.tokenizer.special_text(4)  # type: ignore[union-attr]
    assert finished.ids[2][0] == session.model.tokenizer.encode(closing)[0]  # type: ignore[union-attr]
    assert finished.stats.prompt_tokens == len(finished.ids[2])


def test_a_model_that_cannot_be_loaded_leaves_the_one_that_is(
    session: Session, tiny_folder: Callable[..., Path], tmp_path: Path
) -> None:
    before = session.model
    broken = tiny_folder(name="broken")
    (broken / "tokenizer.json").write_text("{", encoding="utf-8")
    for folder in (broken, tmp_path / "nowhere"):
        with pytest.raises(EngineError):
            load(session, folder)
        assert session.model is before
        assert ask(session, user("Hello!")).text
    stopped = threading.Event()
    stopped.set()
    with pytest.raises(Stopped):
        session.load(tiny_folder(), on_progress=lambda _: None, stopped=stopped)
    assert session.model is before


@pytest.mark.parametrize(("share", "allowed"), [(0.75, False), (0.75, True), (0.95, True)])
def test_a_tight_model_is_loaded_only_where_that_is_allowed_and_one_that_does_not_fit_never(
    session: Session, monkeypatch: pytest.MonkeyPatch, share: float, allowed: bool
) -> None:
    needed = library.describe(STARTER, device.machine()).needed_bytes
    small = replace(device.machine(), limit_bytes=int(needed / share))
    monkeypatch.setattr("engine.session.machine", lambda: small)
    before = session.model

    def load_again() -> None:
        never = threading.Event()
        session.load(STARTER, on_progress=lambda _: None, stopped=never, allow_tight=allowed)

    if share < 0.9 and allowed:
        load_again()
        assert session.model is not before
        return
    with pytest.raises(EngineError) as caught:
        load_again()
    assert caught.value.code == ("tight" if share < 0.9 else "too_big")
    assert caught.value.values["needed"] == needed
    assert caught.value.values["limit"] == small.limit_bytes
    assert session.model is before


def test_another_model_replaces_the_first_and_reads_the_chat_anew(
    session: Session, tiny_folder: Callable[..., Path]
) -> None:
    path = with_ids([user("Hello!")], ask(session, user("Hello!")))
    load(session, tiny_folder())
    finished = ask(session, *path, user("And now?"))
    assert finished.tokenizer != path[0].tokenizer
    assert finished.ids is not None
    assert finished.stats.prompt_tokens == sum(len(share) for share in finished.ids[:-1])


def test_without_a_model_one_sentence_says_so(session: Session) -> None:
    session.unload()
    with pytest.raises(EngineError, match="choose one first"):
        ask(session, user("Hello!"))


def test_a_base_model_continues_the_text_as_it_stands(tiny_folder: Callable[..., Path]) -> None:
    folder = tiny_folder()
    config = folder / "tokenizer_config.json"
    config.write_text('{"eos_token": "<|end|>"}', encoding="utf-8")
    base = Session()
    load(base, folder)
    assert base.model is not None
    assert not base.model.tokenizer.has_template
    finished = ask(base, user("Once upon a time"))
    assert finished.ids is not None
    assert list(finished.ids[0]) == base.model.tokenizer.encode("Once upon a time")
    base.unload()


@pytest.mark.parametrize("precision", ["bfloat16", "8-bit", "4-bit"])
def test_a_model_answers_in_the_precision_it_is_loaded_in(session: Session, precision: str) -> None:
    own = session.info
    info = session.load(
        STARTER, on_progress=lambda _: None, stopped=threading.Event(), precision=precision
    )
    assert session.model is not None
    assert info.dtype == session.model.dtype == precision
    assert own is not None
    assert info.needed_bytes < own.needed_bytes
    assert ask(session, user("Hello")).stats.new_tokens > 0


def test_a_precision_that_is_none_is_refused(session: Session) -> None:
    with pytest.raises(EngineError, match="float32, float16, bfloat16, 8-bit, 4-bit"):
        session.load(
            STARTER, on_progress=lambda _: None, stopped=threading.Event(), precision="int3"
        )
    assert session.model is not None


def test_a_copy_in_fewer_bits_is_written_once_and_loaded_each_time(
    session: Session, home: Path
) -> None:
    seen: list[float] = []
    written: set[int] = set()
    for _ in range(2):
        seen.clear()
        info = session.load(STARTER, on_progress=seen.append, stopped=threading.Event(), keep=8)
        assert info.folder == home / "models" / "starter-3m-8bit"
        assert info.dtype == "8-bit"
        assert seen == sorted(seen)
        assert seen[-1] == 1.0
        written.add((info.folder / "model.safetensors").stat().st_mtime_ns)
    assert len(written) == 1
