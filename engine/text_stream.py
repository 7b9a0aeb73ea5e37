"""Tokens to text as they come, never half a character, nothing dropped or doubled."""

from __future__ import annotations

import codecs
import unicodedata
from collections.abc import Callable

_LONGEST = 32  # code points of one character; a longer one is let go in parts
_ZWJ = "\u200d"


class TextStream:
    """Text grows by whole characters as a reader sees them: a letter with its marks, a flag, a
    family of emoji joined by ZWJ.

    The last character is held back until the next one begins or `close` is called, since a mark
    may still follow it; a line break is shown at once. `piece` gives a token's bytes after the
    token before it, None for one that is no text."""

    def __init__(self, piece: Callable[[int, int | None], bytes | None]) -> None:
        self._piece = piece
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._before: int | None = None
        self._held = ""

    @property
    def held(self) -> str:
        """The text that is decoded and not yet given out: the beginning of one character."""
        return self._held

    def feed(self, token: int) -> str:
        """Take one token; the text that has become certain with it."""
        piece = self._piece(token, self._before)
        if piece is None:
            return ""
        self._before = token
        return self._grow(self._decoder.decode(piece))

    def close(self) -> str:
        """The rest of the text; bytes that make no character become U+FFFD."""
        text = self._held + self._decoder.decode(b"", final=True)
        self._held = ""
        return text

    def _grow(self, more: str) -> str:
        certain = ""
        for char in more:
            if self._held and (len(self._held) >= _LONGEST or not joins(self._held, char)):
                certain += self._held
                self._held = ""
            self._held += char
        if self._held and unicodedata.category(self._held[-1]) == "Cc":
            certain, self._held = certain + self._held, ""
        return certain


def joins(character: str, char: str) -> bool:
    """Whether `char` continues `character`, by the rules of Unicode's annex 29 that matter here.

    Where in doubt it does: the text is then only shown a token later."""
    last = character[-1]
    if unicodedata.category(last) == "Cc":
        return False
    if unicodedata.category(char) in ("Mn", "Me", "Mc") or char in "\u200c\u200d\uff9e\uff9f":
        return True
    if last == _ZWJ or unicodedata.combining(last) == 9:  # a virama binds the next consonant
        return True
    code = ord(char)
    if 0x1F3FB <= code <= 0x1F3FF or 0xE0020 <= code <= 0xE007F:  # skin tones, tags of flags
        return True
    if _is_flag_half(char):
        return len(character) % 2 == 1 and all(map(_is_flag_half, character))
    if char in "\u0e33\u0eb3":  # Thai and Lao AM, half of which stands over the letter before
        return True
    return _joins_hangul(ord(last), code)


def _is_flag_half(char: str) -> bool:
    return 0x1F1E6 <= ord(char) <= 0x1F1FF


def _joins_hangul(last: int, code: int) -> bool:
    """Whether two letters of Hangul stand in one syllable."""
    leads = 0x1100 <= last <= 0x115F or 0xA960 <= last <= 0xA97C
    if 0x1100 <= code <= 0x115F or 0xA960 <= code <= 0xA97C:
        return leads
    follows = 0x1160 <= code <= 0x11FF or 0xD7B0 <= code <= 0xD7FB
    in_syllable = 0x1100 <= last <= 0x11FF or 0xAC00 <= last <= 0xD7A3 or 0xD7B0 <= last <= 0xD7FB
    return follows and (leads or in_syllable)
