"""A growing Markdown text cut into blocks, each of which can be drawn once and for good. No Qt.

The cuts depend on the text alone, never on the pieces it came in, so an answer looks the same
while it is written and when its chat is opened again.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise
from typing import Literal, NamedTuple

LIMIT = 3_000  # characters in a block; a longer one is cut, so that drawing one stays quick
SLACK = 1_000  # how far past the limit a space to cut at is looked for

BREAK = "\u2e3d"  # stands for a line end that is kept; taken out once Qt has parsed the text
JOIN = "\u2e3e"  # punctuation, which lets emphasis begin or end inside a CJK sentence

_FENCE = re.compile(r"^([ \t]*)(`{3,}|~{3,})[ \t]*([^`]{0,200})$")
_MAYBE_FENCE = re.compile(r"^[ \t]*(?:`{0,2}|~{0,2}|(?:`{3,}|~{3,})[^`]{0,200})$")
_ITEM = re.compile(r"^ {0,3}(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)")
_MAYBE_ITEM = re.compile(r"^ {0,3}(?:[-*+]|\d{1,9}[.)]?)?$")
_HEADING = re.compile(r"^ {0,3}#{1,6}(?:[ \t]|$)")
_MAYBE_HEADING = re.compile(r"^ {0,3}#{1,6}$")
_BEGINS_BLOCK = re.compile(
    r"^\s*(?:[-*+][ \t]|\d{1,9}[.)][ \t]|#{1,6}[ \t]|>|\||(?:[-*_=][ \t]*)+$)"
)
_CUT = re.compile(r"[\s。！？]")

_CJK = r"\u3005-\u30ff\u3400-\u9fff\uf900-\ufaff\uac00-\ud7af"
_HAS_CJK = re.compile(f"[{_CJK}]")
_EMPHASIS_BEGINS = re.compile(rf"(?<=[{_CJK}])(\*{{1,3}})(?=[「『（［｛〈《【〔“‘\"'(])")
_EMPHASIS_ENDS = re.compile(
    rf"(?<=[」』）］｝〉》】〕”’\"')。、！？…：；:])(\*{{1,3}})(?=[{_CJK}])"
)
_DEFINITION = re.compile(r"^ {0,3}\[[^\]]+\]:")
_NAMELESS = re.compile(r"!\[\]\(([^)\s]+)")  # an image that Qt would leave out
_MATHS = re.compile(r"\\([()\[\]])")

_SHOWN: dict[int, str] = {code: chr(0x2400 + code) for code in range(0x20)}
_SHOWN |= {0x09: "\t", 0x0A: "\n", 0x0D: "", 0x7F: "\u2421"}
_SHOWN |= {0x2028: "\n", 0x2029: "\n", 0xFFFC: "\ufffd"}
_SHOWN |= {
    code: f"[U+{code:04X}]"
    for code in (*range(0x80, 0xA0), *range(0x202A, 0x202F), *range(0x2066, 0x206A))
}
_SHOWN |= dict.fromkeys(range(0xD800, 0xE000), "\ufffd")


class Step(NamedTuple):
    """`text` joins the open text block and `end` closes it; `fence` (its text is the language)
    opens a code block, `code` joins it and `unfence` closes it."""

    kind: Literal["text", "end", "fence", "code", "unfence"]
    text: str = ""


def visible(text: str) -> str:
    """`text` with control characters and direction overrides made visible, line ends as \\n."""
    return text.translate(_SHOWN)


def has_cjk(text: str) -> bool:
    """Whether `text` holds Japanese, Chinese or Korean letters, which stand on a taller line."""
    return _HAS_CJK.search(text) is not None


class BlockReader:
    """Reads a text piece by piece and says what joins and what closes a block."""

    def __init__(self) -> None:
        self._held = ""  # the start of a line whose kind is not known yet
        self._open = False  # the line's kind is known: the rest of it flows
        self._heading = False  # the line is a heading
        self._size = 0  # characters in the open text block, 0 when none is open
        self._list = False  # that block holds a list, which a blank line does not end
        self._table = False
        self._gap = False  # a blank line was seen in that list
        self._fence = ""  # what opened the code block, "" outside one
        self._indent = 0  # of that fence

    def feed(self, text: str) -> list[Step]:
        """The steps that `text`, the next piece, brings about."""
        steps: list[Step] = []
        for number, part in enumerate(visible(text).split("\n")):
            if number:
                self._end_line(steps)
            if part and self._open:
                self._flow(steps, part)
            elif part:
                self._held += part
                if not self._undecided():
                    self._begin_line(steps)
        return steps

    def close(self) -> list[Step]:
        """The steps that the end of the text brings about."""
        steps: list[Step] = []
        if self._held or self._open:
            self._end_line(steps)
        if self._fence:
            steps.append(Step("unfence"))
            self._fence = ""
        self._end_block(steps)
        return steps

    def _undecided(self) -> bool:
        line = self._held
        if self._fence or _MAYBE_FENCE.match(line):
            return _MAYBE_FENCE.match(line) is not None
        return bool(_MAYBE_ITEM.match(line) or _MAYBE_HEADING.match(line))

    def _begin_line(self, steps: list[Step]) -> None:
        """The line's kind is known: close what it cannot belong to and let it flow."""
        line, self._held = self._held, ""
        self._open = True
        if self._fence:
            spaces = len(line) - len(line.lstrip(" \t"))
            steps.append(Step("code", line[min(spaces, self._indent) :]))
            return
        item = _ITEM.match(line) is not None
        self._heading = _HEADING.match(line) is not None
        outside = not item and not line.startswith(("  ", "\t"))
        full = self._list and self._size > LIMIT and not line.startswith((" ", "\t"))
        if (self._gap and outside) or full or self._heading:
            self._end_block(steps)
        self._gap = False
        self._list = self._list or item
        self._table = self._table or line.startswith("|")
        self._flow(steps, line)

    def _end_line(self, steps: list[Step]) -> None:
        fence = None if self._open else _FENCE.match(self._held)
        if fence and not self._fence:
            self._end_block(steps)
            self._fence, self._indent = fence[2], len(fence[1])
            steps.append(Step("fence", fence[3].strip()))
        elif fence and not fence[3].strip() and fence[2].startswith(self._fence):
            steps.append(Step("unfence"))
            self._fence = ""
        elif self._open or self._held.strip() or self._fence:
            if not self._open:
                self._begin_line(steps)
            self._flow(steps, "\n")
            if self._heading and not self._fence:
                self._end_block(steps)
        elif self._list:
            self._gap = True
            self._flow(steps, "\n")
        else:
            self._end_block(steps)
        self._held, self._open, self._heading = "", False, False

    def _flow(self, steps: list[Step], text: str) -> None:
        """Hand `text` on, cutting a block of text that grows too long."""
        if self._fence:
            steps.append(Step("code", text))
            return
        limit = 2 * LIMIT if self._list or self._table else LIMIT
        while self._size + len(text) > limit:
            space = _CUT.search(text, max(0, limit - self._size))
            hard = limit + SLACK - self._size
            at = min(space.end() if space else hard, hard)
            if at > len(text):
                break
            steps.append(Step("text", text[:at]))
            text = text[at:]
            self._size += at
            self._end_block(steps)
            limit = LIMIT
        if text:
            self._size += len(text)
            steps.append(Step("text", text))

    def _end_block(self, steps: list[Step]) -> None:
        if self._size:
            steps.append(Step("end"))
        self._size, self._list, self._table, self._gap = 0, False, False, False


def prepared(block: str) -> str:
    """A text block as Qt's Markdown reader takes it: line ends kept as BREAK, emphasis helped
    into CJK sentences with JOIN, and the brackets of maths kept with their backslash."""
    if BREAK in block or JOIN in block:
        return block
    return _keep_line_ends(_outside_code(block, _help))


def _help(text: str) -> str:
    text = _EMPHASIS_BEGINS.sub(rf"{JOIN}\1", text)
    text = _EMPHASIS_ENDS.sub(rf"\1{JOIN}", text)
    text = _NAMELESS.sub(r"![\1](\1", text)
    return _MATHS.sub(r"\\\\\1", text)


def _outside_code(text: str, change: Callable[[str], str]) -> str:
    """`text` with all but its code spans changed."""
    parts = re.split(r"(`+)", text)  # the runs of backticks have odd indices
    last = {parts[at]: at for at in range(1, len(parts), 2)}
    out: list[str] = []
    at = 0
    while at < len(parts):
        if at % 2 and last[parts[at]] > at:
            end = parts.index(parts[at], at + 1)
            out += parts[at : end + 1]
            at = end + 1
        else:
            out.append(parts[at] if at % 2 else change(parts[at]))
            at += 1
    return "".join(out)


def _keep_line_ends(text: str) -> str:
    lines = text.split("\n")
    for at, (line, following) in enumerate(pairwise(lines)):
        depth, said = _quoted(line)
        depth_next, next_said = _quoted(following)
        cells = "|" in line or "|" in following
        ends = not said or said.endswith("\\") or _HEADING.match(said) or _DEFINITION.match(said)
        begins = not next_said or depth_next != depth or _BEGINS_BLOCK.match(next_said)
        if not (cells or ends or begins):
            lines[at] = f"{line.rstrip()} {BREAK}"
    return "\n".join(lines)


def _quoted(line: str) -> tuple[int, str]:
    """How deep in quotes `line` stands, and what it says there."""
    said = line.strip()
    depth = 0
    while said.startswith(">"):
        said, depth = said[1:].lstrip(), depth + 1
    return depth, said
