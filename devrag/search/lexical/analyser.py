"""Text to tokens, the same for documents and queries.

NFKC and lower case; identifiers are kept whole and split at camelCase, snake_case and
digits; runs of kana and kanji go through IPADIC, which leaves the words that carry
meaning: see devrag.search.lexical.japanese. The index holds the stems of inflected
words as well, marked, each after its word.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Collection
from functools import lru_cache

from devrag.core.identifiers import words_of
from devrag.search.lexical.japanese import (
    has_dictionary_word,
    indexed_forms,
    japanese_words,
)
from devrag.search.lexical.stemming import index_form

# Raised when equal text gives other tokens: every host rebuilds its index.
ANALYSER_VERSION = 5

_JAPANESE = (
    r"\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
)
_PIECES = re.compile(
    rf"(?P<japanese>[{_JAPANESE}]+)|(?P<word>[^\W{_JAPANESE}]+(?:_[^\W{_JAPANESE}]+)*)"
)
_ASCII_WORD = re.compile(r"\w+", re.ASCII)
MAX_TOKEN_CHARS = 120
# Indexed like others, for phrases; beside other words searched in names only.
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
    return _analyse(text, _word_tokens, _japanese_tokens).split()


def as_written(words: Collection[str], text: str) -> set[str]:
    """Return words of a text as it writes them.

    >>> sorted(as_written({"止める", "api"}, "APIを止めた"))
    ['api', '止め']
    """
    if all(map(str.isascii, words)):
        return set(words)
    written: dict[str, set[str]] = defaultdict(set)
    for run in _PIECES.finditer(unicodedata.normalize("NFKC", text)):
        for surface, form in japanese_words(run["japanese"] or ""):
            written[form].add(surface)
    return {each for word in words for each in written.get(word, {word})}


def replace_word(text: str, word: str, other: str) -> str:
    """Return a text with another word wherever it has one as a whole.

    >>> replace_word("conn to the connection", "conn", "cont")
    'cont to the connection'
    """
    wanted = word.lower()

    def spell(piece: re.Match[str]) -> str:
        if piece["japanese"]:
            return _replace_japanese(piece[0], word, other)
        is_meant = unicodedata.normalize("NFKC", piece[0]).lower() == wanted
        return other if is_meant else piece[0]

    return _PIECES.sub(spell, text)


def _replace_japanese(run: str, word: str, other: str) -> str:
    done, rest = "", run
    for surface, form in japanese_words(run):
        before, _, rest = rest.partition(surface)
        done += before + (other if form == word else surface)
    return done + rest


def analyse(text: str) -> str:
    """Return what the index holds of a text: its tokens, stems and readings."""
    return _analyse(text, _indexed_tokens, _indexed_japanese)


def _analyse(
    text: str,
    tokens_of: Callable[[str], str],
    japanese_tokens_of: Callable[[str], str],
) -> str:
    if text.isascii():
        return " ".join(map(tokens_of, _ASCII_WORD.findall(text)))
    pieces = _PIECES.finditer(unicodedata.normalize("NFKC", text))
    tokens = (
        tokens_of(match["word"]) if match["word"] else japanese_tokens_of(match[0])
        for match in pieces
    )
    return " ".join(filter(None, tokens))


# Code repeats its words: most are looked up, few are taken apart.
@lru_cache(maxsize=1 << 17)
def _indexed_tokens(word: str) -> str:
    return " ".join(map(index_form, _word_tokens(word).split()))


def _word_tokens(word: str) -> str:
    whole = word.lower()
    tokens = [whole]
    if whole != word or not word.isalpha():
        parts = [part.lower() for part in words_of(word)]
        if parts != [whole]:
            tokens += parts
    return " ".join(token for token in tokens if len(token) <= MAX_TOKEN_CHARS)


def _japanese_tokens(run: str) -> str:
    return " ".join(form for _, form in japanese_words(run))


def has_known_word(text: str) -> bool:
    """Return whether the dictionary has a Japanese word of a text, not a single sign.

    >>> [has_known_word(text) for text in ("税金の計算", "ゑゐヱヰぢゎ", "tax")]
    [True, False, False]
    """
    runs = _PIECES.finditer(unicodedata.normalize("NFKC", text))
    return any(has_dictionary_word(run["japanese"] or "") for run in runs)


def _indexed_japanese(run: str) -> str:
    return " ".join(indexed_forms(run))
