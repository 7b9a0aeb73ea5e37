"""Text to tokens and back, by a tokenizer.json."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import takewhile
from pathlib import Path
from typing import Any

from engine.api import Message
from engine.chat_template import ChatTemplate, find_template
from engine.checkpoint import Checkpoint
from engine.errors import EngineError
from engine.small_files import read_bytes, read_object
from engine.text_stream import TextStream
from engine.tokenizer_file import NEOX_END, embedding_rows, neox, tokenizer_file

os.environ["TOKENIZERS_PARALLELISM"] = "false"  # else it warns at every fork; we encode one text

import tokenizers

_SAMPLE = "It's 3 o'clock.\n山 é 👍"  # must go through before a tokenizer is believed


class Tokenizer:
    """A model's tokenizer, with the tokens that end an answer and the chat template."""

    def __init__(
        self, content: bytes, ends: Iterable[int | str], template: ChatTemplate | None
    ) -> None:
        """`content` is a tokenizer.json, `ends` the tokens after which an answer is over, by
        number or as written; those that the tokenizer lacks are passed over. The token or words
        with which the template ends a turn are another: in `end_ids`, or `stop` if not special.

        Raises ValueError when `content` is no tokenizer."""
        self.fingerprint = hashlib.sha256(content).hexdigest()
        self._inner = tokenizers.Tokenizer.from_buffer(content)
        self._inner.no_truncation()
        self._inner.no_padding()
        self.size = 1 + max(self._inner.get_vocab().values(), default=-1)
        if not self.size:
            raise ValueError("it has no tokens")
        ids = [self._inner.token_to_id(end) if isinstance(end, str) else end for end in ends]
        self.end_ids = frozenset(end for end in ids if end is not None and 0 <= end < self.size)
        self._template = template
        added = self._inner.get_added_tokens_decoder()
        self._special = frozenset(token for token, kind in added.items() if kind.special)
        self._steps = _decoder_steps(json.loads(content).get("decoder"))
        closing = self.encode(_first_line(template.closing())) if template else []
        self.end_ids |= self._special.intersection(closing[:1])
        self.stop = self.decode([*takewhile(lambda token: token not in self._special, closing)])

    @property
    def has_template(self) -> bool:
        """Whether the model was made for chat."""
        return self._template is not None

    def encode(self, text: str) -> list[int]:
        """The tokens of `text`. Special tokens written in it are recognised, none are added."""
        whole = text.encode(errors="replace").decode()  # half of a surrogate pair is no text
        return list(self._inner.encode(whole, add_special_tokens=False).ids)

    def decode(self, ids: Sequence[int]) -> str:
        """The text of `ids` as `stream` gives it. Special tokens have no text."""
        stream = self.stream()
        return "".join([stream.feed(token) for token in ids]) + stream.close()

    def stream(self) -> TextStream:
        """A new stream that takes tokens one by one."""
        return TextStream(self._piece)

    def special_text(self, token: int) -> str:
        """How the token is written in a text, special ones too; "" for none."""
        return self._inner.id_to_token(token) or ""

    def render(self, messages: Sequence[Message], *, add_generation_prompt: bool) -> str:
        """`messages` as the chat template writes them. Raises EngineError("bad_template")."""
        if self._template is None:
            raise ValueError("the model has no chat template")
        return self._template.render(messages, add_generation_prompt=add_generation_prompt)

    def _piece(self, token: int, before: int | None) -> bytes | None:
        """The bytes that `token` adds after the token `before`; None if it is no text."""
        text = self._inner.id_to_token(token)
        if text is None or token in self._special:
            return None
        if "ByteLevel" in self._steps:
            return _spelled_bytes(text)
        if "ByteFallback" in self._steps and len(text) == 6 and text.startswith("<0x"):
            return bytes.fromhex(text[3:5])
        if before is None:
            return self._inner.decode([token]).encode()
        # Other decoders look at most at the token before: at spaces between words.
        start, both = self._inner.decode([before]), self._inner.decode([before, token])
        return both.removeprefix(start).encode()


def load_tokenizer(checkpoint: Checkpoint) -> Tokenizer:
    """The checkpoint's tokenizer. Raises EngineError for whatever is wrong with it, with its chat
    template, or with how it fits the model."""
    folder = checkpoint.folder
    file = tokenizer_file(checkpoint)
    try:
        content = read_bytes(file)
    except FileNotFoundError as error:
        raise EngineError("missing_file", path=folder, file=file.name) from error
    special = _special_tokens(folder)
    source = find_template(folder, checkpoint.config)
    template = None if source is None else ChatTemplate(folder.name, source.text, special)
    ends = [*_ends(checkpoint, special), *([NEOX_END] if file == neox() else [])]
    try:
        tokenizer = Tokenizer(content, ends, template)
        tokenizer.decode(tokenizer.encode(_SAMPLE))
    except BaseException as error:
        # The library raises these two, and where it panics what is not even an Exception.
        if type(error) not in (ValueError, Exception) and "Panic" not in type(error).__name__:
            raise
        raise EngineError("bad_tokenizer", file=file, detail=str(error)) from error
    rows = embedding_rows(checkpoint)
    if tokenizer.size > rows:
        raise EngineError("vocabulary", file=file, found=tokenizer.size, expected=rows)
    return tokenizer


def _first_line(text: str) -> str:
    """The first line that is not blank, without the spaces around it."""
    return text.strip().partition("\n")[0].rstrip()


def _special_tokens(folder: Path) -> dict[str, str]:
    """The tokens with a role, as written: "bos_token" and the like."""
    special: dict[str, str] = {}
    for name in ("special_tokens_map.json", "tokenizer_config.json"):
        for role, value in read_object(folder / name, missing={}).items():
            text = value.get("content") if isinstance(value, dict) else value
            if role.endswith("_token") and isinstance(text, str):
                special[role] = text
    return special


def _ends(checkpoint: Checkpoint, special: Mapping[str, str]) -> list[int | str]:
    """The end tokens that the tokenizer, generation_config and config name, together."""
    ends: list[int | str] = []
    if "eos_token" in special:
        ends.append(special["eos_token"])
    for fields, name in (
        (checkpoint.generation, "generation_config.json"),
        (checkpoint.config, "config.json"),
    ):
        value = fields.get("eos_token_id")
        ids = value if isinstance(value, list) else [] if value is None else [value]
        if not all(type(end) is int for end in ids):
            raise EngineError(
                "bad_config", file=checkpoint.folder / name, field="eos_token_id",
                expected="a token or a list of tokens", found=json.dumps(value)[:80],
            )  # fmt: skip
        ends += ids
    return ends


def _decoder_steps(decoder: Any) -> frozenset[str]:
    """The types of the decoder's parts."""
    if not isinstance(decoder, dict):
        return frozenset()
    parts = decoder.get("decoders") or []
    return frozenset([decoder.get("type", "")]).union(*map(_decoder_steps, parts))


@cache
def _bytes_of_letters() -> dict[str, int]:
    """The letters in which byte-level tokenizers spell bytes: printable Latin-1 stands for
    itself, the other bytes for the letters from U+0100 on, in order."""
    plain = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(256) if byte not in plain]
    return {chr(byte): byte for byte in plain} | {
        chr(0x100 + at): byte for at, byte in enumerate(others)
    }


def _spelled_bytes(token: str) -> bytes:
    """The bytes that a byte-level token spells; one with other letters is meant as it stands."""
    letters = _bytes_of_letters()
    if all(letter in letters for letter in token):
        return bytes(letters[letter] for letter in token)
    return token.encode()
