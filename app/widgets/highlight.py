"""Colours for finished code, worked out a slice at a time by Pygments."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtGui import QTextCharFormat, QTextDocument, QTextLayout

from app.theme import theme
from app.widgets.rich_letters import utf16

TOO_LONG = 100_000  # characters of code that stay without colours
LONG_LINE = 2_000  # some lexers take the square of a line's length
TOKENS_A_SLICE = 250


def language_name(word: str) -> str:
    """The name of a language as one writes it, from the word after a fence; "" if none."""
    return _NAMES.get(word.lower(), word)


_NAMES = {
    "bash": "Bash",
    "c": "C",
    "c++": "C++",
    "cpp": "C++",
    "cs": "C#",
    "csharp": "C#",
    "css": "CSS",
    "diff": "Diff",
    "go": "Go",
    "html": "HTML",
    "java": "Java",
    "javascript": "JavaScript",
    "js": "JavaScript",
    "json": "JSON",
    "kotlin": "Kotlin",
    "latex": "LaTeX",
    "lua": "Lua",
    "make": "Makefile",
    "markdown": "Markdown",
    "md": "Markdown",
    "metal": "Metal",
    "php": "PHP",
    "py": "Python",
    "python": "Python",
    "python3": "Python",
    "r": "R",
    "rb": "Ruby",
    "rs": "Rust",
    "ruby": "Ruby",
    "rust": "Rust",
    "sh": "Shell",
    "shell": "Shell",
    "sql": "SQL",
    "swift": "Swift",
    "text": "Text",
    "toml": "TOML",
    "ts": "TypeScript",
    "typescript": "TypeScript",
    "xml": "XML",
    "yaml": "YAML",
    "yml": "YAML",
    "zsh": "Zsh",
}


def warm() -> Iterator[None]:
    """Import what colouring needs, so that the first answer does not wait for it."""
    import pygments.lexers  # type: ignore[import-untyped]

    yield
    pygments.lexers.get_lexer_by_name("python")


def colour(document: QTextDocument, language: str) -> Iterator[None]:
    """Colour the lines of `document`, yielding between slices; a language unknown colours none."""
    code = document.toPlainText()
    if not language or len(code) > TOO_LONG or max(map(len, code.split("\n"))) > LONG_LINE:
        return
    from pygments.lexers import get_lexer_by_name
    from pygments.util import ClassNotFound  # type: ignore[import-untyped]

    yield
    try:
        lexer = get_lexer_by_name(language, stripnl=False, stripall=False, ensurenl=False)
    except ClassNotFound:
        return
    yield
    lines = _Lines(document)
    for number, (kind, text) in enumerate(lexer.get_tokens(code)):
        lines.add(text, _format(str(kind)))
        if number % TOKENS_A_SLICE == 0:
            lines.show()
            yield
    lines.show()


class _Lines:
    """Colours for the lines of a document, shown for many lines at once: each time Qt looks at
    the whole document again."""

    def __init__(self, document: QTextDocument) -> None:
        self._document = document
        self._block = document.begin()  # the line that is being coloured
        self._column = 0
        self._ranges: list[QTextLayout.FormatRange] = []
        self._first = self._block  # the first line that is not shown yet

    def add(self, text: str, made: QTextCharFormat | None) -> None:
        """The next token, in its format."""
        for line, part in enumerate(text.split("\n")):
            if line:
                self._end_line()
            width = utf16(part)
            if part and made:
                self._ranges.append(_range(self._column, width, made))
            self._column += width

    def _end_line(self) -> None:
        if self._ranges:
            self._block.layout().setFormats(self._ranges)
        self._block, self._column, self._ranges = self._block.next(), 0, []

    def show(self) -> None:
        """Show the lines coloured so far, that of the last token as well."""
        last = self._block if self._block.isValid() else self._document.lastBlock()
        last.layout().setFormats(self._ranges)
        start = self._first.position()
        self._document.markContentsDirty(start, last.position() + last.length() - start)
        self._first = self._block


def _format(kind: str) -> QTextCharFormat | None:
    """The format of a token by its Pygments name, None for plain text."""
    color = (
        "accent"
        if kind.startswith(("Token.Keyword", "Token.Operator.Word"))
        else "string"
        if kind.startswith("Token.Literal.String")
        else "text3"
        if kind.startswith("Token.Comment")
        else ""
    )
    if not color:
        return None
    made = QTextCharFormat()
    made.setForeground(theme().color(color))
    return made


def _range(start: int, length: int, made: QTextCharFormat) -> QTextLayout.FormatRange:
    found = QTextLayout.FormatRange()
    found.start = start  # type: ignore[attr-defined]
    found.length = length  # type: ignore[attr-defined]
    found.format = made  # type: ignore[attr-defined]
    return found
