"""The window stays live while an answer comes in, whatever the answer is."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from time import perf_counter, thread_time

import pytest
from PySide6.QtCore import QEventLoop, QObject, Qt, QTimer
from pytestqt.qtbot import QtBot

from app.panels.transcript import Transcript
from app.values import MessageRow
from app.widgets.idle import idle
from app.window_app import settle

QUESTION = MessageRow(id="q", role="user", text="q")
WRITING = MessageRow(id="a", role="assistant", text="", status="writing")
PARAGRAPH = "The stars of **January**, night by night, with `code` and enough words to wrap it.\n\n"


def pieces(text: str, size: int) -> Iterator[str]:
    for start in range(0, len(text), size):
        yield text[start : start + size]


class Beat(QObject):
    """Measures the longest time that the event loop did not come round: in seconds on `clock`."""

    def __init__(self, clock: Callable[[], float]) -> None:
        super().__init__()
        self._clock = clock
        self._timer = QTimer(self, interval=10)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._beat)
        self._last = self._longest = 0.0

    def _beat(self) -> None:
        now = self._clock()
        self._longest = max(self._longest, now - self._last)
        self._last = now

    def idle(self, milliseconds: int) -> float:
        """The longest gap while nothing happens."""
        loop = QEventLoop()
        QTimer.singleShot(milliseconds, loop.quit)
        return self._run(loop)

    def busy(self, work: Iterator[None]) -> list[float]:
        """The longest gap after each step of `work`, which goes on 30 times a second."""
        loop, feed = QEventLoop(), QTimer(interval=33)
        gaps: list[float] = []

        def step() -> None:
            gaps.append(self._longest)
            self._longest = 0.0
            if next(work, loop) is loop:
                loop.quit()

        feed.timeout.connect(step)
        feed.start()
        gaps.append(self._run(loop))
        feed.stop()
        return gaps[1:]

    def _run(self, loop: QEventLoop) -> float:
        self._last, self._longest = self._clock(), 0.0
        self._timer.start()
        loop.exec()
        self._timer.stop()
        return self._longest


TEXTS = {
    "mixed": 40 * (4 * PARAGRAPH + "```py\n" + 8 * "x = f('a')  # b\n" + "```\n\n- a\n- b\n\n"),
    "one paragraph": 1200 * "word and more words ",
    "code": "```py\n" + 1200 * "    x = f('a')  # b\n",
}


def answered(transcript: Transcript, text: str, count: int) -> Iterator[None]:
    """Write `text` in `count` pieces, a step each."""
    transcript.show_chat([QUESTION, WRITING])
    for piece in pieces(text, len(text) // count):
        transcript.append_text("a", piece)
        yield
    transcript.finish(MessageRow(id="a", role="assistant", text=text))
    yield


@pytest.fixture
def settled() -> Iterator[None]:
    """As in the app, the collector passes over what stood before the answer."""
    settle()
    yield
    gc.unfreeze()


@pytest.mark.usefixtures("settled")
@pytest.mark.parametrize("kind", list(TEXTS))
def test_the_window_stays_live_while_5000_tokens_are_written(
    qtbot: QtBot, transcript: Transcript, kind: str
) -> None:
    """What the window itself takes between two turns of its loop is at most 5 times the longest
    gap of an idle window in the same run. A busy machine only ever adds, now to one step and now
    to another, so each step counts as in its best of six."""
    text = TEXTS[kind][:20_000]
    qtbot.waitUntil(idle().is_done)
    quiet, best, tries = 1.0, [10.0] * 102, 0
    while tries < 6 and max(best) > 5 * quiet:
        quiet = min(quiet, Beat(perf_counter).idle(400))
        gaps = Beat(thread_time).busy(answered(transcript, text, 100))
        best = [min(pair) for pair in zip(best, gaps, strict=False)]
        qtbot.waitUntil(idle().is_done)
        tries += 1
    assert len(best) >= 100
    assert max(best) <= 5 * quiet, (tries, quiet, sorted(best)[-5:])


@pytest.mark.bench
@pytest.mark.usefixtures("settled")
@pytest.mark.parametrize("kind", list(TEXTS))
def test_report_the_longest_gap_while_5000_tokens_are_written(
    qtbot: QtBot, transcript: Transcript, kind: str, capsys: pytest.CaptureFixture[str]
) -> None:
    text = TEXTS[kind][:20_000]
    qtbot.waitUntil(idle().is_done)
    quiet = Beat(perf_counter).idle(2_000)
    gaps = [max(Beat(perf_counter).busy(answered(transcript, text, 170))) for _ in range(3)]
    with capsys.disabled():
        told = ", ".join(f"{gap * 1e3:.0f}" for gap in gaps)
        print(f"\nlongest gap, {kind}: {told} ms; idle {quiet * 1e3:.0f} ms (aim: 50 ms)")
    assert min(gaps) < 1.0


@pytest.mark.parametrize(
    "text",
    [
        "x" * 100_000,
        "word " * 20_000,
        "[" * 20_000,
        "*a" * 10_000,
        "`" * 20_000,
        "> " * 5_000,
        "- " * 5_000,
        "\n".join(" " * 2 * depth + "- x" for depth in range(140)),
        "```\n" + "x" * 50_000,
    ],
    ids=[
        "unbroken",
        "paragraph",
        "brackets",
        "stars",
        "backticks",
        "quotes",
        "dashes",
        "lists",
        "code",
    ],
)
def test_a_text_made_to_freeze_the_window_does_not(
    qtbot: QtBot, transcript: Transcript, text: str
) -> None:
    """One step may take no longer than many times that of an honest text of the same length."""

    def longest(source: str) -> float:
        worst = 0.0
        work = answered(transcript, source, len(source) // 500)
        while True:
            start = thread_time()
            if next(work, work) is work:
                return worst
            worst = max(worst, thread_time() - start)

    honest = longest(("A few words in a sentence. " * 12 + "\n\n") * 300)
    assert longest(text) < 40 * honest
