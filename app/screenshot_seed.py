"""A library and chats that a user could have, for the screenshots; not used by the app."""

from __future__ import annotations

import os
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

from app.screenshot_content import Content
from app.store import Store
from app.values import Trace
from engine.api import Machine, ModelInfo, Need, Stats

_GB = 10**9
MACHINE = Machine(
    backend="Metal", device="Apple M2 Pro", memory_bytes=16 << 30, limit_bytes=12 * _GB
)


def models() -> list[ModelInfo]:
    """A library of the kind that a user has, the models that come with the app first."""
    starter = ModelInfo(
        name="starter-12m", folder=Path("starter-12m"), family="mamba", chat=True,
        parameters=12_079_040, dtype="float16", disk_bytes=24_160_000, needed_bytes=60_000_000,
        state_bytes=680_960, place="bundled",
    )  # fmt: skip
    return [
        starter,
        replace(starter, name="starter-3m", folder=Path("starter-3m"), disk_bytes=5_800_000,
                parameters=2_910_720, needed_bytes=20_000_000, state_bytes=218_880),
        replace(starter, name="Falcon3-Mamba 7B Instruct", folder=Path("falcon3-mamba"),
                family="falcon_mamba", dtype="4-bit", disk_bytes=41 * _GB // 10, place="own",
                needed_bytes=47 * _GB // 10, state_bytes=39_800_000),
        replace(starter, name="mamba-130m-hf", folder=Path("mamba-130m"), chat=False,
                disk_bytes=517_000_000, needed_bytes=560_000_000, dtype="float32",
                place="own", state_bytes=2_800_000),
        replace(starter, name="mamba-2.8b-hf", folder=Path("mamba-2.8b"), chat=False,
                dtype="float32", disk_bytes=11 * _GB, needed_bytes=115 * _GB // 10,
                fit="too_big", place="own", state_bytes=25_000_000,
                smaller=Need("bfloat16", 59 * _GB // 10)),
        replace(starter, name="Falcon3-Mamba 7B Instruct 8-bit", folder=Path("falcon3-mamba-8"),
                family="falcon_mamba", dtype="8-bit", disk_bytes=77 * _GB // 10, fit="tight",
                needed_bytes=84 * _GB // 10, place="own", state_bytes=39_800_000),
    ]  # fmt: skip


def seeded(content: Content) -> Store:
    """Chats of the last weeks; the newest holds the talk."""
    now = datetime.now().astimezone().replace(hour=10, minute=42)
    clock = [now]
    store = Store(Path(os.environ["MAMBA_CHAT_HOME"]) / "chats.sqlite", now=lambda: clock[0])
    model = models()[2].name
    for at, (days, title) in reversed(list(enumerate(content.titles))):
        clock[0] = now - timedelta(days=days, minutes=at)
        gone = "Falcon-Mamba 7B" if at == 8 else model
        chat, question = store.create_chat(content.talk[0][0], gone)
        store.rename(chat, title)
        _answer(store, chat, question.row.id, gone, content.talk, 41)
    return store


def _answer(
    store: Store, chat: str, question: str, model: str, talk: tuple[tuple[str, str], ...], at: int
) -> None:
    """Answer the first question of `talk`, which stands in the store, and have the rest."""
    reply = store.start_reply(chat, question, model).row.id
    tokens = len(talk[0][1]) // 3
    stats = Stats(
        prompt_tokens=22, new_tokens=tokens, load_s=3.1, ttft_ms=210.0 - at // 2,
        prefill_tokens_per_s=248.0, ms_per_token=29.6, tokens_per_s=33.8, state_bytes=39_800_000,
        peak_memory_bytes=47 * _GB // 10, stop_reason="end", backend="Metal",
        position=at + tokens,
    )  # fmt: skip
    points = tuple((at + n, 29.6 + (n * 7 % 5 - 2) / 8) for n in range(2, tokens, 4))
    trace = Trace(points=points, read=((at - 22, at),), end=at + tokens)
    store.finish_reply(reply, talk[0][1], "done", stats=stats, trace=trace)
    if talk[1:]:
        follow_up = store.add_user_message(chat, reply, talk[1][0]).row.id
        _answer(store, chat, follow_up, model, talk[1:], at + tokens + 22)
