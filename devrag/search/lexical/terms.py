"""Japanese words and what code calls them: リダイレクト and redirect.

The table was learned from translated documentation by `scripts/japanese_terms.py`; its
head names the sources and their licences. A second one has what programmers say and
documentation does not translate. A question asks for both sides.
"""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from pathlib import Path

_TABLES = tuple(
    Path(__file__).with_name(name)
    for name in ("japanese_terms.tsv", "japanese_code_terms.tsv")
)
_SYNONYMS = Path(__file__).with_name("japanese_synonyms.tsv")
Terms = dict[str, tuple[str, ...]]


def counterparts(word: str) -> tuple[str, ...]:
    """Return what the other language calls a word, as tokens; mostly nothing.

    Of a Japanese word its Japanese synonyms, too.

    >>> counterparts("リダイレクト")
    ('redirect',)
    """
    return _tables()[word.isascii()].get(word, ())


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
