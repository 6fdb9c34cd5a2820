"""Japanese words and what code calls them: リダイレクト and redirect.

The table was learned from translated documentation by `scripts/japanese_terms.py`; its
head names the sources and their licences. A second one has what programmers say and
documentation does not translate. A question asks for both sides.
"""

from __future__ import annotations

import re
from collections import defaultdict
from functools import cache, lru_cache
from itertools import chain, product
from pathlib import Path

_TABLES = tuple(
    Path(__file__).with_name(name)
    for name in ("japanese_terms.tsv", "japanese_code_terms.tsv")
)
_SYNONYMS = Path(__file__).with_name("japanese_synonyms.tsv")
_LOAN_WORD = re.compile("[\u30a1-\u30fa\u30fc]+")
_SHORTEST_PART = 2
Terms = dict[str, tuple[str, ...]]


def counterparts(word: str) -> tuple[str, ...]:
    """Return what the other language calls a word, as tokens; mostly nothing.

    Of a Japanese word its Japanese synonyms, too.

    >>> counterparts("リダイレクト")
    ('redirect',)
    >>> counterparts("ビューエンジン")
    ('view', 'engine')
    """
    known = _tables()[word.isascii()].get(word)
    return tuple(chain(*_of_parts(word))) if known is None else known


def spelt_out(word: str) -> tuple[str, ...]:
    """Return counterparts of a word, those of a compound as phrases with all parts.

    >>> spelt_out("ビューエンジン")
    ('view engine',)
    """
    parts = () if word in _tables()[word.isascii()] else _of_parts(word)
    return tuple(map(" ".join, product(*parts))) if parts else counterparts(word)


@lru_cache(maxsize=10_000)
def _of_parts(word: str) -> tuple[tuple[str, ...], ...]:
    """Return what the two parts of a compound loan word are called, () for others."""
    english = _tables()[False]
    if not _LOAN_WORD.fullmatch(word):
        return ()
    for at in range(len(word) - _SHORTEST_PART, _SHORTEST_PART - 1, -1):
        parts = word[:at], word[at:]
        if all(part in english for part in parts):
            return tuple(english[part] for part in parts)
    return ()


@cache
def _tables() -> tuple[Terms, Terms]:
    """Return English by Japanese words, and Japanese by English ones."""
    english: Terms = {}
    japanese: dict[str, list[str]] = defaultdict(list)
    lines = (
        line for table in _TABLES for line in table.read_text("utf-8").splitlines()
    )
    for line in lines:
        if line.startswith("#"):
            continue
        word, _, names = line.partition("\t")
        english[word] = (*english.get(word, ()), *names.split())
        for name in names.split():
            japanese[name].append(word)
    for group in _synonyms():
        for word in group:
            others = (other for other in group if other != word)
            english[word] = (*english.get(word, ()), *others)
    return english, {name: tuple(words) for name, words in japanese.items()}


def _synonyms() -> list[list[str]]:
    lines = _SYNONYMS.read_text("utf-8").splitlines()
    return [line.split("\t") for line in lines if not line.startswith("#")]
