"""Text grows by whole characters, and all of it is what the tokens say."""

from __future__ import annotations

import random

import pytest
import tokenizers
from tokenizers import decoders, models, pre_tokenizers, trainers

from engine import paths
from engine.text_stream import joins
from engine.tokenizer import Tokenizer

# Characters as a reader counts them, each of which must come in one piece.
CHARACTERS = [
    *"aZ 7.,\n",
    "é",  # composed
    "e\u0301",  # with a mark
    "ą\u0301",
    "x\u0304\u0323",
    "山",
    "が",
    "か\u3099",
    "葛\U000e0100",  # with an ideographic variation
    "한",
    "\u1112\u1161\u11ab",  # the same in letters
    "क्षि",
    "ก็",
    "น้ำ",
    "שָׁ",
    "👍",
    "👍🏽",
    "❤\ufe0f",
    "1\ufe0f\u20e3",
    "👨\u200d👩\u200d👧\u200d👦",
    "🏳\ufe0f\u200d🌈",
    "🇯🇵",
    "🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",
]
TEXTS = [
    "The quick brown fox's 3 dogs.\n\n  Indented\tcode();",
    "吾輩は猫である。名前はまだ無い。",
    "Ünïcödé naïve café — “quotes” … 日本語 한국어 العربية हिन्दी ไทย",
    "👨\u200d👩\u200d👧 🇯🇵🇫🇷 👍🏽 ❤\ufe0f é́",
]


def _wrapped(inner: tokenizers.Tokenizer) -> Tokenizer:
    return Tokenizer(inner.to_str().encode(), [], None)


def _byte_level(merges: int) -> tokenizers.Tokenizer:
    """A byte-level BPE whose merges end in the middle of characters as often as not."""
    inner = tokenizers.Tokenizer(models.BPE())
    inner.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    inner.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=257 + merges,
        special_tokens=["<|end|>"],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    inner.train_from_iterator(TEXTS, trainer)
    return inner


def _byte_fallback() -> tokenizers.Tokenizer:
    """As llama-like models have it: ▁ for a space, <0xE5> for a byte that no word holds."""
    words = ["<unk>", *(f"<0x{byte:02X}>" for byte in range(256)), "▁", "▁the", "▁cat", "s", "猫"]
    inner = tokenizers.Tokenizer(
        models.BPE({word: at for at, word in enumerate(words)}, [], byte_fallback=True)
    )
    inner.decoder = decoders.Sequence(
        [
            decoders.Replace("▁", " "),
            decoders.ByteFallback(),
            decoders.Fuse(),
            decoders.Strip(" ", 1, 0),
        ]
    )
    return inner


def _word_pieces() -> tokenizers.Tokenizer:
    words = ["[UNK]", "play", "##ing", "##ed", "the", "game", ".", ",", "don", "'", "t"]
    inner = tokenizers.Tokenizer(
        models.WordPiece({word: at for at, word in enumerate(words)}, unk_token="[UNK]")
    )
    inner.decoder = decoders.WordPiece(cleanup=False)
    return inner


def _words_alone() -> tokenizers.Tokenizer:
    words = ["[UNK]", "one", "two", "three"]
    return tokenizers.Tokenizer(
        models.WordLevel({word: at for at, word in enumerate(words)}, unk_token="[UNK]")
    )


def _suffixed() -> tokenizers.Tokenizer:
    words = ["play", "ing</w>", "the</w>", "game</w>"]
    inner = tokenizers.Tokenizer(models.BPE({word: at for at, word in enumerate(words)}, []))
    inner.decoder = decoders.BPEDecoder("</w>")
    return inner


def _meta_space() -> tokenizers.Tokenizer:
    words = ["<unk>", "▁", "▁the", "▁cat", "s", "▁▁"]
    inner = tokenizers.Tokenizer(models.BPE({word: at for at, word in enumerate(words)}, []))
    inner.decoder = decoders.Metaspace()
    return inner


KINDS = {
    "bytes": lambda: _byte_level(0),
    "byte-level": lambda: _byte_level(60),
    "word pieces": _word_pieces,
    "words": _words_alone,
    "suffixes": _suffixed,
    "meta space": _meta_space,
}


def _starter() -> tokenizers.Tokenizer:
    file = paths.resources() / "models" / "starter-3m" / "tokenizer.json"
    return tokenizers.Tokenizer.from_file(str(file))


def _streamed(tokenizer: Tokenizer, ids: list[int]) -> list[str]:
    stream = tokenizer.stream()
    return [*(stream.feed(token) for token in ids), stream.close()]


@pytest.mark.parametrize("kind", KINDS)
def test_pieces_add_up_to_what_the_library_decodes(kind: str) -> None:
    inner = KINDS[kind]()
    tokenizer = _wrapped(inner)
    rng = random.Random(kind)
    for _ in range(300):
        ids = [rng.randrange(tokenizer.size) for _ in range(rng.randrange(40))]
        assert "".join(_streamed(tokenizer, ids)) == inner.decode(ids), ids


def test_pieces_of_the_starters_tokenizer_add_up_for_any_tokens_and_any_text() -> None:
    inner = _starter()
    tokenizer = _wrapped(inner)
    rng = random.Random(1)
    for _ in range(200):
        ids = [rng.randrange(tokenizer.size + 3) for _ in range(rng.randrange(80))]
        assert "".join(_streamed(tokenizer, ids)) == inner.decode(ids), ids
        text = "".join(chr(rng.choice([rng.randrange(0xD800), rng.randrange(0xE000, 0x110000)]))
                       for _ in range(rng.randrange(20)))  # fmt: skip
        ids = tokenizer.encode(text)
        assert "".join(_streamed(tokenizer, ids)) == inner.decode(ids), text


def test_byte_fallback_shows_every_whole_character_and_strips_the_first_space() -> None:
    tokenizer = _wrapped(_byte_fallback())
    names = {tokenizer.special_text(token): token for token in range(tokenizer.size)}
    word = [names[f"<0x{byte:02X}>"] for byte in "犬".encode()]
    ids = [names["▁the"], names["▁cat"], names["s"], *word, names["猫"], names["▁the"]]
    pieces = _streamed(tokenizer, ids)
    assert "".join(pieces) == "the cats犬猫 the"
    assert "".join(_streamed(tokenizer, [*word[:2], names["▁cat"]])) == "\ufffd cat"


@pytest.mark.parametrize("merges", [0, 60])
def test_what_is_shown_is_always_whole_characters(merges: int) -> None:
    tokenizer = _wrapped(_byte_level(merges))
    rng = random.Random(merges)
    for _ in range(200):
        characters = [rng.choice(CHARACTERS) for _ in range(rng.randrange(1, 12))]
        wholes = {"".join(characters[:count]) for count in range(len(characters) + 1)}
        stream, shown = tokenizer.stream(), ""
        for token in tokenizer.encode("".join(characters)):
            shown += stream.feed(token)
            assert shown in wholes, (characters, shown)
        assert shown + stream.close() == "".join(characters)


def test_no_replacement_character_is_shown_for_a_character_in_parts() -> None:
    tokenizer = _wrapped(_byte_level(0))
    pieces = _streamed(tokenizer, tokenizer.encode("日本🎌語"))
    assert not any("\ufffd" in piece for piece in pieces)
    assert [piece for piece in pieces if piece] == ["日", "本", "🎌", "語"]


def test_an_answer_cut_in_the_middle_of_a_character_ends_with_one_replacement() -> None:
    tokenizer = _wrapped(_byte_level(0))
    ids = tokenizer.encode("猫犬")
    assert "".join(_streamed(tokenizer, ids[:-1])) == "猫\ufffd"


def test_a_model_that_writes_bytes_without_sense_is_shown_at_once() -> None:
    tokenizer = _wrapped(_byte_level(0))
    lone = next(t for t in range(tokenizer.size) if tokenizer.special_text(t) == "ģ")  # byte 0x85
    stream = tokenizer.stream()
    shown = "".join(stream.feed(lone) for _ in range(1000))
    assert len(shown) >= 999
    assert shown + stream.close() == "\ufffd" * 1000


def test_marks_without_end_are_let_go_in_parts() -> None:
    tokenizer = _wrapped(_byte_level(0))
    text = "a" + "\u0301" * 500
    stream, shown = tokenizer.stream(), ""
    for token in tokenizer.encode(text):
        shown += stream.feed(token)
        assert len(stream.held) <= 32
    assert shown + stream.close() == text


def test_a_line_break_is_shown_at_once_and_a_letter_with_the_next() -> None:
    tokenizer = _wrapped(_byte_level(0))
    pieces = _streamed(tokenizer, tokenizer.encode("ab\nc"))
    assert pieces == ["", "a", "b\n", "", "c"]


def test_special_tokens_are_not_shown_even_inside_a_character() -> None:
    tokenizer = _wrapped(_byte_level(0))
    first, *rest = tokenizer.encode("猫")
    end = tokenizer.encode("<|end|>")
    assert len(end) == 1
    assert "".join(_streamed(tokenizer, [*end, first, *end, *rest, *end])) == "猫"


def test_a_long_answer_decodes_each_token_once(monkeypatch: pytest.MonkeyPatch) -> None:
    tokenizer = _wrapped(_byte_level(60))
    asked: list[int] = []
    piece = tokenizer._piece

    def counted(token: int, before: int | None) -> bytes | None:
        asked.append(token)
        return piece(token, before)

    monkeypatch.setattr(tokenizer, "_piece", counted)
    ids = tokenizer.encode(" ".join(TEXTS) * 50)
    _streamed(tokenizer, ids)
    assert asked == ids


@pytest.mark.parametrize(
    ("character", "char", "expected"),
    [
        ("a", "b", False),
        ("a", "\u0301", True),
        ("\n", "\u0301", False),
        ("👨", "\u200d", True),
        ("👨\u200d", "👩", True),
        ("👍", "🏽", True),
        ("🇯", "🇵", True),
        ("🇯🇵", "🇫", False),
        ("क\u094d", "ष", True),
        ("\u1112", "\u1161", True),
        ("\uac00", "\u11a8", True),
        ("한", "국", False),
        ("a", "\u1161", False),
        ("น", "\u0e33", True),
    ],
)
def test_a_character_goes_on_only_with_what_belongs_to_it(
    character: str, char: str, expected: bool
) -> None:
    assert joins(character, char) is expected
