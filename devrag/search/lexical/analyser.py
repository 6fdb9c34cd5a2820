"""Text to tokens, the same for documents and queries (S4-3.2).

NFKC and lower case; identifiers are kept whole and split at camelCase, snake_case and
digits; runs of kana and kanji go through IPADIC without particles and auxiliaries.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import cache

import lindera

# Raised when equal text gives other tokens: every host rebuilds its index.
ANALYSER_VERSION = 1

_JAPANESE = (
    r"\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
)
_PIECES = re.compile(
    rf"(?P<japanese>[{_JAPANESE}]+)|(?P<word>[^\W{_JAPANESE}]+(?:_[^\W{_JAPANESE}]+)*)"
)
_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_A-Za-z]+")
_DROPPED_CLASSES = frozenset({"助詞", "助動詞", "記号"})
_MAX_TOKEN_CHARS = 120
# Indexed and searched like others (BM25 weighs them down), but never shown as matches.
STOP_WORDS = frozenset(
    [
        "a",
        "an",
        "and",
        "are",
        "as",
        "at",
        "be",
        "by",
        "can",
        "do",
        "does",
        "for",
        "from",
        "how",
        "i",
        "in",
        "is",
        "it",
        "its",
        "of",
        "on",
        "or",
        "that",
        "the",
        "this",
        "to",
        "was",
        "what",
        "when",
        "where",
        "which",
        "who",
        "why",
        "will",
        "with",
        "you",
    ]
)


def tokenize(text: str) -> list[str]:
    """Return the tokens of a text in order; an identifier comes before its parts.

    >>> tokenize("getUserById API")
    ['getuserbyid', 'get', 'user', 'by', 'id', 'api']
    """
    return list(_tokens(unicodedata.normalize("NFKC", text)))


def _tokens(text: str) -> Iterator[str]:
    for match in _PIECES.finditer(text):
        word = match["word"]
        if word is None:
            yield from _japanese_tokens(match["japanese"])
        else:
            yield from _identifier_tokens(word)


def _identifier_tokens(word: str) -> Iterator[str]:
    whole = word.lower()
    if len(whole) <= _MAX_TOKEN_CHARS:
        yield whole
    if whole == word and word.isalpha():
        return
    parts = [part.lower() for part in _PARTS.findall(word)]
    if len(parts) > 1 or (parts and parts[0] != whole):
        yield from (part for part in parts if len(part) <= _MAX_TOKEN_CHARS)


def _japanese_tokens(run: str) -> Iterator[str]:
    for token in _japanese_tokenizer().tokenize(run):
        if token.details[0] not in _DROPPED_CLASSES:
            yield token.surface


@cache
def _japanese_tokenizer() -> lindera.Tokenizer:
    builder = lindera.TokenizerBuilder()
    builder.set_dictionary("embedded://ipadic")
    return builder.build()
