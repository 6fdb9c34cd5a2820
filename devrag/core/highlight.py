"""Source text to safe HTML, line by line, with Pygments token classes and no styles."""

from __future__ import annotations

import itertools
import re
import time
from collections.abc import Collection, Iterable, Iterator

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from pygments.lexer import Lexer
from pygments.lexers import get_lexer_by_name
from pygments.token import STANDARD_TYPES, _TokenType
from pygments.util import ClassNotFound

Token = tuple[_TokenType, str]

# Beyond these a page stays quick only as plain text.
MAX_LINES = 20_000
MAX_CHARACTERS = 2_000_000
MAX_LINE_CHARACTERS = 5_000
# Rules of some lexers read on to the end of the text at each token (Java's for methods
# on words, HTML's on comments that do not end): what is left after this is plain.
_MOST_SECONDS = 3.0
_TOKENS_BETWEEN_LOOKS = 20

# Names of ours that Pygments spells otherwise.
_SHORT = 3  # letters; longer words may match inside a name
_ALIASES = {
    # Office documents are read as Markdown.
    **dict.fromkeys(("docx", "odp", "ods", "odt", "pptx", "xlsx"), "markdown"),
    "c_sharp": "csharp",
    "embedded_template": "erb",
    "gomod": "go",
    "jsonc": "json",
    "proto": "protobuf",
    "shell": "bash",
    "svelte": "html",
    "vue": "html",
}


def highlight_lines(text: str, language: str) -> list[str]:
    """Return one HTML fragment a line; every span opened in a line ends in it."""
    return list(lex_lines(split_lines(text), language))


def lex_lines(lines: list[str], language: str) -> Iterator[str]:
    """Yield the fragments one by one: the first lines of a long text cost little."""
    lexer = _find_lexer(language)
    if lexer is None or _is_too_big(lines):
        yield from map(escape, lines)
        return
    done = 0
    for html, plain in _join_tokens(_in_time(lexer.get_tokens("\n".join(lines)))):
        # A lexer that loses or adds text would show it under wrong numbers.
        if done == len(lines) or plain != lines[done].removeprefix("\ufeff"):
            break
        yield html
        done += 1
    yield from map(escape, lines[done:])


def split_lines(text: str) -> list[str]:
    """Split as editors count lines: at `\\n`, `\\r\\n` or `\\r`, no empty last line."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return lines[:-1] if len(lines) > 1 and not lines[-1] else lines


def _find_lexer(language: str) -> Lexer | None:
    name = _ALIASES.get(language, language)
    if not name:
        return None
    try:
        return get_lexer_by_name(name, stripnl=False, ensurenl=False)
    except ClassNotFound:
        return None


def _is_too_big(lines: list[str]) -> bool:
    return (
        len(lines) > MAX_LINES
        or sum(map(len, lines)) > MAX_CHARACTERS
        or any(len(line) > MAX_LINE_CHARACTERS for line in lines)
    )


def _in_time(tokens: Iterable[Token]) -> Iterator[Token]:
    """Yield tokens until the lexer has taken too much processor time."""
    deadline = time.thread_time() + _MOST_SECONDS
    for number, token in enumerate(tokens):
        yield token
        if number % _TOKENS_BETWEEN_LOOKS == 0 and time.thread_time() > deadline:
            return


def _join_tokens(tokens: Iterable[Token]) -> Iterator[tuple[str, str]]:
    """Yield each line's HTML and text."""
    html: list[str] = []
    plain: list[str] = []
    for kind, value in tokens:
        css = _css_class(kind)
        first, *rest = value.split("\n")
        html.append(_span(first, css))
        plain.append(first)
        for part in rest:
            yield "".join(html), "".join(plain)
            html, plain = [_span(part, css)], [part]
    yield "".join(html), "".join(plain)


def _span(text: str, css: str) -> str:
    if not text:
        return ""
    return f'<span class="{css}">{escape(text)}</span>' if css else escape(text)


def _css_class(kind: _TokenType) -> str:
    known: _TokenType | None = kind
    while known is not None and known not in STANDARD_TYPES:
        known = known.parent
    css = STANDARD_TYPES[known] if known is not None else ""
    # Names and whitespace are most tokens and look like plain text: no span for them.
    return "" if css in {"n", "w"} else css


def _pattern(word: str) -> str:
    """Short Latin words count only as whole words: `id` is not a part of `width`."""
    escaped = re.escape(word)
    is_short = word.isascii() and len(word) <= _SHORT
    return rf"(?<![A-Za-z0-9]){escaped}(?![A-Za-z0-9])" if is_short else escaped


def mark_terms(html: str, terms: Iterable[str], *, are_whole: bool = False) -> str:
    """Wrap the terms in `<mark>` where they stand in text, never inside a tag.

    are_whole: not within other names.
    """
    words = sorted({escape(term) for term in terms if term.strip()}, key=len)
    if not words:
        return html
    wanted = "|".join(map(_pattern, reversed(words)))
    if are_whole:
        wanted = rf"(?<!\w)(?:{wanted})(?!\w)"
    # Tags and entities are matched first and left alone.
    pattern = re.compile(rf"<[^>]*>|&#?\w+;|({wanted})", re.IGNORECASE)
    return pattern.sub(
        lambda found: f"<mark>{found[1]}</mark>" if found[1] else found[0], html
    )


def mark_letters(text: str, places: Collection[int]) -> SafeString:
    """Return text as HTML, the letters at these places in `<mark>`.

    >>> mark_letters("a<b>c", [2, 3])
    'a&lt;<mark>b&gt;</mark>c'
    """
    wanted = set(places)
    runs = itertools.groupby(range(len(text)), wanted.__contains__)
    parts = ((is_marked, escape("".join(text[n] for n in r))) for is_marked, r in runs)
    html = (f"<mark>{part}</mark>" if is_marked else part for is_marked, part in parts)
    return mark_safe("".join(html))  # noqa: S308 - escaped above


def places_of_words(text: str, words: Iterable[str]) -> set[int]:
    """Return which letters of a text are those of the words, capitals aside."""
    lower = text.lower()
    starts = ((lower.find(word.lower()), len(word)) for word in words)
    return {n for at, length in starts if at >= 0 for n in range(at, at + length)}
