"""The sentences of the window that depend on values: subtitle, placeholder, hint."""

from __future__ import annotations

from datetime import date, datetime, timedelta

from PySide6.QtCore import QCoreApplication, QDate, QLocale

from app import format as text
from app.live_reply import LiveReply
from engine.api import Machine


def subtitle(live: LiveReply | None, updated: datetime | None, waiting_for: str) -> str:
    """What stands under a chat's title. `updated` None is a chat that has not begun;
    `waiting_for` names the model that is being loaded, if one is."""
    if live is None:
        return (
            when(updated) if updated else QCoreApplication.translate("Wording", "Nothing sent yet")
        )
    if not live.began:
        if waiting_for:
            return QCoreApplication.translate("Wording", "Waiting for {model}").format(
                model=waiting_for
            )
        return QCoreApplication.translate("Wording", "Waiting for its turn")
    if live.reading or live.tokens < 2:
        return QCoreApplication.translate("Wording", "Reading the prompt")
    return QCoreApplication.translate("Wording", "Writing, {count} tokens").format(
        count=text.count(live.tokens)
    )


def when(moment: datetime) -> str:
    """A day and a time: "Today 10:42"."""
    time = f"{moment:%H:%M}"
    day, today = moment.date(), date.today()
    if day == today:
        return QCoreApplication.translate("Wording", "Today {time}").format(time=time)
    if day == today - timedelta(days=1):
        return QCoreApplication.translate("Wording", "Yesterday {time}").format(time=time)
    written = QLocale().toString(
        QDate(day.year, day.month, day.day), QCoreApplication.translate("Wording", "d MMMM yyyy")
    )
    return QCoreApplication.translate("Wording", "{date} {time}").format(date=written, time=time)


def placeholder(model: str, *, busy: bool) -> str:
    """What stands in an empty composer."""
    if busy:
        return QCoreApplication.translate("Wording", "Write the next message")
    if not model:
        return QCoreApplication.translate("Wording", "Choose a model to start")
    return QCoreApplication.translate("Wording", "Message {model}").format(model=model)


def hint(position: int) -> str:
    """What stands beside Send: the tokens that the model has read of the chat."""
    return QCoreApplication.translate("Wording", "{count} tokens in state").format(
        count=text.count(position)
    )


def unread(model: str, tokens: int) -> str:
    """A chat that `model` must read from its start; `tokens` 0 is a number not known."""
    if not tokens:
        words = QCoreApplication.translate("Wording", "{model} has not read this chat yet")
        return words.format(model=model)
    words = QCoreApplication.translate(
        "Wording", "{model} has not read this chat yet: {count} tokens"
    )
    return words.format(model=model, count=text.count(tokens))


def memory(n_bytes: int) -> str:
    """A machine's memory as it is sold: "16 GB" for 16 times 2 to the 30th."""
    return f"{round(n_bytes / 2**30)} GB"


def device(machine: Machine) -> str:
    """What the strip says under the backend: "M2 Pro, 16 GB"; of a CPU, what computes."""
    if machine.backend == "CPU":
        return machine.device
    return f"{machine.device.removeprefix('Apple ')}, {memory(machine.memory_bytes)}"


def missing(model: str) -> str:
    """A chat whose model was removed."""
    return QCoreApplication.translate(
        "Wording",
        "{model} is no longer installed. You can read this chat; to go on, choose another model.",
    ).format(model=model)


def base_model() -> str:
    """What to expect of a model that was not trained to chat."""
    return QCoreApplication.translate(
        "Wording", "A base model: it continues your text and does not answer questions."
    )


def set_aside(file: str) -> str:
    """The chats' file could not be read, and was kept under another name."""
    return QCoreApplication.translate(
        "Wording", "The chats could not be read. They are kept in {file}; new ones start afresh."
    ).format(file=file)


def moving(done_bytes: int, total_bytes: int) -> str:
    """How far the models are moved to another folder: "Moving 1.2 of 4.7 GB"."""
    done, total = text.short_size(done_bytes), text.short_size(total_bytes)
    if done.split()[1] == total.split()[1]:
        done = done.split()[0]
    words = QCoreApplication.translate("Wording", "Moving {done} of {total}")
    return words.format(done=done, total=total)
