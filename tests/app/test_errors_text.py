"""Every error of the engine has a sentence of its own in the window."""

from __future__ import annotations

import string

from app.errors_text import SENTENCES, UNEXPECTED, sentence
from engine.errors import ENGLISH, EngineError


def _placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def test_every_error_of_the_engine_has_a_sentence_with_its_values() -> None:
    assert SENTENCES.keys() == ENGLISH.keys()
    for code, english in ENGLISH.items():
        assert _placeholders(str(SENTENCES[code])) == _placeholders(english), code


def test_figures_in_a_sentence_are_separated_in_thousands() -> None:
    error = EngineError("incomplete", file="model.safetensors", found=1234567, expected=7654321)
    assert sentence(error) == (
        "model.safetensors is incomplete: 1,234,567 of 7,654,321 bytes; download it again."
    )


def test_a_fault_of_our_own_shows_no_traceback() -> None:
    assert sentence(ZeroDivisionError("division by zero")) == UNEXPECTED
