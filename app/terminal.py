"""The same chat in the terminal, for a machine without a display."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from engine import library
from engine.api import Finished, Message, Piece, Reading, ReplyRequest, Sampling, Stats
from engine.errors import EngineError
from engine.session import Session

_TINY = " It is tiny: good for small talk and short stories, and often wrong about facts."


def main(model: str = library.DEFAULT_MODEL) -> int:
    """Chat until the input ends; 0, or 2 with one sentence when the model cannot be loaded."""
    session, stopped = Session(), threading.Event()
    try:
        info = session.load(library.find(model), on_progress=lambda _: None, stopped=stopped)
    except EngineError as error:
        print(error, file=sys.stderr)
        return 2
    _say(f"{info.name} is loaded." + (_TINY if info.bundled else ""))
    _say("Ctrl-C stops an answer, Ctrl-D leaves.")
    talk = Talk(session)
    while (text := _read_line()) is not None:
        if text.strip():
            talk.answer(text)
    return 0


class Talk:
    """One chat: its messages, and answers that are printed as they come."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._path: list[Message] = []
        self._count = 0

    def answer(self, text: str) -> None:
        """Print the answer to `text`; Ctrl-C stops it, and what was said stays in the chat."""
        stopped = threading.Event()
        self._count += 1
        question = Message(role="user", text=text)
        request = ReplyRequest(
            id=str(self._count),
            chat="terminal",
            messages=(*self._path, question),
            sampling=Sampling(),
        )
        with _interrupts(stopped.set):
            try:
                for event in self._session.reply(request, stopped):
                    self._tell(event, request)
            except EngineError as error:
                print()
                _say(str(error))

    def _tell(self, event: Reading | Piece | Finished, request: ReplyRequest) -> None:
        if isinstance(event, Piece):
            print(event.text, end="", flush=True)
        elif isinstance(event, Finished):
            print(flush=True)
            _say(_figures(event.stats))
            answer = Message(role="assistant", text=event.text)
            path = [*request.messages, answer]
            self._path = [
                Message(
                    role=message.role,
                    text=message.text,
                    ids=event.ids[at] if event.ids else None,
                    tokenizer=event.tokenizer,
                )
                for at, message in enumerate(path)
            ]


def _figures(stats: Stats) -> str:
    ended = {"stopped": "stopped at {} tokens", "length": "reached {} tokens"}
    parts = [ended.get(stats.stop_reason, "{} tokens").format(stats.new_tokens)]
    if stats.ms_per_token is not None:
        parts.append(f"{stats.ms_per_token:.1f} ms/token")
    if stats.ttft_ms is not None:
        parts.append(f"first token {stats.ttft_ms / 1e3:.2f} s")
    parts.append(stats.backend)
    return ", ".join(parts)


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def _read_line() -> str | None:
    """What the user types; None when the input ends. Ctrl-C starts the line anew."""
    while True:
        try:
            return input("> " if sys.stdin.isatty() else "")
        except KeyboardInterrupt:
            print()
        except EOFError:
            if sys.stdin.isatty():
                print()
            return None


@contextmanager
def _interrupts(act: Callable[[], None]) -> Iterator[None]:
    """While it lasts, Ctrl-C calls `act` instead of ending the program."""
    before = signal.signal(signal.SIGINT, lambda *_: act())
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
