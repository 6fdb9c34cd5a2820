"""The question in words that are there, where one of its own is mistyped."""

from __future__ import annotations

from collections.abc import Collection
from functools import partial
from itertools import takewhile

from django.conf import settings

from devrag.core.time_limit import TimeLimitExceeded, remaining_seconds, time_limit
from devrag.search.lexical.analyser import as_written, replace_word, tokenize
from devrag.search.missing_words import find_missing
from devrag.search.query_intent import read_question
from devrag.search.query_parser import change_words, parse_query
from devrag.search.retrievers import reader
from devrag.search.scope import sources_in_scope
from devrag.search.similar_names import similar_names
from devrag.search.types import SearchQuery
from devrag.sources.models import Chunk

# Shorter words are one letter apart by chance.
_LEAST_LETTERS, _MOST_WORDS = 4, 3


def suggest_queries(query: SearchQuery, *, with_names: bool) -> tuple[str, ...]:
    """Return what to search for instead: similar names, else a similar text.

    with_names: whether names count. Where the search has no time left there is none: a
    page that has its results needs no suggestion.
    """
    try:
        with time_limit(settings.SEARCH_TIMEOUT):
            names = similar_names(query) if with_names else ()
            return names or similar_texts(query)
    except TimeLimitExceeded:
        return ()


def similar_texts(query: SearchQuery) -> tuple[str, ...]:
    """Return the text with a missing word as the sources spell it: デットロック.

    Queries: 1, and 1 for each such word.
    """
    asked = parse_query(query)
    source_ids = sources_in_scope(asked)

    def find_words(words: Collection[str]) -> Collection[str] | None:
        return reader().find_words(words, asked, source_ids)

    text = query.text
    missing = find_missing(read_question(asked.text), find_words)
    for word in [each for each in missing if len(each) >= _LEAST_LETTERS][:_MOST_WORDS]:
        if remaining_seconds() == 0:
            break
        spelled = _spell(word, asked, source_ids)
        if spelled:
            change = partial(replace_word, word=word, other=spelled)
            text = change_words(text, change)
    return (text,) if text != query.text else ()


def _spell(word: str, query: SearchQuery, source_ids: Collection[int]) -> str:
    """Return a word one letter apart as a text in scope writes it, '' without one."""
    chunk = reader().find_like(word, query, source_ids)
    if chunk is None:
        return ""
    # The index of this host may be behind: then the chunk may be gone.
    text = Chunk.objects.filter(pk=chunk).values_list("text", flat=True).first() or ""
    found = sorted(each for each in set(tokenize(text)) if _is_near(each, word))
    return min(as_written(found[:1], text), default="")


def _is_near(one: str, other: str) -> bool:
    """Return whether one letter makes the difference, or two that changed places."""
    start = _common(one, other)
    one, other = one[start:], other[start:]
    end = _common(one[::-1], other[::-1])
    left, right = one[: len(one) - end], other[: len(other) - end]
    is_swapped = len(left) == 2 and left == right[::-1]
    return is_swapped or max(len(left), len(right)) <= 1


def _common(one: str, other: str) -> int:
    """Return with how many letters both begin."""
    pairs = zip(one, other, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
