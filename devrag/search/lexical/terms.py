"""Japanese words and what code calls them: リダイレクト and redirect.

The table was learned from translated documentation by `scripts/japanese_terms.py`; its
head names the sources and their licences. A question asks for both sides.
"""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from pathlib import Path

from devrag.search.lexical.analyser import tokenize

_TABLE = Path(__file__).with_name("japanese_terms.tsv")
Terms = dict[str, tuple[str, ...]]


def counterparts(word: str) -> tuple[str, ...]:
    """Return what the other language calls a word, as tokens; mostly nothing.

    >>> counterparts("リダイレクト")
    ('redirect',)
    """
    return _tables()[word.isascii()].get(word, ())


def in_both_languages(text: str) -> str:
    """Return a Japanese text followed by what code calls its words; others as is.

    >>> in_both_languages("リダイレクト先")
    'リダイレクト先 redirect'
    """
    words = [word for word in tokenize(text) if not word.isascii()]
    names = dict.fromkeys(name for word in words for name in counterparts(word)[:1])
    return " ".join([text, *names])


@cache
def _tables() -> tuple[Terms, Terms]:
    """Return English by Japanese words, and Japanese by English ones."""
    english: Terms = {}
    japanese: dict[str, list[str]] = defaultdict(list)
    for line in _TABLE.read_text("utf-8").splitlines():
        if line.startswith("#"):
            continue
        word, _, names = line.partition("\t")
        english[word] = tuple(names.split())
        for name in english[word]:
            japanese[name].append(word)
    return english, {name: tuple(words) for name, words in japanese.items()}
