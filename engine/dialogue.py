"""A chat's messages as tokens: what was fed for each of them, and what the next reply must read.

Tokens that were fed are the truth and are never tokenised again; only new messages are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine.api import Message
from engine.chat_template import MARK
from engine.tokenizer import Tokenizer


def path_ids(tokenizer: Tokenizer, messages: Sequence[Message]) -> list[tuple[int, ...]] | None:
    """The tokens of each message of a path that ends with the user's; together, the prompt.

    A user's share begins with what closes the answer before it and ends with what opens the next.
    None where the template rewrites earlier text, so that shares cannot be told apart: then
    `whole_ids` is the prompt."""
    shares: list[tuple[int, ...]] = []
    known = True
    for at, message in enumerate(messages):
        known = known and message.ids is not None and message.tokenizer == tokenizer.fingerprint
        if known and message.ids is not None:
            shares.append(message.ids)
        elif message.role == "assistant":
            shares.append(tuple(tokenizer.encode(message.text)))
        elif message.role == "system":
            shares.append(())  # a template may need the user's message beside it
        else:
            before = shares[at - 1] if at else ()
            opening = _turn(tokenizer, messages[: at + 1], before)
            if opening is None:
                return None
            shares.append(tuple(tokenizer.encode(opening)))
    return shares


def whole_ids(tokenizer: Tokenizer, messages: Sequence[Message]) -> tuple[int, ...]:
    """The whole path rendered and tokenised anew."""
    return tuple(tokenizer.encode(tokenizer.render(messages, add_generation_prompt=True)))


def _turn(tokenizer: Tokenizer, path: Sequence[Message], answer: Sequence[int]) -> str | None:
    """The text from the end of the last `answer` to where the next one begins."""
    if not tokenizer.has_template:
        return path[-1].text
    whole = tokenizer.render(path, add_generation_prompt=True)
    last = max((i for i, message in enumerate(path) if message.role == "assistant"), default=None)
    if last is None:
        return whole
    earlier = tokenizer.render(path[: last + 1], add_generation_prompt=False)
    marked = [*path[:last], replace(path[last], text=MARK)]
    head, mark, closing = tokenizer.render(marked, add_generation_prompt=False).partition(MARK)
    if not mark or not whole.startswith(earlier) or not earlier.startswith(head):
        return None
    return _unsaid(tokenizer, closing, answer) + whole[len(earlier) :]


def _unsaid(tokenizer: Tokenizer, closing: str, answer: Sequence[int]) -> str:
    """`closing` without what the model wrote of it itself: its end token, or the words that end a
    turn and what came with their last token."""
    if answer and answer[-1] in tokenizer.end_ids:
        end = tokenizer.special_text(answer[-1])
        return closing.removeprefix(end)
    stop = tokenizer.stop
    if stop and answer:
        _, said, beyond = tokenizer.decode(answer).partition(stop)
        if said:
            rest = closing.partition(stop)[2]
            while rest and rest[0] == beyond[:1]:
                rest, beyond = rest[1:], beyond[1:]
            return rest
    return closing
